#!/usr/bin/env python3
"""Lead an archive through random sequences of changes and see that the site stays a function of it.

usage: sequences.py TAMIS [COUNT] [SEED] [--steps N] [--keep FOLDER]

COUNT sequences (20), each of some feeds that get, change, lose, copy and swap posts, are cut off, vanish and come back, with other
options, themes and rules from build to build, posts that are read and forgotten, and runs that are killed. After each build the
site is compared, byte for byte, with one that is published from the same archive into an empty folder; the archive is verified; and
in the end the feeds are read into archives of their own, which are joined in two orders and bracketings. Exit code 0 when all is
the same.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

WORDS = "harbour lantern thistle copper willow ember quarry saddle meadow pepper canvas orchard violet anchor barley cinder".split()


class Post:
    def __init__(self, chance, number):
        self.id, self.title = f"id-{number}", f"{chance.choice(WORDS).title()} {chance.choice(WORDS)} {number}"
        self.words = [chance.choice(WORDS) + str(chance.randrange(400)) for _ in range(chance.choice([5, 60, 90]))]
        self.date = None if chance.random() < 0.1 else chance.randrange(1_600_000_000, 1_800_000_000)
        self.tags = chance.sample(["Sea", "sea", "Land", "C++", "Éclair", "北京", "Rare %d" % chance.randrange(9)], chance.randrange(4))
        self.link = f"https://site.example/{number}"

    def copy(self, chance):
        twin = Post(chance, chance.randrange(10 ** 6))
        twin.title, twin.words, twin.date, twin.tags = self.title, list(self.words), self.date, list(self.tags)
        twin.link = self.link if chance.random() < 0.5 else twin.link
        return twin

    def xml(self):
        date = "" if self.date is None else f"<dc:date>{stamp(self.date)}</dc:date>"
        tags = "".join(f"<category>{tag}</category>" for tag in self.tags)
        body = " ".join(self.words)
        return (f"<item><guid isPermaLink=\"false\">{self.id}</guid><title>{self.title}</title><link>{self.link}</link>{date}{tags}"
                f"<description>&lt;p&gt;{body}&lt;/p&gt;</description></item>")


def stamp(seconds):
    import datetime
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Feed:
    def __init__(self, name, chance):
        self.name, self.title, self.posts, self.state = name, name.title(), [], "whole"
        self.link = f"https://{name}.example/"
        self.posts = [Post(chance, chance.randrange(10 ** 6)) for _ in range(chance.randrange(0, 9))]

    def write(self, folder):
        path = folder / f"{self.name}.xml"
        if self.state == "gone":
            path.unlink(missing_ok=True)
            return
        text = (f'<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>{self.title}</title>'
                f"<link>{self.link}</link>" + "".join(post.xml() for post in self.posts) + "</channel></rss>")
        if self.state == "cut":
            text = text[:len(text) * 2 // 3]
        if self.state == "broken":
            text = "this is no feed"
        path.write_text(text, encoding="utf-8")


def change(feeds, chance):
    feed = chance.choice(feeds)
    feed.state = chance.choices(["whole", "cut", "gone", "broken"], [12, 1, 1, 1])[0]
    what = chance.randrange(12)
    if what <= 2 or not feed.posts:
        count = chance.choice([1, 1, 2, 70])
        feed.posts[:0] = [Post(chance, chance.randrange(10 ** 6)) for _ in range(count)]
    elif what == 3:
        feed.posts = feed.posts[:chance.randrange(len(feed.posts) + 1)]
    elif what == 4:
        del feed.posts[chance.randrange(len(feed.posts))]
    elif what == 5:
        post = chance.choice(feed.posts)
        post.words = [chance.choice(WORDS) for _ in post.words] if chance.random() < 0.5 else post.words[:-1] + ["edited"]
    elif what == 6:
        post = chance.choice(feed.posts)
        post.title, post.date = post.title + "!", chance.randrange(1_600_000_000, 1_800_000_000)
    elif what == 7:
        chance.choice(feed.posts).tags = chance.sample(["Sea", "Land", "Sky", "Rare 1"], 2)
    elif what == 8 and len(feed.posts) > 1:
        one, other = chance.sample(feed.posts, 2)
        one.id, other.id = other.id, one.id
    elif what == 9:
        chance.choice(feeds).posts.insert(0, chance.choice(feed.posts).copy(chance))
    elif what == 10:
        feed.title = feed.title + "x"
    else:
        chance.choice(feed.posts).link = f"https://site.example/moved{chance.randrange(1000)}"


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Run:
    def __init__(self, tamis, folder, chance):
        self.tamis, self.folder, self.chance, self.log = tamis, folder, chance, []
        self.site = ["--title", "A"]
        (folder / "feeds").mkdir()
        self.feeds = [Feed(name, chance) for name in chance.sample(WORDS, chance.randrange(2, 6))]
        for feed in self.feeds:
            feed.write(folder / "feeds")

    def tamis_run(self, *arguments, kill=None):
        self.log.append(" ".join(map(str, arguments)) + (f" # killed after {kill:.3f}" if kill else ""))
        process = subprocess.Popen([self.tamis, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = process.communicate(timeout=kill or 120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
        if process.returncode not in (0, 1, 65):
            raise AssertionError(f"exit code {process.returncode}: {errors.decode()[-500:]}")
        return output

    def step(self):
        chance = self.chance
        for _ in range(chance.randrange(4)):
            change(self.feeds, chance)
        for feed in self.feeds:
            feed.write(self.folder / "feeds")
        if chance.random() < 0.2:
            self.site = ["--title", chance.choice("AB"), "--theme", chance.choice(["default", "plain"]),
                         "--rules", chance.choice(["reading", "strict"])]
            self.site += chance.choice([[], ["--offline"], ["--set", "site.only-new=true"], ["--url", "https://x.example/"], ["--set", "site.tag-threshold=3"]])
        archive = ["--archive", "site.archive"]
        if chance.random() < 0.25 and (self.folder / "site.archive").exists():
            pages = [path.name for path in (self.folder / "site").glob("posts/*/*.html")]
            if pages:
                self.tamis_run("archive", chance.choice(["mark-read", "mark-read", "forget"]), *archive, chance.choice(pages))
        ingest = ["--reproducible"] + chance.choice([[], [], [], ["--set", "site.purge=now"], ["--set", "site.purge=1"], ["--report", "r.jsonl"]])
        build = ["build", "feeds", "--output", "site", *ingest, *self.site, "-j", chance.choice("12")]
        if chance.random() < 0.25:
            self.tamis_run(*build, kill=chance.random() * 0.12 + 0.01)
        if chance.random() < 0.15:
            self.tamis_run("ingest", "feeds", *archive, *ingest, *[o for o in self.site if False])
        self.tamis_run(*build)
        if not (self.folder / "site.archive").exists():
            return
        shutil.rmtree(self.folder / "fresh", ignore_errors=True)
        shutil.copy(self.folder / "site.archive", self.folder / "copy.archive")
        if not (self.folder / "site").exists():
            return
        self.tamis_run("publish", "--archive", "copy.archive", "--output", "fresh", *self.site)
        ours, fresh = files(self.folder / "site"), files(self.folder / "fresh")
        problems = [f"only in the site: {path}" for path in ours.keys() - fresh.keys()]
        problems += [f"missing in the site: {path}" for path in fresh.keys() - ours.keys()]
        problems += [f"another: {path}" for path in ours.keys() & fresh.keys() if ours[path] != fresh[path]]
        if problems:
            raise AssertionError("\n".join(sorted(problems)[:12]))
        verified = self.tamis_run("archive", "verify", "--archive", "copy.archive")
        if verified:
            raise AssertionError(verified.decode())

    def join(self):
        """Reads each feed by itself and joins the archives in two ways: the same as reading all at once."""
        names = sorted(path.name for path in (self.folder / "feeds").iterdir())
        for feed in self.feeds:
            if feed.state == "broken":
                feed.state = "gone"
                feed.write(self.folder / "feeds")
        names = sorted(path.name for path in (self.folder / "feeds").iterdir())
        if len(names) < 2:
            return
        self.tamis_run("ingest", "feeds", "--archive", "all.archive", "--reproducible")
        for name in names:
            self.tamis_run("ingest", f"feeds/{name}", "--archive", f"{name}.archive", "--reproducible")
        forward, backward = [f"{name}.archive" for name in names], [f"{name}.archive" for name in reversed(names)]
        for other in forward + forward[:1]:
            self.tamis_run("archive", "merge", "--archive", "one.archive", other)
        self.tamis_run("archive", "merge", "--archive", "half.archive", *backward[:len(backward) // 2 + 1])
        self.tamis_run("archive", "merge", "--archive", "two.archive", *backward[len(backward) // 2:])
        self.tamis_run("archive", "merge", "--archive", "two.archive", "half.archive")
        exports = [self.tamis_run("archive", "export", "--archive", name) for name in ("all.archive", "one.archive", "two.archive")]
        if exports[1] != exports[2]:
            raise AssertionError("joined in two orders, two exports")
        if exports[0] != exports[1]:
            raise AssertionError("joined, another export than read at once")
        sites = []
        for name in ("all.archive", "one.archive", "two.archive"):
            self.tamis_run("publish", "--archive", name, "--output", f"{name}.site", "--title", "A")
            sites.append(files(self.folder / f"{name}.site"))
        for number in (1, 2):
            if sites[0] != sites[number]:
                other = sorted(p for p in sites[0].keys() | sites[number].keys() if sites[0].get(p) != sites[number].get(p))
                raise AssertionError(f"joined, another site than read at once: {other[:5]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("count", nargs="?", type=int, default=20)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--keep", help="where the first sequence that fails is kept")
    options = parser.parse_args()
    tamis = str(pathlib.Path(options.tamis).resolve())
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        folder = pathlib.Path(tempfile.mkdtemp())
        run = Run(tamis, folder, random.Random(seed))
        try:
            for number in range(options.steps):
                run.step()
            run.join()
        except AssertionError as error:
            failed += 1
            print(f"sequence {seed}, step {number}: {error}\n  " + "\n  ".join(run.log[-4:]))
            if options.keep and failed == 1:
                shutil.copytree(folder, options.keep, dirs_exist_ok=True)
        shutil.rmtree(folder)
    print(f"{options.count} sequences of {options.steps} steps, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
