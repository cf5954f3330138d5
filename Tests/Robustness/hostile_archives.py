#!/usr/bin/env python3
"""Give every command archives that another program has made or changed.

usage: hostile_archives.py TAMIS FEEDS [--rows N] [--only WORD]

FEEDS are read into an archive. Copies of it get a view, a trigger, a virtual table, a generated column, an unknown table or
index, another collation, values that unpack to gigabytes in each packed column, a text of 30 MB and a list of 3,000,000 words in
each column of texts and bytes, a tree without an end, and N rows (20,000) in each table. Each command has to answer within 10
seconds, with an exit code and, where it fails, a message; with no more than 100 MB above what it takes with the healthy archive.
A file with N rows in a table is a large archive and not a bomb: it has 100 seconds, and as many bytes of memory as the file has
besides. A value of 30 MB has four times as much besides: SQLite holds it that often when a row with it is written. Exit code 0
when all do.
"""
import argparse
import multiprocessing
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
MEGABYTE = 1 << 20

SCHEMAS = {
    "view": f"ALTER TABLE category RENAME TO c2; CREATE VIEW category AS {ENDLESS} "
            "SELECT 's' || x AS slug, 1 AS feed, 'n' AS name FROM c",
    "view of posts": f"ALTER TABLE post RENAME TO p; CREATE VIEW post AS SELECT p.* FROM p, ({ENDLESS} SELECT x FROM c)",
    "trigger": f"CREATE TRIGGER more AFTER UPDATE ON run BEGIN DELETE FROM post; END",
    "virtual table": "DROP TABLE label; CREATE VIRTUAL TABLE label USING fts5 (slug, name, count)",
    "generated column": "ALTER TABLE label ADD COLUMN extra TEXT AS (hex(zeroblob(100000000)))",
    "unknown table": "CREATE TABLE extra (x)",
    "unknown index": "CREATE INDEX extra ON post (hex(zeroblob(words * 1000)))",
    "collation": "DROP INDEX feed_preferredSlug; CREATE INDEX feed_preferredSlug ON feed (preferredSlug COLLATE NOCASE)",
    "20,000 tables": ";".join(f"CREATE TABLE t{number} (x)" for number in range(20_000)),
}

# The first frame header of zstd (RFC 8878, 3.1.1) with a block that repeats one byte: 4 bytes for each 128 KB.
def bomb(size):
    frame = bytes.fromhex("28b52ffd") + bytes([0xE0]) + size.to_bytes(8, "little")
    left = size
    while left > 0:
        part = min(left, 128 << 10)
        left -= part
        frame += ((part << 3) | (1 << 1) | (left == 0)).to_bytes(3, "little") + b"a"
    return frame


BOMBS = {
    "body": "UPDATE body SET content = ?",
    "page": "INSERT OR REPLACE INTO page VALUES (1, 'https://a.example/', '', '', ?, 1, 1, 1, 0, NULL, 0)",
    "waitingPage": "INSERT OR REPLACE INTO waitingPage VALUES (1, 'https://a.example/', NULL, ?)",
}


def commands(tamis, archive, folder, post):
    """The commands, by name."""
    option = ["--archive", archive]
    return {
        "publish": [tamis, "publish", *option, "--output", folder / "site"],
        "verify": [tamis, "archive", "verify", *option],
        "show": [tamis, "archive", "show", *option],
        "search": [tamis, "archive", "search", *option, "fog"],
        "explain": [tamis, "archive", "explain", *option, post, post],
        "export": [tamis, "archive", "export", *option],
        "import": [tamis, "archive", "import", *option, folder / "empty.jsonl"],
        "mark-read": [tamis, "archive", "mark-read", "--all", *option],
        "merge": [tamis, "archive", "merge", "--archive", folder / "merged.archive", archive],
        "merge into": [tamis, "archive", "merge", "--archive", folder / "other.archive", archive],
        "build": [tamis, "build", folder / "feeds", *option, "--output", folder / "built"],
    }


def run(command, seconds):
    """Runs a command: its exit code (None when it was too slow), seconds, the most memory in bytes, and errors."""
    start = time.monotonic()
    with open(os.devnull, "wb") as nothing, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=nothing, stderr=errors)
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        taken = time.monotonic() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    code = None if process.returncode == -9 else process.returncode
    return code, taken, usage.ru_maxrss * 1024, text


def fill(database, table, rows):
    """Adds copies of a table's first row, with new values where they have to be unique."""
    columns = database.execute(f"PRAGMA table_info({table})").fetchall()
    row = database.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
    values = []
    for index, (_, _, kind, isNeeded, _, _) in enumerate(columns):
        value = row[index] if row else None
        name = columns[index][1]
        if kind == "INTEGER" and (name in ("id", "post", "pid", "page", "arrival") or columns[index][5]):
            values.append("1000 + x")
        elif kind == "TEXT" and (columns[index][5] or name in ("key", "address", "folder", "document")):
            values.append("'https://a.example/' || x" if name != "slug" else "'slug' || x")
        elif value is not None:
            values.append(str(value) if kind == "INTEGER" else "x'00'" if isinstance(value, bytes) else "'word'")
        else:
            values.append({"INTEGER": "1", "TEXT": "'word'", "BLOB": "x'00'"}[kind] if isNeeded else "NULL")
    database.execute(
        f"INSERT OR IGNORE INTO {table} WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT {rows}) "
        f"SELECT {', '.join(values)} FROM c")


