#!/usr/bin/env python3
"""Run the Spark recipes as written, in one session, through six faults: each record is answered, and once.

usage: spark.py TAMIS [--records N]

A line that is cut, records that crash the worker, one that hangs it, kill -9 of the command, kill -9 of a Python worker, and order:
the pipe, mapInArrow and TRANSFORM have to give what tamis gives by itself, with an error for a record that is at fault. Needs
pyspark, pyarrow and Java 17; exit code 0 when all holds, 75 when Spark cannot be had here.
"""
import argparse
import json
import os
import pathlib
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import corpus
import records

HERE = pathlib.Path(__file__).resolve().parent
RECIPES = HERE.parents[1] / "docs/recipes/scale"
# What a worker has in its folder, in place of the one that make worker packs: the same program, with faults at lines that are marked.
WORKER = """#!/bin/sh
export TAMIS_WORKER={worker} TAMIS_REAL={tamis}
case "$*" in *--guard*) set -- "$@" --max-time 2s ;; esac
exec {tamis} "$@"
"""


class Jobs:
    def __init__(self, tamis, folder, count):
        self.tamis, self.folder, self.count = tamis, folder, count
        self.problems, self.told = [], []
        (folder / "tamis-worker").mkdir()
        worker = folder / "tamis-worker" / "tamis"
        worker.write_text(WORKER.format(worker=shlex.quote(str(HERE / "faulty_worker.py")), tamis=shlex.quote(tamis)), encoding="utf-8")
        worker.chmod(0o755)
        os.chdir(folder)
        self.session = start()
        # TRANSFORM starts its commands in Spark's own folder, to which --archives goes as well.
        from pyspark import SparkFiles
        (pathlib.Path(SparkFiles.getRootDirectory()) / "tamis-worker").symlink_to(folder / "tamis-worker")

    # MARK: - Records and answers

    def rows(self, marks):
        """Records of which some are marked with a fault, by their number."""
        words = corpus.WORDS
        return [{"id": str(n), "html": f"<p onclick=x>{words[n % 31]} <b>{words[n * 7 % 31]}{f' zz-{marks[n]}-zz' if n in marks else ''}"}
                for n in range(self.count)]

    def lines(self, rows):
        path = self.folder / "records.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    def table(self, rows):
        import pyarrow
        import pyarrow.parquet
        path = self.folder / "pages.parquet"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        for part in range(4):
            share = rows[part * len(rows) // 4:(part + 1) * len(rows) // 4]
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(share), path / f"{part}.parquet")
        return path

    def direct(self, rows):
        """What tamis answers by itself."""
        answers, *_ = records.ask(self.tamis, "sanitize", [json.dumps(row).encode() + b"\n" for row in rows])
        return [records.strict(line) for line in answers]

    def target(self):
        shutil.rmtree(self.folder / "answers", ignore_errors=True)
        return str(self.folder / "answers")

    def recipe(self, name, source):
        """Runs a recipe as it is written; answers what it wrote, in the order of its files."""
        target = self.target()
        if name.endswith(".sql"):
            self.session.sql(f"SET source={source}")
            self.session.sql(f"SET target={target}")
            self.session.sql((RECIPES / name).read_text(encoding="utf-8").rstrip().rstrip(";"))
        else:
            sys.argv = [name, str(source), target]
            runpy.run_path(str(RECIPES / name), run_name="__main__")
        if name == "spark_pipe.py":
            parts = sorted(pathlib.Path(target).glob("part-*"))
            return [json.loads(line) for part in parts for line in part.read_text(encoding="utf-8").split("\n") if line]
        import pyarrow.parquet
        rows = pyarrow.parquet.read_table(target).to_pylist()
        return [{"id": row["id"], "html": row["html"], "by": row["by"]} if row["error"] is None else
                {"id": row["id"], "error": {"code": row["error"]}, "by": row["by"]} for row in rows]

    # MARK: - Cases

    def case(self, name, recipe, marks, errors, broken=None, kill=None):
        """One job. `errors` gives the codes by number; with `kill`, a thread kills what it names while the job runs, and a
        record that it was at may be answered with record.crashed."""
        rows = self.rows(marks)
        source = self.lines(rows) if recipe == "spark_pipe.py" else self.table(rows)
        if broken is not None:
            lines = source.read_text(encoding="utf-8").split("\n")
            lines[broken] = lines[broken][:-8]
            source.write_text("\n".join(lines), encoding="utf-8")
        killer = Killer(kill) if kill else None
        start_time = time.monotonic()
        try:
            answers = self.recipe(recipe, source)
        except Exception as error:  # Whatever a job fails with is a finding.
            told = re.findall(r"(?:Caused by|\w+Error|\w+Exception|Subprocess exited|tamis ended)[^\n]*", str(error))
            self.problems.append(f"{name}, {recipe}: the job failed: {' | '.join(dict.fromkeys(told))[:1_500]}")
            return
        finally:
            killed = killer.end() if killer else 0
        self.judge(f"{name}, {recipe}", rows, answers, errors, killed)
        if kill and not killed:
            self.problems.append(f"{name}, {recipe}: nothing was killed in time")
        self.told.append(f"{name} in {recipe} {time.monotonic() - start_time:.1f} s")

    def judge(self, name, rows, answers, errors, killed):
        expected = self.direct(rows)
        if "spark_pipe" not in name:
            # Spark packs the files of a table by their sizes: there the order is that of a partition, and answers are joined by id.
            answers.sort(key=lambda answer: int(answer["id"] or -1))
        ids = [answer["id"] for answer in answers]
        if ids != [row["id"] for row in rows]:
            lost, twice = len(set(row["id"] for row in rows) - set(ids)), len(ids) - len(set(ids))
            self.problems.append(f"{name}: {len(ids)} answers to {len(rows)} records, {lost} lost, {twice} twice, or out of order")
        crashed = 0
        for answer in answers:
            if not str(answer["id"]).isdigit():
                self.problems.append(f"{name}: an answer without an id: {str(answer)[:200]}")
                continue
            number = int(answer["id"])
            code, wanted = answer.get("error", {}).get("code"), errors.get(number)
            if code == "record.crashed" and wanted is None and killed:
                crashed += 1
            elif code != wanted or code is None and answer.get("html") != expected[number]["html"]:
                self.problems.append(f"{name}: the record {number} is answered with {str(answer)[:200]}")
        if crashed > killed:
            self.problems.append(f"{name}: {killed} kills cost {crashed} records")

    def faults(self):
        half = self.count // 2
        poison = {half: "die", half + 1: "die", self.count - 1: "die"}
        crashed = dict.fromkeys(poison, "record.crashed")
        slow = {number: "slow" for number in range(0, self.count, self.count // 60)}
        self.case("bad line", "spark_pipe.py", {}, {half: "record.json"}, broken=half)
        for recipe in ("spark_pipe.py", "spark_map.py", "transform.sql"):
            self.case("poison", recipe, poison, crashed)
        self.case("hang", "transform.sql", {7: "hang"}, {7: "record.too-slow"})
        self.case("kill -9 of the command", "spark_map.py", slow, {}, kill=commands)
        self.case("kill -9 of the command", "spark_pipe.py", slow, {}, kill=commands)
        self.case("kill -9 of the command's worker", "transform.sql", slow, {}, kill=workers)
        self.case("kill -9 of a Python worker", "spark_map.py", slow, {}, kill=python_workers)
        self.no_command()

    def no_command(self):
        """A worker without the command fails, and says what to ship."""
        away = self.folder / "away"
        (self.folder / "tamis-worker").rename(away)
        for recipe, source in (("spark_pipe.py", self.lines(self.rows({}))), ("spark_map.py", self.table(self.rows({}))),
                               ("transform.sql", self.folder / "pages.parquet")):
            try:
                self.recipe(recipe, source)
                self.problems.append(f"no command, {recipe}: the job does not fail")
            except Exception as error:  # Spark's own kinds of errors are many.
                if "make worker" not in str(error):
                    self.problems.append(f"no command, {recipe}: '{str(error)[:300]}' does not say what to ship")
        away.rename(self.folder / "tamis-worker")


class Killer:
    """Kills one process with SIGKILL, a moment after it is there."""

    def __init__(self, find):
        self.find, self.killed, self.ended = find, 0, False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.ended and not self.killed:
            if found := self.find():
                time.sleep(0.4)
                try:
                    os.kill(found[0], signal.SIGKILL)
                    self.killed = 1
                except ProcessLookupError:
                    pass
            time.sleep(0.05)

    def end(self):
        self.ended = True
        self.thread.join()
        return self.killed


def own(words, parent=""):
    """The processes that this one started whose command line has these words, and whose parent's has those."""
    def line(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""
    def above(pid):
        try:
            return line(int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]))
        except (OSError, ValueError):
            return ""
    return [pid for pid in records.tree(os.getpid())[1:] if words in line(pid) and parent in above(pid)]


def commands():
    return [pid for pid in own("sanitize --jsonl --guard") if not own("sh -c") or pid not in own("sh -c")]


def workers():
    return own("faulty_worker.py")


def python_workers():
    return own("pyspark.daemon", parent="pyspark.daemon")


def start():
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    from pyspark.sql import SparkSession
    session = (SparkSession.builder.master("local[2,4]").appName("tamis").config("spark.ui.enabled", "false")
               .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
               .config("spark.sql.files.maxPartitionBytes", "64k").config("spark.sql.files.openCostInBytes", "64k")
               .config("spark.default.parallelism", "4").config("spark.sql.shuffle.partitions", "4")
               .config("spark.sql.execution.arrow.maxRecordsPerBatch", "50").getOrCreate())
    session.sparkContext.setLogLevel("OFF")
    return session


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("--records", type=int, default=2_400)
    options = parser.parse_args()
    try:
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
        subprocess.run(["java", "-version"], capture_output=True, check=True)
    except (ImportError, OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: Spark cannot be had here ({error})")
        return 75
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-spark-"))
    jobs = Jobs(str(pathlib.Path(options.tamis).resolve()), folder, options.records)
    try:
        jobs.faults()
    finally:
        jobs.session.stop()
    print("\n".join(jobs.problems[:40]))
    print(f"Spark {pyspark.__version__}, {options.records} records: {'; '.join(jobs.told)}; {len(jobs.problems)} deviations")
    shutil.rmtree(folder)
    return 1 if jobs.problems else 0


if __name__ == "__main__":
    sys.exit(main())
