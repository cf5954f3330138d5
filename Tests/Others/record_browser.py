"""Has Chromium build the inputs of the sanitizer's cases, and writes what it builds into Fixtures/Others/chromium.jsonl.

Usage: record_browser.py Fixtures/Sanitizer Fixtures/Others   Each line: {"html": the input, "tree": what is built, written by the HTML Standard's rules}.
Inputs in which Chromium is known to differ from the standard are left out: SKIPPED says which and why.
"""

import json
import pathlib
import sys

from playwright.sync_api import sync_playwright

# Processing instructions, which others read as comments, copies of the chosen option, and U+0000, which it shows.
SKIPPED = ["<?marker", "<?php", "<selectedcontent", "\0"]
SCRIPT = (pathlib.Path(__file__).parent / "build_trees.js").read_text()


def inputs(path):
    """The inputs of a file of cases, those with escapes left out."""
    for case in path.read_text().split("\n=== ")[1:]:
        if "\n--- input\n" in case and "escapes: yes" not in case.split("\n--- ")[0]:
            yield case.split("\n--- input\n")[1].split("\n--- ")[0].rstrip("\n")


files = [file for name in sys.argv[1:] for file in sorted(pathlib.Path(name).glob("*.txt"))]
lines = [text for file in files for text in inputs(file)]
lines = [text for text in dict.fromkeys(lines) if len(text) < 2000 and not any(part in text for part in SKIPPED)]
out = pathlib.Path(__file__).parents[2] / "Fixtures" / "Others" / "chromium.jsonl"
with sync_playwright() as playwright, out.open("w") as file:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for text in lines:
        page = browser.new_page()
        page.route("**/*", lambda route: route.abort() if route.request.url != "http://a.example/" else route.fulfill(
            body="<!DOCTYPE html><title>a</title>", content_type="text/html"))
        page.goto("http://a.example/")
        tree = page.evaluate(SCRIPT, text)
        page.close()
        file.write(json.dumps({"html": text, "tree": tree}, ensure_ascii=False) + "\n")
    browser.close()
print(f"{len(lines)} inputs")
