"""Feeds of a planet, day by day: what month.py serves, and what is true of it.

Each post has a word of its own in its text, its marker, by which it is found again however its feed describes it. All that
happens follows from the seed.
"""
import datetime
import itertools
import json
import random
from xml.sax.saxutils import escape

START = datetime.datetime(2026, 11, 1, 8, 0, tzinfo=datetime.timezone.utc)
SYLLABLES = "ba del fi gor hu jam kel lo mir nes or pim quo ras sil tor ul ven wex yar zon".split()
VOCABULARY = ["".join(pair) for pair in itertools.product(SYLLABLES, repeat=2)]
# What can change beside id and link when a blog moves.
CHANGES = ("footer", "teaser", "time", "case", "tags", "scheme", "host")


def rfc822(date):
    return date.strftime("%d %b %Y %H:%M:%S GMT")


def rfc3339(date):
    return date.strftime("%Y-%m-%dT%H:%M:%SZ")


class Post:
    def __init__(self, feed, number, date, length):
        chance = feed.chance
        self.number, self.date, self.updated = number, date, None
        self.marker = f"mark{feed.name}n{number}x"
        self.title = " ".join(chance.sample(VOCABULARY, 4)).capitalize()
        self.words = chance.choices(VOCABULARY, k=length)
        self.words[2:2] = [self.marker]
        self.tags = chance.sample(["sea", "land", "sky", "tools"], 2)
        self.generation = 0
        self.id = self.link = ""

    def text(self):
        half = max(len(self.words) // 2, 3)
        return [" ".join(part).capitalize() + "." for part in (self.words[:half], self.words[half:]) if part]

    def said(self, footer):
        """The words that a reader sees: when they are the same, the post is."""
        return self.title.casefold(), " ".join(self.words).casefold(), footer


class Feed:
    """A blog that gets a post on most days, and edits one now and then."""
    rule, often, length, window, edits = "steady", 0.6, (55, 110), 10, 0.15

    def __init__(self, name, form, seed):
        self.name, self.form, self.chance = name, form, random.Random(f"{seed} {name}")
        self.title, self.scheme, self.host, self.path = name.capitalize() + " log", "https", f"{name}.example", "/{year}/{slug}"
        self.footer, self.posts, self.number = "", [], 0
        self.status, self.redirect = 200, False
        for age in range(self.window, 0, -1):
            self.post(START - datetime.timedelta(days=age, hours=self.chance.randrange(8), minutes=self.chance.randrange(60)))

    # MARK: - What happens

    def post(self, date):
        self.number += 1
        post = Post(self, self.number, date, self.chance.randint(*self.length))
        self.name_post(post)
        self.posts.insert(0, post)
        return post

    def name_post(self, post):
        """The id and link that the blog gives a post today."""
        slug = post.title.lower().replace(" ", "-") if post.title else f"note-{post.number}"
        post.link = f"{self.scheme}://{self.host}" + self.path.format(year=post.date.year, slug=slug, number=post.number)
        post.id = post.link if self.path.endswith("/") else f"{self.scheme}://{self.host}/?p={post.number}"

    def change(self, day, now):
        """What happens to the blog on a day."""
        if self.chance.random() < self.often:
            self.post(now - datetime.timedelta(minutes=self.chance.randrange(5, 1300)))
        if self.chance.random() < self.edits and self.posts:
            post = self.chance.choice(self.posts[:self.window])
            place = self.chance.randrange(3, max(len(post.words), 4))
            post.words[place:place + 2] = self.chance.choices(VOCABULARY, k=3)
            post.updated = now - datetime.timedelta(minutes=5)

    def shown(self, day):
        return self.posts[:self.window]

    def dates(self, posts, now):
        """For each post the date and the date of change that are written."""
        return [(post.date, post.updated) for post in posts]

    # MARK: - As a document

    def answer(self, day, now):
        """What stands at the feed's address, and the posts that are whole in it."""
        posts = self.shown(day)
        return self.write(posts, self.dates(posts, now)), posts

    def body(self, post):
        return "".join(f"<p>{text}</p>" for text in post.text()) + self.footer.format(title=post.title)

    def write(self, posts, dates):
        return {"rss": self.rss, "atom": self.atom, "json": self.json}[self.form](list(zip(posts, dates)))

    def rss(self, posts):
        items = ""
        for post, (date, _) in posts:
            permalink = "" if post.id == post.link else ' isPermaLink="false"'
            items += (f"\n<item>{element('title', post.title)}{element('link', post.link)}"
                      f"<guid{permalink}>{escape(post.id)}</guid>{element('pubDate', date and rfc822(date))}"
                      + "".join(element("category", tag) for tag in post.tags) + element("description", self.body(post)) + "</item>")
        return (f'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>{element("title", self.title)}'
                f'<link>{self.scheme}://{self.host}/</link><description>d</description>{items}</channel></rss>')

    def atom(self, posts):
        entries = ""
        for post, (date, updated) in posts:
            entries += (f"\n<entry>{element('title', post.title)}<link href=\"{escape(post.link)}\"/>{element('id', post.id)}"
                        + element("published", date and rfc3339(date)) + element("updated", (updated or date) and rfc3339(updated or date))
                        + "".join(f'<category term="{tag}"/>' for tag in post.tags)
                        + f"<content type=\"html\">{escape(self.body(post))}</content></entry>")
        return (f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">{element("title", self.title)}'
                f'<link href="{self.scheme}://{self.host}/"/><id>tag:{self.name}.example,2026:feed</id>{entries}</feed>')

    def json(self, posts):
        items = [{"id": post.id, "url": post.link, "title": post.title, "content_html": self.body(post), "tags": post.tags}
                 | ({"date_published": rfc3339(date)} if date else {}) | ({"date_modified": rfc3339(updated)} if updated else {})
                 for post, (date, updated) in posts]
        return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": self.title,
                           "home_page_url": f"{self.scheme}://{self.host}/", "items": items})


