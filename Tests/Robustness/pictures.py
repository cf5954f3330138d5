"""Keeps pictures from a server on this machine that misbehaves: what is kept is a picture, nobody else is asked, kills lose nothing.

    pictures.py TAMIS [--kill N]
"""
import argparse
import hashlib
import http.server
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
import zlib

SERVER, TRAP = "127.0.0.1", "127.0.0.2"


def png(number, width=40, height=30):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes((number * 7 + x * y) % 256 for x in range(width * 3)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# What must not be kept, by the name that a post gives it.
HOSTILE = {
    "page.png": b"<!DOCTYPE html><script>alert(1)</script>", "drawing.png": b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
    "cut.png": png(0)[:20], "empty.png": b"", "pixel.png": png(0, 1, 1),
    "bomb.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 100_000, 100_000) + b"\x08\x02\0\0\0\0\0\0\0",
}


class Handler(http.server.BaseHTTPRequestHandler):
    asked, lock, pause = [], threading.Lock(), 0.0

    def do_GET(self):
        with self.lock:
            self.asked.append(self.path)
        name = self.path.lstrip("/")
        if name == "away.png":
            return self.answer(302, b"", ("Location", f"http://{TRAP}:{self.server.server_port}/secret.png"))
        if name == "endless.png":
            return self.endless()
        if name == "missing.png":
            return self.answer(404, png(1))
        time.sleep(self.pause)
        self.answer(200, HOSTILE[name] if name in HOSTILE else png(int(name.split(".")[0])))

    def answer(self, status, body, *fields):
        self.send_response(status)
        for name, value in (("Content-Type", "image/png"), ("Content-Length", str(len(body))), *fields):
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # Who asked was killed, or refused the head.

    def endless(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        try:
            self.wfile.write(png(0))
            while True:
                self.wfile.write(b"\0" * 65536)
        except OSError:
            pass

    def log_message(self, *_):
        pass


class Trap(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        Trap.asked.append(self.path)
        self.send_error(500)

    def log_message(self, *_):
        pass


def start(handler, host, port):
    server = http.server.ThreadingHTTPServer((host, port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def write(folder, base, names):
    items = "".join(f"<item><guid>{name}</guid><title>P {name}</title><description>Words. &lt;img src='{base}/{name}' alt='A'&gt;"
                    f"</description></item>" for name in names)
    (folder / "feed.xml").write_text(f"<rss version='2.0'><channel><title>F</title>{items}</channel></rss>")


def command(tamis, folder, *more):
    return [tamis, "build", str(folder / "feed.xml"), "--output", str(folder / "site"), "--pictures", "keep", "--offline", "--reproducible",
            "--allow", SERVER, "--set", "fetch.delay=0ms", "-v", *more]


def stored(folder):
    store = folder / "site.archive.pictures"
    return {path.name: path.read_bytes() for path in store.rglob("*") if path.is_file()}


def check(folder, expected, what):
    """The store and the site have these pictures, whole and named by what is in them, and nothing else."""
    wanted = {f"{hashlib.sha256(body).hexdigest()}.png": body for body in expected}
    assert stored(folder) == wanted, f"{what}: the store holds {sorted(stored(folder))}, not {sorted(wanted)}"
    site = {path.name: path.read_bytes() for path in (folder / "site" / "pictures").rglob("*") if path.is_file()}
    assert site == wanted, f"{what}: the site holds {sorted(site)}, not {sorted(wanted)}"
    shown = "".join(path.read_text() for path in (folder / "site" / "posts").rglob("*.html"))
    for name in wanted:
        assert name in shown, f"{what}: no page shows {name}"
    for page in (folder / "site").rglob("*.html"):
        assert "<img src=\"http" not in page.read_text(), f"{what}: {page} asks elsewhere"


def misbehaving(tamis, folder, base):
    good = [f"{number}.png" for number in range(8)]
    write(folder, base, good + [*HOSTILE, "away.png", "endless.png", "missing.png"])
    result = subprocess.run(command(tamis, folder), capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]
    check(folder, [png(number) for number in range(8)], "misbehaving")
    # One pixel is nothing that is missing.
    assert "8 pictures could not be fetched" in result.stderr, result.stderr[-2000:]
    assert not Trap.asked, f"the trap was asked for {Trap.asked}"
    Handler.asked.clear()
    subprocess.run(command(tamis, folder), capture_output=True, check=True)
    again = [name for name in Handler.asked if name.lstrip("/") in good]
    assert not again, f"asked again for {again}"
    write(folder, base, good[:3])
    subprocess.run(command(tamis, folder, "--set", "site.purge=now"), capture_output=True, check=True)
    print("pictures: 8 kept, 9 that misbehave refused, nobody else asked")


def kills(tamis, folder, base, count, seed):
    choice = random.Random(seed)
    names = [f"{number}.png" for number in range(100, 160)]
    write(folder, base, names)
    Handler.pause = 0.02
    for number in range(count):
        run = subprocess.Popen(command(tamis, folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(choice.uniform(0.01, 1.2))
        run.send_signal(signal.SIGKILL)
        run.wait()
        for name, body in stored(folder).items():
            if ".part" not in name:
                assert name.split(".")[0] == hashlib.sha256(body).hexdigest(), f"kill {number}: {name} is not whole"
        if choice.random() < 0.2:
            shutil.rmtree(folder / "site", ignore_errors=True)
    Handler.pause = 0
    for _ in range(2):
        subprocess.run(command(tamis, folder), capture_output=True, check=True)
    check(folder, [png(int(name.split(".")[0])) for name in names], "kills")
    print(f"pictures: {count} kills, {len(names)} pictures whole")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tamis")
    parser.add_argument("--kill", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tamis = os.path.abspath(options.tamis)
    server = start(Handler, SERVER, 0)
    start(Trap, TRAP, server.server_port)
    base = f"http://{SERVER}:{server.server_port}"
    for number, check_one in enumerate([lambda folder: misbehaving(tamis, folder, base),
                                        lambda folder: kills(tamis, folder, base, options.kill, options.seed)]):
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"tamis-pictures-{number}-"))
        try:
            check_one(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
