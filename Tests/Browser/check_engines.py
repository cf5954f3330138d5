#!/usr/bin/env python3
"""Compare what browsers build of fragments with what they build of the sanitizer's output.

usage: check_engines.py TAMIS [--minimum N] [--fragments N] [--seed N] [--engines NAME,...]

Three kinds of fragments: every element of the HTML Standard (its index of elements, and 16.2 for obsolete ones) where the lists of
the tree construction (13.2.4 to 13.2.6) decide; the inputs of Fixtures/Sanitizer; and N (20,000) made of tags at random. The rules
allow all elements that the sanitizer lets rules allow.

What has to come out is a browser's own tree of the source without the elements that are not allowed, which keep or lose their content
as the sanitizer does with them alone. Trees that no markup builds are known by the browser too: it builds another of its own
serialization. There the words have to be the same. Where one engine alone reads a source otherwise, and two others agree with each
other and with the output, that engine departs from the Standard: it is named and counted apart. Besides, the encodings of
Fixtures/Encoding/pages.txt have to be those in which browsers read the pages. Exit code 0 when all is so; at least N (1) browsers
have to be there.

html5lib can take the place of the browsers (--engines html5lib): it follows the Standard of 2020, and is compared where that has not
changed since.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import urllib.parse

from engines import ENGINES, exit_code
from engines import trees as browser_trees

ELEMENTS = """a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col colgroup
data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup
hr html i iframe img input ins kbd label legend li link main map mark menu meta meter nav noscript object ol optgroup option output p
picture pre progress q rp rt ruby s samp script search section select selectedcontent slot small source span strong style sub summary
sup table tbody td template textarea tfoot th thead time title tr track u ul var video wbr
acronym applet basefont bgsound big blink center command dir font frame frameset image isindex keygen listing marquee menuitem multicol
nextid nobr noembed noframes param plaintext rb rtc spacer strike tt xmp my-element""".split()

PROBES = {
    "void": "<{0}>x",
    "ended": "<{0}>a</{0}>b",
    "line feed": "<{0}>\nx</{0}>",
    "two line feeds": "<{0}>\n\nx</{0}>",
    "raw text": "<{0}>a<b>b</b></{0}>c",
    "ends a paragraph": "<p>a<{0}>b</{0}>c",
    "twice": "<{0}>a<{0}>b",
    "in a list": "<ul><li>a<{0}>b<li>c</{0}></ul>d",
    "an end tag of its own": "a</{0}>b",
    "in a button": "<button>a<{0}>b</button>c",
}

# Elements that are read otherwise than by browsers, with the reason. No fragment at random has them.
DEVIATIONS = {
    "select": "it holds options and their words only, as before 2025: browsers do not agree",
    "option": "it is dropped outside of select",
    "optgroup": "it is dropped outside of select",
    "selectedcontent": "browsers fill it with a copy of the chosen option",
    "search": "Firefox alone counts it among the special elements, as the Standard has it",
    "dialog": "Firefox alone takes it for a bound of list items",
    "noscript": "it is read as by browsers with scripts, its content as by those without",
    "template": "it is dropped with its content, which is not shown",
}

# What html5lib reads by rules that the Standard has no more: elements, an end tag that leaves a drawing or a formula, and a line feed
# behind more than the tag of preformatted text. Besides, what ends the page around.
OUTDATED = re.compile(r"<(isindex|menuitem|rb|rtc|rt|rp|summary|hgroup|figcaption|main|command|svg:script)\b|<(svg|math)\b.*</(p|br)\b|<(pre|listing|textarea)\b[^>]*>(<[^>]*>)*\n"
                      r"|<button\b.*<button\b|<(body|html|frameset|head)\b", re.S | re.I)

TOKENS = ["x", "y ", " ", "\n", "&amp;", "&lt", "&notit;", "<!--c-->", "<!-- ", "-->", "<![CDATA[z]]>", "<?pi?>", "<!doctype html>", "<", "</",
          ">", "a&b", "&#x80;", "</ x>", "<a b=c d='e>", '"', "'"]
ATTRIBUTES = ["", "", "", " id=x", " class='a b'", " href=y", " type=hidden", " encoding='text/html'", " color=red", "/", " /"]
MARKS = re.compile("([\u0300-\u036f]{30})[\u0300-\u036f]+")
FOREIGN = "svg math mi mo annotation-xml foreignObject desc title g text a p b".split()


def soup(count, seed):
    """Fragments of tags and words at random."""
    chance = random.Random(seed)
    names = [name for name in ELEMENTS if name not in DEVIATIONS] + FOREIGN
    often = "a b i em p div span ul li dl dd dt table tr td caption h1 button form pre ruby rt nobr font".split()

    def token():
        kind = chance.random()
        name = chance.choice(often if chance.random() < 0.5 else names)
        if kind < 0.5:
            return f"<{name}{chance.choice(ATTRIBUTES)}>"
        return f"</{name}>" if kind < 0.75 else chance.choice(TOKENS)
    return ["".join(token() for _ in range(chance.randint(2, 14))) for _ in range(count)]


def written():
    """The inputs of the sanitizer's own cases."""
    found = []
    for path in sorted((pathlib.Path(__file__).parents[2] / "Fixtures/Sanitizer").glob("*.txt")):
        for case in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
            parts = re.split(r"^--- (\w+)\n", case, flags=re.M)
            if "escapes:" not in parts[0]:
                found += [text.rstrip("\n") for kind, text in zip(parts[1::2], parts[2::2]) if kind == "input"]
    # Elements that are too deep lose their tags.
    return [text for text in found if not re.search("<(?:" + "|".join(DEVIATIONS) + ")", text, re.I) and text.count("<") < 200]


