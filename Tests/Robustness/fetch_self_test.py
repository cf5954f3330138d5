"""Sees that each case is produced as it is meant: over a plain socket, byte by byte, and as curl takes it.

The socket looks at how a connection ends, and that what was promised comes first. curl, asked to unpack, is a second opinion on the
table: a case that is to be `failed/cut-off` has to be cut off for curl, one that is to be fetched has to come over whole.
"""
import concurrent.futures
import fnmatch
import shutil
import socket
import ssl
import subprocess
import time

import fetch_cases
from fetch_stage import Stage
from misbehaving_server import CLOSE, CUT, Drip, Endless, HALF_CLOSE, Http, RESET, STALL

PATIENCE = 3
# The exit codes by which curl says what the report says in a word; where a word is missing, curl's opinion is not asked.
CURL = {
    "resolve": {6}, "connect": {7, 28, 52, 56}, "tls": {35, 60}, "timeout": {28}, "cut-off": {18, 52, 56, 23, 61},
    "protocol": {1, 8, 18, 22, 43, 52, 56}, "encoding": {23, 56, 61}, "too-large": {23, 28, 56, 61, 63}, "headers": {8, 27, 28, 56, 100},
    "redirect": {1, 3, 8, 47}, "http": {0, 8}, "challenge": {0, 8}, "not-found": {0}, "gone": {0}, "rate-limited": {0}, "empty": {0, 52}, "not-a-feed": {0}, "request": set(),
}
TAKEN = {"fetched": {0}, "gone": {0}}
# What curl 7.88 takes for good, and a reader of feeds must not: half a gzip file, whatever it unpacks to, a way out of TLS.
CURL_TAKES = ("coding: 3 MB packed into few", "coding: gzip cut off", "coding: 60 MB", "coding: 256 MB", "coding: 10 GB in 320 KB", "coding: 4 GB of nothing",
              "redirect: from https to http", "redirect: empty Location", "status: 305")


def over_socket(stage, case):
    """The bytes that come within a time, and how that ended: `open`, `closed` or `reset`."""
    address, port = stage.host[case.name].split(":")
    data = b""
    try:
        sock = socket.create_connection((address, int(port)), timeout=PATIENCE)
    except ConnectionResetError:
        # On a busy machine the server's reset is there before connecting has ended.
        return data, "reset"
    with sock:
        try:
            if case.listen not in ("http", "closed"):
                context = ssl.create_default_context()
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                context.minimum_version = ssl.TLSVersion.TLSv1_2
                sock = context.wrap_socket(sock)
            sock.sendall(f"GET /feed HTTP/1.1\r\nHost: {stage.host[case.name]}\r\n\r\n".encode())
            deadline = time.monotonic() + PATIENCE
            while len(data) < 4 << 20 and time.monotonic() < deadline:
                sock.settimeout(max(0.05, deadline - time.monotonic()))
                part = sock.recv(1 << 16)
                if not part:
                    return data, "closed"
                data += part
        except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError):
            return data, "reset"
        except TimeoutError:
            pass
        finally:
            sock.close()
    return data, "open"


def steps_of(case, stage):
    """The steps that a first request for /feed gets."""
    class First:
        target, round, method = "/feed", 1, "GET"

        def header(self, _):
            return None

    answer = case.answer(First()) if callable(case.answer) else case.answer
    steps = [step for part in (case.greeting, answer) for step in (part if isinstance(part, (list, tuple)) else [part])]
    for number, step in enumerate(steps):
        if step in (CLOSE, RESET, CUT, STALL, HALF_CLOSE) or isinstance(step, Endless):
            return steps[:number + 1]
    return steps


def socket_problems(stage, case):
    data, end = over_socket(stage, case)
    steps = steps_of(case, stage)
    ends = {CLOSE: {"closed"}, RESET: {"reset"}, CUT: {"closed", "reset"}, STALL: {"open"}, HALF_CLOSE: {"closed"}}
    wanted = ends.get(steps[-1], {"open"})
    if end not in wanted and not any(isinstance(step, Drip) for step in steps):
        yield f"the connection was {end} instead of {' or '.join(wanted)}"
    if isinstance(steps[-1], Endless) and not steps[-1].seconds and len(data) < 4 << 20:
        yield f"only {len(data)} bytes came of what should never end"
    whole = b"".join(stage.fill(case, step) for step in steps if isinstance(step, bytes))
    sent = [step for step in steps if isinstance(step, (bytes, Http))]
    if sent and isinstance(sent[0], Http) and not data.startswith(b"HTTP/1.1 " + sent[0].status.encode()):
        yield f"it begins with {data[:40]!r}"
    if sent and isinstance(sent[0], bytes) and len(data) < len(whole) and RESET not in steps and len(whole) < 4 << 20:
        yield f"{len(data)} of {len(whole)} bytes came"


def curl_problems(stage, case):
    curl = shutil.which("curl")
    command = [curl, "-sS", "-L", "-g", "--max-redirs", "20", "--compressed", "--max-time", str(2 * PATIENCE), "--connect-timeout", "5",
               "--limit-rate", "1M", "--noproxy", "*", "--max-filesize", str(2 << 20), "--cacert", stage.certificates.authority,
               "-w", "%{http_code}", "--proto-redir", "=http,https", "-o", "/dev/null", stage.address[case.name]]
    run = subprocess.run(command, capture_output=True, check=False)
    accepted, statuses = set(), case.status
    for word in case.expect.split():
        outcome, _, reason = word.partition("/")
        accepted |= CURL.get(reason, set()) if outcome == "failed" else TAKEN[outcome]
    if case.name.startswith(CURL_TAKES):
        accepted, statuses = {0}, ()
    if run.returncode not in accepted:
        yield f"curl ends with {run.returncode} ({run.stderr.decode(errors='replace').strip()[:150]}), not one of {sorted(accepted)}"
    status = int(run.stdout or b"0")
    if statuses and "protocol" not in case.expect and status not in statuses:
        yield f"curl saw status {status}, not {statuses}"


def main(arguments):
    pattern = arguments[arguments.index("--cases") + 1] if "--cases" in arguments else "*"
    cases = [case for case in fetch_cases.all_cases() if fnmatch.fnmatchcase(case.name, f"*{pattern}*")]
    if not cases:
        print(f"no case is called {pattern!r}")
        return 1
    stage = Stage(cases)
    tests = []
    if shutil.which("curl"):
        # What must not be asked at all, curl would ask.
        refused = {"failed/forbidden", "failed/address"}
        tests += [(case, curl_problems) for case in cases if not refused & set(case.expect.split())]
    else:
        print("skipped: there is no curl")
    tests += [(case, socket_problems) for case in cases if case.listen not in ("closed", "silent", "nowhere")
              and not (case.listen == "http" and case.address.startswith("https"))]
    count = 0
    with concurrent.futures.ThreadPoolExecutor(48) as pool:
        for (case, _), found in zip(tests, pool.map(lambda test: list(test[1](stage, test[0])), tests)):
            for problem in found:
                count += 1
                print(f"{case.name}: {problem}")
    for fault in stage.server.faults + stage.wanting:
        print(fault)
    count += len(stage.server.faults)
    stage.stop()
    print(f"{len(cases)} cases, {len(tests)} tests: {count} deviations")
    return 1 if count else 0
