#!/usr/bin/env python3
"""Answers every page by trees that have not seen its site: FOLDER/SET.jsonl, which `check.py --results FOLDER` scores.

    validate.py TAMIS PAGES FOLDER [the options of train.py]

The sites are in five parts; for each, trees are made of the others' pages as train.py makes them. They are left as FOLDER/N.trees, with
those of all pages as the last.
"""

import json
import os
import subprocess
import sys
import tempfile

import pages
import train

def records(root, name, wanted):
    """The lines that ask for the pages of a part of a set, as check.py asks."""
    for number, page, truth in pages.pages(root, name):
        if train.part(number, truth) == wanted:
            yield json.dumps({"id": number, "url": truth.get("url") or "", "html": page}) + "\n"


def main():
    args, (tamis, root, folder) = train.arguments(extra=["folder"])
    models = train.Trainer(args, tamis, root).run().parts
    os.makedirs(folder, exist_ok=True)
    outputs = {name: open(os.path.join(folder, f"{name}.jsonl"), "w") for name in pages.SCORED}
    for wanted in range(train.PARTS):
        with tempfile.NamedTemporaryFile("w", suffix=".trees") as trees:
            trees.write(models[wanted])
            trees.flush()
            for name, output in outputs.items():
                lines = list(records(root, name, wanted))
                run = subprocess.run([tamis, "article", "--jsonl", "--trees", trees.name], input="".join(lines), capture_output=True,
                                     text=True, check=True)
                output.write(run.stdout)
    for index, model in enumerate(models):
        with open(os.path.join(folder, f"{index}.trees"), "w") as file:
            file.write(model)
    print(f"{folder}: {', '.join(pages.SCORED)}", file=sys.stderr)


if __name__ == "__main__":
    main()