def element(name, text):
    return f"<{name}>{escape(text)}</{name}>" if text else ""


class Redated(Feed):
    """Its posts are dated by the moment of each request: all alike, or a minute apart."""
    rule, often, edits = "redated", 0.3, 0.05
    apart = 0

    def dates(self, posts, now):
        moments = [now - datetime.timedelta(minutes=self.apart * place) for place in range(len(posts))]
        return [(None if self.form == "atom" else moment, moment) for moment in moments]


class RedatedApart(Redated):
    apart = 1


class Moving(Feed):
    """A blog that moves once: each id and link is another from then on, and with them what `changes` names."""
    rule, length, edits = "moved", (30, 110), 0.05

    def __init__(self, name, form, seed, changes):
        super().__init__(name, form, seed)
        self.changes, self.day = changes, self.chance.randrange(5, 26)
        self.rule += "".join(f"+{change}" for change in changes)
        self.redirect = self.chance.random() < 0.3

    def change(self, day, now):
        super().change(day, now)
        if day == self.day:
            self.scheme = "http" if "scheme" in self.changes else self.scheme
            self.host = f"new-{self.name}.example" if "host" in self.changes else self.host
            self.path = "/posts/{number}-{slug}/"
            self.footer = "<p>The post {title} appeared first on this log.</p>" if "footer" in self.changes else ""
            for post in self.posts:
                self.move(post)

    def move(self, post):
        self.name_post(post)
        if "teaser" in self.changes:
            post.words = post.words[:25]
        if "time" in self.changes:
            post.date = post.date.replace(hour=0, minute=0, second=0)
        if "case" in self.changes:
            post.title = post.title.title()
        if "tags" in self.changes:
            post.tags = ["sea-side", "news"]


class Alike(Moving):
    """Each post has the same title, and nearly the same words as the others: still other posts."""
    rule = "alike"

    def post(self, date):
        post = super().post(date)
        post.title = "Weather report"
        words = random.Random(self.name).choices(VOCABULARY, k=60)
        places = self.chance.sample(range(4, 60), 5)
        for place in places:
            words[place] = self.chance.choice(VOCABULARY)
        post.words = words[:2] + [post.marker] + words[2:]
        self.name_post(post)
        post.link = post.link.rstrip("/") + f"-{post.number}"
        return post


class Untitled(Moving):
    """Notes of a few words without a title."""
    rule, length, often, window = "untitled", (8, 14), 0.9, 15

    def post(self, date):
        post = super().post(date)
        post.title = ""
        self.name_post(post)
        return post


class Retitled(Feed):
    """A headline is written anew now and then, and link and id are made of it."""
    rule, length, edits, often, path = "retitled", (90, 110), 0.0, 0.9, "/{slug}/"

    def __init__(self, name, form, seed):
        super().__init__(name, form, seed)
        self.path = "/{slug}/"
        for post in self.posts:
            self.name_post(post)

    def change(self, day, now):
        super().change(day, now)
        if self.chance.random() < 0.3:
            post = self.chance.choice(self.posts[:3])
            post.title = " ".join(self.chance.sample(VOCABULARY, 5)).capitalize()
            self.name_post(post)


