#!/usr/bin/env python3
"""Compare what the tool makes of addresses with what Chromium makes of them, live.

usage: compare_parsing.py TAMIS

Two comparisons, of the cases in Fixtures/SourceSets and Fixtures/URLs:

srcset: an image with the case's `srcset` and one with what `tamis sanitize` made of it are shown side by side, at several
sizes and pixel densities. Chromium must pick the same file from both each time, and every file that it picks must be one
that the case names.

URLs: each reference is resolved by Chromium's own URL parser. It must say what the case says (which the tool's own tests
hold the tool to), and the link that `tamis sanitize` writes must lead Chromium to the same place or be refused. Where
Chromium is known to leave the URL Standard, Fixtures/Browser/chromium-deviations.json says how and why.

Exit code 0 when all agree; 0 with a word on standard error when there is no Chromium.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASE = "https://a.example/"
DENSITIES = [0.5, 1, 1.5, 2, 3, 4]


def sanitize(tamis, records):
    """The tool's answers to records, in their order."""
    lines = "".join(json.dumps(record) + "\n" for record in records)
    run = subprocess.run([tamis, "sanitize", "--jsonl", "--rules", "reading"], input=lines, capture_output=True,
                         text=True, check=True)
    return [json.loads(line)["html"] for line in run.stdout.splitlines()]


def attribute(markup, name):
    """The value of an attribute of the only tag, None when there is none."""
    found = re.search(rf'\s{name}="([^"]*)"', markup)
    return html.unescape(found.group(1)) if found else None


def ask(browser, script, data, density=1):
    """What a script says about data in the browser, with the network cut off."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        # As the text of an attribute nothing in the data can end the script.
        page.write_text(
            f"<!doctype html><meta charset=utf-8><base href={BASE}><pre id=data hidden data-in=\"{html.escape(json.dumps(data))}\">"
            f"</pre><script>{script}</script>", encoding="utf-8")
        run = subprocess.run(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
             "--host-resolver-rules=MAP * ~NOTFOUND", f"--force-device-scale-factor={density}",
             "--virtual-time-budget=20000", "--dump-dom", page.as_uri()],
            capture_output=True, text=True, timeout=300)
        found = re.search(r'data-out="([^"]*)"', run.stdout)
        if not found:
            sys.exit(f"the browser gave no answer: {run.stderr[-500:]}")
        return json.loads(html.unescape(found.group(1)))


PICK = """
const data = document.getElementById('data');
Promise.all(JSON.parse(data.dataset.in).map(([srcset, sizes]) => new Promise(resolve => {
  if (srcset === null) return resolve('');
  const image = new Image();
  const done = () => resolve(image.currentSrc);
  image.onload = done; image.onerror = done;
  setTimeout(done, 10000);
  image.sizes = sizes; image.srcset = srcset;
}))).then(picks => data.dataset.out = JSON.stringify(picks));
"""

RESOLVE = """
const data = document.getElementById('data');
data.dataset.out = JSON.stringify(JSON.parse(data.dataset.in).map(([input, base]) => {
  if (input === null) return null;
  try { return (base ? new URL(input, base) : new URL(input)).href } catch { return null }
}));
"""


def compare_source_sets(tamis, browser):
    """Differences in the choice of files, one line each, and the number of cases."""
    cases = json.loads((ROOT / "Fixtures/SourceSets/srcset.json").read_text(encoding="utf-8"))
    answers = sanitize(tamis, [
        {"id": str(number), "html": f'<img alt="" srcset="{html.escape(case["srcset"])}">', "base": BASE}
        for number, case in enumerate(cases)])
    written = [attribute(answer, "srcset") for answer in answers]
    problems = []
    for density in DENSITIES:
        probes = []
        for number, case in enumerate(cases):
            widths = {int(width) for width in re.findall(r"(\d{1,5})w", case["srcset"])} | {1, 90000}
            probes += [(number, f"{width}px") for width in sorted(widths)]
        asked = [[cases[number]["srcset"], sizes] for number, sizes in probes]
        asked += [[written[number], sizes] for number, sizes in probes]
        picks = ask(browser, PICK, asked, density)
        for (number, sizes), theirs, ours in zip(probes, picks, picks[len(probes):]):
            case = cases[number]
            named = {urllib.parse.urljoin(BASE, candidate.split(" ")[0]).split("#")[0] for candidate in case["candidates"]}
            if theirs != ours:
                problems.append(f"srcset {case['srcset']!r} at {sizes}, {density}x: {theirs!r}, from ours {ours!r}")
            elif theirs and theirs.split("#")[0] not in named:
                problems.append(f"srcset {case['srcset']!r}: {theirs!r} is not among the files that the case names")
            elif not theirs and named:
                problems.append(f"srcset {case['srcset']!r}: the browser picks none, the case names {sorted(named)}")
    return problems, len(cases)


def compare_urls(tamis, browser):
    """Differences in where references lead, one line each, and the number of cases."""
    files = sorted((ROOT / "Fixtures/URLs").glob("*.json"))
    cases = [case for file in files if file.stem != "known-deviations"
             for case in json.loads(file.read_text(encoding="utf-8"))]
    theirs = ask(browser, RESOLVE, [[case["input"], case.get("base")] for case in cases])
    answers = sanitize(tamis, [
        {"id": str(number), "html": f'<a href="{html.escape(case["input"])}">x</a>', "base": case.get("base")}
        for number, case in enumerate(cases)])
    written = [attribute(answer, "href") for answer in answers]
    read_back = ask(browser, RESOLVE, [[link, case.get("base")] for link, case in zip(written, cases)])
    deviations = json.loads((ROOT / "Fixtures/Browser/chromium-deviations.json").read_text(encoding="utf-8"))
    known = {(case["input"], case.get("base")): case["chromium"] for case in deviations}
    problems = []
    for case, browsers, link, back in zip(cases, theirs, written, read_back):
        says = case.get("href")
        key = (case["input"], case.get("base"))
        if says != browsers and (key not in known or known[key] != browsers):
            problems.append(f"URL {case['input']!r} on {case.get('base')!r}: {browsers!r} in the browser, {says!r} here")
        # Control characters go with the markup, before anything is read as a URL, and links lose invisible ones: hosts that are no longer
        # refused are not compared.
        is_plain = not re.search("[\x00-\x08\x0b\x0e-\x1f\x7f]", case["input"])
        is_plain = is_plain and not (browsers is None and re.search("[\u200b-\u200f\u202a-\u202e\u2060-\u206f]", case["input"]))
        if is_plain and link is not None and back != browsers and not link.startswith("#"):
            problems.append(f"link {case['input']!r} on {case.get('base')!r}: leads to {browsers!r}, as written {back!r}")
    return problems, len(cases)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("SKIPPED: no Chromium is installed; nothing was compared", file=sys.stderr)
        return 0
    failed = False
    for name, compare in (("srcset", compare_source_sets), ("URL", compare_urls)):
        problems, count = compare(sys.argv[1], browser)
        for problem in problems:
            print(problem)
        print(f"{name}: {count} cases, {len(problems)} differences")
        failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
