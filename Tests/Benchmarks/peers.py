"""Other people's programs, each doing the same work in a process of its own: peers.py WORK FILE [OUTPUT].

Each reads FILE as the tool does, writes to standard output or OUTPUT what it makes, and does nothing else.
"""
import json
import pathlib
import sys

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


def sanitize(clean, path):
    for line in path.open(encoding="utf-8"):
        record = json.loads(line)
        sys.stdout.write(json.dumps({"id": record["id"], "html": clean(record["html"])}, ensure_ascii=False) + "\n")


def trafilatura(path):
    """The article of each page as HTML, with the metadata."""
    import trafilatura as peer

    for line in path.open(encoding="utf-8"):
        record = json.loads(line)
        found = peer.bare_extraction(record["body"], url=record.get("url"), output_format="html", with_metadata=True)
        sys.stdout.write(json.dumps({"id": record["id"], "text": found.text if found else None}, ensure_ascii=False) + "\n")


def resiliparse(path):
    """The text of each page without its boilerplate."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    for line in path.open(encoding="utf-8"):
        record = json.loads(line)
        text = extract_plain_text(HTMLTree.parse(record["body"]), main_content=True)
        sys.stdout.write(json.dumps({"id": record["id"], "text": text}, ensure_ascii=False) + "\n")


def fastfeedparser(path):
    import fastfeedparser

    json.dump(fastfeedparser.parse(path.read_bytes()), sys.stdout, ensure_ascii=False, default=str)


def feedparser(path):
    """A feed that is repaired and sanitized."""
    import feedparser as peer

    json.dump(peer.parse(path.read_bytes()).entries, sys.stdout, ensure_ascii=False, default=str)


def site(path, output):
    """A feed to a site: turbohtml reads and sanitizes, jinja2 writes."""
    from jinja2 import Environment
    from turbohtml.extract import feed

    clean, environment = turbohtml_sanitizer(), Environment(autoescape=True)
    post, listing = environment.from_string(POST), environment.from_string(LIST)
    seen, entries = set(), []
    for entry in feed(path.read_text(encoding="utf-8")).entries:
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
        (output / name).write_text(post.render(
            title=entry.title or "", link=entry.link or "", author=entry.author or "", date=date,
            body=clean(entry.content or entry.summary or ""), newer=number - 1, older=number + 1), encoding="utf-8")
        rows.append((name, entry.title, date))
    for first in range(0, len(rows), 50):
        (output / f"page-{first // 50 + 1}.html").write_text(listing.render(posts=rows[first:first + 50]), encoding="utf-8")


def main():
    work, path = sys.argv[1], pathlib.Path(sys.argv[2])
    if work == "nh3":
        sanitize(nh3_sanitizer(), path)
    elif work == "turbohtml":
        sanitize(turbohtml_sanitizer(), path)
    elif work == "site":
        site(path, pathlib.Path(sys.argv[3]))
    else:
        peers = {"fastfeedparser": fastfeedparser, "feedparser": feedparser, "trafilatura": trafilatura, "resiliparse": resiliparse}
        peers[work](path)


main()
