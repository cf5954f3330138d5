#!/usr/bin/env python3
"""Give commands archives in which a value has another type than its column, or a bit another value.

usage: mutated_archives.py TAMIS FEEDS [--values N] [--flips N] [--seed N]

FEEDS are read into an archive. N times (10,000) a copy of it gets another value in a column of a row of any table, also of a type that the
STRICT table would refuse, and a command reads it; N times (2,000) a bit of the file is another. The file has free pages, so that it is larger
than those that are checked whole when they are opened, in half of the cases. Each command has to end with an exit code, within 10 seconds;
none may end by a signal. Exit code 0 when all do.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from hostile_archives import commands, run

VALUES = [None, 0, 1, -1, 2**62, -(2**63), 0.5, float("inf"), -1e300, "", "x", "1", "-9", "\0", "\x1f\x1f", "a" * 5000, b"", b"\xff", b"\0" * 9,
          bytes(range(256)), "https://a.example/", "[]", "{}", "2026-01-01"]
# Files beyond this size are not checked whole when they are opened.
CHECKED = 16 << 20


def loosened(database, change):
    """Changes a table as if its columns had no types: the definition is written back as it was."""
    table = change[0]
    written = database.execute("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)).fetchone()[0]
    loose = written.replace(" NOT NULL", "").replace("WITHOUT ROWID, STRICT", "WITHOUT ROWID").replace(") STRICT", ")")
    file = database.execute("PRAGMA database_list").fetchone()[2]
    define = "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?"
    database.execute("PRAGMA writable_schema = ON")
    database.execute(define, (loose, table))
    database.close()
    database = sqlite3.connect(file, isolation_level=None)
    _, column, value, offset = change
    try:
        row = database.execute(f"SELECT rowid FROM {table} LIMIT 1 OFFSET {offset}").fetchone()
        database.execute(f"UPDATE OR IGNORE {table} SET {column} = ?" + (f" WHERE rowid = {row[0]}" if row else ""), (value,))
    except sqlite3.Error:
        # A table without row numbers, or the number of a row itself, which keeps its type.
        try:
            database.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
        except sqlite3.Error:
            pass
    database.execute("PRAGMA writable_schema = ON")
    database.execute(define, (written, table))
    database.close()


def enlarge(file):
    """Adds free pages to a file."""
    database = sqlite3.connect(file, isolation_level=None)
    database.executescript(f"CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob({CHECKED})); DROP TABLE filler")
    database.close()


def attempt(tamis, healthy, start, feeds, place, change, name):
    """What is wrong with the answer to a changed archive; None when nothing is."""
    place.mkdir()
    try:
        file = place / "case.archive"
        shutil.copy(healthy, file)
        if isinstance(change, int):
            with file.open("r+b") as stream:
                stream.seek(change // 8)
                byte = stream.read(1)[0]
                stream.seek(change // 8)
                stream.write(bytes([byte ^ 1 << change % 8]))
        else:
            loosened(sqlite3.connect(file, isolation_level=None), change)
        shutil.copy(start, place / "other.archive")
        (place / "empty.jsonl").write_text("")
        (place / "feeds").symlink_to(feeds)
        command = commands(tamis, file, place, "x" if name != "explain" else change_name(healthy))[name]
        code, taken, _, text = run(command, 10)
        if code is None or code < 0 or "Fatal error" in text:
            return f"{change!r:.90}: {name}: exit code {code} after {taken:.1f} s: {text.strip()[-160:]}"
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return None


def change_name(healthy):
    return sqlite3.connect(healthy).execute("SELECT name FROM post LIMIT 1").fetchone()[0]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("feeds", type=pathlib.Path)
    parser.add_argument("--values", type=int, default=10_000)
    parser.add_argument("--flips", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tamis, feeds, pick = options.tamis.absolute(), options.feeds.absolute(), random.Random(options.seed)
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        folder = pathlib.Path(name)
        healthy, large, start = folder / "healthy.archive", folder / "large.archive", folder / "start.archive"
        few = folder / "few"
        few.mkdir()
        for source in sorted(feeds.glob("*"))[:4]:
            shutil.copy(source, few)
        subprocess.run([tamis, "build", few, "--output", folder / "site", "--archive", healthy, "-q"], check=True)
        subprocess.run([tamis, "archive", "search", "--archive", healthy, "fog"], stdout=subprocess.DEVNULL)
        for copy in (large, start):
            shutil.copy(healthy, copy)
        enlarge(large)
        database = sqlite3.connect(healthy)
        columns = [(table, column[1]) for table, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'")
                   for column in database.execute(f"PRAGMA table_info({table})")]
        names = [each for each in commands(tamis, healthy, folder, "x") if each != "merge"]
        cases = []
        for number in range(options.values):
            table, column = columns[number % len(columns)]
            cases.append(((table, column, pick.choice(VALUES), pick.randrange(8)), pick.choice([healthy, large]), pick.choice(names)))
        bits = healthy.stat().st_size * 8
        cases += [(pick.randrange(800, bits), pick.choice([healthy, large]), pick.choice(names)) for _ in range(options.flips)]
        bad = []

        def of(numbered):
            number, (change, source, command) = numbered
            return attempt(tamis, source, start, few, folder / f"case{number}", change, command)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for fault in pool.map(of, enumerate(cases)):
                if fault:
                    bad.append(fault)
                    print("BAD", fault, flush=True)
    print(f"{len(cases)} changed archives, {len(columns)} columns, {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
