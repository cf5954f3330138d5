#!/usr/bin/env python3
"""Renders the Markdown of fragments by five renderers that let HTML through, and compares it with the sanitized HTML.

    check_markdown.py TAMIS [--fragments N] [--seed N] [--show N] [--fidelity] FILE...

A FILE is a list of cases in JSON, or a case on each line; a case has its fragment in `html` or `input`. N fragments more are made of the
cases by cutting and joining them. What counts, for each renderer:

    unsafe      an element, an attribute or a URL that the sanitized HTML does not have
    text        words that are not those of the HTML
    form        words that are in another heading, list, link, code, table or emphasis than in the HTML (CommonMark's renderers)
    moving      Markdown that is not the same after a rendering, the sanitizer and Markdown again (cmark-gfm)

`--fidelity` prints instead which part of the words, of the links, and of the words in headings, list items, code and table cells comes back
from the Markdown by cmark-gfm.

The renderers and html5lib, by which results are read, share nothing with Tamis.
"""
import argparse
import bisect
import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
from html import unescape

import commonmark
import html5lib
import markdown
import markdown_it
import mistune
from mdit_py_plugins.footnote import footnote_plugin

WORD = re.compile(r"\w+")
#: The elements that Markdown makes; `section`, `sup` and `input` are those of footnotes and tasks.
MADE = set("p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code hr br em strong del s a img table thead tbody tr th td input".split())
#: The attributes that renderers write.
WRITTEN = {("a", "href"), ("a", "title"), ("img", "src"), ("img", "alt"), ("img", "title"), ("ol", "start"), ("code", "class"),
           ("td", "align"), ("th", "align"), ("td", "style"), ("th", "style"), ("input", "type"), ("input", "checked"),
           ("input", "disabled"), ("li", "class"), ("input", "class"), ("input", "id"), ("pre", "lang")}
STYLE = re.compile(r"text-align: ?(left|right|center);?$")
#: Elements by the form that they give to words.
FORMS = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "del", "strike": "del", "del": "del", "code": "code", "tt": "code",
         "kbd": "code", "samp": "code", "pre": "pre", "a": "a", "li": "li", "blockquote": "blockquote", "td": "td", "th": "td",
         "dt": "li", "dd": "li", "listing": "pre", "xmp": "pre", "plaintext": "pre", **{f"h{n}": f"h{n}" for n in range(1, 7)}}
#: Elements whose text is not read.
SILENT = {"video", "audio", "script", "style", "template", "object", "iframe", "select", "textarea", "annotation"}


def cmark(texts, *more):
    """Renders by cmark-gfm, with its extensions but that for bare addresses."""
    output = []
    for text in texts:
        run = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "tasklist", "-e", "footnotes", *more],
                             input=text.encode(), capture_output=True, check=True)
        output.append(run.stdout.decode())
    return output


MARKDOWN_IT = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(footnote_plugin)
MISTUNE = mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "task_lists", "footnotes"])
MISTUNE_URL = mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "task_lists", "footnotes", "url"])
PYTHON = markdown.Markdown(extensions=["extra", "sane_lists"])


def python_markdown(text):
    PYTHON.reset()
    return PYTHON.convert(text)


RENDERERS = {
    "cmark-gfm": cmark,
    "markdown-it": lambda texts: [MARKDOWN_IT.render(text) for text in texts],
    "mistune": lambda texts: [MISTUNE(text) for text in texts],
    "commonmark": lambda texts: [commonmark.commonmark(text) for text in texts],
    "Python-Markdown": lambda texts: [python_markdown(text) for text in texts],
    # These make links of bare addresses, which is all that they may make besides.
    "cmark-gfm with autolink": lambda texts: cmark(texts, "-e", "autolink"),
    "mistune with url": lambda texts: [MISTUNE_URL(text) for text in texts],
}
LINKING = {"cmark-gfm with autolink", "mistune with url"}


#: What elements of the HTML may become.
REASONS = [({"ul", "ol", "menu", "dir", "dl"}, {"ul", "li"}), ({"table"}, {"ul", "li", "table", "thead", "tbody", "tr", "th", "td"}),
           ({"pre", "math"}, {"code"}), ({"video", "audio"}, {"a"})]


