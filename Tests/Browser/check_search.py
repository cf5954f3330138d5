#!/usr/bin/env python3
"""Use the search page of a site in Chromium, as its readers would.

usage: check_search.py TAMIS

A site of 10,600 posts with hostile and foreign titles is served with the headers that it names for Netlify. What the page finds is compared with what
Python finds in the texts of the feed, by Unicode's own tables. Nothing may break a policy, run from a post, or lead out of the site; without a script,
from a folder, and when a data file is missing, the page has to say what is wrong. axe-core reads it with results, in each theme, light and dark.
"""
import argparse, functools, http.server, os, pathlib, re, shutil, subprocess, sys, tempfile, threading, unicodedata, urllib.parse
from xml.sax.saxutils import escape
import axe_playwright_python
from playwright.sync_api import sync_playwright

AXE = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
HOSTILE = [
    ("<img src=x onerror=alert(1)>", "<script>alert(2)</script> marker"), ("</script><script>alert(3)</script>", "marker &lt;b&gt; & \"quoted\""),
    ("{{constructor.constructor('alert(4)')()}}", "marker javascript:alert(5)"), ("Café ﬁne Ναός", "Crème brûlée, naïve Ŝtato marker"),
    ("東京の灯台", "霧の中の灯台 marker"), ("منارة في الضباب", "السفن marker"), ("Straße İstanbul", "GROSS marker"), ("a\u0301bc e\u0301", "decomposed marker"),
    ("__proto__", "constructor toString marker"), ("Low cloud", "The fog horn sounds over the low cloud"), ("Low and", "cloud: the horn, then fog"), ("𝔉𝔬𝔤 𝔥𝔬𝔯𝔫", "mathematical marker"), ("Łódź Søren", "a*b marker"), ("שָׁלוֹם", "كِتَاب marker"), ("fog " * 4000, "long marker"),
    ("Don’t & do", "It ʼs a semi\u00adcolon‐less “low fog” marker"),
]
COUNT = 10_600
QUERIES = [
    "marker", "MARKER", "cafe", "café", "CREME brulee", "fine", "ναος", "ΝΑΌΣ", "灯台", "霧の", "منارة", "strasse", "straße", "istanbul", "\u00e1bc", '"low cloud"', '"cloud low"', "low cloud",
    "fog horn", "<img", "onerror=alert(1)", "</script>", "{{constructor", "__proto__", "toString", "number 77", "7 post", '"post number 10599"', "nothingatall", "%", "&", "\\", ".*", "post*", '"', "e", "lodz", "soren", "שלום", "كتاب", "STRASSE", "a*b", "´", "´ x", "marker marker",
    "don't", "don’t", "‘s", "semicolon-less", "“low fog”", "“fog low”",
]
failures = []


def expect(holds, what):
    if not holds:
        print("WRONG " + what)
        failures.append(what)


