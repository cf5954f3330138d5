#!/usr/bin/env python3
"""Read the histories of made blogs, and say which posts that can be reached are not there, or are there twice.

usage: history.py TAMIS [--blogs 500] [--seed 1]

The site that is made of them publishes its own history (`feed-history`), which tamis and feedparser follow from its feeds to the first post.

The blogs have their posts as RFC 5005 archives or pages, by next_url of JSON Feed, as WordPress, Ghost and Blogger have them, or all in
one document; with loops, gaps, servers that repeat a page or fail for a while, and chains that lead to another server. A run takes only a
part of a long history, so that there are several, half a day apart. Which posts can be reached is decided here, by the links that are
served. Halfway they publish, some more than a document has. A line is printed for each deviation; exit code 1 when there is one.
"""
import argparse
import collections
import datetime
import functools
import html
import http.server
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import urllib.parse

HOST, OTHER = "127.0.0.1", "127.0.0.2"
START = 1_790_000_000
STYLES = ["archive", "atom", "rss", "json", "json-relative", "wordpress", "ghost", "blogger", "whole", "single"]
FAULTS = [None] * 6 + ["loop", "self-loop", "gap", "repeat", "sometimes", "elsewhere", "empty"]


class Blog:
    """A blog: `pages` has the posts of each page, the newest first; `reach` those that a reader can come to."""

    def __init__(self, number, draw):
        self.number, self.style, self.fault = number, draw.choice(STYLES), draw.choice(FAULTS)
        size, count = draw.randint(3, 20), draw.choice([draw.randint(1, 30), draw.randint(30, 120), draw.randint(120, 420)])
        self.posts = [f"b{number}p{index}" for index in range(count)]
        first = size + (draw.randint(0, size) if self.style == "archive" else 0)
        if self.style in ("whole", "single"): first = count if self.style == "whole" else size
        cuts = [0, min(first, count)]
        # An archive overlaps the present document.
        place = cuts[1] - (draw.randint(0, 3) if self.style == "archive" else 0)
        self.pages = [self.posts[:cuts[1]]]
        while self.style not in ("whole", "single") and 0 <= place < count:
            self.pages.append(self.posts[place:place + size])
            place += size
        self.bad = draw.randint(1, max(1, len(self.pages) - 1))
        if len(self.pages) < 3: self.fault = None
        self.asked = collections.Counter()
        known = len(self.pages)
        if self.fault in ("gap", "elsewhere"): known = self.bad
        if self.fault == "elsewhere": known = max(known, 2)
        if self.fault == "repeat": known = 1 if self.style in ("wordpress", "ghost") else len(self.pages)
        if self.fault == "empty" and self.style in ("wordpress", "ghost"): known = self.bad
        empty = self.bad if self.fault == "empty" else -1
        self.reach = {post for index, page in enumerate(self.pages[:known]) for post in page if index != empty}

    def publish(self, draw):
        """Sets new posts before the others, which may be more than its first page has."""
        if self.fault or self.style in ("archive", "whole", "single"): return
        size = max(len(self.pages[0]), 1)
        new = [f"b{self.number}p-{index}" for index in range(draw.randint(1, 6 * size), 0, -1)]
        self.posts = new + self.posts
        self.pages = [self.posts[place:place + size] for place in range(0, len(self.posts), size)]
        self.reach = set(self.posts)

    def path(self, page):
        base = f"/{self.number}/"
        if page == 0: return base + {"json": "feed.json", "json-relative": "feed.json", "ghost": "rss/"}.get(self.style, "feed")
        match self.style:
            # The oldest archive has the lowest number.
            case "archive": return f"{base}archive-{len(self.pages) - page}.atom"
            case "atom" | "rss": return f"{base}feed/{page + 1}"
            case "json" | "json-relative": return f"{base}feed.json?page={page + 1}"
            case "wordpress": return f"{base}feed?paged={page + 1}"
            case "ghost": return f"{base}rss/{page + 1}/"
            case _: return f"{base}feed?start-index={page * 25 + 1}&max-results=25"

    def next(self, page):
        """The address that a page names for what is before it; None for none."""
        if self.fault == "loop" and page == len(self.pages) - 1: return self.path(0)
        if self.fault == "self-loop" and page == len(self.pages) - 1: return self.path(page)
        if page + 1 >= len(self.pages): return None
        if self.fault == "elsewhere" and page + 1 == max(self.bad, 2): return f"http://{OTHER}:{PORT}{self.path(page + 1)}"
        return self.path(page + 1)

    def answer(self, path):
        numbers = {self.path(page): page for page in range(len(self.pages))}
        page = numbers.get(path)
        self.asked[path] += 1
        if page is None: return 404, "text/html", "<!DOCTYPE html><title>Not found</title><p>Nothing here."
        if self.fault == "gap" and page == self.bad: return 404, "text/html", "gone"
        if self.fault == "sometimes" and page == self.bad and self.asked[path] < 3: return 503, "text/html", "busy"
        if self.fault == "repeat" and self.style in ("wordpress", "ghost"): page = 0
        posts = [] if self.fault == "empty" and page == self.bad else self.pages[page]
        return 200, *self.document(posts, page)

    def document(self, posts, page):
        name, link = f"Blog {self.number}", self.next(page)
        if self.style.startswith("json"):
            if link and self.style == "json": link = urllib.parse.urljoin(f"http://{HOST}:{PORT}", link)
            feed = {"version": "https://jsonfeed.org/version/1.1", "title": name, "home_page_url": f"http://{HOST}:{PORT}/{self.number}/",
                    "items": [{"id": post, "title": post, "url": f"http://{HOST}:{PORT}/{self.number}/{post}", "content_text": words(post),
                               "date_published": date(post).isoformat()} for post in posts]}
            if link: feed["next_url"] = link
            return "application/feed+json", json.dumps(feed)
        if self.style in ("rss", "wordpress", "ghost"):
            more = {"wordpress": "<generator>https://wordpress.org/?v=6.6</generator>", "ghost": "<generator>Ghost 5.1</generator>"}
            head = more.get(self.style) or (f"<atom:link rel='next' href='{html.escape(link)}'/>" if link else "")
            if self.fault == "elsewhere" and self.style != "rss" and link and "://" in link:
                head += f"<atom:link rel='next' href='{html.escape(link)}'/>"
            items = "".join(f"<item><title>{post}</title><guid isPermaLink='false'>{post}</guid><link>http://{HOST}:{PORT}/{self.number}/{post}"
                            f"</link><pubDate>{date(post):%a, %d %b %Y %H:%M:%S GMT}</pubDate><description>{words(post)}</description></item>"
                            for post in posts)
            return "application/rss+xml", ("<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel>"
                                           f"<title>{name}</title><link>http://{HOST}:{PORT}/{self.number}/</link>{head}{items}</channel></rss>")
        rel = "prev-archive" if self.style == "archive" else "next"
        head = f"<link rel='{rel}' href='{html.escape(link)}'/>" if link else ""
        if self.style == "archive" and page: head += "<fh:archive/>"
        if self.style == "whole": head += "<fh:complete/><link rel='next' href='/nowhere'/>"
        entries = "".join(f"<entry><id>{post}</id><title>{post}</title><link href='http://{HOST}:{PORT}/{self.number}/{post}'/>"
                          f"<updated>{date(post).isoformat()}</updated><content>{words(post)}</content></entry>" for post in posts)
        return "application/atom+xml", ("<feed xmlns='http://www.w3.org/2005/Atom' xmlns:fh='http://purl.org/syndication/history/1.0'>"
                                        f"<id>tag:{self.number}</id><title>{name}</title>{head}{entries}</feed>")


