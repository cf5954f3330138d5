#!/usr/bin/env python3
"""Measure what a mapper costs: documents a second and core, by itself, guarded, and in Spark.

usage: mappers.py TAMIS COMMAND RECORDS [--rounds N] [--spark] [-- OPTION...]

RECORDS is a file of lines. Each way runs N times (5), in turn, and the least CPU time (user and system, of all processes) counts. With
--spark also through the JVM's pipe, Python's pipe and mapInArrow in local[2], warm, in one session; for Parquet, the lines are
written as columns `id` and `html` first. Needs pyspark and pyarrow for that.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Scale"))
import records  # noqa: E402

RECIPES = pathlib.Path(__file__).resolve().parents[2] / "docs/recipes/scale"


def direct(command, lines, output):
    """CPU seconds of a run by itself; what it says goes to a file, as in an engine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(lines, "rb") as source, open(output, "wb") as target:
        subprocess.run(command, stdin=source, stdout=target, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spent():
    """CPU seconds of this process and all that it started, with those that have ended and were waited for."""
    ticks = 0
    for pid in records.tree(os.getpid()):
        try:
            ticks += sum(map(int, pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


class Engine:
    def __init__(self, tamis, command, lines, folder):
        os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        (folder / "tamis-worker").mkdir()
        (folder / "tamis-worker" / "tamis").symlink_to(tamis)
        os.chdir(folder)
        from pyspark.sql import SparkSession
        self.command, self.lines, self.folder = command, str(lines), folder
        self.session = (SparkSession.builder.master("local[2]").appName("mappers").config("spark.ui.enabled", "false")
                        .config("spark.driver.host", "127.0.0.1").config("spark.driver.memory", "2g").getOrCreate())
        self.session.sparkContext.setLogLevel("OFF")

    def ways(self, with_tables):
        found = {"JVM pipe": self.jvm_pipe, "JVM, read and write alone": self.jvm_copy, "Python pipe": self.python_pipe}
        return found | ({"mapInArrow (spark_map.py)": self.arrow} if with_tables else {})

    def target(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        return str(self.folder / "out")

    def jvm_pipe(self):
        words = self.session.sparkContext._jvm.java.util.ArrayList()
        for word in self.command:
            words.add(word)
        self.session.sparkContext._jsc.textFile(self.lines, 4).pipe(words).saveAsTextFile(self.target())

    def jvm_copy(self):
        self.session.sparkContext._jsc.textFile(self.lines, 4).saveAsTextFile(self.target())

    def python_pipe(self):
        self.session.sparkContext.textFile(self.lines, 4).pipe(" ".join(self.command), checkCode=True).saveAsTextFile(self.target())

    def table(self):
        import pyarrow
        import pyarrow.parquet
        with open(self.lines, encoding="utf-8") as file:
            rows = [{"id": str(row["id"]), "html": row.get("html", row.get("body"))} for row in map(json.loads, file)]
        (self.folder / "pages.parquet").mkdir()
        for part in range(4):
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows[part::4]), self.folder / "pages.parquet" / f"{part}.parquet")

    def arrow(self):
        import runpy
        sys.argv = ["spark_map.py", str(self.folder / "pages.parquet"), self.target()]
        runpy.run_path(str(RECIPES / "spark_map.py"), run_name="__main__")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("command")
    parser.add_argument("records")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--spark", action="store_true")
    options = parser.parse_args()
    tamis, lines = str(pathlib.Path(options.tamis).resolve()), pathlib.Path(options.records).resolve()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-mappers-"))
    command = [tamis, options.command, "--jsonl", *options.options]
    with open(lines, "rb") as file:
        count = sum(1 for _ in file)
    least = {}
    ways = {"direct": lambda: direct(command, lines, folder / "direct"), "--guard": lambda: direct([*command, "--guard"], lines, folder / "guard")}
    for _ in range(options.rounds):
        for name, way in ways.items():
            least[name] = min(least.get(name, 1e9), way())
    if options.spark:
        engine = Engine(tamis, command, lines, folder)
        if options.command == "sanitize":
            engine.table()
        for round_number in range(options.rounds + 1):
            for name, way in engine.ways(options.command == "sanitize").items():
                before = spent()
                way()
                # The first round warms the JVM.
                least[name] = min(least.get(name, 1e9), spent() - before) if round_number else 1e9
        engine.session.stop()
    print(f"{options.command}, {count} records, {lines.stat().st_size / 1e6:.1f} MB")
    for name, seconds in least.items():
        print(f"  {name:28} {seconds:7.2f} s  {count / seconds:9.0f} documents/s/core  {lines.stat().st_size / seconds / 1e6:6.1f} MB/s"
              f"  {seconds / least['direct']:5.2f} of direct")
    os.chdir("/")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
