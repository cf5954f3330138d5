"""What the checks of records share: a strict reader of answers, records of each command, and runs whose memory is watched."""
import base64
import json
import os
import pathlib
import re
import signal
import subprocess
import threading

FRAGMENT = '<p onclick="x()">Copper <b>harbour<script>alert(1)</script> lantern'
FEED = ('<rss version="2.0"><channel><title>Fog</title><link>https://fog.example/</link><item><guid>one</guid><title>One</title>'
        "<description>&lt;p&gt;Thistle and ember&lt;/p&gt;</description></item></channel></rss>")
PAGE = ("<!doctype html><title>Ferries</title><article><h1>Ferries</h1>" + "".join(
    f"<p>The ferry number {n} leaves the harbour in the morning, with barley, copper and canvas for the other side.</p>"
    for n in range(8)) + "</article>")
BODIES = {"sanitize": FRAGMENT, "parse": FEED, "extract": FEED, "article": PAGE}
# A member that stands in answers without an error, and in no other.
RESULTS = {"sanitize": "html", "parse": "entries", "extract": "entries", "article": "html"}
CODES = {f"record.{name}" for name in ("blank", "json", "encoding", "id", "version", "body", "too-large", "too-slow", "crashed",
                                       "memory", "not-modified", "status")} | {"feed.not-a-feed", "feed.empty"}


def _object(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name stands twice")
    return members


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def strict(line):
    """The value of a line of JSON: UTF-8 without surrogates, no name twice, no NaN. Raises ValueError."""
    value = json.loads(line.decode("utf-8"), object_pairs_hook=_object, parse_constant=no_constant)
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def flaws(answer, command, number):
    """What any answer must be, whatever it answers; `number` is that of its line."""
    if not isinstance(answer, dict) or answer.get("v") != 1 or "id" not in answer:
        return ["is no answer of version 1 with an id"]
    found = []
    if (answer["id"] is None or "\ufffd" in str(answer["id"])) != ("line" in answer):
        found.append("has neither an id to find it by nor a line, or both")
    if "line" in answer and answer["line"] != number:
        found.append(f"says line {answer['line']} instead of {number}")
    if not re.fullmatch(rf"\d+(\.\d+)+\+{command}\.[0-9a-f]+", str(answer.get("by"))):
        found.append(f"is by {answer.get('by')}")
    error = answer.get("error")
    if ("error" in answer) == (RESULTS[command] in answer):
        found.append("has neither a result nor an error, or both")
    if "error" in answer and (set(error) != {"code", "message"} or error["code"] not in CODES or not error["message"]):
        found.append(f"has the error {error}")
    return found


def record(command, number, **members):
    """A line that the command can answer, with its line feed."""
    return json.dumps({"id": number, "body": BODIES[command]} | members, ensure_ascii=False).encode() + b"\n"


def packed(data):
    return base64.b64encode(data).decode()


def tree(pid):
    """A process and all that it has started."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                found += tree(int(child))
        except OSError:
            pass
    return found


def peak(pid):
    """The most memory that a process or one of its children has held so far, in bytes."""
    most = 0
    for each in tree(pid):
        try:
            found = re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{each}/status").read_text())
        except OSError:
            continue
        most = max(most, int(found[1]) * 1024 if found else 0)
    return most


class Run:
    """A run of `tamis COMMAND --jsonl` that is given lines, and answers them; its memory is read before its input ends."""

    def __init__(self, tamis, command, *options, environment=None, cwd=None):
        self.command = [str(tamis), command, "--jsonl", *options]
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=os.environ | (environment or {}), cwd=cwd)
        self.errors = []
        self.drain = threading.Thread(target=lambda: self.errors.append(self.process.stderr.read()), daemon=True)
        self.drain.start()
        self.peak = 0
        self.patience(90)

    def patience(self, seconds):
        """Kills what it started when it takes longer: a command that hangs is a finding, not the end of the check."""
        self.watch = threading.Timer(seconds, lambda: [os.kill(pid, signal.SIGKILL) for pid in reversed(tree(self.process.pid))])
        self.watch.daemon = True
        self.watch.start()

    def feed(self, chunks):
        """Writes in a thread of its own: pipes hold little."""
        def write():
            try:
                for chunk in chunks:
                    self.process.stdin.write(chunk)
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass
        self.writer = threading.Thread(target=write, daemon=True)
        self.writer.start()

    def answers(self, count):
        """The next `count` lines, fewer when it ends before."""
        lines = []
        while len(lines) < count and (line := self.process.stdout.readline()):
            lines.append(line)
        return lines

    def end(self):
        """Ends the input; answers what else is said, and the exit code."""
        self.peak = peak(self.process.pid)
        self.writer.join()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        rest = self.process.stdout.read()
        code = self.process.wait()
        self.watch.cancel()
        self.drain.join()
        return rest, code


def ask(tamis, command, lines, *options, environment=None):
    """The answers to whole lines, the exit code, the peak of memory."""
    run = Run(tamis, command, *options, environment=environment)
    run.feed([b"".join(lines)])
    answers = run.answers(len(lines))
    rest, code = run.end()
    return [line for line in answers + rest.splitlines(keepends=True)], code, run.peak