def words(post): return " ".join(f"{word} of {post}" for word in ("Mill", "Fog", "Harbour"))


def date(post):
    return datetime.datetime.fromtimestamp(START - 43_210 * (1 + int(post.partition("p")[2])), datetime.timezone.utc)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        number = self.path.split("/")[1]
        status, kind, text = BLOGS[int(number)].answer(self.path) if number.isdigit() else (404, "text/plain", "")
        if not self.headers["Host"].startswith(HOST): ASTRAY.append(self.path)
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments): pass


def serve(host, port):
    server = http.server.ThreadingHTTPServer((host, port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def exported(tamis, archive):
    """The titles of an archive's posts, each with how often it is there, by the number of the blog."""
    lines = subprocess.run([tamis, "archive", "export", "--archive", str(archive)], capture_output=True, text=True).stdout
    found = collections.defaultdict(collections.Counter)
    for line in map(json.loads, lines.splitlines()):
        title = line.get("post", {}).get("card", {}).get("title", "")
        if title.startswith("b"): found[int(title[1:].partition("p")[0])][title] += 1
    return found


def own_history(tamis, folder, found):
    """Publishes the site, and follows its feeds; returns the number of faults."""
    site = folder / "site"
    handler = functools.partial(Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer((HOST, 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://{HOST}:{server.server_address[1]}/"
    run = subprocess.run([tamis, "build", "--no-fetch", "--config", "tamis.yaml", "--archive", "a.archive", "--set", f"site.link={address}", "--set",
                          "site.feed-history=true"], cwd=folder, capture_output=True, text=True)
    if run.returncode not in (0, 1): return print(run.stderr) or 1
    all_posts = {post for titles in found.values() for post in titles}
    faults = 0
    for name in ("atom.xml", "rss.xml", "feed.json"):
        other = folder / f"{name}.archive"
        (folder / "own.yaml").write_text(f"fetch: {{allow: [127.0.0.0/8], delay: 0s}}\nfeeds: [{address}{name}]\n")
        for _ in range(1 + len(all_posts) // 10_000):
            subprocess.run([tamis, "ingest", "--history", "--config", "own.yaml", "--archive", str(other)], cwd=folder, capture_output=True)
        faults += compare(f"tamis on {name}", all_posts, [title for titles in exported(tamis, other).values() for title in titles.elements()])
    try: import feedparser
    except ImportError: return print("feedparser is not installed: not compared") or faults
    titles, link = [], address + "atom.xml"
    while link:
        feed = feedparser.parse(link)
        titles += [entry.title for entry in feed.entries]
        link = next((one.href for one in feed.feed.links if one.rel == "prev-archive"), None)
    return faults + compare("feedparser", all_posts, set(titles))


def compare(name, wanted, found):
    found = list(found)
    lacks, twice = wanted - set(found), len(found) - len(set(found))
    print(f"{name}: {len(set(found))} of {len(wanted)} posts of the site's history" + (f", {twice} twice" if twice else ""))
    return bool(lacks or twice)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments): pass


def main():
    global BLOGS, PORT, ASTRAY
    options = argparse.ArgumentParser()
    options.add_argument("tamis")
    options.add_argument("--blogs", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    draw, ASTRAY = random.Random(options.seed), []
    BLOGS = {number: Blog(number, draw) for number in range(options.blogs)}
    PORT = serve(HOST, 0)
    serve(OTHER, PORT)
    tamis, faults = os.path.abspath(options.tamis), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        feeds = "".join(f"  - http://{HOST}:{PORT}{blog.path(0)}\n" for blog in BLOGS.values())
        (folder / "tamis.yaml").write_text(
            f"fetch: {{allow: [127.0.0.0/8], delay: 0s, per-host: 16, at-once: 16}}\ndefaults: {{history: true}}\nfeeds:\n{feeds}")
        for step in range(10):
            if step == 5:
                for blog in BLOGS.values(): blog.publish(draw)
            environment = {**os.environ, "SOURCE_DATE_EPOCH": str(START + 43_200 * step)}
            run = subprocess.run([tamis, "ingest", "--archive", "a.archive"], cwd=folder, env=environment, capture_output=True, text=True)
            faults += run.returncode not in (0, 1)
            print(f"run {step + 1}: code {run.returncode}: {run.stderr.strip().splitlines()[-1] if run.stderr.strip() else ''}", flush=True)
        found = exported(tamis, folder / "a.archive")
        faults += own_history(tamis, folder, found)
    for number, blog in BLOGS.items():
        lacks = blog.reach - set(found[number])
        twice = [post for post, count in found[number].items() if count > 1]
        if lacks or twice:
            faults += 1
            print(f"blog {number} ({blog.style}, {blog.fault}, {len(blog.pages)} pages): {len(lacks)} of {len(blog.reach)} posts lack, "
                  f"{len(twice)} are there twice: {sorted(lacks)[:3]} {twice[:3]}")
    if ASTRAY:
        faults += 1
        print(f"{len(ASTRAY)} requests to another server: {ASTRAY[:3]}")
    reach = sum(len(blog.reach) for blog in BLOGS.values())
    print(f"{len(BLOGS)} blogs, {sum(len(blog.posts) for blog in BLOGS.values())} posts, {reach} can be reached; {faults} deviations")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