def allowed(tamis, folder):
    """The elements that rules may allow, and a file with the rules."""
    rules, names = folder / "all.yaml", list(ELEMENTS)
    while True:
        rules.write_text(
            f"name: all\nextends: text\nelements: {{ html: [{', '.join(names)}] }}\ndrop: []\nhidden: keep\nimprove: {{ separate-blocks: no, drop-controls: no, set-formulas: no }}\n")
        found = subprocess.run(
            [tamis, "sanitize", "--rules", rules], input="", capture_output=True, text=True, check=False).stderr
        refused = [name for name in names if f"'{name}' can never be allowed" in found]
        if not refused:
            return names, rules
        names = [name for name in names if name not in refused]


def sanitized(tamis, rules, fragments):
    """What the sanitizer makes of each fragment."""
    lines = "".join(json.dumps({"id": index, "body": text}) + "\n" for index, text in enumerate(fragments))
    run = subprocess.run(
        [tamis, "sanitize", "--jsonl", "--tidy", "never", "--rules", rules], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line)["html"] for line in run.stdout.splitlines()]


def plain(nodes):
    """A tree without attributes; texts side by side are one."""
    found = []
    for node in nodes:
        if isinstance(node, str):
            # The sanitizer writes none of these characters, and no mark beyond the 30th on a letter (UAX #15, 13).
            node = re.sub("[\x80-\x9f\ufffe\uffff]", "\ufffd", re.sub("[\x01-\x08\x0b\x0e-\x1f\x7f]", "", node))
            node = MARKS.sub(r"\1", node)
            if found and isinstance(found[-1], str):
                found[-1] += node
            else:
                found.append(node)
        else:
            found.append([node[0], *plain(node[2:])])
    return found


def stripped(nodes, keeps=False):
    """A tree without white space at the ends of texts, but for line breaks in preformatted text, and without empty texts."""
    found = []
    for node in nodes:
        if isinstance(node, str):
            text = node.strip(" \t\r\f" if keeps else None)
            found += [text] if text else []
        else:
            found.append([node[0], *stripped(node[1:], keeps or node[0] in ("pre", "listing", "textarea"))])
    return found


def filtered(nodes, verdicts):
    """A tree without what is not allowed."""
    found = []
    for node in nodes:
        if isinstance(node, str):
            found.append(node)
            continue
        inner = filtered(node[1:], verdicts)
        verdict = verdicts.get(node[0].lower(), "unwrap")
        if verdict == "keep":
            # A form that stands in the structure of a table holds nothing: it is left out.
            table = node[0] in ("table", "tbody", "thead", "tfoot", "tr")
            found.append([node[0], *(child for child in inner if not (table and child == ["form"]))])
        elif verdict == "unwrap":
            found += inner
    joined = []
    for node in found:
        if isinstance(node, str) and joined and isinstance(joined[-1], str):
            joined[-1] += node
        else:
            joined.append(node)
    return joined