class Page:
    """What a fragment has: its elements, URLs, and words with their forms."""

    def __init__(self, html, isRendered=False, linked=None):
        self.isRendered = isRendered
        # The URLs of the links that are none of a bare address; None where bare addresses are no links.
        self.linked = linked
        self.elements, self.attributes, self.urls, self.words, self.silent = set(), set(), set(), collections.Counter(), False
        self.links = collections.Counter()
        self.text, self.starts, self.forms, self.length = [], [], [], 0
        root = html5lib.parseFragment(html, treebuilder="etree", namespaceHTMLElements=False)
        self.walk(root, frozenset(), False)
        self.plain = []
        for word in WORD.finditer("".join(self.text)):
            self.plain.append(word.group())
            self.words[word.group(), self.forms[bisect.bisect_right(self.starts, word.start()) - 1]] += 1

    def walk(self, element, forms, silent):
        name = element.tag if isinstance(element.tag, str) else "!"
        name = name.split("}")[-1].lower()
        if self.isRendered and isFootnote(name, element.attrib):
            # What a renderer makes of a footnote around its text.
            for child in element if name != "a" else []:
                self.walk(child, forms, silent)
                self.add(child.tail, forms, silent)
            return
        if self.linked is not None and name == "a" and self.isBare(element):
            self.add(element.text, forms, silent)
            return
        if name != "div" or element.attrib:
            self.elements.add(name)
        for key, value in element.attrib.items():
            key = key if isinstance(key, str) else key[-1]
            self.attributes.add((name, key, value))
            # Markdown has no links in code, and nobody can follow one that shows nothing.
            if (name, key) == ("a", "href") and "pre" not in forms and ("".join(element.itertext()).strip() or element.find(".//img") is not None):
                self.links[url(value)] += 1
            if key in ("href", "src", "srcset", "poster", "cite", "data", "action"):
                self.urls.add(url(value))
            if key == "srcset":
                self.urls.update(url(candidate.split()[0]) for candidate in value.split(", ") if candidate.strip())
        if name in FORMS and not (name == "code" and "pre" in forms) and not (name == "a" and "href" not in element.attrib):
            forms = forms | {FORMS[name]}
        silent = silent or name in SILENT
        block = name in BLOCKS
        if name in ("svg", "title", "desc", "text"):
            self.append(" ", forms)
        if block:
            self.append("\n", forms)
        self.add(element.text, forms, silent)
        for child in element:
            self.walk(child, forms, silent)
            self.add(child.tail, forms, silent)
        if block:
            self.append("\n", forms)
        if name in ("svg", "title", "desc", "text"):
            self.append(" ", forms)

    def isBare(self, element):
        """Whether a link is one that a renderer made of its text."""
        to = url(element.attrib.get("href", ""))
        # mistune reads references in the address and not in the text.
        written = "".join(element.itertext())
        texts = {start + url(text) for text in (written, unescape(written)) for start in ("", "http://", "mailto:")}
        return to not in self.linked and len(element) == 0 and to in texts

    def add(self, text, forms, silent):
        if text and not silent:
            self.append(text, forms)

    def append(self, text, forms):
        self.text.append(text)
        self.starts.append(self.length)
        self.forms.append(forms)
        self.length += len(text)


BLOCKS = set("""address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer
form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul xmp
img""".split())


#: A reference to a footnote; brackets of text are escaped.
NOTE = re.compile(r"(?<!\\)\[\^\d+\]")
#: The attributes of renderers' footnotes: a class, an id, or the address of one.
NOTES = re.compile(r"#?(fn|fnref)[-:]?\d+([-:]\d+)?$|footnote")


def isFootnote(name, attributes):
    """Whether an element is one that renderers make for footnotes alone."""
    if name == "a":
        return bool(NOTES.match(attributes.get("href", ""))) and attributes["href"].startswith("#fn")
    # Python-Markdown writes a line before the notes.
    return name == "hr" and not attributes or name in ("sup", "section", "ol", "li", "div", "hr") and any(NOTES.match(value) for value in (attributes.get("class", ""), attributes.get("id", "")))


