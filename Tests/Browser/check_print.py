#!/usr/bin/env python3
"""Print posts in each theme, and see that every word of them is on paper.

usage: check_print.py TAMIS [--posts N] [--seed N] [--theme NAME ...] [--keep FOLDER]

Makes posts that are too wide for paper: tables of 14 to 30 columns, lines of code, words and URLs without a place to break them,
pictures, drawings, formulas, notes, lists in lists, folded parts, text from right to left. Builds a site of them with each theme, prints each post by
Chromium, and looks for the words in what pdftotext reads. Which words there are is known from the generator alone. Spaces and hyphens
do not count, since words are broken. Exit code 0 when all words are there, 1 with a line for each post of which some are not.
Needs playwright, Chromium and pdftotext.
"""
import argparse
import collections
import concurrent.futures
import html
import importlib.util
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata

THEMES = ("default", "newspaper", "plain")
# Also what marks directions, and what keeps words together.
UNCOUNTED = re.compile("[\\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff-]+")
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><path fill="#9db4c0" d="M0 0h9999v9999H0z"/></svg>'


class Writer:
    """A post, and the words in it, each of which is there once."""

    def __init__(self, number, seed):
        self.chance, self.number, self.words = random.Random(f"{seed} {number}"), number, []

    def word(self, length=0):
        length = length or self.chance.choice([3, 4, 5, 6, 7, 9, 13])
        made = "".join(self.chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))
        # No two letters that a font draws as one, and a number that no other word has.
        self.words.append(f"{re.sub('f+', 'g', made)}{len(self.words)}z")
        return self.words[-1]

    def text(self, count=0):
        return " ".join(self.word() for _ in range(count or self.chance.randrange(4, 30)))

    def hebrew(self, count):
        made = ["".join(self.chance.choice("אבגדהוזחטילמנסעפצקרשת") for _ in range(6)) for _ in range(count)]
        self.words += made
        return " ".join(made)

    # MARK: - What is too wide

    def table(self, depth=0):
        columns, rows = (3, 2) if depth else (self.chance.randint(14, 30), self.chance.randint(2, 4))
        attributes = self.chance.choice(["", ' width="2400"', ' border="1" cellpadding="12"', ' align="right"'])
        cell = lambda: self.text(self.chance.choice([1, 1, 1, 3])) if depth or self.chance.random() > 0.02 else self.table(1)
        head = "<thead><tr>" + "".join(f"<th>{self.word()}</th>" for _ in range(columns)) + "</tr></thead>"
        wide = self.chance.choice(["<td>", "<td>", "<td nowrap>", '<td width="300">'])
        body = "".join("<tr>" + "".join(f"{wide}{cell()}</td>" for _ in range(columns)) + "</tr>" for _ in range(rows))
        caption = f"<caption>{self.text(12)}</caption>" if self.chance.random() < 0.4 else ""
        return f"<table{attributes}>{caption}{head}<tbody>{body}</tbody></table>"

    def spanning(self):
        """A table whose first row has few cells, and those that follow many."""
        rows = "".join("<tr>" + "".join(f"<td>{self.word()}</td>" for _ in range(24)) + "</tr>" for _ in range(2))
        return f'<table><tr><th colspan="12">{self.text(3)}</th><th colspan="12">{self.text(3)}</th></tr>{rows}</table>'

    def code(self):
        lines = "\n".join(" + ".join(self.word() for _ in range(self.chance.choice([2, 30, 40]))) for _ in range(4))
        return self.chance.choice(["<pre><code>{}</code></pre>", "<pre>{}</pre>", "<pre><code>x\n\t\t\t\t{}</code></pre>"]).format(lines)

    def unbroken(self):
        url = f"https://long.example/{self.word(180)}?q={self.word(120)}"
        place = self.chance.choice(["<p>{}</p>", "<ul><li>{}</li></ul>", "<blockquote><p>{}</p></blockquote>", "<h2>{}</h2>",
                                    "<table><tr><td>{}</td></tr></table>", "<p><code>{}</code></p>", "<dl><dt>a</dt><dd>{}</dd></dl>"])
        return place.format(f'<a href="{url}">{url}</a> {self.word(300)} {self.text(3)}')

    def picture(self):
        width, height = self.chance.choice([(4000, 300), (3000, 2000), (500, 4000)])
        image = f'<img src="https://pictures.example/{width}x{height}.svg" width="{width}" height="{height}" alt="a picture">'
        return self.chance.choice(["<figure>{}<figcaption>{}</figcaption></figure>", "<p>{}{}</p>"]).format(image, self.text(20))

    def formula(self):
        term = self.chance.choice([
            lambda: f"<mi>{self.word(5)}</mi>", lambda: f"<mfrac><mi>{self.word(4)}</mi><mi>{self.word(4)}</mi></mfrac>",
            lambda: f"<msup><mi>{self.word(4)}</mi><mn>2</mn></msup>", lambda: f"<mrow><mo>(</mo><mi>{self.word(4)}</mi><mo>)</mo></mrow>"])
        terms = lambda: "<mo>+</mo>".join(term() for _ in range(self.chance.choice([3, 20, 40])))
        inner = self.chance.choice([
            terms, lambda: f"<mrow>{terms()}</mrow>", lambda: f"<semantics><mrow>{terms()}</mrow></semantics>",
            lambda: f"<mfrac><mrow>{terms()}</mrow><mi>{self.word(3)}</mi></mfrac>",
            lambda: "<mtable><mtr>" + "".join(f"<mtd><mi>{self.word(3)}</mi></mtd>" for _ in range(18)) + "</mtr></mtable>"])()
        return self.chance.choice(['<math display="block">{}</math>', "<p>Where <math>{}</math> holds</p>"]).format(inner)

    def lists(self, depth=0):
        name = self.chance.choice(["ul", "ol"])
        deeper = self.lists(depth + 1) if depth < self.chance.choice([3, 12, 25]) else self.code()
        return f"<{name}><li>{self.text(6)}</li><li>{self.text(6)}{deeper}</li></{name}>"

    def folded(self):
        inner = self.folded() if self.chance.random() < 0.3 else self.chance.choice([self.code, self.text, self.table])()
        return f"<details><summary>{self.text(4)}</summary><p>{self.text()}</p>{inner}</details>"

    def notes(self):
        """Marks in a paragraph, and behind it their notes, one of which is long, in the forms of several engines."""
        marks, notes = "", ""
        for number in range(1, self.chance.choice([2, 4, 9])):
            name, text = f"n{self.number}-{number}", self.text(self.chance.choice([5, 40, 300]))
            form = self.chance.randrange(3)
            if form == 0:
                marks += f'{self.text(9)}<span class="sidenote">{text}</span> '
                continue
            marks += f'{self.text(9)}<sup id="r{name}"><a href="#{name}">{number}</a></sup> '
            back = f'<a href="#r{name}">↩</a>'
            notes += f'<li id="{name}"><p>{text} {back}</p></li>' if form == 1 else f'<li id="{name}">{text}{self.code()} {back}</li>'
        return f'<p>{marks}</p><div class="footnotes"><hr><ol>{notes}</ol></div>'

    def drawing(self):
        width, height = self.chance.choice([(300, 200), (2400, 300), (400, 3000)])
        texts = "".join(f'<text x="10" y="{place}">{self.word(5)}</text>' for place in range(40, height, height // 4))
        size = self.chance.choice([f'width="{width}" height="{height}"', f'style="width:{width}px"', 'width="100%"', ""])
        return f'<figure><svg viewBox="0 0 {width} {height}" {size} font-size="20"><path d="M0 0h9"/>{texts}</svg><figcaption>{self.text(8)}</figcaption></figure>'

    def right_to_left(self):
        inner = self.chance.choice([self.table, self.code, self.lists, self.unbroken])()
        return f'<div dir="rtl" lang="he"><p>{self.hebrew(12)}</p>{inner}</div>'

    def body(self):
        kinds = [self.table, self.code, self.unbroken, self.picture, self.formula, self.lists, self.folded, self.right_to_left, self.spanning,
                 self.notes, self.drawing]
        chosen = [kinds[self.number % len(kinds)], self.chance.choice(kinds)]
        parts = [f"<p>{self.text()}</p>{kind()}" for kind in chosen]
        self.kind = " and ".join(kind.__name__ for kind in chosen)
        return "".join(parts) + f"<p>{self.text()}</p>"


def feed(writers):
    items = "".join(f'<item><title>Sheet {writer.number}</title><guid isPermaLink="false">{writer.number}</guid>'
                    f"<pubDate>02 Nov 2026 10:00:00 GMT</pubDate><description>{html.escape(writer.body())}</description></item>"
                    for writer in writers)
    return f'<rss version="2.0"><channel><title>Sheets</title><link>https://sheets.example/</link>{items}</channel></rss>'


def squeezed(text):
    return UNCOUNTED.sub("", unicodedata.normalize("NFKC", text)).casefold()


def missing(pdf, words):
    # In the order in which it was drawn: a cell of a table is not mixed with the one beside it.
    read = subprocess.run(["pdftotext", "-raw", "-enc", "UTF-8", "-", "-"], input=pdf, capture_output=True, check=True).stdout
    text = squeezed(read.decode("utf-8", "replace"))
    # What is written from right to left comes back in either order. A page can end within a word of a cell, beside which others follow.
    there = lambda word: word in text or word[::-1] in text or any(
        word[:place] in text and word[place:] in text for place in range(3, len(word) - 4))
    return [word for word in words if not there(squeezed(word))]


def answer(route):
    size = re.search(r"/(\d+)x(\d+)\.svg$", route.request.url)
    if size and route.request.resource_type == "image":
        route.fulfill(body=PICTURE.format(width=size[1], height=size[2]), content_type="image/svg+xml")
    elif route.request.url.startswith("file:"):
        route.continue_()
    else:
        route.abort()


def print_theme(theme, site, writers, executable, keep):
    """The posts of a theme of which words are missing: for each what is in it, how many words there are, and which are not on paper."""
    from playwright.sync_api import sync_playwright
    by_title, short, seen = {f"Sheet {writer.number}": writer for writer in writers}, [], set()
    with sync_playwright() as started:
        page = started.chromium.launch(executable_path=executable, args=["--no-sandbox"]).new_page()
        page.route("**/*", answer)
        for path in sorted(site.glob("posts/**/*.html")):
            title = re.search(r"<title>([^<]*?)( · [^<]*)?</title>", path.read_text(encoding="utf-8"))
            writer = by_title.get(title and title[1].strip())
            if not writer:
                continue
            seen.add(writer.number)
            page.goto(path.as_uri())
            pdf = page.pdf(prefer_css_page_size=True)
            lost = missing(pdf, writer.words)
            if lost:
                short.append((writer.kind, writer.number, len(writer.words), lost))
            if lost and keep:
                (keep / f"{theme}-{writer.number}.pdf").write_bytes(pdf)
    short += [("no page", writer.number, len(writer.words), writer.words) for writer in writers if writer.number not in seen]
    return theme, short


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--posts", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theme", nargs="+", default=THEMES)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the site and for the PDF of each post with missing words")
    options = parser.parse_args()
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    for name, there in (("playwright", importlib.util.find_spec("playwright")), ("Chromium", executable), ("pdftotext", shutil.which("pdftotext"))):
        if not there:
            sys.exit(f"{name} is missing; make check-print installs it")
    writers = [Writer(number, options.seed) for number in range(1, options.posts + 1)]
    found = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tamis-print-") as folder, concurrent.futures.ProcessPoolExecutor(2) as pool:
        folder = options.keep or pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sheets.xml").write_text(feed(writers), encoding="utf-8")
        jobs = []
        for theme in options.theme:
            site = folder.resolve() / pathlib.Path(theme).name
            subprocess.run([options.tamis, "build", folder / "sheets.xml", "--output", site, "--theme", theme, "--reproducible", "-q"], check=True)
            jobs.append(pool.submit(print_theme, theme, site, writers, executable, options.keep))
        for job in jobs:
            theme, short = job.result()
            for kind, number, count, lost in short:
                found[theme] += 1
                print(f"{theme}, sheet {number} ({kind}): {len(lost)} of {count} words are not on paper: {' '.join(lost)[:100]}")
    words = sum(len(writer.words) for writer in writers)
    print(f"{options.posts} posts of {words} words, {len(options.theme)} themes: {sum(found.values())} posts lack words on paper")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
