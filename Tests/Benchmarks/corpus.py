"""The inputs of the benchmarks: the same bytes in every run, made of words of this file's own.

usage: corpus.py FOLDER, to make those that are not there

Bodies are shaped like those of feeds: paragraphs with links, pictures with srcset, lists, quotations, code, tables, embeds,
tracking parameters, some markup that is broken.
"""
import json
import pathlib
import random
import sys

SYLLABLES = "ba de fi go lu ma ne pi ro su ta ve wi zo kra ble dri flo gru sta tre pli quo sno".split()
# What stands around the runs of words, and how often.
INLINE = [
    (60, "{}"), (8, '<a href="https://site{n}.example/{w}/?utm_source=rss&amp;p={n}">{}</a>'), (4, "<em>{}</em>"),
    (4, "<strong>{}</strong>"), (3, "<code>{}</code>"), (2, '<span style="color:#333;font-size:14px">{}</span>'),
    (1, "<b>{}"), (1, "{} &amp; &#8220;{w}&#8221; &mdash;"), (1, "{}<br>"),
]
BLOCKS = [
    (40, "<p>{p}</p>\n"), (6, '<p class="wp-block">{p}</p>\n'), (3, "<h3>{w}</h3>\n"), (3, "<ul>\n<li>{p}</li>\n<li>{w}</li>\n</ul>\n"),
    (3, "<blockquote><p>{p}</p></blockquote>\n"), (2, "<pre><code>let {w} = {n}\n  if a &lt; b {{ return }}\n</code></pre>\n"),
    (5, '<p><img src="https://img{n}.example/{w}-800.jpg" srcset="https://img{n}.example/{w}-400.jpg 400w, https://img{n}.example/{w}-800.jpg'
        ' 800w" sizes="100vw" width="800" height="600" alt="{w}"></p>\n'),
    (2, '<figure><img src="https://img{n}.example/{w}.png" alt=""><figcaption>{p}</figcaption></figure>\n'),
    (1, "<table><tr><th>{w}</th><td>{n}</td></tr><tr><th>{w}</th><td>{p}</td></tr></table>\n"),
    (1, '<iframe src="https://www.youtube.com/embed/abcdefghijk" width="560" height="315" allowfullscreen></iframe>\n'),
    (1, '<img src="https://pixel.wp.com/b.gif?x={n}" width="1" height="1"><script>var a = "{w}";</script>\n'),
    (1, '<div onclick="go({n})"><p>{p}<div>{w}</p></div>\n'),
]
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} | Site {n}</title>
<meta property="og:title" content="{title}"><meta name="author" content="{author}">
<meta property="article:published_time" content="2026-11-{day:02}T08:00:00Z"><style>.a {{ color: red }}</style></head><body>
<header><nav><ul>{nav}</ul></nav></header><main><article><h1>{title}</h1><p class="byline">By {author}</p>
{body}</article><aside><h2>More</h2><ul>{nav}</ul></aside></main>
<footer><p>All rights reserved, {author}</p></footer><script>track("{n}")</script></body></html>"""


class Writer:
    """Words, bodies, feeds and pages that follow from a name."""

    def __init__(self, name):
        self.chance = random.Random(f"tamis {name}")
        self.vocabulary = [
            "".join(self.chance.choices(SYLLABLES, k=self.chance.choice([1, 2, 2, 3, 4]))) for _ in range(4000)]

    def pick(self, table):
        return self.chance.choices([text for _, text in table], weights=[weight for weight, _ in table])[0]

    def words(self, least, most):
        return " ".join(self.chance.choices(self.vocabulary, k=self.chance.randint(least, most)))

    def fill(self, shape, text):
        return (shape.replace("{}", text).replace("{p}", text).replace("{w}", self.chance.choice(self.vocabulary))
                .replace("{n}", str(self.chance.randrange(1000))).replace("{{", "{").replace("}}", "}"))

    def paragraph(self):
        return " ".join(self.fill(self.pick(INLINE), self.words(2, 14)) for _ in range(self.chance.randint(2, 8))) + "."

    def body(self, blocks):
        return "".join(self.fill(self.pick(BLOCKS), self.paragraph()) for _ in range(blocks))

    def blocks(self):
        """How many blocks a body has: most have few."""
        return self.chance.choices([1, 2, 4, 8, 16, 40], weights=[20, 25, 25, 15, 10, 5])[0]

    def item(self, number):
        title = self.words(3, 9).capitalize()
        link = f"https://feed.example/{number}/{title.replace(' ', '-').lower()}"
        tags = "".join(f"<category>{self.chance.choice(self.vocabulary)}</category>" for _ in range(self.chance.randrange(4)))
        media = f'<enclosure url="{link}.mp3" length="1000" type="audio/mpeg"/>' if number % 20 == 0 else ""
        return (f"<item><title>{title}</title><link>{link}</link><guid isPermaLink=\"false\">urn:item:{number}</guid>"
                f"<pubDate>Sat, {1 + number % 28:02} Nov 2025 {number % 24:02}:{number % 60:02}:00 GMT</pubDate>"
                f"<dc:creator>{self.words(2, 2).title()}</dc:creator>{tags}{media}"
                f"<description>{self.words(10, 40)}</description>"
                f"<content:encoded><![CDATA[{self.body(self.blocks())}]]></content:encoded></item>\n")


def feed(path, items):
    writer = Writer(f"feed {items}")
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
                   'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Feed</title>'
                   "<link>https://feed.example/</link><description>A feed</description>\n")
        for number in range(items):
            file.write(writer.item(number))
        file.write("</channel></rss>\n")


def fragments(path, count, blocks):
    """Lines of JSON with a body each; `blocks` is how many blocks, 0 for as many as feeds have."""
    writer = Writer(f"fragments {blocks}")
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            body = writer.body(blocks or writer.blocks())
            file.write(json.dumps({"id": str(number), "html": body, "url": "https://feed.example/post"}) + "\n")


def pages(path, count):
    writer = Writer("pages")
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            nav = "".join(f'<li><a href="/{number}/{index}">{writer.words(1, 3)}</a></li>' for index in range(30))
            page = PAGE.format(title=writer.words(4, 8), author=writer.words(2, 2).title(), n=number, day=1 + number % 28, nav=nav,
                               body=writer.body(25))
            file.write(json.dumps({"id": str(number), "body": page, "url": f"https://site.example/{number}"}) + "\n")


def grown(path, original):
    """A feed with one item more, before the others."""
    text = original.read_text(encoding="utf-8")
    first = text.index("<item>")
    path.write_text(text[:first] + Writer("new").item(1_000_000) + text[first:], encoding="utf-8")


def ill_formed(path, original):
    """A feed whose markup is broken as it is in feeds: an ampersand and an entity of HTML in each title, no end of the last element."""
    text = original.read_text(encoding="utf-8").replace("</title><link>", " & more&nbsp;</title><link>")
    path.write_text(text.replace("</channel></rss>\n", ""), encoding="utf-8")


SIZES = [1000, 10_000, 100_000]


def names(folder):
    """The files by what is in them."""
    made = {kind: folder / f"{kind}.jsonl" for kind in ("mixed", "short", "long", "pages")}
    made |= {size: folder / f"feed-{size}.xml" for size in SIZES}
    return made | {"grown": folder / "feed-10000-grown.xml", "ill-formed": folder / "feed-1000-ill-formed.xml"}


def make(folder):
    folder.mkdir(parents=True, exist_ok=True)
    made = names(folder)
    works = {"mixed": (fragments, 6000, 0), "short": (fragments, 30_000, 1), "long": (fragments, 400, 120), "pages": (pages, 400)}
    works |= {size: (feed, size) for size in SIZES} | {"grown": (grown, made[10_000]), "ill-formed": (ill_formed, made[1000])}
    for kind, (write, *arguments) in works.items():
        if not made[kind].exists():
            # Not there before it is whole.
            part = made[kind].with_suffix(".part")
            write(part, *arguments)
            part.rename(made[kind])


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]))