def url(value):
    """A URL as renderers may write it: with or without percent-encoding."""
    from urllib.parse import unquote
    # White space of another kind in front of a scheme makes another URL.
    return unquote(value.strip("\t\n\f\r "), errors="replace").replace("\\", "/")


def unsafe(rendered, page):
    found = []
    has = {FORMS.get(name, name) for name in page.elements} | {"p", "br"}
    for names, made in REASONS:
        if has & names:
            has |= made
    for name in rendered.elements - {"document_fragment", "div", "!"}:
        if name not in MADE or FORMS.get(name, name) not in has:
            found.append(f"element {name}")
    for name, key, value in rendered.attributes:
        if (name, key) not in WRITTEN or key == "style" and not STYLE.match(value):
            found.append(f"attribute {name} {key}={value[:40]}")
    # mistune writes `#harmful-link` in place of a URL that it does not trust.
    for each in rendered.urls - page.urls - {"#harmful-link"}:
        found.append(f"URL {each[:60]}")
    return found


#: What stands between two fragments: signs of Markdown, and addresses with markup right behind them.
BETWEEN = ["", " ", "\n", "*", "_", "`", "[", "]", "](", "\\", "!", "#", "|", "~", "&", "https://a.example/", "www.a.example/x",
           "<p>https://a.example/<code>&lt;script>x&lt;/script></code>", "<p>www.a.example/<b>", "<p>ftp://a.example/[<code>&lt;u>x</code>",
           '<p>https://a.example/<a href="https://b.example/">x</a><kbd>&lt;img src=x></kbd>']


def fragments(files, count, seed):
    cases = []
    for file in files:
        text = open(file).read()
        rows = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines() if line.strip()]
        for row in rows:
            if isinstance(row, dict) and (row.get("html") or row.get("input")):
                cases.append(row.get("html") or row.get("input"))
    chance = random.Random(seed)
    for _ in range(count):
        one, other = chance.choice(cases)[:4000], chance.choice(cases)[:4000]
        cut, start = chance.randrange(len(one) + 1), chance.randrange(len(other) + 1)
        cases.append(one[:cut] + chance.choice(BETWEEN) + other[start:])
    return cases


def answers(tamis, bodies, options=()):
    lines = "".join(json.dumps({"id": str(number), "body": body}) + "\n" for number, body in enumerate(bodies))
    run = subprocess.run([tamis, "sanitize", "--jsonl", "--format", "markdown", *options], input=lines.encode("utf-8", "surrogatepass"),
                         capture_output=True, check=True)
    found = {}
    for line in run.stdout.decode().splitlines():
        row = json.loads(line)
        if "html" in row:
            found[int(row["id"])] = row
    return found


def check(part):
    tamis, bodies, options = part
    rows = answers(tamis, bodies, options)
    counts, shown = collections.Counter(), []
    keys = sorted(rows)
    pages = {key: Page(rows[key]["html"]) for key in keys}
    texts = [rows[key]["markdown"] for key in keys]
    for name, render in RENDERERS.items():
        try:
            outputs = render(texts)
        except (RecursionError, ValueError) as error:
            outputs = []
            for text in texts:
                try:
                    outputs += render([text])
                except (RecursionError, ValueError):
                    counts[name, "failed"] += 1
                    outputs.append("")
        for key, output in zip(keys, outputs):
            page = pages[key]
            rendered = Page(output, NOTE.search(texts[keys.index(key)]) is not None, page.urls if name in LINKING else None)
            counts[name, "all"] += 1
            # Films are links with a text of their own, ruby gets parentheses, and a caption precedes its table.
            # Notes stand at the end, by numbers of their own.
            same = rendered.isRendered or bool(page.elements & {"video", "audio", "rt", "caption"}) or page.plain == rendered.plain
            for kind, bad in (("unsafe", unsafe(rendered, page)), ("text", not same and [difference(page, rendered)]),
                              ("form", not rendered.isRendered and page.plain == rendered.plain and page.words != rendered.words and
                               [str((page.words - rendered.words).most_common(3)) + str((rendered.words - page.words).most_common(3))])):
                if bad:
                    counts[name, kind] += 1
                    shown.append((kind, name, bad[:3], bodies[key], rows[key]["html"], rows[key]["markdown"], output))
        if name == "cmark-gfm":
            again = answers(tamis, outputs, options)
            for number, key in enumerate(keys):
                counts[name, "again"] += 1
                # cmark-gfm encodes the brackets of addresses.
                if again.get(number, {}).get("markdown") != rows[key]["markdown"] and "://[" not in rows[key]["markdown"]:
                    counts[name, "moving"] += 1
                    shown.append(("moving", name, [again.get(number, {}).get("markdown")], bodies[key], rows[key]["html"],
                                  rows[key]["markdown"], outputs[number]))
    return counts, shown