VOID = "area base basefont bgsound br col command embed frame hr image img input keygen link meta param source track wbr".split()
RAW = "style script xmp iframe noembed noframes plaintext".split()


def serialized(nodes, raw=False):
    """The Standard's serialization (13.3), with the line feed that preformatted text needs."""
    found = []
    for node in nodes:
        if isinstance(node, str):
            found.append(node if raw else node.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;"))
            continue
        name = node[0].split()[-1]
        found.append(f"<{name}>")
        if " " in node[0] or name not in VOID:
            if name in ("pre", "listing", "textarea") and len(node) > 1 and isinstance(node[1], str) and node[1].startswith("\n"):
                found.append("\n")
            found.append(serialized(node[1:], node[0] in RAW) + f"</{name}>")
    return "".join(found)


def words(nodes):
    """All text of a tree, in order, without white space."""
    return "".join("".join(node.split()) if isinstance(node, str) else words(node[1:]) for node in nodes)


def verdicts(tamis, rules):
    """What the sanitizer does with each element when it stands alone: keep, unwrap or drop."""
    found = {}
    pieces = [(name, f"<{name}>w</{name}>") for name in ELEMENTS]
    pieces += [(f"{space} {name}", f"<{space}><{name}>w</{name}></{space}>") for space in ("svg", "math") for name in FOREIGN + ELEMENTS]
    pieces += [("svg svg", "<svg>w</svg>"), ("math math", "<math>w</math>")]
    wrap = {"tr": "<table>{}</table>", "td": "<table>{}</table>", "th": "<table>{}</table>", "caption": "<table>{}</table>"}
    wrap |= {part: "<table>{}</table>" for part in ("tbody", "thead", "tfoot", "colgroup", "col")}
    outputs = sanitized(tamis, rules, [wrap.get(name, "{}").format(text) for name, text in pieces])
    for (name, _), output in zip(pieces, outputs):
        own = name.split()[-1]
        found[name.lower()] = "keep" if f"<{own}" in output else "unwrap" if "w" in output else "drop"
    return found | {"tbody": "keep", "colgroup": "keep"}


def trees(engine, fragments):
    """The trees that an engine builds, as lists of a name, attributes and children; None when it is not installed."""
    return [html5lib_tree(text) for text in fragments] if engine == "html5lib" else browser_trees(engine, fragments)


def html5lib_tree(text):
    import html5lib
    spaces = {"http://www.w3.org/1999/xhtml": "", "http://www.w3.org/2000/svg": "svg ", "http://www.w3.org/1998/Math/MathML": "math "}

    def read(node):
        if node.nodeType == node.TEXT_NODE:
            return node.data
        return [spaces.get(node.namespaceURI, "? ") + node.localName, {}, *children(node)]

    def children(node):
        return [read(child) for child in node.childNodes if child.nodeType in (child.TEXT_NODE, child.ELEMENT_NODE)]
    # Its fragments lose a table inside another, so that the text is put into a page.
    page = html5lib.parse("<!DOCTYPE html><body>" + text, treebuilder="dom", scripting=True)
    return children(page.getElementsByTagName("body")[0])


def read(engine, fragments, outputs, known):
    """What an engine builds of the sources, without what is not allowed, and of the outputs; None when it is not installed."""
    built = trees(engine, fragments + outputs)
    if built is None:
        return None
    return [filtered(plain(tree), known) for tree in built[: len(fragments)]], [plain(tree) for tree in built[len(fragments):]]


def compare(engine, fragments, outputs, read_by):
    """Prints what an engine builds otherwise; returns how many that are, how many trees cannot be written, and how many sources
    it alone reads otherwise than two other engines, for which the output is right."""
    sources, results = read_by[engine]
    others = [name for name in read_by if name != engine]
    # The comment keeps Chromium from its fast path, which takes a button into a button.
    differing = [index for index, pair in enumerate(zip(sources, results)) if stripped(pair[0]) != stripped(pair[1])]
    again = trees(engine, [serialized(sources[index]) + "<!---->" for index in differing]) if differing else []
    faults = unwritable = alone = 0
    for index, tree in zip(differing, again):
        source, result = sources[index], results[index]
        if stripped(plain(tree)) != stripped(source) and words(source) == words(result):
            unwritable += 1
            continue
        built = [stripped(tree) for name in others for tree in (read_by[name][0][index], read_by[name][1][index])]
        if len(others) > 1 and all(tree == built[0] for tree in built):
            alone += 1
            print(f"{engine} alone reads otherwise: {fragments[index]!r}")
            continue
        faults += 1
        if faults <= 20:
            print(f"{engine}: {fragments[index]!r}\n  becomes {outputs[index]!r}\n  source {json.dumps(stripped(source))}\n"
                  f"  output {json.dumps(stripped(result))}")
    return faults, unwritable, alone


def encoded_pages():
    """The cases of Fixtures/Encoding/pages.txt: name, page, encoding, and one that it must not be."""
    text = (pathlib.Path(__file__).parents[2] / "Fixtures/Encoding/pages.txt").read_text(encoding="utf-8")
    for case in re.split(r"^=== ", text, flags=re.M)[1:]:
        parts = re.split(r"^--- (\w+)\n", case, flags=re.M)
        settings = dict(re.findall(r"^(\w+): (.*)$", parts[0], flags=re.M))
        sections = {kind: body.rstrip("\n") for kind, body in zip(parts[1::2], parts[2::2])}
        page = re.sub(r"\\x([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), sections["input"]).encode("latin-1")
        address = f"/encoded?{settings.get('charset', '')}&{urllib.parse.quote_from_bytes(page)}"
        yield parts[0].split("\n")[0], address, sections.get("output"), settings.get("not")


def compare_encodings(engine):
    """Prints which pages an engine reads in another encoding than the cases say; returns how many."""
    cases, faults = list(encoded_pages()), 0
    for (name, address, wanted, unwanted), (found,) in zip(cases, trees(engine, [(case[1], "page") for case in cases])):
        if found.lower() == unwanted or wanted and found.lower() != wanted:
            faults += 1
            print(f"{engine}: {name}: {address} is read as {found}, not as {wanted or 'anything else'}")
    print(f"{engine}: {len(cases)} pages, {faults} are read in another encoding")
    return faults


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--minimum", type=int, default=1)
    parser.add_argument("--fragments", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engines", type=lambda text: text.split(","), default=ENGINES)
    options = parser.parse_args()
    tamis = options.tamis.absolute()
    with tempfile.TemporaryDirectory() as folder:
        kept, rules = allowed(tamis, pathlib.Path(folder))
        probes = [text.format(name) for name in kept if name not in DEVIATIONS for text in PROBES.values()]
        fragments = probes + written() + soup(options.fragments, options.seed)
        # The sources of formulas are shown, which browsers do not without a script.
        fragments = [text for text in fragments if not any(kind in text.lower() for kind in ("math/tex", "math/asciimath"))]
        if "html5lib" in options.engines:
            fragments = [text for text in fragments if not OUTDATED.search(text)]
        outputs, known = sanitized(tamis, rules, fragments), verdicts(tamis, rules)
    count = faults = 0
    read_by = {engine: read(engine, fragments, outputs, known) for engine in options.engines}
    for engine in [engine for engine, found in read_by.items() if found is None]:
        print(f"{engine}: not installed, skipped")
        del read_by[engine]
    for engine in read_by:
        found = compare(engine, fragments, outputs, read_by)
        count += 1
        faults += found[0] + (compare_encodings(engine) if engine in ENGINES else 0)
        print(f"{engine}: {len(fragments)} fragments compared, {found[0]} are built otherwise from the output; "
              f"{found[1]} have a tree that no markup builds, {found[2]} are read otherwise by this engine alone")
    return exit_code(faults, count, options.minimum)


if __name__ == "__main__":
    sys.exit(main())
