"""Puts each fault of Fixtures/Faults into feeds and counts the entries that are as they were without it: read by tamis,
and beside it by Universal Feed Parser.

    faults.py TAMIS FEED_OR_FOLDER... [--largest BYTES]

Prints a line for each kind of fault of which an entry is lost, and both shares; fails when tamis's is below 99 % or below
Universal Feed Parser's. An entry is its title and its bodies. The same is counted for more feeds by `make test`.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

import feedparser

FAULTS = json.loads((pathlib.Path(__file__).parents[2] / "Fixtures/Faults/faults.json").read_text())
ENTRY = re.compile(rb"<(item|entry)[ >].*?</(?:item|entry)>", re.S)
ROOT = re.compile(rb"<(rss|feed|rdf:RDF|RDF)")
IN_PARTS = ("inside", "title", "replace")


def places(data):
    """Where the root element begins, and where the entries stand."""
    root = ROOT.search(data)
    return (root.start() if root else 0), [match.span() for match in ENTRY.finditer(data)]


def mutated(data, root, entries, fault, entry):
    """The feed with a fault, None when there is no place for it."""
    text = bytes.fromhex(fault["hex"]) if "hex" in fault else fault["text"].encode("utf-8", "surrogatepass")
    start, end = entries[entry] if entry is not None else (root, entries[0][0])
    kind = fault["at"]
    if kind == "start":
        return text + data
    if kind == "end":
        return data + text
    if kind == "prolog":
        return data[:root] + text + data[root:]
    if kind == "declaration":
        found = re.compile(rb"<\?xml .*?\?>", re.S).search(data, 0, root)
        return data[: found.start()] + text + data[found.end() :] if found else None
    if kind == "replace":
        at = data.find(fault["find"].encode(), start, end)
        return data[:at] + text + data[at + len(fault["find"]) :] if at >= 0 else None
    at = start if kind == "inside" else data.find(b"<title", start, end)
    behind = data.find(b">", at, end) if at >= 0 else -1
    return data[: behind + 1] + text + data[behind + 1 :] if behind >= 0 else None


def by_feedparser(data):
    try:
        entries = feedparser.parse(data).entries
    except Exception:  # it does raise
        return []
    return [[e.get("title"), e.get("summary")] + [c.get("value") for c in e.get("content", [])] for e in entries]


def by_tamis(data):
    done = subprocess.run([TAMIS, "parse", "-"], input=data, capture_output=True)
    try:
        entries = json.loads(done.stdout)["entries"]
    except (ValueError, KeyError):
        return []
    return [[e.get("title"), e.get("summary")] + [c.get("value") for c in e.get("content", [])] for e in entries]


def same(reference, found, entry):
    """How many entries that the fault does not touch there are, and how many are as they were."""
    before = entry or 0
    behind = len(reference) - before - (0 if entry is None else 1)
    count = sum(index < len(found) and found[index] == reference[index] for index in range(before))
    count += sum(index <= len(found) and found[-index] == reference[-index] for index in range(1, behind + 1))
    return before + behind, count


def count_feed(path):
    data = path.read_bytes()
    root, entries = places(data)
    readers = {"tamis": by_tamis, "feedparser": by_feedparser}
    references = {name: read(data) for name, read in readers.items()}
    scores = {}
    if not entries or any(len(reference) != len(entries) for reference in references.values()):
        return scores
    for fault in FAULTS:
        spots = {None, 0, len(entries) // 2, len(entries) - 1} if fault["at"] in IN_PARTS else {None}
        for entry in spots:
            faulty = mutated(data, root, entries, fault, entry)
            if faulty is None:
                continue
            for name, read in readers.items():
                total, kept = same(references[name], read(faulty), entry)
                old = scores.get((fault["name"], name), (0, 0))
                scores[fault["name"], name] = (old[0] + total, old[1] + kept)
    return scores


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tamis")
    parser.add_argument("feeds", nargs="+", type=pathlib.Path)
    parser.add_argument("--largest", type=int, default=60_000, help="leave larger feeds out (bytes)")
    options = parser.parse_args()
    global TAMIS
    TAMIS = os.path.abspath(options.tamis)
    files = [file for feed in options.feeds for file in (sorted(feed.iterdir()) if feed.is_dir() else [feed])]
    files = [file for file in files if file.suffix != ".md" and file.stat().st_size <= options.largest]
    scores = {}
    for file in files:
        for key, (total, kept) in count_feed(file).items():
            old = scores.get(key, (0, 0))
            scores[key] = (old[0] + total, old[1] + kept)
    sums = {}
    for name in ("tamis", "feedparser"):
        total = sum(scores[key][0] for key in scores if key[1] == name)
        kept = sum(scores[key][1] for key in scores if key[1] == name)
        sums[name] = kept / total if total else 0
        for fault in FAULTS:
            total_here, kept_here = scores.get((fault["name"], name), (0, 0))
            if name == "tamis" and kept_here < total_here:
                theirs = scores[fault["name"], "feedparser"][1]
                print(f"{fault['name']}: {kept_here} of {total_here}, Universal Feed Parser {theirs}")
    print(f"{len(FAULTS)} faults, {len(files)} feeds: tamis {sums['tamis']:.2%}, Universal Feed Parser {sums['feedparser']:.2%}")
    if sums["tamis"] < 0.99 or sums["tamis"] < sums["feedparser"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