# What is put in each column of texts or bytes: by its name, as an expression of SQL.
LONG = {"30 MB": "replace(hex(zeroblob(15000000)), '00', 'aa')", "3,000,000 words": "replace(hex(zeroblob(1500000)), '0', 'ab' || char(31))"}


def changes(rows):
    """What is done with copies of the archive, by name: a function of its file, and whether the file becomes large."""
    def schema(sql):
        return lambda file: sqlite3.connect(file, isolation_level=None).executescript("BEGIN;" + sql + ";COMMIT")

    def unpack(sql, size):
        def change(file):
            database = sqlite3.connect(file)
            database.execute(sql, (bomb(size),))
            database.commit()
        return change

    def long(table, column, kind, value):
        def change(file):
            database = sqlite3.connect(file)
            if not database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
                fill(database, table, 1)
            value_of_kind = f"CAST({value} AS BLOB)" if kind == "BLOB" else value
            database.execute(f"UPDATE {table} SET {column} = {value_of_kind} WHERE {column} IN (SELECT {column} FROM {table} LIMIT 1)"
                             f" OR {column} IS NULL")
            database.commit()
        return change

    def many(table):
        def change(file):
            database = sqlite3.connect(file)
            fill(database, table, rows)
            database.commit()
        return change

    found = {name: (schema(sql), False) for name, sql in SCHEMAS.items()}
    for name, sql in BOMBS.items():
        found[f"bomb of 1 GB in {name}"] = (unpack(sql, (1 << 30) - 1), False)
        found[f"bomb of 34 MB in {name}"] = (unpack(sql, 34 << 20), False)
    return found, long, many


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("feeds", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    tamis, bad, worst = options.tamis.absolute(), [], {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        healthy = folder / "healthy.archive"
        (folder / "empty.jsonl").write_text("")
        shutil.copytree(options.feeds, folder / "feeds")
        for file in (healthy, folder / "start.archive"):
            subprocess.run([tamis, "ingest", options.feeds, "--archive", file], check=True, stderr=subprocess.DEVNULL)
        post = sqlite3.connect(healthy).execute("SELECT name FROM post LIMIT 1").fetchone()[0]
        schemas, long, many = changes(options.rows)
        tables = [row[0] for row in sqlite3.connect(healthy).execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        cases = {"healthy": (lambda file: None, False), **schemas}
        for table in tables:
            for _, column, kind, _, _, _ in sqlite3.connect(healthy).execute(f"PRAGMA table_info({table})").fetchall():
                if kind in ("TEXT", "BLOB"):
                    cases |= {f"{name} in {table}.{column}": (long(table, column, kind, value), False) for name, value in LONG.items()}
        cases |= {f"{options.rows} rows in {table}": (many(table), True) for table in tables if table != "run"}
        usual = {}
        for case, (change, isLarge) in cases.items():
            if case != "healthy" and options.only not in case:
                continue
            file = folder / "case.archive"
            shutil.copy(healthy, file)
            # In a process of its own: what Python holds counts as a command's memory until it has become that command.
            maker = multiprocessing.get_context("fork").Process(target=change, args=(file,))
            maker.start()
            maker.join()
            size = file.stat().st_size
            for name, command in commands(tamis, file, folder, post).items():
                for old in ("site", "built"):
                    shutil.rmtree(folder / old, ignore_errors=True)
                (folder / "merged.archive").unlink(missing_ok=True)
                shutil.copy(folder / "start.archive", folder / "other.archive")
                original = folder / "copy.archive"
                shutil.copy(file, original)
                command = [original if word == file else word for word in command]
                code, taken, memory, text = run(command, options.seconds)
                if case == "healthy":
                    usual[name] = memory
                allowed = usual[name] + 100 * MEGABYTE + (size if isLarge else 0) + (120 * MEGABYTE if "30 MB" in case else 0)
                faults = []
                if code is None:
                    faults.append("no answer in time")
                elif code < 0 or code not in (0, 1, 65, 74):
                    faults.append(f"exit code {code}")
                elif code != 0 and name != "search" and name != "verify" and "error:" not in text:
                    faults.append("no message")
                if memory > allowed:
                    faults.append(f"{memory // MEGABYTE} MB, {allowed // MEGABYTE} MB are allowed")
                if (case in SCHEMAS or "1 GB" in case) and name == "verify" and code == 0:
                    faults.append("verify finds nothing")
                if case in SCHEMAS and code == 0:
                    faults.append("it is used")
                worst[case] = max(worst.get(case, (0, 0)), (taken, memory // MEGABYTE))
                if faults:
                    bad.append(f"{case}: {name}: {', '.join(faults)} ({taken:.1f} s) {text.strip()[-200:]}")
                    print("BAD", bad[-1], flush=True)
            print(f"{case}: {size / MEGABYTE:.1f} MB, the slowest command {worst[case][0]:.1f} s", flush=True)
    print(f"{len(worst)} archives, {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
