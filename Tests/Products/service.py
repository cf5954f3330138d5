"""Builds a server that sanitizes comments, as a stranger's package would be, and asks it.

    service.py SCRATCH [--load REQUESTS]

Without --load, answers are compared with what they must be, for many requests at once and for bad ones. With it, the server is built
with optimization, and the processor time of a request to sanitize is compared with that of one to an endpoint that returns what it got;
memory is measured before and after.
"""
import argparse
import asyncio
import os
import pathlib
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
COMMENTS = [
    ("<p>Hello <b>world</b><script>alert(1)</script>", "<p>Hello <b>world</b></p>"),
    ('<a href="https://e.example/" onclick="x()">e</a>', '<a href="https://e.example/" rel="noopener noreferrer nofollow" target="_blank">e</a>'),
    ('<img src="https://e.example/a.png" alt="a"><img src="http://e.example/b.png" alt="b">',
     '<img alt="a" referrerpolicy="no-referrer" src="https://proxy.example/?u=https%3A%2F%2Fe.example%2Fa.png" /><img alt="b" referrerpolicy="no-referrer" />'),
    ("1 < 2 & 3", "1 &lt; 2 &amp; 3"),
    ("", ""),
    ("\ufeff\x00\x01<p>é", None),
]
BODY = ("<p>A comment with <b>some</b> formatting, a <a href='https://e.example/page?id=1'>link</a>, and a list:</p>"
        "<ul><li>one</li><li>two</li></ul><blockquote>What somebody else has said, in some words.</blockquote>" * 4)


def build(scratch, mode):
    command = ["swift", "build", "--package-path", HERE / "Service", "--scratch-path", scratch, "-c", mode, "--product", "Service"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-4000:] + done.stderr[-4000:])
    return next(scratch.glob(f"*/{mode}/Service"))


class Server:
    def __init__(self, binary):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen([binary, str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("the server does not answer")

    def stop(self):
        self.process.terminate()
        self.process.wait()

    @property
    def seconds(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self):
        """Resident megabytes."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    async def client(self, path, bodies):
        """Sends requests on one connection, one after the other; returns the answers."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        answers = []
        for body in bodies:
            writer.write(f"POST /{path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.split("content-length:")[1].split("\r\n")[0])
            answers.append((int(head.split()[1]), await reader.readexactly(length)))
        writer.close()
        return answers

    def ask(self, path, bodies, connections=16):
        async def all_clients():
            return await asyncio.gather(*(self.client(path, bodies) for _ in range(connections)))

        return asyncio.run(all_clients())


def check(server):
    faults = []
    bodies = [given.encode() for given, _ in COMMENTS] * 20
    expected = [wanted for _, wanted in COMMENTS] * 20
    for answers in server.ask("comments", bodies):
        for (status, answer), wanted, body in zip(answers, expected, bodies):
            if status != 200 or wanted is not None and answer.decode() != wanted:
                faults.append(f"{body}: {status} {answer}")
    # Bytes that are no UTF-8 are an answer, and a body beyond the bound is refused.
    [[(status, answer)]] = server.ask("comments", [b"<b>\xff\xfe</b>"], connections=1)
    if status != 200 or "<b>" not in answer.decode():
        faults.append(f"bytes that are no UTF-8: {status} {answer}")
    [[(status, _)]] = server.ask("comments", [b"x" * (1 << 20) + b"x"], connections=1)
    if status != 413:
        faults.append(f"a body of more than 1 MB: {status}")
    print("\n".join(faults[:10]) if faults else f"{16 * len(bodies)} comments sanitized, bad requests answered")
    sys.exit(1 if faults else 0)


def measure(server, requests):
    costs = {}
    for path in ["echo", "comments"]:
        server.ask(path, [BODY.encode()] * 100)
        before, memory = server.seconds, server.memory
        server.ask(path, [BODY.encode()] * (requests // 16))
        costs[path] = (server.seconds - before) / requests * 1e6
        print(f"{path}: {costs[path]:.0f} us of processor time a request of {len(BODY)} bytes; {memory:.1f} MB before, {server.memory:.1f} MB after")
    print(f"an echo costs {costs['echo'] / costs['comments']:.0%} of a sanitized comment")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scratch")
    parser.add_argument("--load", type=int, metavar="REQUESTS")
    options = parser.parse_args()
    server = Server(build(pathlib.Path(options.scratch).resolve(), "release" if options.load else "debug"))
    try:
        measure(server, options.load) if options.load else check(server)
    finally:
        server.stop()


main()