def difference(page, rendered):
    for index, (one, other) in enumerate(zip(page.plain, rendered.plain)):
        if one != other:
            return f"{page.plain[max(0, index - 2):index + 3]} {rendered.plain[max(0, index - 2):index + 3]}"
    return f"{len(page.plain)} {len(rendered.plain)} words: {page.plain[len(rendered.plain):][:4]} {rendered.plain[len(page.plain):][:4]}"


#: What fidelity counts: words by a form that they have.
#: Tables that are none in GitHub's Markdown come back as lists: of one column, or with blocks in cells.
KINDS = {"headings": {"h1", "h2", "h3", "h4", "h5", "h6"}, "items": {"li"}, "code": {"code", "pre"}, "cells": {"td"}}
AS = {"cells": {"td", "li"}}


def fidelity(part):
    """How much of each kind a document has, and how much of that comes back."""
    tamis, bodies, options = part
    rows, found = answers(tamis, bodies, options), collections.Counter()
    for row in rows.values():
        page, output = Page(row["html"]), Page(cmark([row["markdown"]])[0])
        # Links to places in the document are those of footnotes and contents.
        counters = {"words": [collections.Counter(each.plain) for each in (page, output)],
                    "links": [collections.Counter({k: n for k, n in each.links.items() if not k.startswith("#")}) for each in (page, output)]}
        for kind, forms in KINDS.items():
            counters[kind] = [collections.Counter() for _ in range(2)]
            for counter, each, allowed in zip(counters[kind], (page, output), (forms, AS.get(kind, forms))):
                for (word, has), n in each.words.items():
                    if has & allowed:
                        counter[word] += n
        for kind, (one, other) in counters.items():
            found[kind, "all"] += sum(one.values())
            found[kind, "back"] += sum((one & other).values())
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fragments", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--kind")
    parser.add_argument("--fidelity", action="store_true")
    parser.add_argument("tamis")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    bodies = fragments(args.files, args.fragments, args.seed)
    # Every other part has its links at the end.
    parts = [(args.tamis, bodies[start:start + 200], ["--links", "reference"] if start % 400 else [])
             for start in range(0, len(bodies), 200)]
    if args.fidelity:
        with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
            found = sum(pool.map(fidelity, parts), collections.Counter())
        print(f"{len(bodies)} documents: " + ", ".join(f"{kind} {found[kind, 'back'] / max(1, found[kind, 'all']):.4f} of {found[kind, 'all']}"
                                                       for kind in ("words", "links", *KINDS)))
        return 0
    counts, shown = collections.Counter(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for part, bad in pool.map(check, parts):
            counts += part
            for kind, name, what, body, html, text, output in bad:
                shown[kind, name] += 1
                if shown[kind, name] <= args.show and (not args.kind or args.kind in (kind, name, f"{kind} {name}")):
                    print(f"{kind} {name}: {what}\n  in:   {body[:300]!r}\n  html: {html[:300]!r}\n  md:   {text[:300]!r}\n  out:  {output[:300]!r}")
    for name in RENDERERS:
        print(f"{name}: " + ", ".join(f"{kind} {counts[name, kind]}" for kind in ("all", "unsafe", "text", "form", "moving", "failed")
                                      if counts[name, kind] or kind in ("all", "unsafe")))
    return 1 if any(kind == "unsafe" for _, kind in counts) else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.exit(main())
