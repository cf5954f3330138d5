#!/usr/bin/env python3
"""Measure the tool and its peers on the same inputs, in the same run.

usage: bench.py TAMIS [--rounds N] [--only WORD] [--write FOLDER]

Rounds are interleaved: the tool, its peer, the next work; and so again. CPU is user and system time of whole processes, from the kernel's
accounting, medians over the rounds; the ratio to the peer is taken inside each round, of whole processes, and of what is left without the
harness: of the peer, Python's start, reading, JSON and writing; of the tool, its start, since the rest cannot be told apart. With --write the table goes to
FOLDER/benchmarks.md and the chart to FOLDER/benchmarks.svg. Nothing is judged: these are measurements, not tests.
"""
import argparse
import datetime
import importlib.metadata
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

import corpus

HERE = pathlib.Path(__file__).parent


class Work:
    """A row: what the tool is asked to do, how many items that are, and who else does it."""

    def __init__(self, name, command, items, source, unit="item", peer=None, prepare=None, folder=False):
        self.name, self.command, self.items, self.source, self.unit = name, command, items, source, unit
        self.peer, self.prepare, self.folder = peer, prepare, folder
        self.runs, self.peer_runs = [], []


def run(command, source=None):
    """CPU seconds and peak memory in MB of a process and what it waited for, and what it said on standard error."""
    with open(source, "rb") if source else open(os.devnull, "rb") as stdin, open(os.devnull, "wb") as null:
        process = subprocess.Popen([str(word) for word in command], stdin=stdin, stdout=null, stderr=subprocess.PIPE)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {os.waitstatus_to_exitcode(status)}\n{error.decode()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, error


def works(tamis, made, scratch):
    """What is measured. Builds are done one after the other: cold, unchanged, one post more."""
    rows = []
    for kind, label in [("mixed", "sanitize, bodies of feeds"), ("short", "sanitize, short"), ("long", "sanitize, long")]:
        source = made[kind]
        rows.append(Work(label, [tamis, "sanitize", "--jsonl", source], lines(source), source, peer=("nh3", source)))
    for size in corpus.SIZES:
        source = made[size]
        rows.append(Work(f"parse, {size:,} items", [tamis, "parse", source], size, source, peer=("fastfeedparser", source)))
    bare = [tamis, "parse", "--no-sanitize", made[10_000]]
    rows.append(Work("parse, unsanitized, 10,000 items", bare, 10_000, made[10_000], peer=("fastfeedparser", made[10_000])))
    rows.append(Work("parse, ill-formed, 1,000 items", [tamis, "parse", made["ill-formed"]], 1000, made["ill-formed"],
                     peer=("feedparser", made["ill-formed"])))
    rows.append(Work("extract, 10,000 items", [tamis, "extract", "--format", "jsonl", made[10_000]], 10_000, made[10_000]))
    for peer in ("trafilatura", "trafilatura-fast", "resiliparse"):
        rows.append(Work(f"article, beside {peer}", [tamis, "article", "--jsonl", made["pages"]], lines(made["pages"]), made["pages"], "page",
                         peer=(peer, made["pages"])))
    feed, archive, site = scratch / "feed.xml", scratch / "site.archive", scratch / "site"

    def cold():
        for path in (archive, site):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        shutil.copyfile(made[10_000], feed)

    def gone():
        shutil.rmtree(site, ignore_errors=True)

    build = [tamis, "build", feed, "--output", site, "--archive", archive]
    rows.append(Work("archive, 10,000 posts", [tamis, "ingest", feed, "--archive", archive], 10_000, made[10_000], prepare=cold))
    rows.append(Work("publish, 10,000 posts", [tamis, "publish", "--output", site, "--archive", archive], 10_000, made[10_000],
                     prepare=gone))
    rows.append(Work("build, cold, 10,000 posts", build, 10_000, made[10_000], peer=("site", made[10_000]), prepare=cold, folder=True))
    rows.append(Work("build, unchanged", build, 10_000, made[10_000]))
    rows.append(Work("build, one new post", build, 10_000, made[10_000], prepare=lambda: shutil.copyfile(made["grown"], feed)))
    fragment = scratch / "fragment.html"
    fragment.write_text("<p>Hello</p")
    rows.append(Work("start: --version", [tamis, "--version"], 1, fragment, "run"))
    rows.append(Work("start: a fragment of ten bytes", [tamis, "sanitize", fragment], 1, fragment, "run"))
    return rows


def lines(path):
    with path.open("rb") as file:
        return sum(1 for _ in file)


def measure(rows, rounds, scratch):
    for turn in range(rounds):
        for row in rows:
            if row.prepare:
                row.prepare()
            cpu, memory, _ = run(row.command)
            start, _, _ = run([row.command[0], "--version"])
            row.runs.append((cpu, memory, max(cpu - start, 0)))
            if row.peer:
                name, source = row.peer
                output = [scratch / "peer"] if row.folder else []
                cpu, memory, said = run([sys.executable, HERE / "peers.py", name, source] + output)
                row.peer_runs.append((cpu, memory, float(said.split()[-1])))
                shutil.rmtree(scratch / "peer", ignore_errors=True)
            print(f"round {turn + 1}: {row.name}: {row.runs[-1][0]:.3f} s, {row.runs[-1][1]:.0f} MB", file=sys.stderr)


def table(rows):
    head = ["work", "CPU an item", "MB/s", "peak memory", "peer", "peer's CPU an item", "of it harness", "tool / peer", "without harness"]
    text = ["| " + " | ".join(head) + " |", "|-|-:|-:|-:|-|-:|-:|-:|-:|"]
    for row in rows:
        cpu = statistics.median(run[WHOLE] for run in row.runs)
        cells = [row.name, amount(cpu / row.items), f"{row.source.stat().st_size / 1e6 / cpu:.0f}" if row.items > 1 else "",
                 f"{statistics.median(run[1] for run in row.runs):.0f} MB", "", "", "", "", ""]
        if row.peer_runs:
            peer = statistics.median(run[WHOLE] for run in row.peer_runs)
            harness = statistics.median(run[WHOLE] - run[WORK] for run in row.peer_runs)
            cells[4:] = [name(row.peer[0]), amount(peer / row.items), amount(harness / row.items),
                         *(f"{ratio(row, part):.2f} ({min(ratios(row, part)):.2f}-{max(ratios(row, part)):.2f})" for part in (WHOLE, WORK))]
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text) + "\n"


