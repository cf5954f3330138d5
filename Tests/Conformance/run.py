"""Runs the tool over the public suites that are in a folder, for `make conformance`. Usage: run.py TAMIS FOLDER

What is read by Swift's tests (URLs, templates, trees) is not here. Exit codes: 0, 1 when a suite does not pass, 75 when none is there.
"""

import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).parent
# What passed when this was written was 96.2 %; most of the others are AMP, of which the tool makes pictures and links.
LEAST = "95"
RULES = ["reading", "strict", "text", "universal-feed-parser"]


def feedparser(tamis, folder):
    return [subprocess.run([sys.executable, here / "feed_cases.py", tamis, folder, "--least", LEAST]).returncode]


def dompurify(tamis, file):
    """Hostile fragments under all rules: the output contract, not what DOMPurify makes of them."""
    for rules in RULES:
        print(f"dompurify, rules {rules}: ", end="", flush=True)
        yield subprocess.run([tamis, "check", file, "--contract", "--rules", rules]).returncode


def sanitizer_api(tamis, folder):
    """Configurations of the browsers' sanitizer."""
    return [subprocess.run([sys.executable, here / "sanitizer_config.py", tamis, folder]).returncode]


tamis, folder = sys.argv[1], pathlib.Path(sys.argv[2])
suites = [
    (feedparser, folder / "feedparser"), (dompurify, folder / "dompurify" / "expect.mjs"), (sanitizer_api, folder / "sanitizer-api"),
]
codes = []
for run, path in suites:
    if path.exists():
        codes += run(tamis, path)
    else:
        print(f"{path}: not there, skipped")
if not codes:
    print(f"{folder}: none of the suites is there; make conformance fetches them", file=sys.stderr)
    sys.exit(75)
sys.exit(1 if any(codes) else 0)
