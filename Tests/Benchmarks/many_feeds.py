#!/usr/bin/env python3
"""Measure what a build of many feeds costs: cold, of which nothing has changed, one feed, and fifty.

usage: many_feeds.py TAMIS [--feeds N] [--posts M]

Makes N feeds (2000) of M posts (50), the same in every run, and builds a site of them in a folder in memory where there is one.
Prints CPU (user and system) with its share of the cold build, peak memory and files written of each build, and in the end what site
and archive take up a post. Nothing is judged; a build that fails ends the run.
"""
import argparse
import datetime
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

SYLLABLES = "ba de fi go lu ma ne pi ro su ta ve wi zo kra ble dri flo gru sta tre pli quo sno".split()
LENGTHS = [40, 80, 120, 200, 320]
FIRST_DAY = datetime.datetime(2016, 1, 1, tzinfo=datetime.timezone.utc)
FILES_WRITTEN = re.compile(r"(\d+) files? written")


def vocabulary(chance, count):
    """Words of this file's own."""
    return ["".join(chance.choices(SYLLABLES, k=chance.choice([1, 2, 2, 3, 4]))) for _ in range(count)]


class Feeds:
    """Feeds of posts that follow from their numbers."""

    def __init__(self, folder, feeds, posts):
        self.folder, self.posts = folder, [list(range(posts)) for _ in range(feeds)]
        chance = random.Random("many feeds")
        self.words, self.tags = vocabulary(chance, 6000), vocabulary(chance, 400)
        folder.mkdir()
        for feed in range(feeds):
            self.write(feed)

    def add_post(self, feed):
        self.posts[feed].insert(0, max(self.posts[feed], default=-1) + 1)
        self.write(feed)

    def write(self, feed):
        items = "".join(self.item(feed, number) for number in reversed(sorted(self.posts[feed])))
        (self.folder / f"feed{feed:06}.xml").write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>{self.words[feed % 6000]} {feed}</title>'
            f"<link>https://blog{feed}.example/</link><description>About {self.words[feed * 7 % 6000]}</description>\n"
            f"{items}</channel></rss>\n", encoding="utf-8")

    def item(self, feed, number):
        chance = random.Random(f"{feed} {number}")
        link = f"https://blog{feed}.example/posts/{number}"
        title = " ".join(chance.choices(self.words, k=chance.randrange(3, 9))).capitalize()
        day = FIRST_DAY + datetime.timedelta(days=number * 3500 // 60, seconds=chance.randrange(86_400))
        tags = "".join(f"<category>{chance.choice(self.tags)}</category>" for _ in range(chance.randrange(4)))
        return (f'<item><title>{title}</title><link>{link}</link><guid isPermaLink="true">{link}</guid>'
                f"<pubDate>{day.strftime('%a, %d %b %Y %H:%M:%S +0000')}</pubDate>{tags}"
                f"<description><![CDATA[{self.body(chance, link)}]]></description></item>\n")

    def body(self, chance, link):
        words = chance.choices(self.words, k=chance.choice(LENGTHS))
        paragraphs = [words[start:start + 40] for start in range(0, len(words), 40)]
        html = "".join(f"<p>{' '.join(part[:-1])} <em>{part[-1]}</em>.</p>" for part in paragraphs)
        picture = f'<p><img src="{link}.jpg" alt="{words[0]}" width="640" height="480"></p>' if chance.random() < 0.4 else ""
        return f'{picture}{html}<p><a href="{link}/more">{words[-1]}</a></p>'


class Bench:
    def __init__(self, tamis, folder):
        self.tamis, self.folder, self.cold = tamis, folder, None

    def build(self, name):
        """Runs a build, and prints what it cost; wait4 answers for that process alone."""
        with open(self.folder / "messages", "wb") as messages:
            process = subprocess.Popen([self.tamis, "build", "feeds", "--output", "site", "--title", "Many", "--reproducible"],
                                       cwd=self.folder, stdout=messages, stderr=messages)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        text = (self.folder / "messages").read_text(encoding="utf-8", errors="replace")
        if process.returncode != 0:
            sys.exit(f"{name}: exit code {process.returncode}\n{text[-2000:]}")
        found = FILES_WRITTEN.search(text)
        cpu = usage.ru_utime + usage.ru_stime
        self.cold = self.cold or cpu
        # Kilobytes on Linux, bytes on macOS.
        peak = usage.ru_maxrss / (1024 ** 2 if sys.platform == "darwin" else 1024)
        print(f"{name:<24}{cpu:>9.2f} s {100 * cpu / self.cold:>7.2f} % {peak:>8.0f} MB {int(found[1]) if found else 0:>9}", flush=True)


def size(path):
    """Bytes of a file, or of all files in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("--feeds", type=int, default=2000)
    parser.add_argument("--posts", type=int, default=50)
    options = parser.parse_args()
    if options.feeds < 1 or options.posts < 1:
        parser.error("there must be a feed with a post")
    memory = pathlib.Path("/dev/shm")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-bench-", dir=memory if os.access(memory, os.W_OK) else None))
    try:
        feeds = Feeds(folder / "feeds", options.feeds, options.posts)
        bench = Bench(str(pathlib.Path(options.tamis).resolve()), folder)
        print(f"{options.feeds} feeds of {options.posts} posts, {size(folder / 'feeds') / 1e6:.0f} MB")
        print(f"{'build':<24}{'CPU':>11} {'of cold':>9} {'peak':>11} {'written':>9}")
        bench.build("cold")
        bench.build("nothing changed")
        for changed in sorted({1, min(50, options.feeds)}):
            for number in range(changed):
                feeds.add_post(number * options.feeds // changed)
            bench.build("one feed changed" if changed == 1 else f"{changed} feeds changed")
        posts = sum(map(len, feeds.posts))
        for name in ("site", "site.archive"):
            print(f"{name}: {size(folder / name) / 1e6:.1f} MB, {size(folder / name) / posts / 1000:.2f} KB a post")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