# The packages of each peer, and what it does less.
PEERS = {"nh3": (["nh3"], ""), "fastfeedparser": (["fastfeedparser"], ", unsanitized"), "feedparser": (["feedparser"], ""),
         "trafilatura": (["trafilatura"], ""), "trafilatura-fast": (["trafilatura"], ", fast"), "resiliparse": (["resiliparse"], ", text only"),
         "site": (["turbohtml", "jinja2"], "")}


def name(peer):
    """A peer with its versions."""
    packages, less = PEERS[peer]
    return " + ".join(f"{package} {importlib.metadata.version(package)}" for package in packages) + less


# What a run has measured: the whole process, and the work without the harness.
WHOLE, WORK = 0, 2


def ratios(row, part=WHOLE):
    return [own[part] / other[part] for own, other in zip(row.runs, row.peer_runs)]


def ratio(row, part=WHOLE):
    return statistics.median(ratios(row, part))


def amount(seconds):
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"


def chart(rows):
    """Bars of the tool's CPU as a share of its peer's, which is the line."""
    rows = [row for row in rows if row.peer_runs]
    height = 30 * len(rows) + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" width="720" height="{height}" role="img"'
        ' font-family="sans-serif" font-size="13">',
        "<title>CPU time of the tool as a share of its peer's</title>",
        f'<rect width="720" height="{height}" fill="#fff"/>', f'<line x1="440" x2="440" y1="10" y2="{height - 30}" stroke="#888"/>']
    for index, row in enumerate(rows):
        value, top = ratio(row), 15 + 30 * index
        parts.append(f'<text x="230" y="{top + 14}" text-anchor="end" fill="#222">{row.name}</text>')
        parts.append(f'<rect x="240" y="{top}" width="{min(200 * value, 420):.0f}" height="18" fill="#3a6ea5"/>')
        parts.append(f'<text x="{min(246 + 200 * value, 664):.0f}" y="{top + 14}" fill="#222">{value:.2f}</text>')
    parts.append(f'<text x="440" y="{height - 10}" text-anchor="middle" fill="#222">the peer (shorter is faster)</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path(".build/bench"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        # In a process of its own: a child's peak memory counts from that of its parent.
        subprocess.run([sys.executable, HERE / "corpus.py", arguments.corpus], check=True)
        made = corpus.names(arguments.corpus)
        rows = [row for row in works(arguments.tamis.resolve(), made, pathlib.Path(scratch)) if arguments.only in row.name]
        measure(rows, arguments.rounds, pathlib.Path(scratch))
    result = table(rows)
    print(result)
    if arguments.write:
        (arguments.write / "benchmarks.svg").write_text(chart(rows))
        page = (HERE / "page.md").read_text(encoding="utf-8")
        version = subprocess.run([arguments.tamis, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}"
        machine += f"; {datetime.date.today():%-d %B %Y}, version {version.strip(',')}"
        (arguments.write / "benchmarks.md").write_text(
            page.replace("{{machine}}", machine).replace("{{rounds}}", str(arguments.rounds)).replace("{{table}}", result),
            encoding="utf-8")


main()
