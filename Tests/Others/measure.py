"""Runs the cases with other sanitizers and writes what came of it into docs/other-sanitizers.md.

Usage: measure.py TAMIS CASES... (files or folders; the table is of all of them)
"""

import importlib.metadata
import pathlib
import re
import subprocess
import sys

KINDS = ["unsafe", "unbalanced", "rebuilt", "not idempotent", "lost", "no answer"]
BEGIN, END = "<!-- measured: make check-others -->", "<!-- end of what is measured -->"
here = pathlib.Path(__file__).parent
page = here.parent.parent / "docs" / "other-sanitizers.md"


def version_of_tidy():
    return subprocess.run(["pkg-config", "--modversion", "tidy"], capture_output=True, text=True).stdout.strip()


def programs(tamis):
    python = sys.executable
    package = importlib.metadata.version
    yield f"nh3 {package('nh3')}", f"{python} {here / 'with_nh3.py'}"
    yield f"bleach {package('bleach')}", f"{python} {here / 'with_bleach.py'}"
    yield f"libtidy {version_of_tidy()} (repairs only)", f"{python} {here / 'with_tidy.py'}"
    yield "tamis, the rules `reading`", f"{tamis} sanitize --jsonl"


def measure(tamis, command, cases):
    run = subprocess.run([tamis, "check", *cases, "--command", command], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    *_, summary, faults = run.stdout.splitlines()
    count = int(re.match(r"(\d+) cases?", summary)[1])
    counts = {kind: int(re.search(rf"\b{kind} (\d+)", faults[len(command):])[1]) for kind in KINDS}
    return count, counts


tamis, *cases = sys.argv[1:]
rows = []
for name, command in programs(tamis):
    count, counts = measure(tamis, command, cases)
    rows.append(f"| {name} | {count:,} | " + " | ".join(f"{counts[kind]:,}" for kind in KINDS) + " |")
    print(rows[-1])
head = ["| program | cases | " + " | ".join(KINDS) + " |", "|-|" + "-|" * (len(KINDS) + 1)]
text = page.read_text()
before, rest = text.split(BEGIN)
page.write_text(before + BEGIN + "\n" + "\n".join(head + rows) + "\n" + END + rest.split(END)[1])
