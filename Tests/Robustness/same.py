"""Runs two programs over everything at hand and prints what they write otherwise, by class.

    same.py OLD NEW [--seed N] [--fragments N] [--policies N] [--only NAME,...] [--accepted FILE] [--keep FOLDER]

A redesign is proved by it: the program of before and the new one get the same input, byte for byte, and each class of
differences has a reason or is mended.

    sanitize   the cases of the suite and of Fixtures, ../shared's hostile and benign fragments, bodies of feeds, and mutations of
               all of them: outputs and reports, under each file of Rules and under policies at random
    markdown   the same fragments as Markdown, under the rules `reading`
    parse      all feeds: those of Fixtures, ../shared/feeds and Universal Feed Parser's cases
    extract    the feeds of Fixtures and ../shared/feeds
    article    the pages of Fixtures and ../shared/article-pages
    site       two sites of these feeds, file by file

A class of differences is what stands at the first byte that differs: the tag, text or value that OLD writes there and the one
that NEW writes. --accepted names a file with a line `CLASS: reason` for each class that has one; such classes are counted and
not shown. Exit code 1: there are others.
"""
import argparse
import collections
import concurrent.futures
import filecmp
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
JOBS = os.cpu_count() or 1
# So many characters of an example are shown before and behind the difference.
AROUND = 60
TOKEN = re.compile(r"<!--.*?-->|</?[a-zA-Z][^>\s/]*|[^<]+|<", re.S)


# Input.


def fragments(seed, count):
    """Fragments by name: all that are at hand, then mutations of them."""
    found = {}
    for case in json.loads((ROOT / "Suite/cases.json").read_text()):
        found[f"suite/{case['id']}"] = case.get("html") or case.get("document") or ""
    for path in sorted((ROOT / "Fixtures").rglob("*.txt")):
        text = path.read_text(errors="replace")
        for number, part in enumerate(re.findall(r"^--- (?:input|html|page)\n(.*?)(?=^--- |^=== |\Z)", text, re.S | re.M)):
            found[f"{path.relative_to(ROOT)}/{number}"] = part
    for name in ("cases", "benign"):
        for line in lines(SHARED / f"xss-cases/{name}.jsonl"):
            found[f"{name}/{line['id']}"] = line["html"]
    for path in feeds():
        for number, body in enumerate(bodies(path)):
            found[f"{path.name}/{number}"] = body
    chance = random.Random(seed)
    sources = sorted(found.values())
    for number in range(count):
        found[f"mutation/{seed}/{number}"] = mutated(chance, sources)
    return found


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def bodies(path):
    """The escaped and CDATA texts of a feed that have tags; its own parser is not asked."""
    text = path.read_bytes().decode(errors="replace")
    found = re.findall(r"<!\[CDATA\[(.*?)\]\]>", text, re.S) + [
        part.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
        for part in re.findall(r">([^<]*&lt;[^<]*)<", text)]
    return [body for body in found if "<" in body][:60]


def mutated(chance, sources):
    """Pieces of up to three fragments, cut where tags begin and end, with some repeated, dropped or exchanged."""
    pieces = []
    for source in chance.sample(sources, chance.randint(1, 3)):
        tokens = TOKEN.findall(source[:4000])
        if not tokens:
            continue
        start = chance.randrange(len(tokens))
        pieces += re.findall(r"<[^>]*>?|[^<]+", source[:4000])[start:start + chance.randint(1, 14)]
    for _ in range(chance.randint(0, 4)):
        if not pieces:
            break
        place = chance.randrange(len(pieces))
        match chance.randrange(4):
            case 0: pieces.insert(place, chance.choice(pieces))
            case 1: del pieces[place]
            case 2: other = chance.randrange(len(pieces)); pieces[place], pieces[other] = pieces[other], pieces[place]
            case 3: pieces.insert(place, chance.choice(["<table>", "</p>", "<svg>", "<math>", "<b>", "<i><p>", "<td>", "<li>", "</div>"]))
    return "".join(pieces)


