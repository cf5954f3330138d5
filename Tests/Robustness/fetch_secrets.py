"""Builds feeds behind logins from servers on this machine: who gets what, compared with curl, and that no file and no message has a secret.

    fetch_secrets.py TAMIS
"""
import base64
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from misbehaving_server import Certificates

HOME, OTHER, SECURE = "127.0.0.1", "127.0.0.2", "127.0.0.3"
# A password with what JSON, HTML, YAML and addresses escape, a session and a token; none of them is anywhere else.
SECRETS = {"PAPER": 'p&ss<w0rd>:"\\é%41', "SESSION": "c0okie-4711", "TOKEN": "Bearer t0ken/4712==", "UNUSED": "nev3r-sent"}
USER = "ann"
SENT = {
    "authorization": "Basic " + base64.b64encode(f"{USER}:{SECRETS['PAPER']}".encode()).decode(),
    "cookie": f"consent=yes; session={SECRETS['SESSION']}", "x-token": SECRETS["TOKEN"], "accept-language": "de",
    "user-agent": "Fog/1.0",
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version, asked, lock, places = "HTTP/1.1", [], threading.Lock(), {}

    def do_GET(self):
        host, port = self.server.server_address
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.lock:
            self.asked.append((host, port, self.path, headers))
        kind, _, rest = self.path.strip("/").partition("/")
        if kind == "to":
            # /to/OTHER/feed/x leads to /feed/x at a place; what follows may lead on.
            place, _, path = rest.partition("/")
            return self.answer(302, b"", ("Location", f"{self.places[place]}/{path}"))
        if kind == "closed" and headers.get("authorization") != SENT["authorization"]:
            return self.answer(401, b"", ("WWW-Authenticate", 'Basic realm="x"'))
        if kind in ("feed", "closed"):
            return self.answer(200, self.feed(self.path).encode(), ("Set-Cookie", f"session={SECRETS['SESSION']}; Path=/"))
        self.answer(200, f"<html><body><article><p>{'An article of many words. ' * 80}</p></article></body></html>".encode())

    def feed(self, name):
        links = [f"{self.places['home']}/page{name}", f"{self.places['other']}/page{name}"]
        items = "".join(f"<item><title>T {link}</title><link>{link}</link><description>More [&#8230;] &lt;img src='{link}.png'&gt;"
                        "</description></item>" for link in links)
        return f"<rss version='2.0'><channel><title>F {name}</title>{items}</channel></rss>"

    def answer(self, status, body, *fields):
        self.send_response(status)
        for field in (("Content-Length", str(len(body))), *fields):
            self.send_header(*field)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def start(host, port=0, context=None):
    server = http.server.ThreadingHTTPServer((host, port), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def take():
    with Handler.lock:
        asked = list(Handler.asked)
        Handler.asked.clear()
    return asked


# What is subscribed to, at which place, and whether it comes.
FEEDS = [("home", "closed/plain", True), ("home", "to/home/closed/same", True), ("home", "to/other/feed/host", True),
         ("home", "to/port/feed/port", True), ("home", "to/other/to/home/closed/back", True), ("home", "to/other/closed/lost", False),
         ("secure", "closed/secure", True), ("secure", "to/home/feed/down", False), ("home", "to/secure/feed/up", True)]


def configuration(places):
    settings = ("    user-agent: Fog/1.0\n    login: {user: ann, password: {secret: PAPER}}\n"
                "    headers: {Accept-Language: de, X-Token: {secret: TOKEN}}\n"
                "    cookies: {consent: yes, session: {secret: SESSION}}\n")
    feeds = "".join(f"  - address: {places[place]}/{path}\n    full-text: yes\n{settings}" for place, path, _ in FEEDS)
    missing = f"  - address: {places['home']}/feed/missing\n    login: {{user: ann, password: {{secret: MISSING}}}}\n"
    return ("site: {title: Fog, pictures: keep}\nfetch: {allow: [127.0.0.0/8], delay: 0s, secrets: ../kept/secrets}\n"
            f"filters: [{{program: {{command: [./environment.sh]}}}}]\nfeeds:\n{feeds}{missing}  - {places['home']}/feed/open\n")


def forms(secret):
    """A secret as it might be written somewhere."""
    raw = secret.encode()
    yield raw
    yield json.dumps(secret)[1:-1].encode()
    yield urllib.parse.quote(secret).encode()
    yield raw.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;").replace(b'"', b"&quot;")
    for before in (b"", b"x", b"xx", f"{USER}:".encode()):
        # Base64 of what has the secret inside, without the letters that depend on its neighbors.
        yield base64.b64encode(before + raw)[4 * ((len(before) + 2) // 3):-4]


def leaks(folder, said):
    texts = {"what was said": said}
    texts |= {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for name, text in texts.items():
        for secret, value in SECRETS.items():
            if any(form in text for form in forms(value)):
                yield f"{name} has the secret {secret}"


def curl_sends(url, authority):
    """The servers to which curl gives the login, of those to which redirects lead it."""
    take()
    subprocess.run(["curl", "-sL", "--noproxy", "*", "--cacert", authority, "-u", f"{USER}:{SECRETS['PAPER']}", "-o", os.devnull, url], check=False)
    return {(host, port) for host, port, _, headers in take() if "authorization" in headers}


def judge(asked, places):
    """What is wrong with requests: whose they are is in the last part of their paths."""
    origins = {place: urllib.parse.urlsplit(address) for place, address in places.items()}
    servers = {place: (origin.hostname, origin.port) for place, origin in origins.items()}
    homes = {path.rpartition("/")[2]: servers[place] for place, path, _ in FEEDS}
    for host, port, path, headers in asked:
        name = path.rpartition("/")[2]
        # A picture has another name, and is nobody's.
        mine = (host, port) == homes.get(name)
        for field, value in SENT.items():
            given = headers.get(field, "").encode("latin-1").decode("utf-8", "replace")
            if mine and given != value:
                yield f"{host}:{port}{path}: {field} is {given!r}"
            if not mine and given == value or not mine and field in ("authorization", "cookie", "x-token") and given:
                yield f"{host}:{port}{path}: {field} was given away"


def inside(tamis, work, home, environment):
    """A password in the address of a feed is in the configuration alone; secrets in the folder of the site are refused."""
    work.mkdir()
    login = f"{USER}:{urllib.parse.quote(SECRETS['PAPER'], safe='')}"
    address = home.replace("//", f"//{login}@") + "/closed/address"
    (work / "tamis.yaml").write_text(f"fetch: {{allow: [127.0.0.0/8], delay: 0s}}\nfeeds: ['{address}', '{address}x']\n")
    take()
    done = subprocess.run([tamis, "build", "-v"], cwd=work, env=environment, capture_output=True, timeout=120)
    if [headers.get("authorization") for _, _, path, headers in take() if path.startswith("/closed")] != [SENT["authorization"]] * 2:
        yield f"the login in the address was not sent: {done.stderr.decode(errors='replace')[-1000:]}"
    (work / "tamis.yaml").unlink()
    yield from leaks(work, done.stdout + done.stderr)
    (work / "site" / "secrets").write_text("A=b\n")
    done = subprocess.run([tamis, "build", f"{home}/feed/open", "--output", "site", "--set", "fetch.secrets=site/secrets", "--allow", HOME], cwd=work,
                          env=environment, capture_output=True, timeout=120)
    if done.returncode != 65 or b"would be published" not in done.stderr:
        yield f"secrets in the folder of the site are taken: {done.stderr[-500:]}"


def trial(tamis, folder):
    work, kept = folder / "work", folder / "kept"
    work.mkdir()
    kept.mkdir()
    certificates = Certificates(kept)
    port = start(HOME)
    start(OTHER, port)
    secure = start(SECURE, 0, certificates.context("good", SECURE))
    places = Handler.places
    places |= {"home": f"http://{HOME}:{port}", "other": f"http://{OTHER}:{port}", "port": f"http://{HOME}:{start(HOME)}",
               "secure": f"https://{SECURE}:{secure}"}
    (kept / "secrets").write_text(f"SESSION={SECRETS['SESSION']}\nTOKEN={SECRETS['TOKEN']}\nPAPER=is in the environment\n")
    (work / "tamis.yaml").write_text(configuration(places))
    (work / "environment.sh").write_text("#!/bin/sh\nenv >> environment.txt\ncat\n")
    (work / "environment.sh").chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    environment |= {"SSL_CERT_FILE": str(certificates.authority), "TAMIS_SECRET_PAPER": SECRETS["PAPER"], "TAMIS_SECRET_UNUSED": SECRETS["UNUSED"]}

    said = b""

    def run(*arguments):
        nonlocal said
        done = subprocess.run([tamis, *arguments], cwd=work, env=environment, capture_output=True, timeout=120)
        said += done.stdout + done.stderr
        return (done.stdout + done.stderr).decode(errors="replace")

    take()
    built = run("build", "-v", "--report", "report.jsonl")
    asked = take()
    yield from judge(asked, places)
    failed = [f"{places[place]}/{path}" for place, path, comes in FEEDS if not comes]
    for address in [*failed, f"{places['home']}/feed/missing"]:
        if f"{address}: error" not in built:
            yield f"{address}: no error is told: {built[-2000:]}"
    came = {path for place, path, comes in FEEDS if comes and f"{places[place]}/{path}: error" not in built}
    if came != {path for _, path, comes in FEEDS if comes}:
        yield f"only {sorted(came)} came: {built[-2000:]}"
    for words in ("'MISSING', which line 60", "TAMIS_SECRET_MISSING", "chmod 600", "for this address are sent unencrypted", "is for http"):
        if words not in built:
            yield f"{words!r} is not said: {built[-2000:]}"
    if any(path == "/feed/missing" for _, _, path, _ in asked):
        yield "the feed without its secret was asked for"
    run("fetch", "--config", "tamis.yaml", "--into", "feeds", "--report", "fetched.jsonl")
    yield from judge(take(), places)
    for command in (["list", "--json"], ["list", "--opml"], ["status"], ["config", "check"], ["build", "--now"],
                    ["build", "--check"], ["init", "--from", "tamis.yaml", "--config", "copy.yaml", "-v"]):
        run(*command)
    yield from judge(take(), places)
    if "TAMIS_SECRET" in (work / "environment.txt").read_text():
        yield "a program got the secrets"
    if "secret:" in (work / "copy.yaml").read_text().replace("# ", "#").split("\nfeeds:")[-1]:
        yield "a configuration of somebody else decides where secrets go"
    if b"MISSING" in b"".join(path.read_bytes() for path in (work / "site").rglob("*.html")):
        yield "a page names a secret"
    yield from leaks(work, said)
    yield from inside(tamis, folder / "inside", places["home"], environment)
    for place, path, comes in FEEDS:
        url = f"{places[place]}/{path}"
        ours = {(host, port) for host, port, where, headers in asked
                if "authorization" in headers and where.rpartition("/")[2] == path.rpartition("/")[2] and not where.startswith("/page")}
        if ours != curl_sends(url, str(certificates.authority)) and comes:
            yield f"{url}: the login went to {sorted(ours)}, and by curl elsewhere"
    print(f"{len(FEEDS)} feeds behind logins, {len(asked)} requests in the first build")


def main():
    with tempfile.TemporaryDirectory(prefix="secrets-") as name:
        problems = list(trial(os.path.abspath(sys.argv[1]), pathlib.Path(name)))
    for problem in problems:
        print(f"BAD {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
