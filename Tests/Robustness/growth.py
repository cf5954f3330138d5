"""Sees that no command costs more than in proportion to its input, whatever the input's shape.

    growth.py TAMIS [--instructions] [--only TEXT] [--all]

For each command and shape: memory is at most 20 times the input and 60 MB, what `sanitize` and `parse` print at most 40 times
the input and 1 MB, and what `build` writes at most 50 files and 400 KB an entry and 40 times the input besides. Of
combinations of long things and many small ones (growth_shapes.py), the time is measured. With --instructions the work is counted
instead, at four sizes by callgrind (valgrind), which is slow and the same each time: twice the input
may cost at most 2.6 times as much more.
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import growth_shapes

MEMORY = 96 << 10
SIZES = [8 << 10, 16 << 10, 32 << 10, 64 << 10]


def atom(content):
    """An Atom feed."""
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{content}</feed>'


def rss(items, channel=""):
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>{channel}{items}</channel></rss>'


def item(body, link="http://e.example/1"):
    return f"<item><title>a</title><link>{link}</link><description><![CDATA[{body}]]></description></item>"


def fill(size, text):
    return text * (size // len(text))


def numbered(size, text):
    return "".join(text.replace("#", str(n)) for n in range(size // (len(text) + 4)))


def gzipped(head, count, tail):
    """Members of a gzip file, those in the middle of one byte each."""
    member = gzip.compress(b"x", mtime=0)
    data = gzip.compress(head.encode(), mtime=0) + count * member + gzip.compress(tail.encode(), mtime=0)
    return data.decode("utf-8", "surrogateescape")


# Fragments: what a body may be.
FRAGMENTS = {
    "relative links": lambda n: fill(n, "<a href=x>y</a>"),
    "relative pictures": lambda n: fill(n, "<img src=x>"),
    "a host of many labels": lambda n: f'<img src="http://{fill(n, "a.")}b/x.png">',
    "blocks behind a long attribute": lambda n: f'<div title="{"A" * (n // 2)}">' + fill(n // 2, "<fieldset></fieldset>"),
    "many attributes": lambda n: "<p " + numbered(n, "a# ") + ">x",
    "names that differ in the middle": lambda n: numbered(n, "<aaaaaaaa#bbbbbbbb>x</aaaaaaaa#bbbbbbbb>"),
    "attributes that differ in the middle": lambda n: numbered(n, "<p aaaaaaaa#bbbbbbbb=x>y"),
    "nesting": lambda n: fill(n, "<div>"),
    "formatting that is never ended": lambda n: fill(n, "<b><p>x"),
    "tables in tables": lambda n: fill(n, "<table><tr><td>"),
    "stray end tags": lambda n: fill(n // 2, "<div>") + fill(n // 2, "</p>"),
    "comments that are never ended": lambda n: fill(n, "<!-- <a "),
    "sizes of a picture": lambda n: '<img srcset="' + numbered(n, "a# #w, ") + '">',
    "identifiers": lambda n: numbered(n, "<a href=#a#></a><p id=a#>"),
}
# What Markdown writes otherwise than its text: marks, escapes, containers that each line repeats.
FRAGMENTS |= {f"many {piece}": lambda n, piece=piece: fill(n, piece) for piece in [
    "`", "[", "]", "*", "_", "\\", "0.0 ", "1.", "\u0661.", "<b>a</b><i>b</i>", "<b>(</b><i>)</i>", "<blockquote>", "<ul><li>",
    "<ul><li>a</ul>", "<ruby>a<rt>", "<dl><dt>a<dd>", "<code>`</code>"]}
FRAGMENTS |= {
    "a long text of a link": lambda n: f"<a href=http://e.example/>{fill(n, 'a ')}</a>",
    "a long title with line breaks": lambda n: f"<a href=http://e.example/ title='{fill(n, chr(10) + 'a')}'>b</a>",
    "columns": lambda n: f"<table><tr>{fill(n // 2, '<th>a')}<tr>{fill(n // 2, '<td>a')}</table>",
    "columns of one row": lambda n: f"<table><tr>{fill(n // 2, '<th>a')}{fill(n // 2, '<tr><td>a')}</table>",
}
# Documents: what a feed may be.
FEEDS = {
    "entries that say nothing": lambda n: rss(fill(n, "<item/>")),
    "categories of one entry": lambda n: rss(f"<item><title>a</title>{numbered(n, '<category>c#</category>')}</item>"),
    "authors of all entries": lambda n: atom(numbered(n // 2, "<author><name>n#</name></author>") + fill(n // 2, "<entry><title>a</title></entry>")),
    "a long name of all entries": lambda n: atom(f"<author><name>{'n' * (n // 2)}</name></author>" + fill(n // 2, "<entry><title>a</title></entry>")),
    "a long language of all entries": lambda n: atom(f"<x xml:lang='{'x' * (n // 2)}'>" + fill(n // 2, "<entry><title>a</title></entry>") + "</x>"),
    "content that lies elsewhere": lambda n: atom("<entry>" + numbered(n, '<content src="http://e.example/#"/>') + "</entry>"),
    "enclosures": lambda n: rss("<item>" + numbered(n, '<enclosure url="http://e.example/#" type="a/b"/>') + "</item>"),
    "groups of pictures": lambda n: rss("<item>" + numbered(n, '<media:group xmlns:media="http://search.yahoo.com/mrss/"><media:content url="http://e.example/#.jpg" medium="image"/></media:group>') + "</item>"),
    "films with titles": lambda n: rss("<item>" + numbered(n, '<media:content xmlns:media="http://search.yahoo.com/mrss/" url="http://e.example/#.mp4" type="video/mp4"><media:title>t#</media:title></media:content>') + "</item>"),
    "tags that are never ended": lambda n: rss(fill(n, "<item ")),
    "open tags": lambda n: "<rss><channel>" + fill(n, "<a"),
    "comments that are never closed": lambda n: rss(fill(n, "<item><title>a<!-- </title></item>")),
    "sections that are never closed": lambda n: rss(fill(n, "<item><title><![CDATA[ a </title></item>")),
    "entries in comments in comments": lambda n: rss("<item>" + fill(n, "<!-- <item> ") + "-->"),
    "entries in instructions in instructions": lambda n: rss("<item>" + fill(n, "<a><?x <item>") + "?>"),
    "targets of instructions": lambda n: rss(numbered(n, "<?p# x?>")),
    "URIs of one prefix": lambda n: rss(numbered(n, "<a xmlns:p='u:#'/>")),
    "document types without an end": lambda n: "<?xml version='1.0'?>" + fill(n // 2, "<!DOCTYPE x [") + rss(fill(n // 2, "<!DOCTYPE x [")),
    "quotes that are never closed": lambda n: rss(fill(n, '<a b="<a b=\'')),
    "elements that are never ended": lambda n: rss(fill(n, "<x>")),
    "namespaces": lambda n: rss(numbered(n, '<a xmlns:n#="u#"/>')),
    "a long base": lambda n: '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://e.example/%s/">%s</feed>'
    % ("a" * (n // 2), fill(n // 2, '<entry><link href="x"/></entry>')),
    "a long base of links": lambda n: '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://e.example/%s/"><entry>%s</entry></feed>'
    % ("a" * 450, numbered(n, '<link rel="enclosure" href="#"/>')),
    "a long base of bodies": lambda n: '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://e.example/%s/">%s</feed>'
    % ("a" * 450, numbered(n, '<entry><id>#</id><content type="html">' + "&lt;a href=x>y" * 12 + "</content></entry>")),
    "a long link": lambda n: rss(item(fill(n // 2, "<a href=x>y</a>"), "http://e.example/" + "a" * (n // 2) + "/")),
    "entities": lambda n: f'<!DOCTYPE rss [<!ENTITY e "{"x" * 900}">]>' + rss(item("x") + fill(n, "<item><title>&e;&e;&e;</title></item>")),
    "control characters": lambda n: rss(item("x") + fill(n, "\x01<\x02")),
    "a section in pieces of one byte": lambda n: gzipped("<rss><channel><title><![CDATA[", n // 24, "]]></title></channel></rss>"),
    "a text of many sections": lambda n: rss(f"<item><title>{fill(n, '<![CDATA[some text]]>')}</title></item>"),
    "many names": lambda n: rss("<item>" + numbered(n, "<a# b#='c'/>") + "</item>"),
    "names that differ in the middle": lambda n: rss("<item>" + numbered(n, "<aaaaaaaa#bbbbbbbb aaaaaaaa#bbbbbbbb='c'/>") + "</item>"),
    "wrappers behind white space": lambda n: rss(f"<item><title>{' ' * (n // 2)}{fill(n // 2, '<div></div>')}a</title></item>"),
    "a body": lambda n: rss(item(fill(n, "<p>Some words <b>here</b>.</p>\n"))),
}
# Fields: combining marks, which Unicode's normal form sorts, in everything that a feed has.
MARKS = growth_shapes.marks
EVERY_FIELD = """<item><title>#</title><link>http://e.example/#</link><guid>#</guid><pubDate>#</pubDate><author>#</author><category>#</category>
<description>#</description><enclosure url="http://e.example/#" type="#" length="#"/><comments>http://e.example/#</comments>
<itunes:duration>#</itunes:duration><itunes:summary>#</itunes:summary><dc:creator>#</dc:creator><content:encoded># b</content:encoded>
<media:content url="http://e.example/#.jpg" medium="#" type="#"><media:title>#</media:title><media:description type="#">#</media:description>
<media:credit role="#">#</media:credit></media:content><x# a#="#">#</x#></item>"""
SPACES = ('xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:dc="http://purl.org/dc/elements/1.1/" '
          'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"')
