#!/usr/bin/env python3
"""Check a built site: every page as a browser's parser reads it, some pages in a real browser.

usage: check_site.py SITE

For each page html5lib must find no error (an unclosed element is one), no script, no event handler, no element that loads
a document, and each relative link must lead to a file of the site. Where Chromium is installed, the index, the largest
feed page and three posts are loaded with the network cut off: nothing may be refused by the Content-Security-Policy and
nothing may run. Exit code 0 when all is well.
"""
import pathlib

import shutil
import subprocess
import sys
import tempfile
import urllib.parse

try:
    import html5lib
except ImportError:  # Debian's package belongs to Debian's own Python.
    if sys.executable != "/usr/bin/python3" and pathlib.Path("/usr/bin/python3").exists():
        sys.exit(subprocess.run(["/usr/bin/python3", *sys.argv]).returncode)
    sys.exit("html5lib is missing; install python3-html5lib")

HTML = "{http://www.w3.org/1999/xhtml}"
FORBIDDEN = {"script", "iframe", "frame", "object", "embed", "base", "form", "applet", "portal"}
# Refused for the reader's sake although browsers do not mind: the sanitizer's void elements end in " />".
IGNORED = {"non-void-element-with-trailing-solidus"}

def problems(site: pathlib.Path, page: pathlib.Path):
    """What is wrong with a page, one line each."""
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"))
    tree = parser.parse(page.read_bytes().decode("utf-8"))
    for (line, column), code, _ in parser.errors:
        if code not in IGNORED:
            yield f"{line}:{column}: {code}"
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        name = element.tag.split("}")[-1]
        if name in FORBIDDEN:
            yield f"<{name}>"
        for attribute, value in element.attrib.items():
            if attribute.lower().startswith("on"):
                yield f"<{name} {attribute}>"
            if attribute in ("href", "src", "poster") and not urllib.parse.urlsplit(value.strip()).scheme:
                target = urllib.parse.unquote(urllib.parse.urlsplit(value).path)
                inside = (page.parent / target).resolve() if target else page
                if value.startswith("//") or not inside.is_file() or site.resolve() not in inside.resolve().parents:
                    yield f"<{name} {attribute}={value[:80]!r}> leads nowhere in the site"

def in_browser(browser: str, pages):
    """What a real browser says against pages, one line each."""
    for page in pages:
        with tempfile.TemporaryDirectory() as profile:
            run = subprocess.run(
                [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                 "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--virtual-time-budget=3000",
                 f"--screenshot={profile}/page.png", "--window-size=1280,900", page.resolve().as_uri()],
                capture_output=True, text=True, timeout=120)
            if run.returncode != 0 or not pathlib.Path(profile, "page.png").exists():
                yield f"{page}: {browser} could not show it"
        for line in run.stderr.splitlines():
            # A picture from elsewhere cannot be reached here; everything else on the console is a finding.
            if "CONSOLE" in line and "ERR_NAME_NOT_RESOLVED" not in line:
                yield f"{page}: {line[:300]}"

def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1], "index.html").is_file():
        sys.exit(__doc__)
    site = pathlib.Path(sys.argv[1])
    pages = sorted(site.rglob("*.html"))
    found = [f"{page}: {problem}" for page in pages for problem in problems(site, page)]
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    shown = []
    if browser:
        size = lambda page: (page.stat().st_size, str(page))
        posts = sorted((site / "posts").rglob("*.html"), key=size)
        feeds = sorted((site / "feeds").rglob("*.html"), key=size)
        hostile = [page for page in posts if "nightshift" in str(page)][:2]
        shown = [site / "index.html", *feeds[-1:], *posts[-1:], *hostile]
        found += in_browser(browser, shown)
    print("\n".join(found) if found else f"{len(pages)} pages checked, {len(shown)} of them in {browser or 'no browser'}")
    return 1 if found else 0

if __name__ == "__main__":
    sys.exit(main())