class Aggregator(Feed):
    """The newest posts of others, with their links; or under ids and links of its own."""
    rule, window = "aggregator", 25

    def __init__(self, name, form, seed, others, own):
        self.others, self.own, self.copies = others, own, {}
        super().__init__(name, form, seed)
        self.posts = []

    def change(self, day, now):
        newest = sorted((post for other in self.others for post in other.shown(day)), key=lambda post: post.date, reverse=True)
        self.posts = []
        for post in newest[:self.window]:
            if self.own:
                copy = self.copies.setdefault(post.marker, Post(self, len(self.copies), post.date, 5))
                copy.title, copy.words, copy.marker, copy.updated = post.title, post.words, post.marker, post.updated
                copy.id = copy.link = f"https://{self.host}/seen/{copy.number}"
                post = copy
            self.posts.append(post)


class Broken(Feed):
    """On some days its document ends in the middle of a post, or has markup that is not XML."""
    rule = "broken"

    def answer(self, day, now):
        text, posts = super().answer(day, now)
        if day % 9 == 4:
            kept = len(posts) // 2
            end = text.index(posts[kept].marker)
            return text[:end + len(posts[kept].marker)], posts[:kept]
        return (text.replace("</title>", " & <b></title>", 1) if day % 9 == 7 else text), posts


class Failing(Feed):
    """On some days its server answers otherwise: an error, a page about repairs, an empty feed."""
    rule = "outage"

    def answer(self, day, now):
        text, posts = super().answer(day, now)
        self.status = {3: 500, 4: 404, 5: 503, 20: 403}.get(day, 200)
        if self.status != 200:
            return "", []
        if day == 12:
            return "<!DOCTYPE html><title>Back soon</title><p>We are repairing this.", []
        return (self.write([], []), []) if day in (15, 16) else (text, posts)


class Undated(Feed):
    rule = "undated"

    def dates(self, posts, now):
        return [(None, None) for _ in posts]


class Backfill(Feed):
    """One day it shows all that it ever wrote."""
    rule, window = "backfill", 6

    def __init__(self, name, form, seed):
        super().__init__(name, form, seed)
        for age in range(40):
            self.post(START - datetime.timedelta(days=20 + 7 * age))
        self.posts.sort(key=lambda post: post.date, reverse=True)

    def shown(self, day):
        return self.posts if day == 14 else self.posts[:self.window]


class Replaced(Feed):
    """Another author takes the address over: none of the posts is one of before, although some days are the same."""
    rule, often = "replaced", 0.3

    def change(self, day, now):
        super().change(day, now)
        if day == 17:
            dates = [post.date for post in self.posts[:self.window]]
            self.posts, self.title, self.host, self.path = [], "Other people", "other.example", "/x/{slug}/"
            for date in reversed(dates):
                self.post(date.replace(hour=6, minute=0))


class Early(Feed):
    """Dated some days ahead, as a calendar of events is."""
    rule, edits = "early", 0.0

    def post(self, date):
        post = super().post(date)
        post.date += datetime.timedelta(days=self.chance.choice([0, 0, 3]))
        return post


def planet(seed):
    """All feeds. Those that move change nothing else, one thing, and some of the pairs and threes, which the seed chooses."""
    forms = itertools.cycle(["rss", "atom", "rss", "json"])
    names = (f"blog{number}" for number in itertools.count())
    make = lambda kind, *more: kind(next(names), next(forms), seed, *more)
    feeds = [make(Feed) for _ in range(6)]
    feeds += [Redated(next(names), "rss", seed), Redated(next(names), "atom", seed), RedatedApart(next(names), "json", seed)]
    chance = random.Random(seed)
    moves = [(), ("footer",), ("teaser",), ("time",), ("case",), ("host",)]
    moves += chance.sample(list(itertools.combinations(CHANGES, 2)), 4) + chance.sample(list(itertools.combinations(CHANGES, 3)), 4)
    feeds += [make(Moving, changes) for changes in moves]
    feeds += [make(Alike, ("time",)), make(Untitled, ()), make(Untitled, ("host", "time"))]
    feeds += [make(kind) for kind in (Retitled, Retitled, Broken, Broken, Failing, Failing, Undated, Backfill, Replaced, Early)]
    # No post is in two of them: an edit that one shows and the other does not parts their copies.
    feeds += [make(Aggregator, feeds[:2], False), make(Aggregator, feeds[2:4] + feeds[10:12], False), make(Aggregator, feeds[4:6], True)]
    return feeds
