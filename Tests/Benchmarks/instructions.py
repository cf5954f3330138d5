#!/usr/bin/env python3
"""Count the instructions of five fixed inputs, and compare them with those that were recorded.

usage: instructions.py TAMIS [--record]

Valgrind's callgrind counts what is executed, the same on a loud machine as on a quiet one. Hashing is made deterministic; what is
left differs by less than a thousandth. Exits with 1 when an input costs over 3 % more than recorded.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import corpus

HERE = pathlib.Path(__file__).parent
RECORDED = HERE / "instructions.json"
# More than this is a regression.
TOLERANCE = 0.03


def inputs(tamis, scratch):
    """Small, so that all of it takes a minute or two: callgrind is fifty times slower than the machine.

    Builds are not among them: valgrind does not survive the end of their threads.
    """
    mixed, feed, pages = scratch / "mixed.jsonl", scratch / "feed.xml", scratch / "pages.jsonl"
    corpus.fragments(mixed, 100, 0)
    corpus.feed(feed, 100)
    corpus.pages(pages, 10)
    return {
        "start": [tamis, "--version"],
        "sanitize 100 bodies": [tamis, "sanitize", "--jsonl", mixed],
        "parse 100 items": [tamis, "parse", feed],
        "article of 10 pages": [tamis, "article", "--jsonl", pages],
        "extract 100 items": [tamis, "extract", "--format", "jsonl", feed],
    }


def count(command, scratch):
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", LC_ALL="C")
    out = scratch / "callgrind.out"
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *map(str, command)], capture_output=True, env=environment)
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr.decode(errors='replace')[-2000:]}")
    return int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    counts, worse = {}, []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        # Valgrind does not read the debugging information that Swift writes.
        stripped = scratch / "tamis"
        subprocess.run(["strip", "-o", stripped, arguments.tamis], check=True)
        for name, command in inputs(stripped, scratch).items():
            counts[name] = count(command, scratch)
            before = recorded.get(name)
            change = f"{counts[name] / before - 1:+.1%}" if before else "new"
            print(f"{name}: {counts[name] / 1e6:.1f} million instructions, {change}", flush=True)
            if before and counts[name] > before * (1 + TOLERANCE):
                worse.append(name)
    if arguments.record:
        RECORDED.write_text(json.dumps(counts, indent=2) + "\n")
    elif worse:
        sys.exit(f"more than {TOLERANCE:.0%} above what was recorded: {', '.join(worse)}")


main()
