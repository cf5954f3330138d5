#!/usr/bin/env python3
"""Let tamis fetch from servers that misbehave, and compare what it reports, stores and asks with what has to be.

usage: fetch.py TAMIS [--cases PATTERN] [--keep]     all cases of fetch_cases.py, at once, in four rounds
       fetch.py TAMIS --scale                        300 feeds of which 30 hang, twice
       fetch.py TAMIS --many                         a build of 2,000 feeds; then nothing has changed; then 20 have
       fetch.py TAMIS --kill N                       N builds and fetches, killed at random times and run to the end

Round 1 asks for the first time, round 2 at once again, when nothing is due, rounds 3 and 4 with --now. A line is printed for each
deviation; exit code 1 when there is one. Needs Linux, whose loopback has all of 127.0.0.0/8, and openssl for certificates. The authority
that signed those is named by SSL_CERT_FILE.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import fetch_cases
import fetch_scale
from fetch_bodies import FEED
from fetch_stage import ALLOWED, Stage
from misbehaving_server import Http

# The limits of the trial, and the room that is left for what is under way and for a slow machine.
WHOLE, WIRE, PER_HOST = 8, 2 << 20, 4
LIMITS = [part for name, value in {
    "connect-timeout": "3s", "first-byte-timeout": "4s", "timeout": f"{WHOLE}s", "max-size": f"{WIRE}B", "at-once": 500,
    "per-host": PER_HOST, "delay": "0s"}.items() for part in ("--set", f"fetch.{name}={value}")]
SLACK_SECONDS, SLACK_BYTES, MEMORY = 8, 8 << 20, 300 << 20

OUTCOMES = {"fetched", "not-modified", "not-due", "gone", "failed"}
REASONS = {"address", "forbidden", "resolve", "connect", "tls", "timeout", "protocol", "cut-off", "encoding", "too-large", "headers",
           "redirect", "http", "challenge", "rate-limited", "not-found", "gone", "not-a-feed", "empty", "request"}
KEYS = {"address", "outcome", "status", "reason", "message", "location", "moved", "requests", "wire", "unpacked", "next"}
HEADERS = {"host", "user-agent", "accept", "accept-encoding", "accept-language", "a-im", "if-none-match", "if-modified-since", "connection",
           "cache-control", "authorization"}


def run(command, folder, seconds, environment=None):
    """Runs a command: exit code (below 0 for a signal, nothing when time was up), what it said, how long, memory and CPU of it alone."""
    clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    start = time.monotonic()
    with open(folder / "messages", "wb") as messages:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages,
                                   env=clean | (environment or {}))
        status, usage, late = 0, None, False
        while usage is None:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                usage = used
            elif time.monotonic() - start > seconds and not late:
                late = True
                process.kill()
            else:
                time.sleep(0.02)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = (folder / "messages").read_text(encoding="utf-8", errors="replace")
    return {"code": None if late else process.returncode, "said": text, "seconds": time.monotonic() - start,
            "memory": usage.ru_maxrss << 10, "cpu": usage.ru_utime + usage.ru_stime}


def fetch_command(tamis, addresses, folder, now, report="report.jsonl", allowed=ALLOWED, limits=LIMITS):
    """The one place that knows how fetching is called."""
    (folder / "list.txt").write_text("".join(f"{address}\n" for address in addresses), encoding="utf-8")
    allow = [argument for network in allowed for argument in ("--allow", network)]
    return [tamis, "fetch", "list.txt", "--into", "feeds", "--archive", "planet.archive", "--report", report, *allow, *limits,
            *(["--now"] if now else [])]


def read_report(path, addresses):
    """The report's lines by their number, and what is wrong with its form."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        return [], [f"the report cannot be read: {error}"]
    problems = [] if len(lines) == len(addresses) else [f"the report has {len(lines)} lines for {len(addresses)} subscriptions"]
    for line, address in zip(lines, addresses):
        if set(line) != KEYS:
            problems.append(f"{address}: keys of the report's line: {sorted(set(line) ^ KEYS)}")
        if line.get("address") != address:
            problems.append(f"{address}: the report's line is of {line.get('address')!r}")
        reasons = {"failed": REASONS, "gone": {None, "gone"}}.get(line.get("outcome"), {None})
        if line.get("outcome") not in OUTCOMES or line.get("reason") not in reasons:
            problems.append(f"{address}: {line.get('outcome')!r} with {line.get('reason')!r} is no answer")
        message = line.get("message")
        if not isinstance(message, str) or re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", message) or len(message) > 1000:
            problems.append(f"{address}: the message is no plain line of at most 1,000 characters: {message!r:.200}")
    return lines, problems


