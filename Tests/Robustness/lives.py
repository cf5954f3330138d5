#!/usr/bin/env python3
"""Let feeds of all shapes live through one change each, and see that each post keeps one page.

usage: lives.py TAMIS [--lives N] [--seed N] [--only WORD,WORD] [--keep FOLDER]

A life is a feed with one kind of ids, links, dates, titles and texts, and one thing that happens to it: `id=row link=own date=fixed
title=own text=full event=word`. All lives are feeds of one planet, which is built on four days: as it began, with the change, with one more
post, and once more with nothing new. What is true is known from the generator alone: each post has a marker (`m17n3x`) in all that it says.

- lost: a post that its feed has shown is on no page;
- doubled: a post is on more than one page;
- renamed: the page of a post is not the one of the day before.

A post whose feed gives too little to tell it from the others, or to find it again, is not judged (`Life.tells`, `Life.finds`). What is left
are feeds broken in two or three ways at once, as rows for ids with sessions in links and no words. Lives with offences are printed; exit code
1 when one of a hundred has some. Needs faketime.
"""
import argparse
import collections
import datetime
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from email.utils import format_datetime
from xml.sax.saxutils import escape

SHAPES = {
    "id": ["stable", "link", "none", "row", "fetch", "hash", "shared"],
    "link": ["own", "home", "none", "session", "title"],
    "date": ["fixed", "none", "fetch", "edit", "day"],
    "title": ["own", "none", "same", "pattern"],
    "text": ["none", "short", "teaser", "full", "boiler", "picture"],
    "event": ["nothing", "add", "add5", "word", "half", "headline", "teaser", "footer", "hours", "reverse", "middle", "ids", "host", "move",
              "return", "empty", "both"],
}
START = datetime.datetime(2026, 3, 2, 9, 0, tzinfo=datetime.timezone.utc)
MARKER = re.compile(r"m(\d+)n(\d+)x")
EDITS = ("word", "half", "headline", "both")
COMMON = ("the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all "
          "her she there would their we him been has when who will no more if out so up said what its about than into them can only").split()
SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi zo ka lu ne pi ro su ta ve".split()


class Post:
    def __init__(self, life, number, chance):
        self.life, self.number, self.marker = life, number, f"m{life.number}n{number}x"
        self.key = f"{chance.getrandbits(40):010x}-{self.marker}"
        self.title_words = [self.word(chance) for _ in range(chance.randint(3, 6))]
        length = {"short": 6, "teaser": 30, "full": 150, "boiler": 9}.get(life.shape["text"], 0)
        self.words = [self.word(chance) for _ in range(length)]
        self.date = START - datetime.timedelta(days=40) + datetime.timedelta(days=number, minutes=chance.randint(0, 600))
        self.edited = None

    def word(self, chance):
        return chance.choice(COMMON) if chance.random() < .45 else "".join(chance.choice(SYLLABLES) for _ in range(3))

    def title(self):
        match self.life.shape["title"]:
            case "own": return f"{' '.join(self.title_words)} {self.marker}".capitalize()
            case "same": return "Photo of the day"
            case "pattern": return f"Episode {self.number + 100}"
        return ""

    def text(self):
        life, words = self.life, list(self.words)
        if life.shape["text"] == "none":
            return ""
        picture = f'<p><img src="https://l{life.number}.example/{self.marker}.jpg" alt=""></p>'
        if life.shape["text"] == "picture":
            return picture
        if life.cut and len(words) > 40:
            words = words[:25] + ["…"]
        said = f"<p>{' '.join(words)} {self.marker}</p>"
        if life.shape["text"] == "boiler":
            said += f"<p>{' '.join(life.boiler)}</p>"
        return said + (f"<p>{' '.join(life.footer)}</p>" if life.footed else "")


