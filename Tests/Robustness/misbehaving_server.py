#!/usr/bin/env python3
"""A web server that misbehaves as it is told, byte by byte, and remembers who asked it what.

usage: misbehaving_server.py --self-test [--cases PATTERN]

A `Server` listens on addresses of 127.0.0.0/8, which Linux has all of; each has a site of its own. `Scripted` sites play steps: bytes,
answers, pauses, drips, what never ends, and ways to hang up. `Orderly` ones serve a folder of feeds as a good server does. All that
comes in is kept in memory: connections (`Visit`) and requests (`Request`). The self-test asks each case of fetch_cases.py over a plain
socket and with curl, and sees that it is produced as it is meant.
"""
import asyncio
import email.utils
import pathlib
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

HEAD_LIMIT = 1 << 18


class HungUp(Exception):
    """The steps have ended the connection."""


@dataclass
class Request:
    site: str
    round: int
    method: str
    target: str
    headers: list
    visit: "Visit"
    when: float
    answered: int = 0           # the status of what an orderly site sent
    head_bytes: int = 0
    body_bytes: int = 0

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name), None)


@dataclass
class Visit:
    """A connection."""
    site: str
    address: str
    port: int
    round: int
    opened: float
    reader: asyncio.StreamReader = field(repr=False)
    writer: asyncio.StreamWriter = field(repr=False)
    places: dict = field(repr=False)
    closed: float = 0
    sent: int = 0
    received: int = 0
    announced: int = 0          # bytes of bodies that had a right length
    asked: int = 0
    beyond: bytes = b""         # what came behind a request, and is none

    def fill(self, data):
        for name, value in self.places.items():
            data = data.replace(b"@" + name + b"@", value)
        return data

    async def send(self, data):
        self.writer.write(data)
        self.sent += len(data)
        await self.writer.drain()

    async def request(self, round_):
        """The next request's head, or nothing when the peer has gone."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            self.beyond += getattr(error, "partial", b"")[:1000] if self.asked else b""
            return None
        self.received += len(head)
        self.asked += 1
        lines = head.decode("latin-1").split("\r\n")[:-2]
        method, _, rest = lines[0].partition(" ")
        headers = [tuple(part.strip(" ") for part in line.partition(":")[::2]) for line in lines[1:]]
        return Request(self.site, round_, method, rest.rpartition(" ")[0], headers, self, time.time())

    async def until_peer_leaves(self):
        while data := await self.reader.read(1 << 16):
            self.received += len(data)
            self.beyond += data[:1000] if self.asked else b""

    def reset(self):
        """Sends RST instead of FIN: what has not been sent yet is thrown away."""
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


# Steps. Bytes are sent as they are, after Visit.fill.

@dataclass(frozen=True)
class Http:
    """An answer in good order, with the length that its body has."""
    status: str = "200 OK"
    headers: tuple = ()
    body: bytes = b""
    coding: object = None

    async def play(self, visit):
        body = visit.fill(self.body)
        # Bombs take their time, and others must not wait for it.
        body = await asyncio.to_thread(self.coding, body) if self.coding else body
        lines = [f"HTTP/1.1 {self.status}", *self.headers, f"Content-Length: {len(body)}", "", ""]
        visit.announced += len(body)
        await visit.send(visit.fill("\r\n".join(lines).encode("latin-1")) + body)


@dataclass(frozen=True)
class Pause:
    seconds: float

    async def play(self, _):
        await asyncio.sleep(self.seconds)


@dataclass(frozen=True)
class Drip:
    """So many bytes at a time, and then a pause."""
    data: bytes
    size: int
    seconds: float

    async def play(self, visit):
        data = visit.fill(self.data)
        for start in range(0, len(data), self.size):
            await visit.send(data[start:start + self.size])
            await asyncio.sleep(self.seconds)


@dataclass(frozen=True)
class Endless:
    """The same again and again, until the peer has had enough."""
    data: bytes
    seconds: float = 0

    async def play(self, visit):
        data = visit.fill(self.data)
        data *= 1 if self.seconds else 1 + 8192 // len(data)
        while not visit.writer.transport.is_closing():
            await visit.send(data)
            await asyncio.sleep(self.seconds)
        raise ConnectionResetError


@dataclass(frozen=True)
class HangUp:
    how: str

    async def play(self, visit):
        if self.how == "reset":
            visit.reset()
        elif self.how == "stall":
            await visit.until_peer_leaves()
        elif self.how == "half close":
            visit.writer.write_eof()
            await visit.until_peer_leaves()
        elif self.how == "cut":     # closes TCP below TLS, with no word of it
            visit.writer.transport.abort()
        raise HungUp


CLOSE, RESET, STALL, HALF_CLOSE, CUT = (HangUp(how) for how in ("close", "reset", "stall", "half close", "cut"))


async def play(steps, visit):
    for step in steps if isinstance(steps, (list, tuple)) else [steps]:
        await (visit.send(visit.fill(step)) if isinstance(step, bytes) else step.play(visit))


@dataclass
class Scripted:
    """A site of one case: a greeting that comes unasked, and an answer, or what makes one of a request and how many went before."""
    name: str
    answer: object = CLOSE
    greeting: object = ()
    seen: int = 0

    async def serve(self, visit, server):
        await play(self.greeting, visit)
        while request := await visit.request(server.round):
            server.requests.append(request)
            self.seen += 1
            answer = self.answer(request) if callable(self.answer) else self.answer
            await play(answer, visit)


@dataclass
class Trap:
    """Nobody may come here: connections are counted, and that is all."""
    name: str

    async def serve(self, visit, _):
        await play(Http("200 OK", ("Content-Type: text/xml",), b"<rss version='2.0'><channel><title>TRAP</title></channel></rss>"), visit)


@dataclass
class Orderly:
    """A folder as a good server serves it; some paths never answer, and each answer takes its time."""
    name: str
    folder: pathlib.Path
    hang: frozenset = frozenset()
    latency: float = 0

    async def serve(self, visit, server):
        while request := await visit.request(server.round):
            server.requests.append(request)
            path = self.folder / request.target.strip("/")
            if request.target in self.hang:
                await STALL.play(visit)
            if self.latency:
                await asyncio.sleep(self.latency)
            await self.answer(request, path if path.parent == self.folder and path.is_file() else None, visit)

    async def answer(self, request, path, visit):
        if not path:
            request.answered = 404
            return await play(Http("404 Not Found"), visit)
        status = path.stat()
        etag = f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
        body = b"" if request.header("if-none-match") == etag else path.read_bytes()
        request.answered = 200 if body else 304
        head = "\r\n".join([
            "HTTP/1.1 200 OK" if body else "HTTP/1.1 304 Not Modified", f"ETag: {etag}",
            f"Last-Modified: {email.utils.formatdate(status.st_mtime, usegmt=True)}",
            *([f"Content-Length: {len(body)}", "Content-Type: application/rss+xml"] if body else []), "", ""]).encode()
        request.head_bytes, request.body_bytes = len(head), len(body)
        await visit.send(head + body)


class Server(threading.Thread):
    """Sites by their addresses, in a thread of its own."""

    def __init__(self):
        super().__init__(daemon=True)
        self.loop, self.round, self.visits, self.requests, self.faults = asyncio.new_event_loop(), 1, [], [], []
        self.servers, self.tasks, self.busy, self.busiest, self.silent = [], set(), {}, {}, []
        self.start()

    def run(self):
        asyncio.set_event_loop(self.loop)
        # A peer that hangs up is what most cases are about; what else goes wrong is a fault.
        self.loop.set_exception_handler(lambda _, about: isinstance(about.get("exception"), (OSError, asyncio.CancelledError))
                                        or self.faults.append(f"the server itself failed: {about.get('message')}"))
        self.loop.run_forever()

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    def listen(self, site, address, port, places=None, tls=None):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # What is under way to a client that reads no more is little, so that the bytes sent say what it took.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 17)
        sock.bind((address, port))
        sock.listen(1024)

        async def accept(reader, writer):
            await self.accept(site, address, port, places or {}, reader, writer)

        async def open_():
            patience = 60 if tls else None
            return await asyncio.start_server(accept, sock=sock, ssl=tls, limit=HEAD_LIMIT, ssl_handshake_timeout=patience)

        self.servers.append(self.call(open_()))

    def listen_without_accepting(self, address, port):
        """A queue of connections that is full: those that come now get no answer."""
        sock = socket.socket()
        sock.bind((address, port))
        sock.listen(0)
        self.silent.append(sock)
        for _ in range(2):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex((address, port))
            self.silent.append(filler)

    async def accept(self, site, address, port, places, reader, writer):
        visit = Visit(site.name, address, port, self.round, time.time(), reader, writer, places)
        self.visits.append(visit)
        self.busy[address] = self.busy.get(address, 0) + 1
        self.busiest[address] = max(self.busiest.get(address, 0), self.busy[address])
        task = asyncio.current_task()
        self.tasks.add(task)
        try:
            await site.serve(visit, self)
        except (HungUp, ConnectionError, ssl.SSLError, asyncio.CancelledError):
            pass
        except Exception as error:  # what is wrong with the server must not pass for what is wrong with its client
            self.faults.append(f"the server itself failed at {site.name!r}: {error!r}")
        finally:
            self.busy[address] -= 1
            visit.closed = time.time()
            self.tasks.discard(task)
            writer.close()

    def forget(self):
        """Empties the memory, so that what comes next can be counted."""
        self.visits, self.requests, self.busiest = [], [], {}

    def stop(self):
        async def end():
            for server in self.servers:
                server.close()
            for task in list(self.tasks):
                task.cancel()
            await asyncio.sleep(0)
        self.call(end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        for sock in self.silent:
            sock.close()


def free_port(addresses):
    """A port that is free on all of them, below those which the system hands out itself."""
    for port in range(20_100, 32_000, 7):
        socks = []
        try:
            for address in addresses:
                socks.append(socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET))
                socks[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                socks[-1].bind((address, port))
            return port
        except OSError:
            continue
        finally:
            for sock in socks:
                sock.close()
    raise RuntimeError("no port is free on all addresses; is this Linux, with 127.0.0.0/8 on its loopback?")


class Certificates:
    """An authority of our own and what it signs, in a folder that the caller removes."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.authority = self.folder / "authority.pem"
        self.openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "authority.key", "-out", "authority.pem",
                     "-days", "2", "-subj", "/CN=Misbehaving authority")
        (self.folder / "index.txt").touch()
        (self.folder / "serial").write_text("01\n")
        (self.folder / "ca.cnf").write_text(
            "[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ncertificate=authority.pem\n"
            "private_key=authority.key\ndefault_md=sha256\npolicy=p\ncopy_extensions=copy\nunique_subject=no\n[p]\ncommonName=supplied\n")

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def context(self, kind, address):
        """A server's side of TLS: `good`, `expired`, `self-signed`, or for `another` host."""
        name = f"{kind}-{address}"
        subject = "IP:198.51.100.7" if kind == "another" else f"IP:{address}"
        request = ["-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-subj", f"/CN={name}",
                   "-addext", f"subjectAltName={subject}"]
        if kind == "self-signed":
            self.openssl("req", "-x509", *request, "-out", f"{name}.pem", "-days", "2")
        else:
            dates = ["-startdate", "200101000000Z", "-enddate", "210101000000Z"] if kind == "expired" else ["-days", "2"]
            self.openssl("req", *request, "-out", f"{name}.csr")
            self.openssl("ca", "-batch", "-config", "ca.cnf", "-notext", "-in", f"{name}.csr", "-out", f"{name}.pem", *dates)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        return context


if __name__ == "__main__":
    import fetch_self_test
    if "--self-test" not in sys.argv:
        sys.exit(__doc__)
    sys.exit(fetch_self_test.main([argument for argument in sys.argv[1:] if argument != "--self-test"]))
