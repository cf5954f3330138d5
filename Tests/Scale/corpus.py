"""A corpus of feeds that tells shards from one process: copies across feeds, twins, documents that are cut off or hostile."""
import datetime
import json
import random

WORDS = ("harbour lantern thistle copper willow ember quarry saddle meadow pepper canvas orchard violet anchor barley cinder "
         "ferry gravel hazel island juniper kettle linen marble nutmeg otter paddle quince raven sable tinder umber").split()
HOSTILE = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg><style><img src=x onerror=alert(1)></style>",
           "<b>" * 3_000, "<table><tr><hr>", "<math><mtext><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=x\">",
           '<a href="java\nscript:alert(1)">x</a>', "<p style='background:url(javascript:1)'>x"]


class Post:
    def __init__(self, chance, number):
        self.id, self.link = f"urn:post:{number}", f"https://posts.example/{number}"
        self.title = " ".join(chance.choice(WORDS) for _ in range(4)).title() + f" {number}"
        self.words = [chance.choice(WORDS) + str(chance.randrange(900)) for _ in range(chance.choice([8, 60, 60, 150]))]
        self.date = chance.randrange(1_600_000_000, 1_760_000_000) if chance.random() < 0.9 else None
        self.odd = chance.choice(HOSTILE) if chance.random() < 0.1 else ""

    def copy(self, chance, number):
        """The same post as another feed gives it: by its address, its id, or its words alone, a few of them changed."""
        twin = Post(chance, number)
        twin.title, twin.date, twin.words = self.title, self.date, list(self.words)
        way = chance.randrange(4)
        twin.link = self.link + chance.choice(["", "?utm_source=rss", "#more"]) if way < 2 else twin.link
        twin.id = self.id if way in (1, 2) else twin.id
        if chance.random() < 0.4:
            twin.words[chance.randrange(len(twin.words))] = "edited"
        if chance.random() < 0.1:
            # The same address, another text: no copy.
            twin.words = [chance.choice(WORDS) for _ in range(80)]
        return twin

    def html(self):
        return f"<p>{' '.join(self.words)}</p>{self.odd}"


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def stamp(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def rss(title, home, posts, own=None):
    head = f'<atom:link rel="self" href="{own}"/>' if own else ""
    items = "".join(
        f'<item><guid isPermaLink="false">{post.id}</guid><title>{escaped(post.title)}</title><link>{escaped(post.link)}</link>'
        + (f"<dc:date>{stamp(post.date)}</dc:date>" if post.date else "") + f"<description>{escaped(post.html())}</description></item>"
        for post in posts)
    return ('<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>'
            f"<title>{escaped(title)}</title><link>{home}</link>{head}{items}</channel></rss>")


def atom(title, home, posts, own=None):
    head = f'<link rel="self" href="{own}"/>' if own else ""
    entries = "".join(
        f'<entry><id>{post.id}</id><title>{escaped(post.title)}</title><link href="{escaped(post.link)}"/>'
        + (f"<updated>{stamp(post.date)}</updated>" if post.date else "")
        + f'<content type="html">{escaped(post.html())}</content></entry>' for post in posts)
    return (f'<feed xmlns="http://www.w3.org/2005/Atom"><title>{escaped(title)}</title><link href="{home}"/>{head}'
            f"<id>{home}</id>{entries}</feed>")


def json_feed(title, home, posts, own=None):
    items = [{"id": post.id, "url": post.link, "title": post.title, "content_html": post.html()}
             | ({"date_published": stamp(post.date)} if post.date else {}) for post in posts]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": title, "home_page_url": home} | ({"feed_url": own} if own else {})
    return json.dumps(feed | {"items": items}, ensure_ascii=False)


def write(folder, seed=1, feeds=24, each=14):
    """Writes the feeds into a folder; answers how many posts they hold."""
    chance, number, known, posts = random.Random(seed), 0, [], 0
    folder.mkdir(parents=True)
    for place in range(feeds):
        own = []
        for _ in range(chance.randrange(1, 2 * each)):
            number += 1
            own.append(chance.choice(known).copy(chance, number) if known and chance.random() < 0.3 else Post(chance, number))
        known, posts = known + own, posts + len(own)
        form = chance.choice([rss, rss, atom, json_feed])
        home = f"https://home{place}.example/"
        # A third says its own address; the others are known by their home pages, two of them by the same one.
        address = f"{home}feed" if place % 3 == 0 else None
        text = form(f"Feed {place} of {chance.choice(WORDS)}", "https://shared.example/" if place in (4, 5) else home, own, address)
        if place % 8 == 7:
            text = text[:len(text) * 2 // 3]
        sub = folder / chance.choice(["a", "b", "c/d"])
        sub.mkdir(parents=True, exist_ok=True)
        (sub / f"{place:03}.{'json' if form is json_feed else 'xml'}").write_text(text, encoding="utf-8")
        if place in (0, 9):
            # Twins: other files that say the same address, one of them with posts of its own.
            (folder / f"twin{place}.xml").write_text(rss(f"Twin {place}", home, own[::2], address), encoding="utf-8")
            other = [Post(chance, 10_000 + 100 * place + n) for n in range(3)]
            (folder / f"other{place}.xml").write_text(atom(f"Other {place}", home, other, address), encoding="utf-8")
            posts += len(own[::2]) + len(other)
    bomb = "".join(f'<!ENTITY e{n} "{"&e%d;" % (n - 1) * 10}">' for n in range(1, 9))
    (folder / "bomb.xml").write_text(f'<!DOCTYPE rss [<!ENTITY e0 "x">{bomb}]><rss version="2.0"><channel><title>&e8;</title>'
                                     "<link>https://bomb.example/</link></channel></rss>", encoding="utf-8")
    (folder / "deep.xml").write_text('<rss version="2.0"><channel>' + "<item>" * 20_000, encoding="utf-8")
    (folder / "empty.xml").write_bytes(b"")
    (folder / "page.html").write_text("<!doctype html><title>This is no feed</title>", encoding="utf-8")
    (folder / "noise.xml").write_bytes(b"<rss><channel>" + bytes(chance.randrange(256) for _ in range(4_000)))
    return posts
