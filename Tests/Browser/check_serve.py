#!/usr/bin/env python3
"""Use `tamis serve` as its users would, in Chromium, and send it odd requests.

usage: check_serve.py TAMIS [--requests N] [--seed N]

A planet is built from a feed in a file. The page in the browser has to follow changes of the feed, of the configuration and of the theme; a mistake
in the configuration has to show its message; nothing may break the page's policy; no file on disk may have a script. Then N odd requests are sent
by plain sockets: methods, targets, hosts, header fields and bodies that no browser sends, cut off and slow ones among them. None may get a file from
outside of the site or a page by a name that is not this machine's, and the server has to answer a plain request afterwards.
"""
import argparse, os, pathlib, random, re, signal, socket, subprocess, sys, tempfile, threading, time
from playwright.sync_api import Error, sync_playwright

FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Fog</title><link>https://fog.example/</link>
<item><title>{title}</title><link>https://fog.example/1</link><guid>1</guid><pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate><description>Text.</description></item>
</channel></rss>"""
SECRET = "outside-of-the-site"
failures = []


def expect(holds, what):
    print(("ok    " if holds else "WRONG ") + what)
    if not holds: failures.append(what)


def raw(port, data, wait=2.0, pieces=1):
    """Sends bytes, in pieces with pauses, and returns what comes back."""
    answer = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=wait) as end:
            step = max(1, len(data) // pieces)
            for start in range(0, len(data), step):
                end.sendall(data[start:start + step])
                if pieces > 1: time.sleep(.01)
            end.shutdown(socket.SHUT_WR)
            while len(answer) < 1 << 20:
                piece = end.recv(1 << 16)
                if not piece: break
                answer += piece
    except OSError:
        pass
    return answer


def odd_requests(count, seed):
    """Requests of which some are nearly right; each with whether its host is trusted."""
    chance = random.Random(seed)
    targets = ["/", "/index.html", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/posts/../../secret.txt", "/link/secret.txt", "/link.txt", "//secret.txt",
               "/%00", "/index.html%00.txt", "/%", "/%f", "/%ff%fe", "/a\\..\\secret.txt", "\\secret.txt", "*", "", "http://evil.example/", "/.tamis/version", "/.git/config",
               "/" + "a" * 9000, "/" + "a/" * 4000, "/?" + "q" * 20000, "/\x01", "/posts", "/posts/", "/tamis.json", "/_headers", "/%e2%80%ae", "/index.html/", "/style.css;x"]
    hosts = ["127.0.0.1", "localhost", "[::1]", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "127.0.0.1@evil.example", "[::1", "localhost:x", "a" * 5000]
    methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "G" * 3000, "", "GET\x00", "PROPFIND"]
    for _ in range(count):
        host, target = chance.choice(hosts), chance.choice(targets)
        if chance.random() < .3: target = "/" + "".join(chance.choice("/.%2eE5c\\abc") for _ in range(chance.randrange(40)))
        fields = [f"Host: {host}"] * chance.choice([0, 1, 1, 1, 1, 2])
        fields += chance.choices(["Content-Length: 5", "Content-Length: -1", "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked", "Connection: close", "Expect: 100-continue",
                                  "Range: bytes=0-1,2-3", "Upgrade: websocket", "X: " + "y" * chance.choice([1, 40000]), "no colon", " folded", "Cookie: " + "a=b;" * 500], k=chance.randrange(3))
        line = f"{chance.choice(methods) if chance.random() < .4 else 'GET'} {target} {chance.choice(['HTTP/1.1'] * 6 + ['HTTP/1.0', 'HTTP/9.9', 'HTTP/2.0', ''])}"
        data = "\r\n".join([line, *fields, "", chance.choice(["", "", "hello", "5\r\nhello\r\n0\r\n\r\n"])]).encode("latin-1")
        kind = chance.random()
        if kind < .1: data = data[:chance.randrange(len(data) + 1)]
        elif kind < .15: data = chance.randbytes(chance.randrange(600))
        elif kind < .2: data = bytes(b if chance.random() > .03 else chance.randrange(256) for b in data)
        elif kind < .25: data = data.replace(b"\r\n", b"\n")
        yield data, host in ("127.0.0.1", "localhost", "[::1]")


def send_odd(port, count, seed):
    requests, lock, answers = list(odd_requests(count, seed)), threading.Lock(), {}
    leaks, strangers = [], []

    def work():
        while True:
            with lock:
                if not requests: return
                data, isTrusted = requests.pop()
            answer = raw(port, data, pieces=5 if len(requests) % 200 == 0 else 1)
            status = answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/") else "none"
            with lock:
                answers[status] = answers.get(status, 0) + 1
                if SECRET.encode() in answer: leaks.append(data)
                if not isTrusted and b"Host:" in data and data.count(b"Host: ") == 1 and status == "200" and b"Host: [::1]" not in data and not re.search(rb"Host: (127\.0\.0\.1|localhost)(:\d*)?[\r\n]", data):
                    strangers.append(data)

    workers = [threading.Thread(target=work) for _ in range(16)]
    for worker in workers: worker.start()
    for worker in workers: worker.join()
    print(f"      {count} odd requests: " + ", ".join(f"{number} {status}" for status, number in sorted(answers.items())))
    expect(not leaks, f"no file from outside of the site {leaks[:1]}")
    expect(not strangers, f"no page by another name {strangers[:1]}")
    expect(not {s for s in answers if s.startswith("5")} - {"501", "505"}, "no error of the server")


def memory(process):
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1])


def background(page):
    """The colour of the page; nothing while it loads itself again."""
    try: return page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
    except Error: return None


def browse(page, url, folder, problems):
    feed, configuration = folder / "feed.xml", folder / "tamis.yaml"
    page.goto(url)
    page.wait_for_selector("text=First title", timeout=20000)
    expect(True, "the page loads itself when the site is there")
    feed.write_text(FEED.format(title="Second title"))
    page.wait_for_selector("text=Second title", timeout=15000)
    expect(True, "the page follows the feed")
    configuration.write_text("site:\n  titel: Mine\nfeeds: [\n")
    page.wait_for_selector("text=The site cannot be built", timeout=15000)
    expect("tamis.yaml:" in page.inner_text("pre"), "a mistake is shown with its place: " + page.inner_text("pre").splitlines()[0][:100])
    configuration.write_text("site:\n  title: Mine\n  theme: theme\nfeeds: []\n")
    page.wait_for_selector("text=Second title", timeout=15000)
    expect(True, "the page comes back when the mistake is mended")
    (folder / "theme/style.css").write_text("body{background:rgb(1,2,3)}")
    # What Playwright waits for by a function is refused by the page's policy.
    for _ in range(50):
        page.wait_for_timeout(300)
        if background(page) == "rgb(1, 2, 3)": break
    expect(background(page) == "rgb(1, 2, 3)", "the page follows the theme")
    expect(not problems, f"nothing breaks the policy {problems[:2]}")
    scripts = [str(p) for p in (folder / "site").rglob("*.html") if b"<script" in p.read_bytes()]
    expect(not scripts, f"no page on disk has a script {scripts[:2]}")


def settles(tamis):
    """A site and an archive in the folder of the feeds are no reason to build again."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "feed.xml").write_text(FEED.format(title="First title"))
    server = subprocess.Popen([tamis, "serve", ".", "-o", "site", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    server.send_signal(signal.SIGINT)
    expect("is built again" not in server.communicate()[1], "what a build writes does not begin another")


def waits(tamis):
    """A configuration that is away for a moment, as when another branch is checked out, ends nothing."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "feed.xml").write_text(FEED.format(title="First title"))
    (folder / "tamis.yaml").write_text("site:\n  title: Mine\nfeeds: []\n")
    server = subprocess.Popen([tamis, "serve", "--port", "0"], cwd=folder, stderr=subprocess.DEVNULL)
    time.sleep(2)
    (folder / "tamis.yaml").rename(folder / "away.yaml")
    time.sleep(2)
    (folder / "away.yaml").rename(folder / "tamis.yaml")
    time.sleep(2)
    expect(server.poll() is None, "it waits for a configuration that is away")
    server.send_signal(signal.SIGINT)
    server.wait(10)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("tamis", type=os.path.abspath)
    options.add_argument("--requests", type=int, default=2000); options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "feed.xml").write_text(FEED.format(title="First title"))
    (folder / "tamis.yaml").write_text("site:\n  title: Mine\nfeeds: []\n")
    (folder / "secret.txt").write_text(SECRET)
    (folder / "theme").mkdir(); (folder / "theme/style.css").write_text("body{color:black}")
    server = subprocess.Popen([options.tamis, "serve", "feed.xml", "--config", "tamis.yaml", "--port", "0", "--reproducible"], cwd=folder, stderr=subprocess.PIPE, text=True)
    url = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stderr.readline())
    port = int(url[1])
    threading.Thread(target=lambda: [None for _ in server.stderr], daemon=True).start()
    try:
        with sync_playwright() as engines:
            browser = engines.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page, problems = browser.new_page(), []
            page.on("console", lambda message: problems.append(message.text) if "olicy" in message.text else None)
            browse(page, url[0], folder, problems)
            browser.close()
        (folder / "site/link.txt").symlink_to(folder / "secret.txt"); (folder / "site/link").symlink_to(folder)
        before = memory(server)
        send_odd(port, options.requests, options.seed)
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
        answer = raw(port, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        expect(answer.startswith(b"HTTP/1.1 200"), "a plain request is answered afterwards, beside 100 silent connections")
        for end in held: end.close()
        expect(memory(server) - before < 64 << 10, f"its memory stays small: {before >> 10} MB, then {memory(server) >> 10} MB")
        server.send_signal(signal.SIGINT)
        expect(server.wait(10) == 0, "Ctrl-C ends it")
    finally:
        server.kill()
    settles(options.tamis)
    waits(options.tamis)
    print(f"{len(failures)} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
