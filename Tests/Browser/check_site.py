#!/usr/bin/env python3
"""Check a built site: every page as a browser's parser reads it, the feeds it wrote, and pages in a real browser.

usage: check_site.py SITE [--screenshots DIR] [--all]

1. Pages: html5lib must find no error (an unclosed element is one), no script, event handler or inline style, nothing that
   loads a document. Only search.html may have a script, one, by its hash in the page's own policy. Each relative link must lead to a file of the site, each #fragment to an id; a path from the root
   ("/...") is for 404.html alone. Nothing may be loaded that the page's Content-Security-Policy refuses, which comes
   right behind the charset. One h1, one main, no id twice, a language, a title, no gap in headings, alt on pictures.
2. Feeds: what the site writes (Atom, RSS, JSON Feed, sitemap, OPML) must be read back by feedparser without complaint,
   have what its format requires, and be as free of scripts as the pages.
3. Browser: Chromium shows a sample of the pages (--all: every page), the network cut off. Nothing but the style sheet, pictures, sound
   and film may be asked for, the policy may refuse nothing, nothing may run, nothing may reach beyond a screen 320
   pixels wide, whether pictures come (a stand-in does) or not, and axe-core may find no violation in light or dark.
4. --screenshots DIR: pictures of five kinds of pages, phone and desktop, light and dark, and a post as printed.

Exit code 0 when all is well, 1 with a line for each finding ("PAGE: PROBLEM"). The last line says what was checked, and
what was skipped because feedparser, playwright, Chromium or axe-core is missing; only html5lib must be there.
"""
import argparse
import base64
import collections
import email.utils
import hashlib
import importlib.util
import itertools
import json
import pathlib
import re
import shutil
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as etree

def optional(name):
    return importlib.import_module(name) if importlib.util.find_spec(name.split(".")[0]) else None

feedparser, playwright, axe = map(optional, ("feedparser", "playwright.sync_api", "axe_playwright_python"))
html5lib = optional("html5lib") or sys.exit("html5lib is missing; make check-site installs it")
FORBIDDEN = {"script", "iframe", "frame", "frameset", "object", "embed", "base", "applet", "portal"}
# Refused for the reader's sake although browsers do not mind: the sanitizer's void elements end in " />".
IGNORED = {"non-void-element-with-trailing-solidus"}
ATOM, SITEMAP = "{http://www.w3.org/2005/Atom}", "{http://www.sitemaps.org/schemas/sitemap/0.9}"

# 1. Pages, as a browser's parser reads them

local = lambda name: name.split("}")[-1]  # A name without its namespace.

def elements(tree):
    return [(local(element.tag), element) for element in tree.iter() if isinstance(element.tag, str)]

def some(places):
    """The first of many places, and how many there are."""
    return f"{places[0]}{f' and {len(places) - 1} more' if places[1:] else ''}"

