#!/usr/bin/env python3
"""Answers every page by trees that have not seen its site: FOLDER/SET.jsonl, which `check.py --results FOLDER` scores.

    validate.py TAMIS PAGES FOLDER [the options of train.py]

The sites are in five parts; for each, trees are made of the others' pages as train.py makes them.
"""

import json
import os
import subprocess
import sys
import tempfile
import zlib

import pages
import train

PARTS = 5
# What is answered: the sets that are scored. traf is never trained on.
SCORED = ["moz", "traf", "types", "wcxb", "zh", "zyte"]


def part(number, truth):
    return zlib.crc32(pages.site(truth.get("url") or number).encode()) % PARTS


def records(root, name, wanted):
    """The lines that ask for the pages of a part of a set, as check.py asks."""
    for number, page, truth in pages.pages(root, name):
        if part(number, truth) == wanted:
            yield json.dumps({"id": number, "url": truth.get("url") or "", "html": page}) + "\n"


def main():
    args, (tamis, root, folder) = train.arguments(extra=["folder"])
    names = train.number_names(tamis)
    data = train.rows(args, tamis, root, names)
    os.makedirs(folder, exist_ok=True)
    outputs = {name: open(os.path.join(folder, f"{name}.jsonl"), "w") for name in SCORED}
    for wanted in range(PARTS):
        with tempfile.NamedTemporaryFile("w", suffix=".trees") as trees:
            train.write(trees, train.fit_without(data, wanted, args), names, args)
            trees.flush()
            for name, output in outputs.items():
                lines = list(records(root, name, wanted))
                run = subprocess.run([tamis, "article", "--jsonl", "--trees", trees.name], input="".join(lines), capture_output=True,
                                     text=True, check=True)
                output.write(run.stdout)
        print(f"part {wanted} of {PARTS} is answered", file=sys.stderr)


if __name__ == "__main__":
    main()
