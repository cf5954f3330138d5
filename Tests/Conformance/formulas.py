#!/usr/bin/env python3
"""Compares the MathML that becomes of TeX with that of KaTeX.

usage: formulas.py TAMIS [--formulas N] [--show N]

The formulas are those of the documentation of SciPy, NetworkX and SymPy, which are in their packages, and those that the pages of the suite have as
annotations. KaTeX is Debian's. Both results are brought to one form before they are compared: what only groups (`mrow`, `mstyle`, `mpadded`), spaces and
the invisible sign of application go; letters of a style, which KaTeX marks by an attribute, are those of Unicode's block for it; neighbouring numbers and
words are one; a sign is one whether it is `mi` or `mo`.
"""
import argparse
import collections
import html
import json
import pathlib
import random
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ET
import zipfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
KATEX = """const katex = require('/usr/share/nodejs/katex/dist/katex.js');
const formulas = JSON.parse(require('fs').readFileSync(0));
console.log(JSON.stringify(formulas.map(([tex, displayMode]) => {
  try { return katex.renderToString(tex, { output: 'mathml', displayMode, strict: false }) } catch (error) { return null }
})))"""
STYLES = {"bold": "BOLD", "double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "FRAKTUR", "sans-serif": "SANS-SERIF",
          "monospace": "MONOSPACE", "bold-italic": "BOLD ITALIC"}
LETTERLIKE = {"DOUBLE-STRUCK CAPITAL": "double-struck", "SCRIPT": "script", "BLACK-LETTER": "fraktur"}
SAME = str.maketrans({"∣": "|", "∥": "‖", "ˉ": "¯", "‾": "¯", "∗": "*", "−": "-"})
SPACES = re.compile("[  -   ]+")


def formulas_of_packages(folder):
    """The formulas of docstrings: roles `:math:` and blocks `.. math::`."""
    for wheel in sorted(folder.glob("*.whl")):
        archive = zipfile.ZipFile(wheel)
        for name in archive.namelist():
            if not name.endswith(".py"):
                continue
            source = archive.read(name).decode("utf-8", "replace")
            for match in re.finditer(r":math:`([^`]+)`", source):
                yield match.group(1), False
            for match in re.finditer(r"\.\. math::[ ]*(.*)\n((?:[ \t]*\n|[ \t]+.*\n)*)", source):
                indent = match.start() - source.rfind("\n", 0, match.start()) - 1
                lines = [match.group(1)]
                for line in match.group(2).split("\n"):
                    if line.strip() and len(line) - len(line.lstrip()) <= indent:
                        break
                    if not line.strip().startswith(":"):
                        lines.append(line)
                for part in re.split(r"\n\s*\n", "\n".join(lines).strip()):
                    yield part, True


def formulas_of_pages(folder):
    import gzip
    for page in sorted(folder.rglob("*.html.gz")):
        for tex in re.findall(rb'<annotation[^>]*encoding="application/x-tex"[^>]*>(.*?)</annotation>', gzip.decompress(page.read_bytes()), re.S):
            yield html.unescape(tex.decode("utf-8", "replace")), False


def unescaped(tex):
    """In strings that are not raw each backslash is written twice."""
    tex = re.sub(r"\s+", " ", tex).strip()
    return tex.replace("\\\\", "\\") if "\\\\" in tex and not re.search(r"\\\\\s|begin|\\\\\[", tex) else tex


def style(element):
    if element.get("mathvariant") in STYLES:
        return element.get("mathvariant")
    name = unicodedata.name((element.text or " ")[0], "")
    for key in ("bold-italic", "bold", "double-struck", "script", "fraktur", "sans-serif", "monospace"):
        if name.startswith("MATHEMATICAL " + STYLES[key]):
            return key
    return next((value for start, value in LETTERLIKE.items() if name.startswith(start)), "")


def leaf(element, name):
    text = SPACES.sub(" ", element.text or "").replace("⁣", "").replace("​", "")
    if name == "mtext":
        text = unicodedata.normalize("NFKC", text).strip()
        return [("mtext", text)] if text else []
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFC", text)).translate(SAME)
    if name == "mo" and text in ("", "⁡"):
        return []
    if name == "mi" and not text[:1].isalpha():
        name = "mo"
    isName = name == "mi" and (element.get("mathvariant") == "normal" or len(text) > 1)
    if name == "mo" and re.fullmatch("[A-Za-z]+", text):
        name, isName = "mi", True
    if name == "mo" and set(text) == {"′"}:
        return [("mo", "′", "")] * len(text)
    if name == "mi" and isName:
        return [("mi", letter, style(element) or "upright") for letter in text.replace(" ", "")]
    return [(name, text, "" if name == "mo" else style(element))]