class Life:
    def __init__(self, number, shape, chance):
        self.number, self.shape, self.chance = number, shape, chance
        self.boiler = [chance.choice(COMMON) for _ in range(40)]
        self.footer = [chance.choice(COMMON) for _ in range(14)]
        self.size = chance.choice([3, 6, 10, 15])
        self.numbers = itertools.count()
        self.posts = [Post(self, next(self.numbers), chance) for _ in range(self.size)]
        self.cut = self.footed = self.reversed = self.bare = False
        self.ids, self.host, self.hours = 0, f"l{number}.example", 0
        self.form = chance.choice(["rss", "atom"])

    def change(self, day):
        """Has happen what this life is about, on the second day; one post comes on the third."""
        chance, event = self.chance, self.shape["event"]
        one = chance.choice(self.posts[-self.size:])
        if day == 2:
            self.posts.append(Post(self, next(self.numbers), chance))
            if event == "return":
                self.posts = [self.gone] + self.posts
                self.size += 1
        if day != 1:
            self.bare = False
            return
        match event:
            case "add": self.posts.append(Post(self, next(self.numbers), chance))
            case "add5": self.posts += [Post(self, next(self.numbers), chance) for _ in range(5)]
            case "word" if one.words: self.edit(one, lambda: one.words.__setitem__(len(one.words) // 2, "corrected"))
            case "half" if one.words: self.edit(one, lambda: one.words.__setitem__(slice(0, len(one.words) // 2), [
                one.word(chance) for _ in range(len(one.words) // 2)]))
            case "headline": self.edit(one, lambda: setattr(one, "title_words", [one.word(chance) for _ in range(4)]))
            case "both":
                self.edit(one, lambda: setattr(one, "title_words", one.title_words[:-1] + [one.word(chance)]))
                if one.words:
                    one.words[len(one.words) // 2] = "corrected"
            case "teaser": self.cut = True
            case "footer": self.footed = True
            case "hours": self.hours = 5
            case "reverse": self.reversed = True
            case "middle" | "return":
                self.gone = self.posts.pop(len(self.posts) // 2)
                self.size -= 1
            case "ids": self.ids = 1
            case "host": self.host = f"new{self.number}.example"
            case "move": self.ids, self.host = 1, f"new{self.number}.example"
            case "empty": self.bare = True

    def edit(self, post, change):
        change()
        post.edited = True

    def identifier(self, post, place, now):
        match self.shape["id"]:
            case "stable": return f"urn:{'x' if self.ids else 'y'}:{post.key}"
            case "link": return self.link(post, now) if self.shape["link"] != "none" else None
            case "row": return str(place + 1)
            case "fetch": return f"r-{self.chance.getrandbits(40):x}"
            case "hash": return f"h-{zlib.crc32(f'{post.title()} {post.text()} {self.ids}'.encode()):x}"
            case "shared": return "https://l.example/feed"
        return None

    def link(self, post, now):
        root = f"https://{self.host}"
        match self.shape["link"]:
            case "own": return f"{root}/p/{post.key}"
            case "home": return f"{root}/"
            case "session": return f"{root}/p/{post.key}?sid={self.chance.getrandbits(32):x}"
            case "title": return f"{root}/{'-'.join(post.title_words)}-{post.marker}"
        return None

    def date(self, post, now):
        match self.shape["date"]:
            case "fixed": return post.date + datetime.timedelta(hours=self.hours)
            case "fetch": return now
            case "edit": return now if post.edited else post.date + datetime.timedelta(hours=self.hours)
            case "day": return START.replace(hour=0) - datetime.timedelta(days=3)
        return None

    def window(self):
        return [] if self.bare else self.posts[-self.size:][::1 if self.reversed else -1]

    def document(self, now):
        items = []
        for place, post in enumerate(self.window()):
            name, link, date, title = self.identifier(post, place, now), self.link(post, now), self.date(post, now), post.title()
            atom = self.form == "atom"
            parts = [f"<title>{escape(title)}</title>" if title else ""]
            if name:
                permalink = str(name == link).lower()
                parts.append(f"<id>{escape(name)}</id>" if atom else f'<guid isPermaLink="{permalink}">{escape(name)}</guid>')
            if link:
                parts.append(f'<link href="{escape(link)}"/>' if atom else f"<link>{escape(link)}</link>")
            if date:
                parts.append(f"<published>{date.isoformat()}</published>" if atom else f"<pubDate>{format_datetime(date)}</pubDate>")
            text = escape(post.text())
            if text:
                parts.append(f'<content type="html">{text}</content>' if atom else f"<description>{text}</description>")
            items.append(f"<{'entry' if atom else 'item'}>{''.join(parts)}</{'entry' if atom else 'item'}>")
        head = f"<title>Life {self.number}</title>"
        if self.form == "atom":
            return f'<feed xmlns="http://www.w3.org/2005/Atom">{head}<link href="https://{self.host}/"/>{"".join(items)}</feed>'
        return f'<rss version="2.0"><channel>{head}<link>https://{self.host}/</link>{"".join(items)}</channel></rss>'

    def name(self):
        return " ".join(f"{part}={value}" for part, value in self.shape.items())

    # What a feed gives, judged without knowing how Tamis decides.

    def tells(self):
        """Whether two posts of one document differ in something that a reader sees or follows."""
        shape = self.shape
        return shape["title"] == "own" or shape["text"] != "none" or shape["link"] in ("own", "session", "title")

    def finds(self):
        """Whether something that names a post stays through the change."""
        shape, event = self.shape, self.shape["event"]
        name = shape["id"] == "stable" or shape["id"] == "link" and shape["link"] == "own"
        link = shape["link"] == "own" or shape["link"] == "title" and event not in ("headline", "both")
        if name and event not in ("ids", "move", "host") or shape["id"] == "stable" and event == "host":
            return True
        if link and event not in ("host", "move"):
            return True
        headline = shape["title"] == "own" and event not in ("headline", "both")
        words = shape["text"] in ("teaser", "full") and event not in ("word", "half", "teaser", "both")
        day = shape["date"] == "fixed" and event != "hours" or shape["date"] == "edit" and event not in EDITS
        return headline and words or words and day or headline and day and shape["text"] != "none"


def shapes(count, chance, only):
    for _ in range(count):
        shape = {part: chance.choice(values) for part, values in SHAPES.items()}
        yield {**shape, **{part: value for part, _, value in (word.partition("=") for word in only)}}


def build(tamis, folder, now):
    begin = now.strftime("@%Y-%m-%d %H:%M:%S")
    environment = os.environ | {"HOME": str(folder), "TZ": "UTC", "NO_FAKE_STAT": "1"}
    done = subprocess.run(["faketime", "-f", begin, tamis, "build", "feeds", "--output", "site"], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}: {done.stderr[-2000:]}")


def pages(folder):
    """The pages on which each marker stands. What leads to other posts is no part of a page's article."""
    found = collections.defaultdict(set)
    for path in (folder / "site" / "posts").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if "h-entry" not in text:
            continue
        for number, place in set(MARKER.findall(text.partition("h-entry")[2].partition("</article>")[0])):
            found[int(number), int(place)].add(path.stem)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--lives", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="parts that are given: id=row,event=word")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="tamis-lives-"))
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "feeds").mkdir(parents=True)
    chance = random.Random(options.seed)
    only = [word for word in options.only.split(",") if word]
    lives = [Life(number, shape, random.Random(f"{options.seed} {number}")) for number, shape in enumerate(shapes(options.lives, chance, only))]
    shown, before, offences = {}, {}, collections.defaultdict(lambda: collections.defaultdict(set))
    for day in range(4):
        now = START + datetime.timedelta(days=day)
        for life in lives:
            life.change(day)
            (folder / "feeds" / f"{life.number}.xml").write_text(life.document(now), encoding="utf-8")
            if options.keep:
                (folder / "days" / str(day)).mkdir(parents=True, exist_ok=True)
                shutil.copy(folder / "feeds" / f"{life.number}.xml", folder / "days" / str(day))
            for post in life.window():
                shown[life.number, post.number] = life
        build(str(options.tamis.resolve()), folder, now)
        found = pages(folder)
        for key, life in shown.items():
            count = len(found.get(key, ()))
            if count == 0 and life.tells():
                offences[life]["lost"].add((key[1], day))
            if count > 1 and life.finds():
                offences[life]["doubled"].add((key[1], day))
            if count == 1 and len(before.get(key, ())) == 1 and found[key] != before[key] and life.finds():
                offences[life]["renamed"].add((key[1], day))
        before = found
    report(lives, shown, offences)
    if not options.keep:
        shutil.rmtree(folder)
    return 1 if len(offences) * 100 > len(lives) else 0


def report(lives, shown, offences):
    totals = collections.Counter(kind for kinds in offences.values() for kind in kinds)
    print(f"{len(lives)} lives, {len(shown)} posts; lives with offences: {len(offences)}", dict(totals))
    for kind in ("lost", "doubled", "renamed"):
        found = {life: kinds[kind] for life, kinds in offences.items() if kind in kinds}
        for part in SHAPES:
            counts = collections.Counter(life.shape[part] for life in found)
            print(f"  {kind} by {part}:", *(f"{value} {count}" for value, count in counts.most_common()))
        for life in sorted(found, key=lambda life: life.name())[:60]:
            print(f"    {kind} {life.number} {life.form} of {life.size}: {life.name()}:", *(f"{post}@{day}" for post, day in sorted(found[life])[:6]))


if __name__ == "__main__":
    sys.exit(main())