def policies(seed, count, folder):
    """Files of rules: the shipped ones, and some at random, each with a part of what is known and other settings."""
    found = sorted(path for path in (ROOT / "Rules").iterdir() if path.suffix in (".yaml", ".json"))
    chance = random.Random(seed)
    text = (ROOT / "Rules/universal-feed-parser.yaml").read_text() + (ROOT / "Rules/reading.yaml").read_text()
    names = sorted(set(re.findall(r"\b[a-z][a-z0-9]{0,10}\b", " ".join(re.findall(r"html:\s*\[(.*?)\]", text, re.S)))))
    for number in range(count):
        elements = chance.sample(names, chance.choice([0, 1, 2, 5, 10, 30, 60]))
        rows = [f"name: random-{number}", f"tidy: {chance.choice(['never', 'broken', 'always'])}", "elements:",
                f"  html: [{', '.join(elements)}]"]
        if chance.random() < 0.4:
            rows += ["  svg: [svg, g, path, a, text, title, desc, image]", "  math: [math, mi, mo, mn, mrow, semantics, annotation]"]
        if chance.random() < 0.5:
            rows.append(f"drop: [{', '.join(chance.sample(sorted(set(names) - set(elements)), 4))}]")
        if chance.random() < 0.3:
            rows.append("hidden: drop")
        rows += ["attributes:", "  html:", '    "*": [title, lang, dir, class, align]', "    a: [href]", "    img: [src, alt, srcset, width]"]
        rows += ["urls:", "  schemes: [http, https, mailto]", f"  relative: {chance.choice(['keep', 'drop'])}"]
        path = folder / f"random-{number}.yaml"
        path.write_text("\n".join(rows) + "\n")
        found.append(path)
    return found


def feeds():
    found = [path for path in sorted((ROOT / "Fixtures/Feeds").iterdir()) if path.suffix != ".md"]
    return found + sorted(path for path in (SHARED / "feeds/real").rglob("*") if path.is_file() and path.suffix not in (".md", ".url"))


def pages():
    return sorted((SHARED / "article-pages").rglob("*.html")) + sorted((SHARED / "article-pages").rglob("*.htm"))


# Running.


def run(program, arguments, data=None):
    done = subprocess.run([program, *map(str, arguments)], input=data, capture_output=True, cwd=ROOT)
    return done.stdout, done.stderr


def both(programs, arguments, data=None):
    """What the two programs write: (old, new)."""
    return tuple(run(program, arguments, data) for program in programs)


def kind(text, place):
    """What stands at a place of markup or JSON: `<p`, `</p`, `<p ...` inside a tag, `text`, or `end`."""
    if place >= len(text):
        return "end"
    opening = text.rfind("<", 0, place + 1)
    tag = re.match(r"</?[a-zA-Z!][^\s>/]*", text[opening:]) if opening >= 0 else None
    if tag is None or text.find(">", opening, place) >= 0:
        return "text"
    return tag.group() if opening == place or place < opening + len(tag.group()) else f"{tag.group()} ..."


class Differences:
    """Differences by collection and class, each with its shortest example."""

    def __init__(self, accepted):
        self.accepted = accepted
        self.counts, self.examples, self.compared = collections.Counter(), {}, collections.Counter()

    def compare(self, collection, name, old, new):
        self.compared[collection] += 1
        if old == new:
            return
        old, new = (text if isinstance(text, str) else text.decode(errors="replace") for text in (old, new))
        place = next((index for index, (one, other) in enumerate(zip(old, new)) if one != other), min(len(old), len(new)))
        key = f"{collection}: {kind(old, place)} -> {kind(new, place)}"
        self.counts[key] += 1
        start = max(0, place - AROUND)
        example = (len(old), name, old[start:place + AROUND], new[start:place + AROUND])
        if key not in self.examples or example < self.examples[key]:
            self.examples[key] = example

    def show(self):
        for collection, count in sorted(self.compared.items()):
            other = sum(number for key, number in self.counts.items() if key.startswith(f"{collection}: "))
            print(f"{collection}: {count} compared, {other} differ")
        open_classes = [(number, key) for key, number in self.counts.items() if key not in self.accepted]
        for number, key in sorted(open_classes, reverse=True):
            _, name, old, new = self.examples[key]
            print(f"\n{number} x {key}\n  {name}\n  - {old!r}\n  + {new!r}")
        return not open_classes