def fold(text):
    """Text without case, accents and points: NFKD without the marks of these scripts, and letters with strokes as plain ones."""
    marks = ("LATIN", "GREEK", "CYRILLIC", "COMBINING", "HEBREW POINT", "HEBREW ACCENT", "ARABIC")
    plain = "".join(each for each in unicodedata.normalize("NFKD", text) if not (unicodedata.category(each) == "Mn" and unicodedata.name(each, "").startswith(marks)))
    return " ".join(plain.casefold().translate(str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ı": "i", "’": "'", "‘": "'", "ʼ": "'", "‐": "-", "\u00ad": None})).split(" "))


def terms(query):
    query = re.sub("[“”]", '"', query)
    parts = [(query[start:end], quoted) for start, end, quoted in
             [(m.start(), m.end(), m[0].startswith('"')) for m in re.finditer(r'"[^"]*"|[^\s"]+', query)]]
    return [term for term in (" ".join(fold(part.replace('"', "").rstrip("*")).split()) for part, _ in parts) if term]


def posts(count=COUNT):
    for number in range(count):
        title, text = HOSTILE[number] if number < len(HOSTILE) else (f"Post number {number}", f"Text of {number}.")
        yield number, title, text


def feed(count=COUNT):
    items = "".join(
        f"<item><title>{escape(escape(title))}</title><link>https://fog.example/{number}</link><guid>{number}</guid>"
        f"<pubDate>0{1 + number % 7} Jun {1990 + number // 400} {number // 60 % 24:02}:{number % 60:02}:00 GMT</pubDate>"
        f"<description>{escape(escape(text))}</description></item>" for number, title, text in posts(count))
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Fog</title><link>https://fog.example/</link>{items}</channel></rss>'


class Pages(http.server.SimpleHTTPRequestHandler):
    """A server of files that sends the headers of `_headers`, as Netlify does."""
    missing = ()

    def end_headers(self):
        for name, value in re.findall(r"^  ([\w-]+): (.*)$", pathlib.Path(self.directory, "_headers").read_text(), re.M):
            self.send_header(name, value)
        super().end_headers()

    def do_GET(self):
        if self.path in self.missing: self.send_error(503)
        else: super().do_GET()

    def log_message(self, *_): pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def build(tamis, folder, name, *options):
    site = folder / name
    subprocess.run([tamis, "build", "feed.xml", "-o", name, "--set", "site.search=page", "--reproducible", *options], cwd=folder, check=True, capture_output=True)
    return site


class Page:
    """A page of Chromium; what a policy refuses and what a script does unasked gathers in `events`."""
    def __init__(self, browser, **options):
        self.events, self.page = [], browser.new_context(**options).new_page()
        # A press changes the address, and the page searches when it hears of that, which is a task of its own.
        self.page.add_init_script("heard = location.hash; addEventListener('hashchange', () => heard = location.hash)")
        self.page.on("dialog", lambda dialog: (self.events.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("pageerror", lambda error: self.events.append(f"error {error}"))
        self.page.on("console", lambda said: None if "Failed to load resource" in said.text else self.events.append(said.text))

    def state(self):
        """The shown message's id, when the posts have been read."""
        self.page.wait_for_selector("#reading", state="hidden")
        return next((name for name in ("count", "none", "failed") if self.page.is_visible("#" + name)), "")

    def search(self, words):
        self.page.fill("#words", words)
        self.page.click("#search button")
        self.page.wait_for_function("() => heard === location.hash")
        return self.state()

    def count(self): return int(self.page.inner_text("#count b") or 0)


def check_queries(page):
    everything = [(title, "\n".join(" ".join(fold(part).split()) for part in (title, text, "Fog"))) for _, title, text in posts()]
    # The first press reads 10,000 posts, the second the others.
    expect(page.search("number") == "count" and page.count() >= 9_000, "the first files are read")
    while page.page.is_visible("#more") and page.count() < COUNT - len(HOSTILE):
        page.page.click("#more")
        page.state()
    for query in QUERIES:
        wanted = terms(query)
        titles = [title for title, text in everything if all(term in text for term in wanted)]
        state = page.search(query)
        if not wanted:
            expect(state == "none" and not page.page.locator("#found li").count(), f"{query!r}: there are no words, and the page says {state!r}")
            continue
        expect(state == ("count" if titles else "none"), f"{query!r}: the page says {state!r}, {len(titles)} posts have the words")
        if not titles: continue
        expect(page.count() == len(titles), f"{query!r}: {page.count()} posts, Python finds {len(titles)}")
        shown = page.page.locator("#found h2").all_text_contents()
        titles = [" ".join(title.split())[:600].strip() for title in titles]
        shown = [title.strip() for title in shown]
        expect(len(shown) == min(50, len(titles)) and set(shown) <= set(titles), f"{query!r}: {shown[:2]} are shown")
        if len(titles) <= 50: expect(sorted(shown) == sorted(titles), f"{query!r}: other posts are shown")
        marks = {fold(mark) for mark in page.page.locator("#found mark").all_text_contents()}
        # Words side by side can run together, and a part of a character marks the whole of it.
        expect(all(any(term in mark for term in wanted) for mark in marks), f"{query!r}: {sorted(marks)[:3]} are marked")
        dates = page.page.locator("#found time").evaluate_all("all => all.map(each => each.dateTime)")
        expect(dates == sorted(dates, reverse=True), f"{query!r}: the newest are not first")
    print(f"{len(QUERIES)} searches in {COUNT} posts, as Python finds them")


def check_page(page, url, site):
    page.page.goto(url + "/search.html")
    expect(page.page.is_visible("#search") and not page.page.is_visible("noscript"), "the form is shown")
    check_queries(page)
    page.search("marker")
    links = page.page.locator("#found a").evaluate_all("all => all.map(each => each.href)")
    for link in links:
        path = urllib.parse.unquote(urllib.parse.urlsplit(link).path).lstrip("/")
        expect(link.startswith(url + "/posts/") and (site / path).is_file(), f"{link} leads nowhere")
    page.page.goto("about:blank")
    page.page.goto(url + "/search.html#q=caf%C3%A9")
    # The post is one of the oldest.
    expect(page.state() == "count" and page.count() == 0 and page.page.is_visible("#more"), "a search can be linked")
    page.page.click("#more")
    expect(page.state() == "count" and page.count() == 1 and not page.page.is_visible("#more"), "older posts are searched when asked")
    for fragment in ("#q=%", "#main", "#q="):
        page.page.goto(url + "/search.html" + fragment)
    expect(not page.events, f"nothing is refused and nothing runs: {page.events[:3]}")


def check_failures(browser, url, site):
    Pages.missing = ("/search/3.json",)
    page = Page(browser)
    page.page.goto(url + "/search.html")
    expect(page.search("marker") == "failed", "a missing file is told")
    Pages.missing = ()
    expect(page.search("café") in ("count", "none"), "a later search reads it")
    page.page.goto((site / "search.html").as_uri())
    expect(page.search("marker") == "failed", "a folder is told")
    page = Page(browser, java_script_enabled=False)
    page.page.goto(url + "/search.html")
    expect(page.page.is_visible("noscript") and not page.page.is_visible("#search"), "without a script, a sentence says so")


def check_scripts(site):
    """Whether the page has the only script, and only its policy allows one."""
    for file in site.rglob("*.html"):
        text = file.read_text("utf-8")
        is_search = file == site / "search.html"
        policy = re.search(r'Policy" content="([^"]*)"', text)[1]
        expect(("<script" in text) == is_search == ("script-src" in policy), f"{file.relative_to(site)} has a script, or a policy for one")


def check_themes(tamis, browser, folder):
    for options in (["--theme", theme, "--language", language] for theme, language in (("default", "en"), ("newspaper", "de"), ("plain", "ar"))):
        site = build(tamis, folder, options[1], *options)
        url = serve(site)
        for scheme in ("light", "dark"):
            page = Page(browser, viewport={"width": 320, "height": 640}, color_scheme=scheme, bypass_csp=True)
            page.page.goto(url + "/search.html")
            expect(page.search("marker") == "count", f"{options[1]} finds")
            page.page.evaluate(AXE)
            found = page.page.evaluate("() => axe.run(document).then(r => r.violations.map(v => [v.id, v.nodes[0].html]))")
            expect(not found, f"axe {options} {scheme}: {found[:2]}")
            expect(page.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), f"{options[1]} is as wide as a phone")
    print("axe-core: three themes, light and dark, with results")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("tamis", type=os.path.abspath)
    options.add_argument("--keep", help="keep the folder of the sites here")
    options = options.parse_args()
    folder = pathlib.Path(options.keep or tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    (folder / "feed.xml").write_text(feed(), "utf-8")
    site = build(options.tamis, folder, "site")
    check_scripts(site)
    url = serve(site)
    with sync_playwright() as engines:
        browser = engines.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        check_page(Page(browser), url, site)
        check_failures(browser, url, site)
        (folder / "feed.xml").write_text(feed(60), "utf-8")
        check_themes(options.tamis, browser, folder)
        browser.close()
    if not options.keep: shutil.rmtree(folder)
    print(f"{len(failures)} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
