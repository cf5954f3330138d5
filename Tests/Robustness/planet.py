#!/usr/bin/env python3
"""Do what docs/quick-start.md says in "A planet in five minutes", word by word, against a server on this machine, and what follows.

usage: planet.py TAMIS

Only the hosts are others: those of the page's addresses stand for 127.0.0.2 and on, which is what "fetch: allow" is for. A line is
printed for each deviation; exit code 1 when there is one. Needs Linux, whose loopback has all of 127.0.0.0/8.
"""
import gzip
import hashlib
import http.server
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOSTS = {"example.org": "127.0.0.2", "example.net": "127.0.0.3", "example.com": "127.0.0.4"}
ALLOW = "fetch: {allow: [127.0.0.0/8], delay: 0s}\n"


def rss(name, posts):
    items = "".join(f"<item><title>{post}</title><guid isPermaLink='false'>{name} {post}</guid><link>http://{name}/{post}</link>"
                    f"<description>Words of {post}.</description></item>" for post in posts)
    return f"<rss version='2.0'><channel><title>{name}</title><link>http://{name}/</link>{items}</channel></rss>"


def atom(name, posts):
    entries = "".join(f"<entry><id>tag:{name},2026:{post}</id><title>{post}</title><link href='http://{name}/{post}'/>"
                      "<updated>2026-01-01T00:00:00Z</updated></entry>" for post in posts)
    return f"<feed xmlns='http://www.w3.org/2005/Atom'><id>tag:{name},2026:x</id><title>{name}</title>{entries}</feed>"


class Server:
    """What stands at `HOST/PATH`, answered on condition; `asked` says what was, and how many bytes of body went out."""

    def __init__(self):
        self.pages, self.asked, self.pause = {}, [], 0.0
        self.servers, port = [], 0
        for address in HOSTS.values():
            server = http.server.ThreadingHTTPServer((address, port), self.handler(address))
            port = server.server_address[1]
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.servers.append(server)
        self.port = port

    def handler(outer, host):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                time.sleep(outer.pause)
                body = outer.pages.get(host + self.path)
                status = 404 if body is None else 500 if body == "broken" else 200
                data = b"" if status != 200 else body.encode()
                tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
                if status == 200 and self.headers.get("If-None-Match") == tag:
                    status, data = 304, b""
                outer.asked.append((host + self.path, status, len(data)))
                self.send_response(status)
                if status in (200, 304):
                    self.send_header("ETag", tag)
                if status != 304:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass
        return Handler

    def take(self):
        asked, self.asked = self.asked, []
        return asked

    def here(self, text):
        """A text with the hosts of the page replaced by those of this server."""
        for name, address in HOSTS.items():
            text = text.replace(f"https://{name}/", f"http://{address}:{self.port}/")
        return text


