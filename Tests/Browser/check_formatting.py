#!/usr/bin/env python3
"""Count the bodies of real feeds whose formatting comes out as a browser has it.

usage: check_formatting.py TAMIS FEEDS... [--engine NAME] [--floor SHARE] [--show N]

Each body of each item, as expat reads it, is sanitized with the rules `reading`, repair included, but without links to what was embedded.
A browser builds the source and the output. Bodies with a `noscript` are left out, see check_engines.py. Of each character that is not white space, the blocks around it, the links and the formatting have to be the same, but for
elements that the rules do not allow. Prints the share of bodies that are whole; exit code 1 when it is below the floor (.999).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import check_engines as engines

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Robustness"))
import bodies  # noqa: E402

FORMATTING = set("a abbr b big cite code del dfn em font i ins kbd mark q s samp small strike strong sub sup tt u var".split())
BLOCKS = set("""address article aside blockquote caption center dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header
li main ol p pre section summary table td th tr ul""".split())


def marked(nodes, formatting=frozenset(), blocks=()):
    """The characters of a tree, each with the formatting and the blocks around it."""
    for node in nodes:
        if isinstance(node, str):
            yield from ((sign, formatting, blocks) for sign in node if not sign.isspace())
        else:
            name = node[0]
            yield from marked(node[1:], formatting | {name} if name in FORMATTING else formatting,
                              (*blocks, name) if name in BLOCKS else blocks)


def sources(folders):
    """Every body that is markup, once."""
    found = {}
    for _, data in bodies.feeds(folders):
        root = bodies.well_formed(data)
        for item in bodies.items(root) if root else []:
            for element in item.elements():
                if element.name in bodies.BODIES:
                    text = bodies.body_markup(element)
                    if "<" in text and "<noscript" not in text.lower() and len(text) < 200_000:
                        found.setdefault(text)
    return list(found)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("feeds", type=pathlib.Path, nargs="+")
    parser.add_argument("--engine", default="chromium")
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--floor", type=float, default=0.999)
    options = parser.parse_args()
    texts = sources(options.feeds)
    lines = "".join(json.dumps({"id": index, "body": text}) + "\n" for index, text in enumerate(texts))
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as rules:
        rules.write("name: formatting\nextends: reading\nimprove: { link-embeds: no }\n")
        rules.flush()
        command = [options.tamis, "sanitize", "--jsonl", "--rules", rules.name]
        run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        outputs = [json.loads(line)["html"] for line in run.stdout.splitlines()]
        known = engines.verdicts(options.tamis.absolute(), rules.name)
    built = engines.trees(options.engine, texts + outputs)
    whole = 0
    for index, text in enumerate(texts):
        source = list(marked(engines.filtered(engines.plain(built[index]), known)))
        result = list(marked(engines.plain(built[len(texts) + index])))
        if source == result:
            whole += 1
        elif options.show > 0:
            options.show -= 1
            place = next((at for at, pair in enumerate(zip(source, result)) if pair[0] != pair[1]), min(len(source), len(result)))
            context = ["".join(sign for sign, *_ in tree[max(0, place - 30): place + 30]) for tree in (source, result)]
            print(f"{index}: at {place} of {len(source)} and {len(result)}: {context}\n  {source[place:place + 1]}\n  {result[place:place + 1]}")
    print(f"{len(texts)} bodies, {whole} whole: {whole / max(1, len(texts)):.4f}")
    return 0 if whole >= options.floor * len(texts) else 1


if __name__ == "__main__":
    sys.exit(main())