def stored(folder):
    """What lies in the folder: by address the body, and whether header fields are beside it."""
    found = {}
    for mark in folder.rglob("*.url"):
        stem = mark.with_suffix("")
        # What lies beside it under a longer name is a document that was cut off by a kill, and none.
        body = stem if stem.is_file() else None
        found[mark.read_text(encoding="utf-8").strip()] = (body.read_bytes() if body else None, mark.with_suffix(".headers").is_file())
    return found


def refused_lines(said):
    """The lines of the list that are no subscriptions, as what was said names them."""
    return {int(line) for line in re.findall(r"^list\.txt:(\d+):\d+: \w+: .* (?:http://|no address)", said, re.MULTILINE)}


class Trial:
    """Four rounds over a stage."""

    def __init__(self, tamis, stage, folder):
        self.tamis, self.stage, self.cases, self.folder = tamis, stage, stage.cases, folder
        self.addresses = [stage.address[case.name] for case in self.cases]
        self.had, self.due, self.names, self.problems = {}, {}, {}, []

    def fault(self, name, text):
        self.problems.append(f"round {self.stage.server.round}: {name}: {text}")

    def round(self, number):
        server = self.stage.server
        server.round = number
        server.forget()
        begun = time.time()
        command = fetch_command(self.tamis, self.addresses, self.folder, number > 2)
        result = run(command, self.folder, WHOLE + 4 * SLACK_SECONDS, {"SSL_CERT_FILE": str(self.stage.certificates.authority)})
        ended = time.time()
        if result["code"] not in (0, 1):
            self.fault("the run", f"exit code {result['code']}: {result['said'][-500:]}")
        # Machines may be busy with something else: what takes long is said and is no fault.
        if result["seconds"] > WHOLE + SLACK_SECONDS:
            print(f"over the bar: {result['seconds']:.1f} s, with a limit of {WHOLE} s for each")
        if result["memory"] > MEMORY:
            self.fault("the run", f"{result['memory'] >> 20} MB of memory")
        time.sleep(0.3)     # what is under way arrives
        taken = self.subscriptions(result["said"])
        lines, problems = read_report(self.folder / "report.jsonl", [self.stage.address[case.name] for case in taken])
        for problem in problems + ([] if lines else [f"what was said: {result['said'][-500:]}"]):
            self.fault("the report", problem)
        files = stored(self.folder / "feeds")
        for case, line in zip(taken, lines):
            asked = self.asked(case)
            for problem in [*self.judge(case, number, line, asked, begun, ended), *self.judge_file(case, line, files)]:
                self.fault(case.name, problem)
        self.judge_server()
        counts = {outcome: sum(line.get("outcome") == outcome for line in lines) for outcome in sorted(OUTCOMES)}
        print(f"round {number}: {result['seconds']:.1f} s, {result['cpu']:.2f} s of CPU, {result['memory'] >> 20} MB, {counts}", flush=True)

    def subscriptions(self, said):
        """The cases that have a line in the report."""
        refused, report = refused_lines(said), self.folder / "report.jsonl"
        reported = report.read_text(encoding="utf-8") if report.is_file() else ""
        taken = []
        for number, case in enumerate(self.cases, 1):
            if number in refused:
                # What is no address of http or https is no subscription.
                if "failed/address" not in case.expect.split():
                    self.fault(case.name, f"its line was refused; {case.expect} was expected")
            # Of several spellings of one address, at which nobody may ask, the first is the subscription.
            elif case.listen != "nowhere" or json.dumps(self.stage.address[case.name], ensure_ascii=False) in reported:
                taken.append(case)
        return taken

    def asked(self, case):
        """The requests of this round that belong to a case."""
        if case.at:
            target = case.address.rpartition("/")[2]
            mine = [request for request in self.stage.server.requests if request.visit.address == case.at]
            return [request for request in mine if request.target == f"/{target}"]
        return [request for request in self.stage.server.requests if request.site == case.name]

    def judge(self, case, number, line, asked, begun, ended):
        outcome, reason, status = line.get("outcome"), line.get("reason"), line.get("status")
        if number == 2 and self.due.get(case.name, 0) > begun + 1:
            if outcome != "not-due" or asked:
                yield f"{outcome}/{reason} and {len(asked)} requests, though it was not due for {self.due[case.name] - begun:.0f} s"
            return
        wanted = self.wanted(case, number)
        word = outcome if not reason else f"{outcome}/{reason}"
        if word not in wanted and outcome not in wanted:
            yield f"{word} (status {status}: {str(line.get('message'))[:120]}) instead of {' or '.join(wanted)}"
        if number == 1 or outcome == "fetched":
            statuses = case.status or ((200,) if outcome == "fetched" else ())
            if statuses and status not in statuses and reason not in ("protocol", "timeout"):
                yield f"status {status} instead of {' or '.join(map(str, statuses))}"
        if outcome == "not-due" and asked:
            yield f"not due, but {len(asked)} requests came"
        if len(asked) > case.requests or abs(len(asked) - (line.get("requests") or 0)) > 1 and case.listen == "http" and asked:
            yield f"{len(asked)} requests came, {line.get('requests')} were reported, {case.requests} are enough"
        yield from self.judge_addresses(case, number, line)
        yield from self.judge_sizes(case, line, asked)
        if case.coding and outcome == "failed" and any(case.coding in (request.header("accept-encoding") or "") for request in asked):
            yield f"{case.coding} was offered and could not be read"
        due = line.get("next")
        if outcome != "gone" and not (isinstance(due, (int, float)) and due >= begun - 1):
            yield f"next is {due!r}"
        elif number == 1 and case.next and not case.next[0] <= due - ended + 2 <= case.next[1] + 4:
            yield f"next is in {due - ended:.0f} s, not in {case.next[0]} to {case.next[1]} s"
        self.due[case.name] = due or 0

    @staticmethod
    def wanted(case, number):
        """The words that may stand in the report."""
        later = case.last if number == 4 and case.last else case.then if number > 2 and case.then else ""
        if later:
            return later.split()
        return case.expect.split() + (["not-modified"] if number > 2 and "fetched" in case.expect else [])

    def judge_addresses(self, case, number, line):
        if line.get("outcome") != "fetched":
            return
        moved = case.moved[min({1: 0, 3: 1, 4: 2}.get(number, 0), len(case.moved) - 1)]
        if moved is not None:
            choices = {self.stage.fill(case, choice) or None for choice in (moved if isinstance(moved, tuple) else (moved,))}
            # What has taken the old address's place need not be told again.
            if line.get("moved") not in choices | ({None} if number == 4 else set()):
                yield f"moved is {line.get('moved')!r} instead of {choices}"
        location = self.stage.fill(case, case.location)
        if case.location and line.get("location") not in (location, *([None] if number == 4 else [])):
            yield f"location is {line.get('location')!r} instead of {location!r}"
        if not case.location and case.requests == 1 and line.get("location"):
            yield f"location is {line.get('location')!r}, though nothing led there"

    @staticmethod
    def judge_sizes(case, line, asked):
        wire, visits = line.get("wire") or 0, list({id(request.visit): request.visit for request in asked}.values())
        if wire > WIRE + SLACK_BYTES:
            yield f"{wire} bytes were taken, with a limit of {WIRE}"
        if line.get("outcome") == "fetched" and isinstance(case.answer, Http) and len(visits) == 1 and wire != visits[0].announced:
            yield f"{wire} bytes of body were reported, {visits[0].announced} were sent"
        for visit in visits:
            if visit.sent > WIRE + 2 * SLACK_BYTES and not case.unseen:
                yield f"{visit.sent} bytes were taken from one connection"

    def judge_file(self, case, line, files):
        # Beside a file is where it came from in the round that brought it, without a name and a password.
        names = self.names.setdefault(case.name, [])
        for name in (line.get("location"), line.get("moved"), self.stage.address[case.name]):
            if name and without_credentials(name) not in names:
                names.append(without_credentials(name))
        body, has_headers = next((files[name] for name in names if name in files), (None, False))
        before = self.had.get(case.name)
        if line.get("outcome") == "fetched":
            accepted = self.stage.bodies(case) + ([self.stage.fill(case, FEED)] if self.stage.server.round == 1 else [])
            if body not in accepted:
                yield f"what is stored is no body of its: {body!r:.120}"
            if not has_headers:
                yield "no header fields are stored"
            if body is not None and line.get("unpacked") != len(body):
                yield f"{line.get('unpacked')} bytes unpacked were reported, {len(body)} are stored"
            self.had[case.name] = body
        elif body != before:
            yield f"{line.get('outcome')}/{line.get('reason')}, but what is stored is another: {body!r:.80}, before {before!r:.80}"

    def judge_server(self):
        """What no case may make a client do."""
        server, credentials = self.stage.server, {case.name for case in self.cases if case.credentials}
        plain = {case.name for case in self.cases if case.address.startswith("http:")}
        for fault in server.faults:
            self.fault("the server", fault)
        server.faults.clear()
        for visit in server.visits:
            if visit.site.startswith("trap "):
                self.fault("safety", f"a connection came to {visit.address}:{visit.port}, which was not allowed")
            if visit.beyond and visit.site in plain:
                self.fault(visit.site, f"something was sent behind a request: {visit.beyond[:60]!r}")
        for address, count in server.busiest.items():
            if count > PER_HOST:
                self.fault("politeness", f"{count} connections at once to {address}")
        for request in server.requests:
            for problem in request_problems(request, request.site in credentials, self.stage.host.get(request.site, "")):
                self.fault(request.site, f"request for {request.target[:60]}: {problem}")


