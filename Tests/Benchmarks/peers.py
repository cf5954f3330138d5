"""Other people's programs, each doing the same work in a process of its own: peers.py WORK FILE [OUTPUT].

Each reads FILE as the tool does, writes to standard output or OUTPUT what it makes, and does nothing else; as its own users would write
it for speed: bytes in and out, JSON by orjson, one write of many lines, no search for garbage in a process that ends. On standard error
stands how many seconds of processor time the peer itself took: the rest of the process is the harness, which is Python, reading and
writing.
"""
import gc
import pathlib
import sys
import time

import orjson

TAGS = set(
    "a abbr b blockquote br caption cite code col colgroup dd del dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins"
    " kbd li mark ol p pre q s samp small span strong sub sup table tbody td tfoot th thead time tr tt u ul var".split())
WITH_CONTENT = {"script", "style", "iframe", "object", "title", "textarea", "svg", "math"}
ATTRIBUTES = {
    "*": {"title", "lang", "dir"}, "a": {"href"}, "img": {"src", "alt", "width", "height"}, "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"}, "blockquote": {"cite"}, "q": {"cite"}, "time": {"datetime"}}
POST = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title></head><body>
<header><a href="/">Planet</a></header><article><h1><a href="{{ link }}">{{ title }}</a></h1><p>{{ author }} {{ date }}</p>
{{ body|safe }}</article><nav><a href="{{ newer }}">newer</a> <a href="{{ older }}">older</a></nav></body></html>"""
LIST = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Planet</title></head><body><ol>
{% for post in posts %}<li><a href="/{{ post[0] }}">{{ post[1] }}</a> <time>{{ post[2] }}</time></li>
{% endfor %}</ol></body></html>"""


def turbohtml_sanitizer():
    from turbohtml.clean import OnDisallowed, Policy, Sanitizer

    return Sanitizer(Policy(
        tags=frozenset(TAGS), attributes={tag: frozenset(names) for tag, names in ATTRIBUTES.items()},
        on_disallowed_tag=OnDisallowed.STRIP, remove_with_content=frozenset(WITH_CONTENT))).sanitize


def nh3_sanitizer():
    import nh3

    return nh3.Cleaner(
        tags=TAGS, clean_content_tags=WITH_CONTENT, attributes=ATTRIBUTES, url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow").clean


class Peer:
    """Calls of a peer's function, whose processor time is counted."""

    def __init__(self, function):
        self.function = function

    spent = 0

    def __call__(self, *arguments, **named):
        begin = time.process_time_ns()
        made = self.function(*arguments, **named)
        Peer.spent += time.process_time_ns() - begin
        return made


def each_line(path, key, work):
    """Answers each record with what the work makes of it, and of what `key` is in it."""
    made = []
    with path.open("rb") as file:
        for line in file:
            record = orjson.loads(line)
            made.append(orjson.dumps({"id": record["id"], key: work(record)}))
            if len(made) == 1000:
                sys.stdout.buffer.write(b"\n".join(made) + b"\n")
                made = []
    sys.stdout.buffer.write(b"".join(line + b"\n" for line in made))


def sanitize(clean, path):
    clean = Peer(clean)
    each_line(path, "html", lambda record: clean(record["html"]))


def trafilatura(path, fast=False):
    """The article of each page as HTML, with the metadata; fast: without the other programs that it falls back on."""
    import trafilatura as peer

    extract = Peer(peer.extract)
    each_line(path, "text", lambda record: extract(
        record["body"], url=record.get("url"), output_format="html", with_metadata=True, fast=fast))


def resiliparse(path):
    """The text of each page without its boilerplate."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    extract = Peer(lambda page: extract_plain_text(HTMLTree.parse(page), main_content=True))
    each_line(path, "text", lambda record: extract(record["body"]))


def feed(parse, path):
    sys.stdout.buffer.write(orjson.dumps(Peer(parse)(path.read_bytes()), default=str))


def fastfeedparser(path):
    import fastfeedparser as peer

    feed(peer.parse, path)


def feedparser(path):
    """A feed that is repaired and sanitized."""
    import feedparser as peer

    feed(lambda data: peer.parse(data).entries, path)


def site(path, output):
    """A feed to a site: turbohtml reads and sanitizes, jinja2 writes."""
    from jinja2 import Environment
    from turbohtml.extract import feed

    environment = Environment(autoescape=True)
    clean, read = Peer(turbohtml_sanitizer()), Peer(feed)
    post, listing = (Peer(environment.from_string(text).render) for text in (POST, LIST))
    seen, entries = set(), []
    for entry in read(path.read_text(encoding="utf-8")).entries:
        if (entry.id or entry.link) not in seen:
            seen.add(entry.id or entry.link)
            entries.append(entry)
    entries.sort(key=lambda entry: entry.updated or entry.published or "", reverse=True)
    for folder in range(256):
        (output / f"{folder:02x}").mkdir(parents=True, exist_ok=True)
    rows = []
    for number, entry in enumerate(entries):
        name = f"{number & 255:02x}/{number}.html"
        date = entry.updated or entry.published or ""
        (output / name).write_bytes(post(
            title=entry.title or "", link=entry.link or "", author=entry.author or "", date=date,
            body=clean(entry.content or entry.summary or ""), newer=number - 1, older=number + 1).encode())
        rows.append((name, entry.title, date))
    for first in range(0, len(rows), 50):
        (output / f"page-{first // 50 + 1}.html").write_bytes(listing(posts=rows[first:first + 50]).encode())


def main():
    work, path = sys.argv[1], pathlib.Path(sys.argv[2])
    gc.disable()
    if work == "nh3":
        sanitize(nh3_sanitizer(), path)
    elif work == "site":
        site(path, pathlib.Path(sys.argv[3]))
    else:
        peers = {"fastfeedparser": fastfeedparser, "feedparser": feedparser, "trafilatura": trafilatura,
                 "trafilatura-fast": lambda path: trafilatura(path, fast=True), "resiliparse": resiliparse}
        peers[work](path)
    sys.stderr.write(f"{Peer.spent / 1e9}\n")


main()
