#!/usr/bin/env python3
"""Keep a planet for thirty simulated days, and see that nothing is lost, nothing is doubled, and nothing jumps.

usage: month.py TAMIS [--days N] [--seed N] [--keep FOLDER]

month_feeds.py makes some forty feeds: blogs that edit, redate, rename and drop their posts, that move to other hosts and programs,
that fail and come back, and planets that copy them. Each day `tamis build` reads them from a server on this machine, by a clock that
faketime sets, into one archive and one site. What is true is known from the generator alone: each post has a marker in its text.

- lost: a post that a feed has shown whole is on no page;
- doubled: a post is on more than one page;
- renamed: a post that was on one page has another page, which feed readers show as new;
- jumped: a post whose words did not change has another date, another place among the others on the front page, comes back to it,
  or is given another date of change.

Figures and offenders are printed by what the feed did; exit code 1 when there is one. Needs faketime.
"""
import argparse
import collections
import datetime
import hashlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree as etree

import month_feeds

MARKER = re.compile(r"mark(blog\d+)n\d+x", re.I)
PAGE = re.compile(r"posts/[^\"?#]+\.html")
PUBLISHED = re.compile(r'class="dt-published" datetime="([^"]*)"')
UPDATED = re.compile(r'class="dt-updated"[^>]* datetime="([^"]*)"')
ATOM = "{http://www.w3.org/2005/Atom}"


