#!/usr/bin/env python3
"""Hold the judge of the suite, and the sanitizer, against browsers: what runs there has to be called unsafe, and no output runs.

usage: check_suite.py TAMIS [--minimum N] [--engines NAME …] [--random N] [--seed N] [--vectors FOLDER]

Each fragment of Suite/ is put into a page of each browser as it is. Where it calls `alert`, by itself or after events at its elements,
the judge of `tamis check` has to say `unsafe` of it. The judge may say so of more: of events that nothing here causes, and of what
runs in one browser only. Then the outputs under four rules, one for each level, are put there, and under N (6) that are
made at random of all names that the floor lets rules have: none may run. --vectors adds the fragments of another bench, files of JSON
as justhtml-xss-bench has them (its folder vectors; github.com/EmilStenstrom/justhtml-xss-bench), as far as they are HTML. Exit code 0 when all is so; at least N (1) browsers have to be
there.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from check_engines import ELEMENTS
from engines import ENGINES, exit_code, trees

ROOT = pathlib.Path(__file__).parents[2]
RULES = ["text", "strict", "reading", ROOT / "Fixtures/Suite/P3.yaml"]
CONTEXTS = {"html", "html_head", "html_outer", "http_leak"}
# A program that changes nothing, by which the judge is asked about the fragments themselves.
NOTHING = "import json, sys\nfor line in sys.stdin: print(json.dumps({k: v for k, v in json.loads(line).items() if k != 'base'}), flush=True)\n"


def cases(tamis):
    """The cases of the suite that have a fragment: shapes run nothing."""
    exported = subprocess.run([tamis, "check", ROOT / "Suite/cases", "--export"], capture_output=True, check=True).stdout
    return [case for case in json.loads(exported) if "html" in case]


def vectors(folder):
    """The fragments of the bench that are HTML: those of its other contexts are scripts, or values of attributes."""
    found = []
    for file in sorted(folder.glob("*.json")):
        content = json.loads(file.read_text(encoding="utf-8"))
        listed = content.get("vectors", []) if isinstance(content, dict) else content
        for vector in listed:
            contexts = vector.get("payload_context", "html")
            if CONTEXTS & ({contexts} if isinstance(contexts, str) else set(contexts)):
                found.append({"id": f"{file.stem}/{vector['id']}", "html": vector["payload_html"]})
    return found


def judged(tamis, folder):
    """The ids of the fragments that the judge calls unsafe."""
    program = folder / "nothing.py"
    program.write_text(NOTHING)
    run = subprocess.run(
        [tamis, "check", ROOT / "Suite/cases", "--command", f"{sys.executable} {program}", "--format", "json"], capture_output=True,
        text=True, check=False)
    *rows, _ = [json.loads(line) for line in run.stdout.rstrip("\n").split("\n")]
    return {row["id"] for row in rows if any(fault["kind"] == "unsafe" for fault in row["faults"])}


def sanitized(tamis, rules, found):
    """What the sanitizer makes of each fragment."""
    lines = "".join(json.dumps({"id": case["id"], "html": case["html"]} | ({"base": case["base"]} if "base" in case else {})) + "\n"
                    for case in found)
    run = subprocess.run([tamis, "sanitize", "--jsonl", "--rules", rules], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line)["html"] for line in run.stdout.rstrip("\n").split("\n")]


# Attributes of HTML, SVG and MathML that do something, and some that do not.
ATTRIBUTES = """action align alt as autofocus background begin charset cite class color command commandfor content contenteditable
controls crossorigin data default dir download draggable encoding enterkeyhint face fetchpriority fill filter for form formaction
frameborder from height hidden href http-equiv id imagesrcset inert is itemprop kind label lang language list loading loop manifest
mask max media method min name nonce onbegin onclick onerror onfocus onload ontoggle open patchsrc pattern ping popover popovertarget
poster preload profile readonly rel role sandbox scope shadowrootmode shape size sizes slot span src srcdoc srclang srcset start style
summary tabindex target title to type usemap value values version width wrap xlink:href xml:base xmlns attributename repeatcount""".split()
SVG = """a animate animatemotion animatetransform circle clippath defs desc ellipse feimage filter foreignobject g image line lineargradient
marker mask metadata path pattern polygon polyline radialgradient rect script set stop style svg switch symbol text textpath title tspan
use view""".split()
MATH = """annotation annotation-xml maction math merror mfrac mglyph mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub
msup mtable mtd mtext mtr munder semantics""".split()
SCHEMES = "http https mailto tel ftp data javascript vbscript blob about x-y".split()
PROPERTIES = "color background background-image position content filter width font-family".split()


def random_rules(tamis, chance, file):
    """Writes rules of names chosen at random, without those that the sanitizer refuses."""
    lists = {name: [each for each in names if chance.random() < 0.8] for name, names in (
        ("html", ELEMENTS), ("svg", SVG), ("math", MATH), ("attributes", ATTRIBUTES), ("schemes", SCHEMES), ("properties", PROPERTIES))}
    tidy, images = chance.choice(["never", "broken", "always"]), chance.choice(["true", "false"])
    while True:
        text = {name: json.dumps(names) for name, names in lists.items()}
        lines = ["name: random", f"tidy: {tidy}", "elements:", *(f"  {space}: {text[space]}" for space in ("html", "svg", "math")), "attributes:"]
        for space in ("html", "svg", "math"):
            lines += [f"  {space}:", f"    '*': {text['attributes']}"]
        lines += ["urls:", f"  schemes: {text['schemes']}", f"  data-images: {images}", "styles:", f"  properties: {text['properties']}", ""]
        file.write_text("\n".join(lines))
        said = subprocess.run([tamis, "rules", "lint", file], capture_output=True, text=True, check=False).stderr
        refused = re.findall(r":(\d+):\d+: error: '([^']+)'", said)
        if not refused:
            return file
        for line, name in refused:
            key = lines[int(line) - 1].split(":")[0].strip()
            key = "attributes" if key == "'*'" else key
            lists[key] = [each for each in lists[key] if each != name]


def running(engine, fragments):
    """Whether each fragment runs in a browser; None when the browser is not installed.

    A browser that hangs with many fragments at once is given fewer.
    """
    answers = []
    for start in range(0, len(fragments), 300):
        part = [(fragment, "run") for fragment in fragments[start:start + 300]]
        try:
            built = trees(engine, part, batch=60, patience=30)
        except TimeoutError:
            built = [answer for one in range(0, len(part), 10) for answer in trees(engine, part[one:one + 10], patience=60)]
        if built is None:
            return None
        answers += [answer[0] for answer in built]
    return answers


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--minimum", type=int, default=1)
    parser.add_argument("--engines", nargs="+", choices=ENGINES)
    parser.add_argument("--random", type=int, default=6)
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--vectors", type=pathlib.Path)
    options = parser.parse_args()
    tamis, chance = options.tamis.absolute(), random.Random(options.seed)
    found = cases(tamis)
    more = vectors(options.vectors) if options.vectors else []
    # Many outputs are the same under several rules; what has no tag runs nothing.
    outputs = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        unsafe = judged(tamis, folder)
        made = [random_rules(tamis, chance, folder / f"random-{number}.yaml") for number in range(options.random)]
        for rules in RULES + made:
            for case, output in zip(found + more, sanitized(tamis, rules, found + more)):
                if "<" in output:
                    outputs.setdefault(output, f"{case['id']} under {rules}")
    count = faults = 0
    for engine in options.engines or ENGINES:
        results = running(engine, [case["html"] for case in found] + list(outputs))
        if results is None:
            print(f"{engine}: not installed, skipped")
            continue
        count += 1
        own, rest = results[: len(found)], results[len(found):]
        missed = [case for case, runs in zip(found, own) if runs and case["id"] not in unsafe]
        for case in missed:
            print(f"{engine}: {case['id']} runs, and is not called unsafe: {case['html']!r}")
        broken = [name for name, runs in zip(outputs.values(), rest) if runs]
        for name in broken:
            print(f"{engine}: the output of {name} runs")
        faults += len(missed) + len(broken)
        if more:
            print(f"{engine}: {len(more)} fragments of {options.vectors} are among what was sanitized")
        print(f"{engine}: {sum(own)} of {len(found)} fragments run, {len(unsafe)} are called unsafe, {len(missed)} are missed; "
              f"{len(broken)} of {len(rest)} outputs run")
    return exit_code(faults, count, options.minimum)


if __name__ == "__main__":
    sys.exit(main())