# Collections.


def compare_fragments(programs, found, options, differences, folder):
    records = b"".join(json.dumps({"id": name, "body": text, "url": "https://site.example/a/b"}).encode() + b"\n"
                       for name, text in found.items())
    runs = []
    if "sanitize" in options.only:
        runs += [(f"sanitize {path.stem.split('-')[0] if path.stem.startswith('random') else path.stem}",
                  ["sanitize", "--jsonl", "--report", "--rules", path]) for path in policies(options.seed, options.policies, folder)]
    if "markdown" in options.only:
        runs.append(("markdown", ["sanitize", "--jsonl", "--rules", "reading", "--format", "markdown"]))
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        answers = pool.map(lambda each: both(programs, each[1], records), runs)
        for (collection, arguments), ((old, old_error), (new, new_error)) in zip(runs, answers):
            differences.compare(f"{collection} messages", str(arguments[-1]), old_error, new_error)
            if not old:
                sys.exit(f"same.py: {programs[0]} {' '.join(map(str, arguments))} writes nothing: {old_error.decode()}")
            for one, other in zip(old.splitlines(), new.splitlines(), strict=False):
                one, other = json.loads(one), json.loads(other)
                member = "markdown" if collection == "markdown" else "html"
                differences.compare(collection, f"{arguments[-1]} {one.get('id')}", str(one.get(member)), str(other.get(member)))
                reports = [json.dumps(each.get("report"), sort_keys=True) for each in (one, other)]
                if one.get(member) == other.get(member):
                    differences.compare(f"{collection} report", f"{arguments[-1]} {one.get('id')}", *reports)
            if len(old.splitlines()) != len(new.splitlines()):
                differences.compare(f"{collection} lines", str(arguments[-1]), old[-200:], new[-200:])


def compare_files(programs, collection, paths, arguments, differences):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for path, (old, new) in zip(paths, pool.map(lambda path: both(programs, [*arguments, path]), paths)):
            differences.compare(collection, str(path), old[0], new[0])
            differences.compare(f"{collection} messages", str(path), old[1], new[1])


def compare_sites(programs, differences, folder):
    places = [folder / "old", folder / "new"]
    listed = folder / "feeds"
    listed.mkdir()
    for path in feeds():
        (listed / path.name).write_bytes(path.read_bytes())
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(lambda each: run(each[0], ["build", listed, "--output", each[1], "--reproducible"]), zip(programs, places)))
    names = sorted({path.relative_to(place) for place in places for path in place.rglob("*") if path.is_file()})
    for name in names:
        old, new = (place / name for place in places)
        if not (old.exists() and new.exists()) or not filecmp.cmp(old, new, shallow=False):
            differences.compare("site", str(name), *(path.read_bytes() if path.exists() else b"" for path in (old, new)))
        else:
            differences.compared["site"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("new", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fragments", type=int, default=20_000, help="mutations")
    parser.add_argument("--policies", type=int, default=50, help="random ones beside those of Rules")
    parser.add_argument("--only", type=lambda text: text.split(","), default="sanitize,markdown,parse,extract,article,site")
    parser.add_argument("--accepted", type=pathlib.Path)
    options = parser.parse_args()
    if isinstance(options.only, str):
        options.only = options.only.split(",")
    accepted = {line.rsplit(": ", 1)[0] for line in options.accepted.read_text().splitlines()} if options.accepted else set()
    differences, programs = Differences(accepted), (options.old, options.new)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if {"sanitize", "markdown"} & set(options.only):
            compare_fragments(programs, fragments(options.seed, options.fragments), options, differences, folder)
        if "parse" in options.only:
            cases = sorted((SHARED / "ufp-cases/cases").rglob("*.xml"))
            compare_files(programs, "parse", feeds() + cases, ["parse"], differences)
        if "extract" in options.only:
            compare_files(programs, "extract", feeds(), ["extract"], differences)
        if "article" in options.only:
            compare_files(programs, "article", pages(), ["article"], differences)
        if "site" in options.only:
            compare_sites(programs, differences, folder)
    sys.exit(0 if differences.show() else 1)


if __name__ == "__main__":
    main()
