"""Sets up the sites of cases, each on an address of its own, and the traps around them."""
import shutil
import tempfile

from fetch_bodies import FEED
from misbehaving_server import Certificates, Scripted, Server, Trap, free_port

# What a client is told to allow: hosts of cases have addresses in these, and all others of this machine are traps.
ALLOWED = ["127.1.0.0/22", "127.3.0.7"]
PORTS_HOST = "127.1.3.254"
TRAPS = ["127.0.0.1", "127.0.255.255", "127.1.4.0", "127.3.0.8", "127.2.3.4", "::1"]
PROTOCOL_PORTS = [22, 25]
A_BLOCK = 240


class Stage:
    """`host[case]` is where a case's site is, `address[case]` what is subscribed to; `wanting` says what could not be set up."""

    def __init__(self, cases):
        self.cases, self.server, self.wanting, self.host, self.address, self.places = cases, Server(), [], {}, {}, {}
        self.folder = tempfile.mkdtemp(prefix="tamis-fetch-")
        self.certificates = Certificates(self.folder)
        if sum(case.listen != "nowhere" for case in cases) > 2 * A_BLOCK:
            raise ValueError("more cases than addresses: widen ALLOWED")
        shared = sorted({case.at for case in cases if case.at})
        first = {case.name: case.at or f"127.1.{number // A_BLOCK}.{number % A_BLOCK + 1}"
                 for number, case in enumerate(case for case in cases if case.listen != "nowhere")}
        second = {name: address.replace("127.1.0.", "127.1.2.").replace("127.1.1.", "127.1.3.") for name, address in first.items()}
        traps = [address for address in TRAPS if self.has(address)]
        self.port = free_port(sorted({*first.values(), *second.values(), *traps}))
        self.traps = {address: Trap(f"trap {address}") for address in traps}
        for address, trap in self.traps.items():
            self.server.listen(trap, address, self.port)
        for port in PROTOCOL_PORTS:
            try:
                self.server.listen(Trap(f"trap port {port}"), PORTS_HOST, port)
            except PermissionError:
                self.wanting.append(f"port {port} is for root only: no trap listens there")
        for address in shared:
            mates = [case for case in cases if case.at == address]
            self.open(mates[0], address, second[mates[0].name])
            for mate in mates[1:]:
                self.place(mate, address, second[mate.name])
        for case in cases:
            if not case.at:
                self.open(case, first.get(case.name, ""), second.get(case.name, ""))

    def has(self, address):
        try:
            free_port([address])
            return True
        except RuntimeError:
            self.wanting.append(f"{address} is not on this machine: no trap listens there")
            return False

    def place(self, case, address, other):
        """What stands for @…@ in a case."""
        host, there = f"{address}:{self.port}", f"{other}:{self.port}"
        scheme = "https" if case.address.startswith("https") else "http"
        texts = {"name": case.name, "host": host, "second": there, "here": f"{scheme}://{host}", "there": f"{scheme}://{there}",
                 "port": str(self.port), "trap": f"127.0.0.1:{self.port}", "ports": PORTS_HOST}
        self.host[case.name] = host
        self.places[case.name] = {name.encode(): text.encode() for name, text in texts.items()}
        self.address[case.name] = self.fill(case, case.address)

    def fill(self, case, text):
        if isinstance(text, str):
            return self.fill(case, text.encode()).decode()
        for name, value in self.places[case.name].items():
            text = text.replace(b"@" + name + b"@", value)
        return text

    def open(self, case, address, other):
        self.place(case, address, other)
        places, site = self.places[case.name], Scripted(case.name, case.answer, case.greeting)
        if case.listen == "silent":
            self.server.listen_without_accepting(address, self.port)
        elif case.listen not in ("closed", "nowhere"):
            tls = None if case.listen == "http" else self.certificates.context(case.listen, address)
            self.server.listen(site, address, self.port, places, tls)
            if other != address:
                self.server.listen(site, other, self.port, places)

    def bodies(self, case):
        """What may be stored of a case in the end."""
        wanted = case.body if isinstance(case.body, tuple) else (case.body,)
        return [body(self.fill(case, FEED)) if callable(body) else self.fill(case, body) for body in wanted]

    def stop(self):
        self.server.stop()
        shutil.rmtree(self.folder)