class Server:
    """Answers with what stands in `pages`: a path's status, body and where it leads."""

    def __init__(self):
        self.pages = {}
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.port = server.server_address[1]

    def handler(outer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                status, body, location = outer.pages.get(self.path, (404, b"", None))
                tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
                if status == 200 and self.headers.get("If-None-Match") == tag:
                    status, body = 304, b""
                self.send_response(status)
                if location:
                    self.send_header("Location", location)
                if status in (200, 304):
                    self.send_header("ETag", tag)
                    self.send_header("Content-Type", "application/json" if body.startswith(b"{") else "application/xml")
                if status != 304:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        return Handler


class Site:
    """What a reader sees: for each marker its pages, for each page its dates, and the order of the front page."""

    def __init__(self, folder, before):
        self.files, self.pages, self.dates, self.markers = {}, collections.defaultdict(list), {}, {}
        for path in sorted((folder / "posts").rglob("*.html")):
            name, stat = str(path.relative_to(folder)), path.stat()
            key = (stat.st_mtime_ns, stat.st_size)
            known = before.files.get(name) if before else None
            self.files[name] = known if known and known[0] == key else (key, *self.read(path))
            _, marker, published, updated = self.files[name]
            if marker:
                self.pages[marker].append(name)
                self.markers[name], self.dates[name] = marker, (published, updated)
        text = (folder / "index.html").read_text(encoding="utf-8").partition("<main")[2].partition("</main>")[0]
        self.front = [self.markers.get(name) for name in dict.fromkeys(PAGE.findall(text))]
        self.updated = {}
        for entry in etree.parse(folder / "atom.xml").getroot().iter(f"{ATOM}entry"):
            page = PAGE.search(entry.find(f"{ATOM}link").get("href"))
            if page:
                self.updated[self.markers.get(page[0])] = entry.findtext(f"{ATOM}updated")

    @staticmethod
    def read(path):
        text = path.read_text(encoding="utf-8")
        if "h-entry" not in text:
            return None, None, None
        marker, published, updated = (pattern.search(text) for pattern in (MARKER, PUBLISHED, UPDATED))
        return marker and marker[0].lower(), published and published[1], updated and updated[1]


class Month:
    def __init__(self, tamis, folder, seed):
        self.tamis, self.folder, self.server = tamis, folder, Server()
        self.feeds = month_feeds.planet(seed)
        self.by_name = {feed.name: feed for feed in self.feeds}
        # For each marker what each feed has said under it, and since which day all of it is known.
        self.said, self.since, self.site = collections.defaultdict(dict), {}, None
        self.offences = collections.defaultdict(lambda: collections.defaultdict(dict))
        clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        self.environment = clean | {"HOME": str(folder), "TZ": "UTC", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
        addresses = "".join(f"  - http://127.0.0.1:{self.server.port}/{feed.name}\n" for feed in self.feeds)
        (folder / "tamis.yaml").write_text(
            "site: {title: Month, link: 'https://month.example/'}\nfetch: {allow: [127.0.0.0/8], delay: 0s, per-host: 16}\n"
            f"feeds:\n{addresses}", encoding="utf-8")

    def serve(self, day, now):
        """Has each feed live through the day. Answers the markers whose words are not those of the day before."""
        changed = set()
        for feed in self.feeds:
            feed.change(day, now)
            text, whole = feed.answer(day, now)
            answer = (feed.status, text.encode(), None)
            moved = feed.redirect and day >= feed.day
            self.server.pages[f"/{feed.name}"] = (301, b"", f"/{feed.name}-moved") if moved else answer
            self.server.pages[f"/{feed.name}-moved"] = answer
            for post in whole:
                marker = post.marker.lower()
                said = post.said(feed.footer)
                if self.said[marker].get(feed.name, said) != said:
                    changed.add(marker)
                self.said[marker][feed.name] = said
                self.since.setdefault(marker, day)
        return changed

    def build(self, now):
        begin = now.strftime("@%Y-%m-%d %H:%M:%S")
        done = subprocess.run(["faketime", "-f", begin, self.tamis, "build", "--now"], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        # 1: some feed failed, as it should.
        if done.returncode not in (0, 1):
            sys.exit(f"{now}: exit code {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout + done.stderr

    def offend(self, kind, marker, day, text):
        feed = self.by_name[MARKER.fullmatch(marker)[1]]
        self.offences[kind][feed.rule].setdefault(marker, f"day {day}, {feed.form} {marker}: {text}")

    def compare(self, day, changed):
        before, site = self.site, Site(self.folder / "site", self.site)
        for marker in self.since:
            pages = site.pages.get(marker, [])
            if not pages:
                self.offend("lost", marker, day, f"on no page, seen since day {self.since[marker]}")
            elif len(pages) > 1:
                self.offend("doubled", marker, day, " and ".join(pages))
        known = [marker for marker, since in self.since.items() if since < day] if before else []
        for marker in known:
            old, new = before.pages.get(marker, []), site.pages.get(marker, [])
            if len(old) == len(new) == 1 and old != new:
                self.offend("renamed", marker, day, f"{old[0]} is now {new[0]}")
        if before:
            self.compare_places(day, before, site, [marker for marker in known if marker not in changed])
        self.site = site

    def compare_places(self, day, before, site, same):
        """Posts whose words are those of the day before stay where and when they are."""
        moved = set()
        for marker in same:
            old, new = before.pages.get(marker, [])[:1], site.pages.get(marker, [])[:1]
            one, other = before.updated.get(marker), site.updated.get(marker)
            if old and new and before.dates[old[0]] != site.dates[new[0]]:
                self.offend("jumped", marker, day, f"published and updated {before.dates[old[0]]} become {site.dates[new[0]]}")
                moved.add(marker)
            elif one and other and one != other:
                self.offend("jumped", marker, day, f"the site's feed changes its updated from {one} to {other}")
        # Beside those that have a place of another day, the others keep theirs.
        place = {marker: number for number, marker in enumerate(before.front)}
        stay = set(same) - moved
        for marker in sorted(stay & set(site.front) - set(place)):
            if before.pages.get(marker) and len(before.front) == len(site.front):
                self.offend("jumped", marker, day, f"comes to the front page, in place {site.front.index(marker) + 1}")
        order = [marker for marker in site.front if marker in stay and marker in place]
        for marker in sorted(set(order) - set(longest_rise([place[marker] for marker in order], order))):
            self.offend("jumped", marker, day, f"place {place[marker] + 1} of the front page becomes {site.front.index(marker) + 1}")

    def report(self, days):
        print(f"{days} days, {len(self.feeds)} feeds, {len(self.since)} posts")
        for kind in ("lost", "doubled", "renamed", "jumped"):
            print(f"{kind}: {sum(map(len, self.offences[kind].values()))}")
            for rule, markers in sorted(self.offences[kind].items()):
                lines = list(markers.values())
                print(f"  {rule}: {len(lines)}", *lines[:3], *([f"and {len(lines) - 3} more"] if lines[3:] else []), sep="\n    ")
        return any(self.offences.values())


def longest_rise(places, names):
    """The names of a longest part of a list in which the places rise: what is not in it has changed its place."""
    best = []
    for number, place in enumerate(places):
        longest = max((best[other] for other in range(number) if places[other] < place), key=len, default=())
        best.append((*longest, names[number]))
    return max(best, key=len, default=())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="where the site, its archive and the last documents are kept")
    options = parser.parse_args()
    if not shutil.which("faketime"):
        sys.exit("faketime is missing; make check-month installs it")
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="tamis-month-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        month = Month(str(options.tamis.resolve()), folder, options.seed)
        for day in range(1, options.days + 1):
            now = month_feeds.START + datetime.timedelta(days=day - 1, minutes=day * 7 % 50)
            changed = month.serve(day, now)
            said = month.build(now)
            if options.keep:
                (folder / f"day{day}.log").write_text(said, encoding="utf-8")
                for feed in month.feeds:
                    (folder / "feeds" / f"day{day}").mkdir(parents=True, exist_ok=True)
                    (folder / "feeds" / f"day{day}" / feed.name).write_bytes(month.server.pages[f"/{feed.name}-moved"][1])
            month.compare(day, changed)
        return 1 if month.report(options.days) else 0
    finally:
        if not options.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