class Trial:
    def __init__(self, tamis, folder):
        self.folder, self.problems, self.server = folder, [], Server()
        (folder / "bin").mkdir()
        (folder / "bin" / "tamis").symlink_to(tamis)
        clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        self.environment = clean | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(folder)}
        self.server.pages = {
            "127.0.0.2/": "<title>Org</title><link rel=alternate type=application/rss+xml href=feed.xml>",
            "127.0.0.2/feed.xml": rss("org.example", ["One", "Two"]), "127.0.0.3/atom.xml": atom("net.example", ["Three"]),
            "127.0.0.4/rss": rss("com.example", ["Four"])}

    def expect(self, holds, text):
        if not holds:
            self.problems.append(text)

    def start(self, command, folder):
        return subprocess.Popen(["sh", "-c", command], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, command, folder, code=0, says=""):
        process = self.start(command, folder)
        try:
            said = process.communicate(timeout=120)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[0]
            self.problems.append(f"{command}: it takes more than two minutes")
        self.expect(process.returncode == code, f"{command}: exit code {process.returncode} instead of {code}: {said[-300:]}")
        self.expect(says in said, f"{command}: '{says}' is not said: {said[-300:]}")
        return said

    def status(self, folder):
        path = folder / "site" / "status.json"
        feeds = json.loads(path.read_text(encoding="utf-8"))["feeds"] if path.is_file() else []
        return {feed["title"]: feed for feed in feeds}

    # MARK: - Parts

    def five_minutes(self, commands):
        """The commands of the page, in order; answers the planet's folder."""
        planet = self.folder / "planet"
        for command in commands:
            if command.startswith(("sudo ", "xdg-open ")):
                continue
            if command == "mkdir planet && cd planet":
                planet.mkdir()
                continue
            if command.startswith("*/15 "):
                self.server.take()
                self.run(command.split(None, 5)[5], self.folder)
                self.expect(not self.server.take(), "the run of cron asks for feeds that are not due")
                self.expect("3 not due" in (planet / "build.log").read_text(encoding="utf-8"), "build.log does not say that nothing is due")
                continue
            self.run(self.server.here(command), planet)
            if command.startswith("tamis init"):
                with open(planet / "tamis.yaml", "a", encoding="utf-8") as file:
                    file.write(ALLOW)
        listed = self.run("tamis list", planet).splitlines()
        self.expect(len(listed) == 3 and listed[0].endswith("\tNews") and "/feed.xml" in listed[0], f"tamis list says {listed}")
        self.expect((planet / "site" / "index.html").read_text(encoding="utf-8").count("Planet Fog") > 0, "the site has another name")
        for page in ("categories/news.html", "feeds.opml", "status.html", "atom.xml"):
            self.expect((planet / "site" / page).is_file(), f"there is no {page}")
        self.expect(len(list((planet / "site" / "posts").rglob("*.html"))) == 4, "there are not four posts")
        return planet

    def later(self, planet):
        """What comes after the first build."""
        feeds = self.status(planet)
        self.expect({title: feed["state"] for title, feed in feeds.items()} ==
                    {"org.example": "ok", "net.example": "ok", "com.example": "ok"}, f"status.json says {feeds}")
        self.expect(all(feed["next"] > feed["asked"] and feed["posts"] for feed in feeds.values()), f"status.json says {feeds}")
        # How fetching went is said on these pages, and differs with each look.
        before = {path: path.read_bytes() for path in (planet / "site").rglob("*")
                  if path.is_file() and not path.name.startswith("status")}
        self.server.take()
        self.run("tamis build --now", planet, says="3 not modified")
        asked = self.server.take()
        self.expect([status for _, status, _ in asked] == [304] * 3 and not sum(size for _, _, size in asked),
                    f"a build of what is unchanged transfers {asked}")
        changed = [path.name for path, content in before.items() if path.read_bytes() != content]
        self.expect(not changed, f"a build of what is unchanged changes {changed}")
        self.run("tamis build --check", planet)
        self.expect(not self.server.take(), "a rehearsal asks for feeds")
        page, self.server.pages["127.0.0.3/atom.xml"] = self.server.pages["127.0.0.3/atom.xml"], "broken"
        self.run("tamis build --now", planet, code=1, says="[fetch.http]")
        feed = self.status(planet)["net.example"]
        self.expect((feed["state"], feed["status"], feed["failures"], feed["posts"]) == ("failed", 500, 1, 1), f"status.json says {feed}")
        self.server.pages["127.0.0.3/atom.xml"] = page
        self.server.pages["127.0.0.4/rss"] = rss("com.example", ["Five", "Four"])
        self.run("tamis build --now", planet, says="1 new post")
        self.expect(self.status(planet)["net.example"]["state"] == "ok", "a feed that is well again is not ok")
        self.run(self.server.here("tamis remove https://example.com/rss"), planet)
        self.run("tamis build", planet)
        self.expect("com.example" not in self.status(planet), "a feed that was removed is still there")

    def exit_codes(self, planet):
        empty = self.folder / "empty"
        empty.mkdir()
        self.run("tamis build", empty, code=2, says="tamis init")
        self.run("tamis build --config tamis.yaml", empty, code=65, says="tamis init")
        self.run("tamis add https://example.org/", empty, code=65, says="tamis init")
        self.run("tamis init", planet, code=2, says="--force")
        self.run(self.server.here("tamis add https://example.org/nothing"), planet, code=65, says="[fetch.not-found]")
        self.run(f"tamis fetch http://127.0.0.2:{self.server.port}/feed.xml --into there", empty, code=65, says="[fetch.forbidden]")
        self.run(f"tamis fetch http://127.0.0.2:{self.server.port}/feed.xml --into there --allow 127.0.0.2", empty)
        (empty / "wrong.yaml").write_text("feds:\n  - https://example.org/\n", encoding="utf-8")
        self.run("tamis config check wrong.yaml", empty, code=65, says="wrong.yaml:1:1: error: ")
        (empty / "file").write_text("x", encoding="utf-8")
        self.run(f"tamis build --config {shlex.quote(str(planet / 'tamis.yaml'))} --output file/site", empty, code=74)

    def from_others(self):
        """The configurations of other programs."""
        venus = ("[Planet]\nname = Planet Venus\nlink = https://planet.example/\noutput_dir = site\nfeed_timeout = 20\nexclude = sponsored\n"
                 "[https://example.org/feed.xml]\nname = Organ\n[https://example.net/atom.xml]\nname = Net\n")
        osmosfeed = "siteTitle: Osmos\nsources:\n  - href: https://example.org/feed.xml\n  - href: https://example.com/rss\n"
        for name, text, title in (("config.ini", venus, "Planet Venus"), ("osmosfeed.yaml", osmosfeed, "Osmos")):
            folder = self.folder / name.partition(".")[0]
            folder.mkdir()
            (folder / name).write_text(self.server.here(text), encoding="utf-8")
            self.run(f"tamis init --from {name}", folder, says="with 2 feeds")
            self.run("tamis config check", folder, says="no problems found")
            self.run("tamis build --allow 127.0.0.0/8 --set fetch.delay=0s", folder, says="2 fetched")
            self.expect(len(self.status(folder)) == 2, f"{name}: status.json has not two feeds")
            index = folder / "site" / "index.html"
            self.expect(index.is_file() and title in index.read_text(encoding="utf-8"), f"{name}: the site has another name")

    def examples(self):
        """The configurations that the documents show, with the files that they name."""
        (self.folder / "crawl.warc.gz").write_bytes(gzip.compress(b""))
        rules = re.findall(r"^```yaml\n(sites:\n.*?)^```", (ROOT / "docs/planet.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        self.expect(len(rules) == 1, f"docs/planet.md shows {len(rules)} files of site rules")
        (self.folder / "sites.yaml").write_text("".join(rules), encoding="utf-8")
        for document in ("docs/quick-start.md", "docs/planet.md"):
            text = (ROOT / document).read_text(encoding="utf-8")
            blocks = [block for block in re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if "feeds:" in block]
            self.expect(blocks, f"{document} shows no configuration")
            for block in blocks:
                (self.folder / "example.yaml").write_text(block, encoding="utf-8")
                # The program that the example names.
                (self.folder / "filter").touch()
                self.run("tamis config check example.yaml", self.folder, says="no problems found")

    def two_at_once(self, planet):
        self.server.pause = 1.0
        first = self.start("tamis build --now", planet)
        time.sleep(0.3)
        second = self.start("tamis build --now", planet)
        for name, process in (("first", first), ("second", second)):
            said = process.communicate(timeout=120)[0]
            waited = process.returncode == 0 or name == "second" and process.returncode == 74 and "another" in said
            self.expect(waited, f"two at once: the {name} ends with {process.returncode}: {said[-300:]}")
        self.server.pause = 0.0
        self.run("tamis archive verify --archive site.archive", planet)


def commands_of_the_page():
    text = (ROOT / "docs/quick-start.md").read_text(encoding="utf-8")
    section = text.partition("\n## A planet in five minutes\n")[2].partition("\n## ")[0]
    return [re.sub(r"\s{2,}#.*", "", line[4:]).rstrip() for line in section.splitlines() if line.startswith("    ")]


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-planet-"))
    try:
        trial = Trial(pathlib.Path(sys.argv[1]).resolve(), folder)
        commands = commands_of_the_page()
        planet = trial.five_minutes(commands)
        trial.later(planet)
        trial.exit_codes(planet)
        trial.from_others()
        trial.examples()
        trial.two_at_once(planet)
        for problem in trial.problems:
            print(problem)
        print(f"{len(commands)} commands of docs/quick-start.md and what comes after them: {len(trial.problems)} deviations")
        return 1 if trial.problems else 0
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