def nodes(element):
    """An element as a list of plain values."""
    name = element.tag.split("}")[-1]
    if name in ("annotation", "mspace"):
        return []
    if name in ("mi", "mn", "mo", "mtext") and not len(element):
        return leaf(element, name)
    if name in ("math", "semantics", "mrow", "mstyle", "mpadded", "mi", "mo"):
        return joined(part for child in element for part in nodes(child))
    if name in ("mtd", "msqrt", "mphantom", "menclose"):
        return [(name, tuple(joined(part for child in element for part in nodes(child))))]
    if name in ("mtable", "mtr"):
        return [(name, tuple(part for child in element for part in nodes(child)))]
    children = [tuple(nodes(child)) for child in element]
    while len(children) > 1 and children[-1] == ():
        children.pop()
    return [(name, *children)]


def joined(parts):
    result = []
    for part in parts:
        last = result[-1] if result else ("",)
        if part[0] == last[0] == "mtext":
            result[-1] = ("mtext", last[1] + " " + part[1])
        elif part[0] == last[0] == "mn":
            result[-1] = ("mn", last[1] + part[1], part[2])
        elif last[0] == "mn" and part[0] in ("msup", "msub", "msubsup") and len(part[1]) == 1 and part[1][0][0] == "mn":
            result[-1] = (part[0], (("mn", last[1] + part[1][0][1], part[1][0][2]),), *part[2:])
        else:
            result.append(part)
    return result


def of_katex(formulas):
    answers = json.loads(subprocess.run(["node", "-e", KATEX], input=json.dumps(formulas), capture_output=True, text=True, check=True).stdout)
    return [None if not answer or "#cc0000" in answer else re.search("<math.*</math>", answer, re.S).group() for answer in answers]


def of_tamis(tamis, formulas):
    lines = []
    for tex, displayed in formulas:
        mode = "; mode=display" if displayed else ""
        lines.append(json.dumps({"html": f'<script type="math/tex{mode}">{tex}</script>'}))
    output = subprocess.run([tamis, "sanitize", "--jsonl"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    answers = [json.loads(line)["html"] for line in output.splitlines()]
    return [answer.replace("&nbsp;", " ") if answer.startswith("<math") else None for answer in answers]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tamis")
    parser.add_argument("--formulas", type=int, default=3000)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    folder = root / ".build/formulas"
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("*.whl")):
        packages = ["scipy==1.17.1", "networkx==3.6.1", "sympy==1.14.0"]
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), *packages], check=True)
    sources = list(formulas_of_packages(folder)) + list(formulas_of_pages(root / "../shared/article-pages"))
    formulas = list(dict.fromkeys((unescaped(tex), displayed) for tex, displayed in sources if 0 < len(tex.strip()) < 2000 and "</script" not in tex))
    random.Random(1).shuffle(formulas)
    formulas = formulas[:options.formulas]
    counts, shown = collections.Counter(), 0
    for (tex, _), theirs, ours in zip(formulas, of_katex(formulas), of_tamis(options.tamis, formulas)):
        if theirs is None:
            counts["not read by KaTeX, " + ("nor by Tamis" if ours is None else "read by Tamis")] += 1
            continue
        kind = "not known" if ours is None else "equal" if nodes(ET.fromstring(theirs)) == nodes(ET.fromstring(ours)) else "different"
        counts[kind] += 1
        if kind != "equal" and shown < options.show:
            shown += 1
            print(f"{kind}: {tex[:200]}")
    read = counts["equal"] + counts["different"] + counts["not known"]
    print(f"{len(formulas)} formulas; of {read} that KaTeX reads {counts['equal']} are equal, {counts['different']} different, "
          f"{counts['not known']} not known;", ", ".join(f"{count} {kind}" for kind, count in counts.items() if kind.startswith("not read")))
    return read < 1000 or counts["equal"] < 0.98 * read


sys.exit(main())