def digest(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8', 'replace')).digest()).decode()}'"

def scripts(found, allowed=()):
    """What could run or load a document, besides scripts of allowed digests."""
    for name, element in found:
        if name == "script" and not element.attrib and digest(element.text or "") in allowed:
            continue
        refreshes = element.get("http-equiv", "").lower() == "refresh"
        # A page that has moved leads to another of the site.
        if name in FORBIDDEN or refreshes and ":" in element.get("content", ":"):
            yield f"<{name}> that runs or loads something"
        for attribute, value in element.attrib.items():
            address = local(attribute) in ("href", "src", "action")
            if local(attribute).lower().startswith("on") or address and re.match(r"\s*(java|vb)script\s*:", value, re.I):
                yield f"<{name} {local(attribute)}={value[:60]!r}>"

def outline(found):
    """What of a page's frame is missing, or there too often."""
    names, level = [name for name, _ in found], 1
    yield from (f"{names.count(name)} <{name}>" for name in ("h1", "main") if names.count(name) != 1)
    if not found[0][1].get("lang", "").strip():
        yield "no lang on <html>"
    if not any(name == "title" and (element.text or "").strip() for name, element in found):
        yield "no <title>"
    ids = collections.Counter(element.get("id") for _, element in found if "id" in element.attrib)
    yield from (f"id={name[:60]!r} is there {count} times" for name, count in ids.items() if count > 1)
    for name, element in found:
        if re.fullmatch("h[1-6]", name):
            if int(name[1]) > level + 1:
                yield f"<{name}> {''.join(element.itertext()).strip()[:50]!r} follows an h{level}"
            level = int(name[1])
        if "style" in element.attrib:
            yield f"<{name} style={element.get('style')[:60]!r}>"
    unnamed = [element.get("src", "")[:80] for name, element in found if name == "img" and "alt" not in element.attrib]
    yield from [f"<img> without alt: {some(unnamed)}"] if unnamed else []

def addresses(found):
    """Each address on a page: the directive that governs it if it is loaded, where it stands, and itself."""
    pictured = {id(child) for name, element in found if name == "picture" for child in element}
    for name, element in found:
        film = name in ("audio", "video", "source", "track") and id(element) not in pictured
        rel = element.get("rel", "").lower().split() if name == "link" else []
        loaded = "style-src" if "stylesheet" in rel else "img-src" if "icon" in rel or name == "image" else None
        for attribute, value in element.attrib.items():
            place = f"<{name} {local(attribute)}={value.strip()[:80]!r}>"
            if local(attribute) == "href":
                yield loaded, place, value.strip()
            elif attribute in ("src", "poster"):
                yield "media-src" if film and attribute == "src" else "img-src", place, value.strip()
            elif attribute == "srcset":
                for candidate in re.findall(r"[\s,]*(\S*[^\s,])(?:\s+[^,]*)?", value):
                    yield "img-src", place, candidate

def refused(sources, url):
    """Whether a policy's sources refuse an address, as far as schemes, 'self', 'none' and * tell."""
    scheme = (re.match(r"([a-z][a-z0-9+.-]*):", url, re.I) or [None, ""])[1].lower()
    if scheme in ("", "http", "https") and any(not source.endswith(("'", ":")) for source in sources):
        return False
    return not {"'self'" if not scheme else f"{scheme}:", "http:" if scheme == "https" else ""} & set(sources)

def own_script(page, found):
    """The digest of the script of the search page, which works with no other element and with no attribute."""
    texts = [element.text or "" for name, element in found if name == "script"]
    return [digest(texts[0])] if str(page) == "search.html" and len(texts) == 1 else []

def security(found, allowed):
    """What is wrong with the page's policy, and what it would refuse."""
    csp = next((meta for _, meta in found if meta.get("http-equiv", "").lower() == "content-security-policy"), None)
    if csp is None or csp is not found[3][1] or "charset" not in found[2][1].attrib:  # 0 is html, 1 its head.
        yield "no Content-Security-Policy directly after the charset"
    if csp is None:
        return
    policy = {part.split()[0].lower(): part.split()[1:] for part in csp.get("content", "").split(";") if part.split()}
    sources = lambda directive: policy.get(directive, policy.get("default-src", ["*"]))
    # The script reads the data of the site, and nothing else.
    wanted = {"script-src": allowed or ["'none'"], "connect-src": ["'self'"] if allowed else ["'none'"]}
    yield from (f"the policy's {directive} is {' '.join(sources(directive))}, not {' '.join(given)}"
                for directive, given in wanted.items() if sources(directive) != given)
    yield from (f"{place} is refused by {directive}" for directive, place, url in addresses(found)
                if directive and refused(sources(directive), url))
    # The search page's policy names where its form leads; all others refuse every form.
    forms = [element.get("action", "") for name, element in found if name == "form" and (not allowed or "action" in element.attrib)]
    yield from (f"<form action={url[:60]!r}> leads where form-action does not" for url in forms
                if not any(url.startswith(source + "/") for source in policy.get("form-action", ["'none'"])))
    for text in (element.text or "" for name, element in found if name == "style"):
        if digest(text) not in sources("style-src"):
            yield f"<style> {text.strip()[:40]!r} is refused by style-src, its hash is {digest(text)}"

def astray(site, page, found, anchors):
    """Links that lead nowhere. anchors: the ids of each page."""
    root = site.resolve()
    for _, place, url in addresses(found):
        try:
            parts, target = urllib.parse.urlsplit(url), page.resolve()
            path, fragment = urllib.parse.unquote(parts.path), urllib.parse.unquote(parts.fragment)
            if parts.scheme:
                continue
            if url.startswith("/") and (parts.netloc or page != site / "404.html"):
                yield f"{place} is a path from the root"
                continue
            if path.startswith("/"):  # The site may lie in a folder of its host: any end of the path may be the file.
                ways = [root / "/".join(path.split("/")[count:]) for count in range(1, path.count("/") + 1)]
                target = next((file for way in ways for file in (way, way / "index.html") if file.is_file()), root)
            elif path:
                target = (page.parent / path).resolve()
            if not target.is_file() or root not in target.parents:
                yield f"{place} leads nowhere in the site"
            elif fragment and target in anchors and not {fragment, parts.fragment} & anchors[target]:
                yield f"{place} leads to no id"
        except (OSError, ValueError):  # No address, a name that is too long, or a NUL in it.
            yield f"{place} leads nowhere"

def check_pages(site, pages):
    """Findings as (page, problem). What is not UTF-8 becomes surrogates, which the parser reports."""
    read, anchors = {}, {}
    for page in pages:
        parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"))
        read[page] = elements(parser.parse(page.read_bytes().decode("utf-8", "surrogateescape")))
        yield from ((page, f"{line}:{column}: {code}") for (line, column), code, _ in parser.errors if code not in IGNORED)
        anchors[page.resolve()] = {"top"} | {each.get(name) for _, each in read[page] for name in ("id", "name")}
    for page, found in read.items():
        allowed = own_script(page.relative_to(site), found)
        for problem in [*scripts(found, allowed), *outline(found), *security(found, allowed), *astray(site, page, found, anchors)]:
            yield page, problem

# 2. Feeds, sitemap and OPML

is_date = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(\.\d+)?(Z|[+-]\d\d:\d\d)").fullmatch
is_web = re.compile(r"\s*https?://[^\s/]\S*\s*").fullmatch

def entries(some_entries):
    """What is wrong with entries, each as (id, title, HTML)."""
    ids = [identity for identity, _, _ in some_entries]
    for number, (identity, title, text) in enumerate(some_entries, 1):
        if not isinstance(identity, str) or not identity or ids.count(identity) > 1:
            yield f"entry {number}: its id {identity!r} is none, or there twice"
        if not f"{title or ''}{text}".strip():
            yield f"entry {number}: neither title nor text"
        yield from (f"entry {number}: {problem}" for problem in scripts(elements(html5lib.parseFragment(text))))

def read_back(data):
    """What feedparser says of a feed."""
    feedparser.SANITIZE_HTML = False  # What stands there is what is asked.
    feed = feedparser.parse(data)
    if feed.bozo:
        yield f"feedparser: {feed.get('bozo_exception')}"
    texts = lambda entry: [entry[name] for name in ("summary_detail",) if name in entry] + entry.get("content", [])
    html = lambda text: text.value.replace("<", "&lt;") if text.type == "text/plain" else text.value
    yield from entries([(entry.get("id"), entry.get("title"), "".join(map(html, texts(entry)))) for entry in feed.entries])

def atom(root):
    for number, element in enumerate([root, *root.findall(f"{ATOM}entry")]):
        place = f"entry {number}" if number else "feed"
        for name in ("id", "title", "updated"):
            texts = element.findall(f"{ATOM}{name}")
            if len(texts) != 1 or not (texts[0].text or number and name == "title"):
                yield f"{place}: {len(texts)} <{name}>, or an empty one"
        dates = (*element.findall(f"{ATOM}updated"), *element.findall(f"{ATOM}published"))
        yield from (f"{place}: {date.text!r} is no date" for date in dates if not is_date(date.text or ""))
        if number and root.find(f"{ATOM}author") is None and element.find(f"{ATOM}author") is None:
            yield f"{place}: no <author> here or in the feed"

def rss(root):
    yield from (f"channel: no <{name}>" for name in ("title", "link", "description") if not root.findtext(f"channel/{name}"))
    for number, item in enumerate(root.findall("channel/item"), 1):
        for element in item:
            text, given = element.text or "", element.attrib
            good = {"link": is_web(text), "guid": given.get("isPermaLink") == "false" or is_web(text),
                    "pubDate": email.utils.parsedate_tz(text), "enclosure": {"url", "type", "length"} <= given.keys()}
            if not good.get(element.tag, True):
                yield f"item {number}: <{element.tag}> {text or dict(given)!r} is not as it must be"

def json_feed(feed):
    items = feed.get("items")
    if feed.get("version") != "https://jsonfeed.org/version/1.1" or not feed.get("title") or not isinstance(items, list):
        yield f"no title, no items, or version {feed.get('version')!r}"
        return
    for number, item in enumerate(items, 1):
        if not any(isinstance(item.get(name), str) for name in ("content_html", "content_text")):
            yield f"entry {number}: neither content_html nor content_text"
        dates = [item[name] for name in ("date_published", "date_modified") if name in item]
        yield from (f"entry {number}: {date!r} is no date" for date in dates if not is_date(str(date)))
    yield from entries([(item.get("id"), item.get("title") or item.get("content_text"), str(item.get("content_html") or ""))
                        for item in items])

def sitemap(root):
    for place in root:
        found = [element.text or "" for element in place.findall(f"{SITEMAP}loc")]
        if len(found) != 1 or not is_web(found[0]):
            yield f"<{local(place.tag)}> with loc {found} is no place"

def opml(root):
    if root.get("version") != "2.0" or root.find("head") is None or root.find("body/outline") is None:
        yield f"version {root.get('version')!r}, or no <head>, or no <outline> in a <body>"
    for each in root.iter("outline"):
        if not each.get("text", "").strip() or each.get("type") == "rss" and not each.get("xmlUrl"):
            yield f"<outline {dict(each.attrib)}> without text or xmlUrl"

def check_feeds(site, kinds):
    """Findings as (file, problem). Adds to `kinds` what each file is that was checked."""
    known = {f"{ATOM}feed": ("Atom", atom), "rss": ("RSS", rss), "opml": ("OPML", opml), "JSON": ("JSON Feed", json_feed),
             f"{SITEMAP}urlset": ("sitemap", sitemap), f"{SITEMAP}sitemapindex": ("sitemap", sitemap)}
    for file in sorted(path for path in site.rglob("*") if path.suffix in (".atom", ".rss", ".xml", ".opml", ".json")):
        data = file.read_bytes()
        try:
            root = json.loads(data) if file.suffix == ".json" else etree.fromstring(data)
        except (ValueError, etree.ParseError) as error:
            yield file, f"is not well-formed: {error}"
            continue
        is_feed = isinstance(root, dict) and ("jsonfeed" in str(root.get("version")) or file.name == "feed.json")
        kind, check = known.get("JSON" if is_feed else getattr(root, "tag", None), (None, None))
        if kind:
            kinds.append(kind)
            problems = [*check(root), *(read_back(data) if kind in ("Atom", "RSS") and feedparser else ())]
            yield from ((file, problem) for problem in problems)
        elif file.suffix not in (".xml", ".json"):
            yield file, f"begins with <{root.tag}>"

# 3. Pages in a real browser

# A stand-in for pictures that are elsewhere, larger than any screen here.
PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="1800" height="1200" viewBox="0 0 6 4">
<path fill="#9db4c0" d="M0 0h6v4H0z"/><path fill="#5c6b57" d="M0 4V3l2-1.6L3.2 2.6 4 2l2 1.5V4z"/></svg>"""
# The page's width when it is too wide, and the element that reaches farthest out, unless a box around it scrolls.
OVERFLOW = """() => {
  if (document.scrollingElement.scrollWidth <= innerWidth) return null;
  const out = box => Math.max(box.getBoundingClientRect().right - innerWidth, -box.getBoundingClientRect().left);
  const free = box => box === document.body || getComputedStyle(box).overflowX === "visible" && free(box.parentElement);
  const worst = [...document.body.querySelectorAll("*")].filter(box => out(box) > 0 && free(box.parentElement))
    .reduce((one, other) => out(other) >= out(one) ? other : one, document.body);
  return [document.scrollingElement.scrollWidth, worst.cloneNode(false).outerHTML.slice(0, 200)];
}"""
GLOBALS = "() => Object.getOwnPropertyNames(window)"
AXE = """options => axe.run(document, {resultTypes: ["violations"], preload: {assets: ["cssom"]}, ...options}).then(result =>
  result.violations.map(rule => [rule.id, rule.nodes.map(node => node.target.join(" ")), rule.nodes[0].html]))"""
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}

class Browser:
    """Chromium without a network. What happens on a page gathers in `events`."""
    def __init__(self, started, executable, site):
        self.browser = started.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        self.events, self.wanted = [], None
        self.sheets = {sheet.name: sheet for sheet in site.resolve().glob("style-*.css")}
        self.icon = (site.resolve() / "icon.svg").as_uri()

    def page(self, pictures, width, height, **options):
        """A new page; options are a context's. pictures: a stand-in comes for those that are elsewhere."""
        context, note = self.browser.new_context(viewport={"width": width, "height": height}, **options), self.events.append
        page = context.new_page()
        context.route("**/*", lambda route: self.answer(route, pictures))
        context.on("page", lambda other: note(f"opened a window: {other.url}") or other.close())
        page.on("dialog", lambda dialog: note(f"a script spoke: {dialog.message[:80]!r}") or dialog.dismiss())
        page.on("pageerror", lambda error: note(f"a script failed: {str(error)[:120]}"))
        page.on("console", lambda said: "Failed to load resource" in said.text or note(f"console: {said.text[:300]}"))
        return page

    def answer(self, route, pictures):
        kind, url = route.request.resource_type, route.request.url
        sheet = self.sheets.get(url.rpartition("/")[2])
        if kind == "stylesheet" and sheet and (url == sheet.as_uri() or self.wanted.endswith("/404.html")):
            # The page for what is missing begins its links at the root of a server, which a file does not have.
            route.fulfill(path=sheet, content_type="text/css")
            return
        # Chromium asks for the site's sign as for something else than a picture.
        if kind not in ("image", "media") and url not in (self.wanted, self.icon, "file:///icon.svg"):
            self.events.append(f"asked for a {kind}: {url[:120]}")
        if url.startswith("file:"):
            route.continue_()
        elif kind == "image" and pictures:
            route.fulfill(body=PICTURE, content_type="image/svg+xml")
        else:
            route.abort()

    def show(self, page, file):
        self.wanted = file.resolve().as_uri()
        self.events.clear()
        page.goto(self.wanted)

def sample(site, pages):
    """The pages at the top, a large one and another of each kind, the largest posts and posts evenly spread."""
    folders, large = {}, lambda some: sorted(some, key=lambda page: (-page.stat().st_size, str(page)))
    for page in pages:
        folders.setdefault(page.relative_to(site).parts[0] if page.parent != site else "", []).append(page)
    top, posts = folders.pop("")[:20], folders.pop("posts", [])
    others = [page for kind in folders.values() for page in (large(kind)[0], kind[len(kind) // 2])]
    rtl = [page for page in posts if 'dir="rtl"' in page.read_text("utf-8", "replace")][:1]
    return list(dict.fromkeys([*top, *others, *large(posts)[:3], *rtl, *posts[::max(10, -(-len(posts) // 60))]]))

def check_browser(browser, chosen, axe):
    """Findings as (page, problem). axe: axe-core's source, or none."""
    new = lambda: (browser.page(True, 320, 640), browser.page(False, 320, 640, bypass_csp=True))  # axe-core is a script.
    page, bare = new()
    with tempfile.NamedTemporaryFile(suffix=".html") as blank:
        browser.show(page, pathlib.Path(blank.name))
        usual = page.evaluate(GLOBALS)
    for file in chosen:
        try:
            browser.show(page, file)
            left = [f"a script left window.{name}" for name in page.evaluate(GLOBALS) if name not in usual]
            yield from ((file, event) for event in dict.fromkeys(browser.events + left))
            browser.show(bare, file)
            for how, found in {"with": page.evaluate(OVERFLOW), "without": bare.evaluate(OVERFLOW)}.items():
                if found:
                    yield file, f"is {found[0]} pixels wide on a screen of 320 {how} pictures: {found[1]}"
            bare.evaluate(axe or "0")
            for scheme, options in {"light": {}, "dark": COLOURS}.items() if axe else ():
                bare.emulate_media(color_scheme=scheme)
                for rule, targets, html in bare.evaluate(AXE, options):
                    yield file, f"axe {rule} ({scheme}): {some(targets)}: {' '.join(html.split())[:200]}"
        except playwright.Error as error:
            yield file, f"Chromium could not show it: {str(error).splitlines()[0]}"
            page, bare = new()

def screenshots(browser, site, pages, folder):
    """Pictures of a page of each kind. Returns which kinds the site does not have."""
    texts = {page: page.read_text("utf-8", "replace") for page in pages}
    inside = lambda name: [page for page in pages if page.is_relative_to(site / name)]
    rtl = [page for page in inside("posts") if re.search(r'<(html|main|article)[^>]* dir="rtl"', texts[page])]
    posts = [page for page in inside("posts") if len(re.findall("<img ", texts[page])) > 1 and page not in rtl]
    kinds = {"index": [site / "index.html"], "post": posts, "post-rtl": rtl, "feed": inside("feeds"), "tag": inside("tags")}
    for screen, scheme in itertools.product({"phone": (390, 844), "desktop": (1280, 900)}.items(), ("light", "dark")):
        page = browser.page(True, *screen[1], color_scheme=scheme)
        for kind in filter(kinds.get, kinds):
            browser.show(page, max(kinds[kind], key=lambda page: (texts[page].count("<article"), len(texts[page]), str(page))))
            page.screenshot(path=folder / f"{kind}-{screen[0]}-{scheme}.png")
            if kind == "post" and scheme == "light":
                page.pdf(path=folder / "post-printed.pdf", prefer_css_page_size=True)
    return [f"no {kind} in the site to take a picture of" for kind in kinds if not kinds[kind]]

def main():
    arguments = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    arguments.add_argument("site", type=pathlib.Path)
    arguments.add_argument("--screenshots", type=pathlib.Path)
    arguments.add_argument("--all", action="store_true")
    options = arguments.parse_args()
    site, found, kinds, skipped = options.site, [], [], []
    if not (site / "index.html").is_file():
        arguments.error(f"{site} is no site: it has no index.html")

    def report(findings):
        for file, problem in findings:
            print(f"{file.relative_to(site)}: {problem}", flush=True)
            found.append(problem)

    pages, install = sorted(site.rglob("*.html")), "make check-site installs it"
    report(check_pages(site, pages))
    report(check_feeds(site, kinds))
    done = f"{len(pages)} pages parsed, {len(kinds)} feeds read ({', '.join(sorted(set(kinds))) or 'the site has none'})"
    skipped += [] if feedparser else [f"feedparser is missing: feeds not read back; {install}"]
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not playwright or not executable:
        skipped.append(f"{'Chromium' if playwright else 'playwright'} is missing: no page shown in a browser; {install}")
    else:
        chosen = pages if options.all else sample(site, pages)
        with playwright.sync_playwright() as started:
            browser = Browser(started, executable, site)
            source = axe and pathlib.Path(axe.__file__).with_name("axe.min.js").read_text("utf-8")
            report(check_browser(browser, chosen, source))
            skipped += screenshots(browser, site, pages, options.screenshots) if options.screenshots else []
        done += f", {len(chosen)} shown in Chromium{' and read by axe-core' if axe else ''}"
        skipped += [] if axe else [f"axe-core is missing: accessibility not checked; {install}"]
        if len(chosen) < len(pages):
            skipped.append(f"the browser for the other {len(pages) - len(chosen)} pages (--all shows them)")
    print(f"{len(found)} findings; {done}. Skipped: {'; '.join(skipped) or 'nothing'}.")
    return 1 if found else 0

if __name__ == "__main__":
    sys.exit(main())
