"""Pages whose articles are known, and which of their blocks belong to the article."""

import gzip
import html.parser
import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from urllib.parse import urlsplit

# The sets that are scored. traf is never trained on.
SCORED = ["moz", "traf", "types", "wcxb", "zh", "zyte"]
WORD = re.compile(r"\w+")
# Two characters of scripts without spaces are a word, as the program has it.
IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
BLOCK = set(
    "address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)


class Reader(html.parser.HTMLParser):
    """The text of HTML, with its blocks apart."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.skip = [], 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("script", "style")
        if tag in BLOCK:
            self.parts.append("\n")

    def handle_endtag(self, tag):
        if tag in ("script", "style") and self.skip:
            self.skip -= 1
        if tag in BLOCK:
            self.parts.append("\n")

    def handle_data(self, data):
        if not self.skip:
            self.parts.append(data)


def text_of(markup):
    reader = Reader()
    reader.feed(markup or "")
    reader.close()
    return "".join(reader.parts)


def words(text):
    return WORD.findall(IDEOGRAPH.sub(r" \1 ", text).lower())


def pages(root, name):
    """Yields (id, page, truth) of a set."""
    folder = os.path.join(root, name)
    truth = json.load(open(os.path.join(folder, "truth.json")))
    for number in sorted(truth):
        raw = gzip.open(os.path.join(folder, "pages", number + ".html.gz")).read()
        try:
            page = raw.decode()
        except UnicodeDecodeError:
            page = raw.decode("gb18030" if name == "zh" else "windows-1252", "replace")
        yield number, page, truth[number]


def site(url):
    host = (urlsplit(url).hostname or url).lower()
    return ".".join(host.split(".")[-2:])


def measured(tamis, items, trees):
    """Yields what the program measures of pages: their blocks, each {"text", "row"}, and the choices of blocks, each {"blocks", "row"}.

    The items have `number`, `page`, `truth` and `feed`; their order is kept.
    """
    with tempfile.TemporaryFile("w+") as file:
        for item in items:
            line = {"id": item.number, "url": item.truth.get("url") or "", "html": item.page}
            if item.feed:
                line["feed"] = {"summary": item.feed}
            file.write(json.dumps(line) + "\n")
        file.seek(0)
        process = subprocess.Popen([tamis, "article", "--jsonl", "--numbers", "--trees", trees], stdin=file, stdout=subprocess.PIPE)
        for line in process.stdout:
            yield json.loads(line)
        if process.wait():
            raise SystemExit(f"{tamis}: exit code {process.returncode}")


def f1(truth, text):
    """The F1 of the words of a text in any order."""
    right, found = (Counter(words(each)) for each in (truth.get("text") or text_of(truth["html"]), text))
    total = sum(right.values()) + sum(found.values())
    return 2 * sum((right & found).values()) / total if total else 1.0


def labels(blocks, truth):
    """For each block how much of it stands in the truth, from 0 to 1; None where that cannot be told.

    Runs of four words are looked for, each as often as it is there; a short block is looked for as a whole among the lines of the truth,
    and in its order: what stands twice on a page stands once in the article.
    """
    text = truth.get("text") or text_of(truth["html"])
    lines = Counter(" ".join(words(line)) for line in text.splitlines())
    every = words(text)
    runs = Counter(tuple(every[i : i + 4]) for i in range(max(0, len(every) - 3)))
    joined = " " + " ".join(every) + " "
    found = []
    for block in blocks:
        own = words(block["text"])
        if not own:
            found.append(None)
            continue
        if len(own) < 4:
            found.append(1.0 if lines[" ".join(own)] > 0 else 0.35 if f" {' '.join(own)} " in joined else 0.0)
            continue
        mine = Counter(tuple(own[i : i + 4]) for i in range(len(own) - 3))
        found.append(sum((mine & runs).values()) / sum(mine.values()))
    return settle(blocks, found, lines, runs)


def settle(blocks, found, lines, runs):
    """Of several blocks with the same text as many count as the truth has, those that stand among others that count."""
    places = {}
    for index, block in enumerate(blocks):
        if found[index] is not None and found[index] >= 0.5:
            places.setdefault(" ".join(words(block["text"])), []).append(index)
    for text, same in places.items():
        if len(same) < 2:
            continue
        own = text.split()
        allowed = lines[text] or (min(runs[tuple(own[i : i + 4])] for i in range(len(own) - 3)) if len(own) > 3 else 1)
        allowed = max(1, allowed)

        def company(index):
            near = [i for i in range(max(0, index - 4), min(len(found), index + 5)) if i not in same]
            return sum(found[i] or 0 for i in near)

        for index in sorted(same, key=lambda i: (-company(i), i))[allowed:]:
            found[index] = 0.0
    return found