FEEDS["combining marks in every field"] = lambda n: rss(EVERY_FIELD.replace("#", MARKS(n // 30))).replace("<rss ", f"<rss {SPACES} ")
# Encoded in the queries of all URLs that are taken apart: links, pictures, redirects, players.
ENCODED = growth_shapes.encoded
FEEDS["combining marks in queries"] = lambda n: rss(
    "<item><link>https://www.google.com/url?q=#&amp;#=1</link><guid>http://e.example/?#=1</guid>"
    '<enclosure url="http://e.example/a.jpg?#=1" type="image/jpeg"/><media:content url="http://e.example/#.jpg?#=1"/>'
    '<description>&lt;img src="http://e.example/a.jpg?#=1"&gt;&lt;iframe src="https://www.youtube.com/embed/a?#=1"&gt;</description></item>'
    .replace("#", ENCODED(n))).replace("<rss ", f"<rss {SPACES} ")
FEEDS["combining marks in a field"] = lambda n: rss(f"<item><title>{MARKS(n // 2)}</title><description>a{MARKS(n // 2)}</description></item>")
FEEDS["combining marks in Atom"] = lambda n: atom(
    '<entry><title type="#">#</title><id>#</id><link rel="#" type="#" href="http://e.example/#"/><category term="#" label="#"/><content type="#">#</content></entry>'
    .replace("#", MARKS(n // 10)))
FEEDS["combining marks in JSON"] = lambda n: json.dumps(
    {"version": "https://jsonfeed.org/version/1.1", "title": MARKS(n // 6), "items": [
        {"id": MARKS(n // 6), "content_text": MARKS(n // 6), "tags": [MARKS(n // 6)] * 2, "authors": [{"name": MARKS(n // 6)}], MARKS(n // 6): 1}]},
    ensure_ascii=False)
# Titles and texts that are the worst for some regular expression of FILTERS.
FILTERED = {f"a {where} of {what}": lambda n, make=make, text=text: make(text(n))
            for where, make in [("title", lambda text: rss(f"<item><title>{text}</title></item>")), ("text", lambda text: rss(item(f"<p>{text}")))]
            for what, text in [("one letter", lambda n: "a" * n), ("two letters", lambda n: fill(n, "ab")),
                               ("letters and a sign", lambda n: "a" * (n - 1) + "!"), ("words", lambda n: fill(n, "a x ")),
                               ("letters beyond ASCII", lambda n: fill(n // 2, "\u00e4\u00df"))]}
FILTERED["many tags and authors"] = lambda n: rss(
    "<item><title>a</title>" + numbered(n // 2, "<category>a#</category>") + numbered(n // 2, "<author>x#</author>") + "</item>")
FILTERED["a host of many labels"] = lambda n: rss(item("x", f"http://{fill(n // 2, 'a.')}b/"))
# What makes engines that go back run for years, in all fields.
FILTERS = "filters:\n" + "".join(
    f"  - excerpt: {{matches: '{pattern}', in: [title, text, author, link, domain, tag]}}\n" for pattern in [
        "(a+)+$", "(a|a)*b", "(a|aa)+$", ".*.*.*x", "(x{1,100}){1,10}y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){50}b", "([a-z]+)*!",
        "(.*a){20}b", "(a.{1,20}){1,5}q"]) + "  - drop: {domains: [a.example, b.example]}\n"
# Posts that are the worst for some selector of SELECTORS.
SELECTED = {
    "nested classes": lambda n: fill(n, "<div class='a b c'>"),
    "classes in a row": lambda n: fill(n, "<p class='a b c'>x</p>"),
    "classes of one element": lambda n: f'<p class="{numbered(n, "a# ")}">x',
    "a long value": lambda n: f'<p id="{"a" * n}" class="{fill(n // 4, "ab")}">x',
    "names that differ": lambda n: numbered(n, "<p class=c# id=i#>x"),
    "what is left out in what stays": lambda n: fill(n, "<div class=a><p class=b>x</p>"),
}
SELECTORS = [f"--{setting}={selector}" for setting, selectors in {
    "remove": [".b .a .b .a .b .a .b .z", "div > div > div > div > div > div > p.z", "[class*=aaab]", "[id$=ab]", "p.a.b.c.d",
               ", ".join(f".c{n}" for n in range(100))],
    "only": [".a .a .a .a .a .a .a .a", ".a", "[id^=i]"]}.items() for selector in selectors]
# Records: what a line may be, and many lines.
RECORDS = {
    "many small records": lambda n: numbered(n, '{"id":#,"body":"<b>x"}\n'),
    # An answer has some 130 bytes, whatever it is to.
    "blank lines": lambda n: fill(n, "       \n"),
    "something to come back": lambda n: '{"id":1,"body":"x","meta":[' + fill(n, "[1,{}],") + "0]}\n",
    "line ends of Unicode": lambda n: '{"id":1,"body":"' + fill(n, "a\u2028\u2029\x85") + '"}\n',
    "escapes": lambda n: '{"id":1,"body":"' + fill(n, "\\n\\ud83d\\ude00\\u0041\\ud83d") + '"}\n',
    "escapes that are none": lambda n: '{"id":1,"body":"' + fill(n, "\\x") + '"}\n',
    "header fields": lambda n: '{"id":1,"body":"<rss><channel/></rss>","headers":{' + numbered(n, '"h#":"v",') + '"x":"y"}}\n',
    "header fields of marks": lambda n: json.dumps({"id": 1, "body": "<rss><channel/></rss>", "headers": {"h" + MARKS(n // 4): MARKS(n // 4)}}) + "\n",
    "many ids": lambda n: "{" + fill(n, '"id":1,') + '"body":"x"}\n',
    "control characters in a string": lambda n: '{"id":1,"body":"' + "\x01" * n + '"}\n',
    "nesting without an end": lambda n: '{"id":1,"x":' + "[" * n + "\n",
    "quotation marks": lambda n: '"' * n + "\n",
    "a long id": lambda n: '{"id":"' + "i" * n + '","body":"x"}\n',
}


class Folder:
    """What a command is given, and what it leaves."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp())

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8", errors="surrogateescape")
        return name


def commands(kind):
    """The commands for a kind of shape: a name, and what makes arguments and standard input in a folder."""
    if kind == "fragment":
        yield "sanitize", lambda f, text: (["sanitize", "--base", "http://e.example/" + "b" * 450 + "/"], text)
        yield "sanitize --format markdown", lambda f, text: (
            ["sanitize", "--format", "markdown", "--links", "reference"], text)
        yield "sanitize --tidy always", lambda f, text: (["sanitize", "--tidy", "always"], text)
        yield "check", lambda f, text: (
            ["check", f.write("c.jsonl", json.dumps({"id": "a", "html": text}) + "\n")], "")
        yield "build", lambda f, text: (["build", f.write("f.xml", rss(item(text))), "--output", "site"], "")
        yield "extract --known", lambda f, text: (
            ["extract", f.write("f.xml", rss(item("x"))), "--format", "jsonl", "--known",
             f.write("k.jsonl", json.dumps({"url": "http://e.example/1", "html": text}) + "\n")], "")
    if kind == "feed":
        yield "parse", lambda f, text: (["parse", f.write("f.xml", text)], "")
        yield "extract", lambda f, text: (["extract", f.write("f.xml", text), "--format", "jsonl"], "")
        yield "extract --format markdown", lambda f, text: (["extract", f.write("f.xml", text), "--format", "markdown"], "")
        yield "build", lambda f, text: (["build", f.write("f.xml", text), "--output", "site"], "")
    if kind == "filtered":
        yield "filter test", lambda f, text: (
            ["filter", "test", f.write("f.xml", text), "--config", f.write("tamis.yaml", FILTERS)], "")
    if kind == "selected":
        yield "sanitize --remove --only", lambda f, text: (["sanitize", *SELECTORS], text)
    if kind == "record":
        yield "sanitize --jsonl", lambda f, text: (["sanitize", "--jsonl"], text)
        yield "extract --jsonl", lambda f, text: (["extract", "--jsonl"], text)
        yield "article --jsonl --guard", lambda f, text: (["article", "--jsonl", "--guard"], text)
    if kind == "theme":
        yield "theme check", lambda f, text: (["theme", "check", write_theme(f, len(text))], "")


def write_theme(folder, size):
    (folder.path / "th").mkdir()
    count = max(2, size // 1024)
    for n in range(count):
        for side in "ab":
            inner = f"{{{{> a{n + 1}}}}}{{{{> b{n + 1}}}}}" if n < count - 1 else "x"
            folder.write(f"th/{side}{n}.mustache", inner)
    folder.write("th/foot.mustache", "{{> a0}}")
    return "th"


def run(tamis, make, text, wrapper=()):
    """Memory in bytes, bytes printed, and the folder, which the caller removes."""
    folder = Folder()
    arguments, given = make(folder, text)
    # With an arena per thread, freed memory stays in one while another grows, in some runs and not in others.
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    with open(folder.path / "out", "wb") as out:
        process = subprocess.Popen(
            [*wrapper, tamis, *arguments], cwd=folder.path, env=environment, stdin=subprocess.PIPE, stdout=out,
            stderr=subprocess.DEVNULL)
        try:
            process.stdin.write(given.encode("utf-8", "surrogateescape"))
            process.stdin.close()
        except BrokenPipeError:
            pass
        _, status, usage = os.wait4(process.pid, 0)
    if os.WIFSIGNALED(status):
        raise AssertionError(f"killed by signal {os.WTERMSIG(status)}")
    # What is linear takes a tenth of that.
    if not wrapper and usage.ru_utime > 4:
        raise AssertionError(f"{usage.ru_utime:.1f} s of processor time")
    return usage.ru_maxrss << 10, (folder.path / "out").stat().st_size, folder


def problems(tamis, name, make, shape, size=MEMORY):
    text = shape(size)
    try:
        memory, printed, folder = run(tamis, make, text)
    except AssertionError as error:
        yield str(error)
        return
    if memory > 20 * len(text) + (60 << 20):
        yield f"{memory >> 20} MB of memory"
    if printed > 40 * len(text) + (1 << 20):
        yield f"{printed >> 10} KB printed"
    files = [file for file in (folder.path / "site").rglob("*") if file.is_file()] if name == "build" else []
    if files:
        command = [tamis, "archive", "show", "--archive", "site.archive"]
        shown = subprocess.run(command, cwd=folder.path, capture_output=True, check=True).stdout
        entries = max(1, shown.count(b"\n"))
        written = sum(file.stat().st_size for file in files)
        # What a site has whatever is in it.
        if len(files) > 50 * entries + 40:
            yield f"{len(files)} files"
        if written > entries * (400 << 10) + 40 * len(text) + (1 << 20):
            yield f"{written >> 10} KB written"
    shutil.rmtree(folder.path)


def instructions(tamis, make, text):
    folder = tempfile.mkdtemp()
    report = f"{folder}/callgrind"
    wrapper = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={report}.%p"]
    _, _, used = run(tamis, make, text, wrapper)
    shutil.rmtree(used.path)
    total = 0
    for file in pathlib.Path(folder).glob("callgrind.*"):
        match = re.search(r"^(?:summary|totals): (\d+)", file.read_text(), re.M)
        total += int(match.group(1)) if match else 0
    shutil.rmtree(folder)
    return total


def growth(tamis, make, shape):
    counts = [instructions(tamis, make, shape(size)) for size in SIZES]
    steps = [later - earlier for earlier, later in zip(counts, counts[1:])]
    # Work that hardly grows says nothing.
    if steps[-1] > 2.6 * max(steps[-2], 1) and steps[-1] > 20_000_000:
        yield "work grows: " + ", ".join(f"{count / 1e6:.0f}" for count in counts) + " million instructions"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tamis")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="pairs of elements under all shipped rules and modes of libtidy")
    options = parser.parse_args()
    tamis = os.path.abspath(options.tamis)
    if options.instructions:
        # valgrind cannot read what Swift's compiler writes for debuggers.
        stripped = tempfile.mkdtemp() + "/tamis"
        subprocess.run(["strip", "-o", stripped, tamis], check=True)
        tamis = stripped
    count, failed = 0, 0
    if not options.instructions:
        shapes, grown = growth_shapes.check(tamis, options.only, options.all)
        count, failed = count + shapes, failed + len(grown)
    kinds = [("fragment", FRAGMENTS), ("feed", FEEDS), ("filtered", FILTERED), ("selected", SELECTED), ("record", RECORDS), ("theme", {"templates that double": lambda n: "x" * n})]
    for kind, shapes in kinds:
        for name, make in commands(kind):
            for shape_name, shape in shapes.items():
                label = f"{name}: {shape_name}"
                if options.only not in label:
                    continue
                count += 1
                found = list(problems(tamis, name, make, shape))
                if options.instructions:
                    found += growth(tamis, make, shape)
                for problem in found:
                    failed += 1
                    print(f"{label}: {problem}", flush=True)
    print(f"{count - failed} passed, {failed} failed" if failed else f"{count} commands and shapes: all in proportion")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