def without_credentials(address):
    return re.sub(r"^(https?://)[^/?#]*@", r"\1", address)


def request_problems(request, may_authorize, host):
    """What a request must not be."""
    names = [name.lower() for name, _ in request.headers]
    if request.method != "GET":
        yield f"the method is {request.method}"
    for name in sorted(set(names) - HEADERS):
        yield f"it has a header field {name[:40]!r}"
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"it has {name} twice"
    for name, value in request.headers:
        if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value):
            yield f"there are control bytes in {name}"
        if len(value) > 9000:
            yield f"{name} has {len(value)} bytes"
    if "authorization" in names and not (may_authorize and request.visit.address == host.partition(":")[0]):
        yield "it gives credentials away"
    if "tamis/" not in (request.header("user-agent") or ""):
        yield f"its User-Agent is {request.header('user-agent')!r}"
    if (request.header("host") or "").partition(":")[0] != request.visit.address:
        yield f"its Host is {request.header('host')!r} at {request.visit.address}"
    if request.target.startswith("http") or "#" in request.target:
        yield "its target is no path"
    if {"content-length", "transfer-encoding"} & set(names):
        yield "it has a body"


def cases_trial(tamis, pattern, keep):
    cases = [case for case in fetch_cases.all_cases() if fnmatch.fnmatchcase(case.name, f"*{pattern}*")]
    if not cases:
        return [f"no case is called {pattern!r}"]
    stage, folder = Stage(cases), pathlib.Path(tempfile.mkdtemp(prefix="tamis-fetch-run-"))
    try:
        trial = Trial(tamis, stage, folder)
        for number in (1, 2, 3, 4):
            trial.round(number)
        for problem in stage.wanting:
            print(f"skipped: {problem}")
        print(f"{len(cases)} cases: {len(trial.problems)} deviations")
        return trial.problems
    finally:
        stage.stop()
        print(f"kept: {folder}") if keep else shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("--cases", default="", metavar="PATTERN")
    parser.add_argument("--keep", action="store_true", help="leave the folder of the run")
    parser.add_argument("--scale", action="store_true")
    parser.add_argument("--many", action="store_true")
    parser.add_argument("--kill", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tamis = str(pathlib.Path(options.tamis).resolve())
    if options.scale:
        problems = fetch_scale.scale(tamis)
    elif options.many:
        problems = fetch_scale.many(tamis)
    elif options.kill:
        problems = fetch_scale.kill(tamis, options.kill, options.seed)
    else:
        problems = cases_trial(tamis, options.cases, options.keep)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
