#!/usr/bin/env python3
"""Runs the suite with other people's sanitizers and writes what came of it into docs/other-sanitizers.md.

usage: measure.py TAMIS [--record] [--only NAME]

The programs of programs.json that are installed are run at each level that they can be set to. What is known to fail is in expected.txt;
--record writes it anew. A page and a badge for each program are written into .build/others/pages. Exit code 1 when a program shows other faults than those. --only leaves the table as it is.

Which cases are unsafe with a program is not written down, since the suite has their inputs: only how many of each class.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

KINDS = ["unsafe", "loads", "clobbers", "spoofs", "unbalanced", "rebuilt", "not idempotent", "lost", "refused", "no answer"]
BEGIN, END = "<!-- measured: make check-others -->", "<!-- end of what is measured -->"
here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
work = root / ".build/others"


class Expected:
    """What is known to fail: a section for each program and level, `=== nh3-P1`."""

    file = here / "expected.txt"

    def __init__(self):
        self.head, *parts = re.split(r"^=== ", self.file.read_text(), flags=re.MULTILINE)
        self.sections = dict(part.split("\n", 1) for part in parts)

    def write(self):
        self.file.write_text(self.head + "".join(f"=== {name}\n{text}" for name, text in sorted(self.sections.items())))


def version(program):
    """The version that is installed; None when the program or what it needs is missing."""
    run = subprocess.run(["/bin/sh", "-c", program["version"]], cwd=root, capture_output=True, text=True)
    return run.stdout.strip() or None if run.returncode == 0 else None


def measure(options, program, level):
    """The results of all cases at a level, and whether they are those that are expected."""
    name = f"{program['name']}-{level}"
    expected = work / "expected.txt"
    expected.parent.mkdir(parents=True, exist_ok=True)
    expected.write_text(options.expected.sections.get(name, ""))
    command = [options.tamis, "check", "Suite/cases", "--level", level, "--command", program["command"].replace("{level}", level),
               "--expected-failures", str(expected.relative_to(root)), "--format", "json"]
    run = subprocess.run(command + ["--record"] * options.record, cwd=root, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{program['name']} {level}: {run.stderr}")
    *cases, last = map(json.loads, run.stdout.rstrip("\n").split("\n"))
    unsafe = unsafe_line(cases)
    if options.record:
        conceal(expected, unsafe)
        options.expected.sections[name] = expected.read_text()
    known = expected.read_text().split("\n", 1)[0]
    return Result(cases, last["summary"]), known == unsafe and not any(map(has_changed, cases))


def has_changed(case):
    """Whether a case shows other faults than are expected, apart from what is unsafe."""
    return any(fault.get("kind") != "unsafe" and not fault.get("expected") for fault in case["faults"])


def unsafe_line(cases):
    """How many cases of each class are unsafe."""
    counts = collections.Counter(case["class"] for case in cases if any(fault.get("kind") == "unsafe" for fault in case["faults"]))
    return "# unsafe: " + (", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none")


def conceal(file, unsafe):
    """Takes out of a file of known faults which cases are unsafe."""
    lines = [line.split(": ", 1) for line in file.read_text().splitlines() if not line.startswith("#")]
    kept = [(name, [kind for kind in kinds.split(", ") if kind != "unsafe"]) for name, kinds in lines]
    file.write_text("\n".join([unsafe, *(f"{name}: {', '.join(kinds)}" for name, kinds in kept if kinds)]) + "\n")


class Result:
    """What came of one program at one level."""

    def __init__(self, cases, summary):
        self.cases = [(case["id"], case["class"], sorted({fault["kind"] for fault in case["faults"] if not fault.get("gone")}, key=KINDS.index)) for case in cases]
        self.count = summary["cases"]
        self.passed = sum(not kinds for _, _, kinds in self.cases)

    def counts(self):
        """How many cases show each kind of fault."""
        return collections.Counter(kind for _, _, kinds in self.cases for kind in kinds)

    def cells(self):
        """The same as cells of a table."""
        return [self.counts()[kind] for kind in KINDS]

    def classes(self):
        """For each class: how many cases, and how many show each kind."""
        found = {}
        for _, name, kinds in self.cases:
            cases, counts = found.setdefault(name, [0, collections.Counter()])
            found[name][0] = cases + 1
            counts.update(kinds)
        return dict(sorted(found.items()))


def row(cells):
    return "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(head), "|-" * len(head) + "|", *map(row, rows)])


def label(program, installed):
    """The program with its version, and what has to be known of it."""
    note = f" ({program['note']})" if "note" in program else ""
    return f"[{program['title']}]({program['home']}) {installed}{note}"


def table_rows(program, installed, results):
    """The rows of the table of all programs."""
    for level, result in results.items():
        yield [label(program, installed), level, result.count, result.passed, *result.cells()]


def page(program, installed, results):
    """The page of one program: no inputs and no outputs."""
    level, result = list(results.items())[-1]
    used = [kind for kind in KINDS if result.counts()[kind]]
    classes = [[name, cases, *(counts[kind] for kind in used)] for name, (cases, counts) in result.classes().items() if counts]
    failed = [[name, ", ".join(shown)] for name, _, kinds in result.cases if (shown := [kind for kind in kinds if kind != "unsafe"])]
    parts = [
        f"# {program['title']}", f"[Home page]({program['home']}), {program['language']}.",
        f"Version {installed}{', ' + program['note'] if 'note' in program else ''}. "
        "The table in docs/other-sanitizers.md has all programs, and says what the kinds mean.",
        "\n".join(f"    {program['command'].replace('{level}', name)}" for name in results),
        table(["level", "cases", "passed", *KINDS],
              [[name, each.count, each.passed, *each.cells()] for name, each in results.items()])]
    if failed:
        parts += [f"## Classes at {level}", "Classes of which all cases pass are left out. Which cases are unsafe is not said.", table(["class", "cases", *used], classes),
                  f"## Cases at {level}", table(["case", "kinds"], failed)]
    return "\n\n".join(parts) + "\n"


def badge(result):
    """What shields.io makes a badge of. Red is for what is unsafe only."""
    color = "red" if result.counts()["unsafe"] else "brightgreen" if result.passed == result.count else "yellow"
    message = f"{result.passed:,} of {result.count:,} cases"
    return json.dumps({"schemaVersion": 1, "label": "sanitizer suite", "message": message, "color": color}) + "\n"


def write(program, installed, results):
    folder = work / "pages"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{program['name']}.md").write_text(page(program, installed, results))
    (folder / f"badge-{program['name']}.json").write_text(badge(list(results.values())[-1]))


def write_table(rows):
    target = root / "docs/other-sanitizers.md"
    before, rest = target.read_text().split(BEGIN)
    text = table(["program", "level", "cases", "passed", *KINDS], rows)
    target.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


def run(program, installed, options):
    """Runs a program at all its levels: the results, and whether all are as expected."""
    results, same = {}, True
    for level in program["levels"]:
        results[level], expected = measure(options, program, level)
        same = same and expected
        faults = ", ".join(f"{kind} {count}" for kind, count in results[level].counts().items()) or "no fault"
        print(f"{program['title']} {installed}, {level}: {faults}{'' if expected or options.record else ' - not as expected'}", flush=True)
    return results, same


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tamis")
    parser.add_argument("--record", action="store_true", help="write what is known to fail anew")
    parser.add_argument("--only", metavar="NAME", help="only this program")
    options = parser.parse_args()
    options.tamis = str(pathlib.Path(options.tamis).resolve())
    options.expected = Expected()
    rows, same = [], True
    for program in json.loads((here / "programs.json").read_text()):
        if options.only not in (None, program["name"]):
            continue
        installed = version(program)
        if not installed:
            print(f"{program['title']} is not installed: left out")
            continue
        results, expected = run(program, installed, options)
        same = same and expected
        write(program, installed, results)
        rows += table_rows(program, installed, results)
    if options.record:
        options.expected.write()
    if not options.only:
        write_table(rows)
    return 0 if same or options.record else 1


if __name__ == "__main__":
    sys.exit(main())
