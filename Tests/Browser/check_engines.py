#!/usr/bin/env python3
"""Compare what browsers build of fragments with what they build of the sanitizer's output.

usage: check_engines.py TAMIS [--minimum N]

Every element of the HTML Standard (its index of elements, and 16.2 for obsolete ones) is put where the lists of the tree
construction (13.2.4 to 13.2.6) decide: is it void, raw text, does it take a line feed away, does it end a paragraph, is it opened
again, does it bound others. The rules allow all elements that the sanitizer lets rules allow. An element whose tags stay has to
stand where each browser puts it. Exit code 0 when all do; at least N (1) browsers have to be there.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from engines import ENGINES, trees

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

FORMATTING = "a b big code em font i nobr s small strike strong tt u".split()
PARTS = "tbody td tfoot th thead tr".split()
# What is known to be read otherwise than by browsers: elements and probes, with the reason.
DEVIATIONS = [
    (["selectedcontent"], list(PROBES), "browsers fill it with a copy of the chosen option"),
    (["option", "optgroup"], list(PROBES), "outside of select they are dropped"),
    (["pre", "listing", "textarea"], ["two line feeds"], "all line feeds at the beginning are dropped"),
    (FORMATTING, ["in a button"], "formatting that ends behind a button is not opened again"),
    (["select"], ["raw text", "twice", "in a list", "in a button"], "select is read as before 2025: it holds options only"),
    (["textarea"], ["twice", "in a button"], "an element of text that is not ended is read as markup"),
    (["dialog"], ["in a list"], "Firefox alone takes it for a bound of list items"),
    (["marquee"], ["in a list", "in a button"], "it is no bound of scopes"),
    (["div", *PARTS], ["in a button"], "an element in a button that is not ended goes on behind it"),
    (["p"], ["in a list"], "an end tag of a paragraph that is not open makes no empty one"),
]


def allowed(tamis, folder):
    """The elements that rules may allow, and a file with the rules."""
    rules, names = folder / "all.yaml", list(ELEMENTS)
    while True:
        rules.write_text(
            f"name: all\nextends: text\nelements: {{ html: [{', '.join(names)}] }}\ndrop: []\nimprove: {{ separate-blocks: no }}\n")
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


def bare(nodes):
    """A tree without attributes, empty texts and white space around texts; texts side by side are one."""
    found = []
    for node in nodes:
        if isinstance(node, str):
            if found and isinstance(found[-1], str):
                found[-1] += node
            else:
                found.append(node)
        else:
            found.append([node[0], *bare(node[2:])])
    return [node for node in found if not isinstance(node, str) or node.strip(" \t\r\f")]


def trimmed(nodes):
    """A tree without line feeds before and behind it, which the sanitizer takes away from fragments."""
    if nodes and isinstance(nodes[0], str):
        nodes = [nodes[0].lstrip("\n"), *nodes[1:]]
    return nodes


def names(nodes):
    """The names of all elements of a tree, in order."""
    return [name for node in nodes if not isinstance(node, str) for name in [node[0], *names(node[1:])]]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--minimum", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept, rules = allowed(options.tamis.absolute(), pathlib.Path(folder))
        cases = [(name, probe, text.format(name)) for name in kept for probe, text in PROBES.items()]
        outputs = sanitized(options.tamis.absolute(), rules, [text for _, _, text in cases])
    count = faults = 0
    for engine in ENGINES:
        built = trees(engine, [text for _, _, text in cases] + outputs)
        if built is None:
            print(f"{engine}: not installed, skipped")
            continue
        count += 1
        compared = different = known = 0
        for (name, probe, text), output, source, result in zip(cases, outputs, built, built[len(cases):]):
            source, result = trimmed(bare(source)), trimmed(bare(result))
            # Where it is removed the place of others is of another tree.
            if any(name in elements and probe in probes for elements, probes, _ in DEVIATIONS):
                known += source != result
                continue
            if name in names(source) and name not in names(result):
                continue
            compared += 1
            if source != result:
                different += 1
                print(f"{engine}: {probe}: {text!r}\n  source {json.dumps(source)}\n  output {json.dumps(result)}")
        print(f"{engine}: {compared} fragments compared, {different} are built otherwise from the output; {known} of known deviations")
        faults += different
    if count < options.minimum:
        print(f"{count} browsers, {options.minimum} are needed")
        return 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
