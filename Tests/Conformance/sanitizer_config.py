#!/usr/bin/env python3
"""Hold configurations of the browsers' sanitizer against the cases of web-platform-tests that are about setHTML.

usage: sanitizer_config.py TAMIS FOLDER [--list]

FOLDER has the files `sethtml-*.dat` and `sanitizer-*.dat` of sanitizer-api/. Each case is a fragment, a configuration, and the tree that
a browser has to build, or TypeError. html5lib builds the tree of our output. Where Tamis departs, Fixtures/SanitizerConfig/deviations.txt
says why, by the file and the number of the case; a departure that it does not name is a fault, and so is one that is none. Cases about
setHTMLUnsafe are not run. --list prints the departures.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import html5lib

ROOT = pathlib.Path(__file__).parents[2]
DEVIATIONS = ROOT / "Fixtures/SanitizerConfig/deviations.txt"
PREFIXES = {"http://www.w3.org/1999/xhtml": "", "http://www.w3.org/2000/svg": "svg ", "http://www.w3.org/1998/Math/MathML": "math "}


def cases(file):
    """The cases of a file: section by name."""
    for block in re.split(r"\n\n+", file.read_text().replace("{{host}}", "example.com")):
        sections, name = {}, None
        for line in block.split("\n"):
            if line.startswith("#"):
                name = line[1:]
                sections[name] = []
            elif name:
                sections[name].append(line)
        if "data" in sections:
            yield {name: "\n".join(lines) for name, lines in sections.items()}


def lines(node, depth=0):
    """A tree as the cases write it. Text that is cut in pieces is one."""
    indent, text = "| " + "  " * depth, ""
    for child in list(node.childNodes) + [None]:
        if child is not None and child.nodeType == child.TEXT_NODE:
            text += child.data
            continue
        if text:
            yield f'{indent}"{text}"'
            text = ""
        if child is None or child.nodeType != child.ELEMENT_NODE:
            continue
        yield f"{indent}<{PREFIXES[child.namespaceURI]}{child.localName}>"
        for name, value in sorted((attribute.name.replace(":", " "), attribute.value) for attribute in child.attributes.values()):
            yield f'{indent}  {name}="{value}"'
        yield from lines(child, depth + 1)


def found(tamis, case, folder):
    """What the case comes to with us: the lines of a tree, or TypeError."""
    rules = "browser-default"
    if "config" in case:
        rules = pathlib.Path(folder, "config.json")
        rules.write_text(case["config"])
    run = subprocess.run([tamis, "sanitize", "--rules", rules], input=case["data"], capture_output=True, text=True, check=False)
    if run.returncode:
        return "TypeError" if "[rules.invalid]" in run.stderr else f"exit code {run.returncode}: {run.stderr}"
    return "\n".join(lines(html5lib.parseFragment(run.stdout.removesuffix("\n"), treebuilder="dom")))


def deviations():
    """The reasons of the named departures, by file and number."""
    named = {}
    for line in DEVIATIONS.read_text().split("\n"):
        if match := re.fullmatch(r"(\S+) (\d+): (.+)", line):
            named[match[1], int(match[2])] = match[3]
        elif line and not line.startswith("#"):
            sys.exit(f"{DEVIATIONS}: not 'file number: reason': {line}")
    return named


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    named, count, faults, departed = deviations(), 0, 0, set()
    for file in sorted(options.folder.glob("*.dat")):
        for number, case in enumerate(cases(file), 1):
            if case.get("method", "setHTML") != "setHTML" or "unsafe" in file.name:
                continue
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                ours = found(options.tamis, case, folder)
            wanted = case.get("error", case.get("document", "").rstrip("\n"))
            place = (file.name.split(".")[0], number)
            if ours == wanted:
                continue
            departed.add(place)
            if options.list or place not in named:
                print(f"{place[0]} {number}: {named.get(place, 'not named')}\n{json.dumps(case)}\n{ours}\n")
            faults += place not in named
    for place in sorted(named.keys() - departed):
        print(f"{place[0]} {place[1]}: passes, or is not there, and is named in {DEVIATIONS.relative_to(ROOT)}")
        faults += 1
    print(f"sanitizer-api: {count} cases, {count - len(departed)} as in browsers, {len(departed)} named departures, {faults} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
