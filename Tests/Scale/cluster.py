#!/usr/bin/env python3
"""By hand (make check-cluster): what takes minutes, or needs more than CI has.

usage: cluster.py TAMIS [--only slurm|executors|sql|ray]

A real Slurm whose tasks are requeued in the middle (it holds each back for two minutes); executors of a Spark cluster that are killed
with SIGKILL; transform.sql by spark-sql; Ray Data with a process an actor and an actor's worker that is killed, where Ray is installed.
Prints what was measured; exit code 0 when each record is answered once and each archive is that of one process.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import recipes
import records
import slurm
import spark


class Cluster(recipes.Recipes):
    def slurm(self):
        """Three tasks are requeued while they run; the merge waits for all of them."""
        if not slurm.available():
            return self.skip("slurm", "Slurm's packages are not installed, or this is not root")
        # Requeued in the middle: each task waits a moment before its last step.
        slow = self.folder / "slow"
        slow.mkdir()
        (slow / "tamis").write_text(f"#!/bin/sh\ntest \"$1\" = ingest && sleep 2\nexec {self.tamis} \"$@\"\n", encoding="utf-8")
        (slow / "tamis").chmod(0o755)
        path = f"{slow}:{recipes.NOWHERE}:/usr/sbin:/sbin"
        with slurm.Slurm(self.folder / "slurm") as cluster:
            cluster.ask("bash", str(recipes.RECIPES / "array.sbatch"), "feeds", "array.archive", "8", cwd=self.folder, environment={"PATH": path})
            requeued = 0
            while requeued < 3:
                time.sleep(0.7)
                for task in cluster.ask("squeue", "--noheader", "--states=RUNNING", "--format=%F_%K").split()[:1]:
                    requeued += cluster.ask("scontrol", "requeue", task) == ""
            self.expect(cluster.wait(400), "slurm: jobs are left after 400 seconds")
        self.same("array", "array.archive")
        self.told.append(f"{requeued} tasks requeued")
        return None

    def executors(self):
        """Two executors in processes of their own; one is killed in the middle of spark_map.py."""
        self.pages(4_000)
        (self.folder / "tamis-worker").mkdir()
        worker = self.folder / "tamis-worker" / "tamis"
        worker.write_text(spark.WORKER.format(worker=spark.HERE / "faulty_worker.py", tamis=self.tamis), encoding="utf-8")
        worker.chmod(0o755)
        self.run("tar", "czf", "tamis-worker.tar.gz", "-C", "tamis-worker", "tamis")
        killer = spark.Killer(lambda: spark.own("sanitize --jsonl --guard") and spark.own("CoarseGrainedExecutorBackend"))
        self.spark_submit("spark_map.py", "pages.parquet", "answers")
        self.expect(killer.end() == 1, "executors: nothing was killed in time")
        self.judge("executors", 4_000)

    def sql(self):
        """transform.sql by spark-sql, as its first lines say."""
        self.pages(2_000)
        self.run("sh", recipes.RECIPES / "worker.sh", self.tamis, "tamis-worker.tar.gz")
        self.run("spark-sql", "--archives", "tamis-worker.tar.gz#tamis-worker", "-d", f"source={self.folder}/pages.parquet",
                 "-d", f"target={self.folder}/answers", "-f", recipes.RECIPES / "transform.sql", SPARK_LOCAL_IP="127.0.0.1")
        self.judge("sql", 2_000)

    def ray(self):
        """Ray Data: an actor holds a process, a batch is as many lines; an actor's worker is killed in the middle."""
        if not importlib.util.find_spec("ray"):
            return self.skip("ray", "it is not installed: .build/check/bin/pip install 'ray[data]'")
        import ray
        ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
        tamis, worker, lines = self.tamis, str(spark.HERE / "faulty_worker.py"), self.lines(6_000)

        class Mapper:
            def __init__(self):
                environment = os.environ | {"TAMIS_WORKER": worker, "TAMIS_REAL": tamis}
                self.process = subprocess.Popen([tamis, "sanitize", "--jsonl", "--guard"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

            def __call__(self, batch):
                sender = threading.Thread(target=lambda: (self.process.stdin.write(b"".join(batch["line"])), self.process.stdin.flush()))
                sender.start()
                answers = [self.process.stdout.readline() for _ in batch["line"]]
                sender.join()
                return {"line": answers}

        def kill():
            while not (found := [pid for pid in spark.own("MapWorker") if spark.own("sanitize --jsonl --guard")]):
                time.sleep(0.05)
            os.kill(found[0], signal.SIGKILL)
        data = ray.data.from_items([{"line": line} for line in lines]).map_batches(Mapper, batch_size=200, concurrency=2, max_restarts=3)
        threading.Thread(target=kill, daemon=True).start()
        answers = [records.strict(row["line"]) for row in data.take_all()]
        ray.shutdown()
        self.expect(sorted(int(answer["id"]) for answer in answers) == list(range(6_000)), f"ray: {len(answers)} answers of 6000")
        return None

    # MARK: - Tables

    def pages(self, count):
        import pyarrow
        import pyarrow.parquet
        rows = [json.loads(line) for line in self.lines(count)]
        for number in range(0, count, count // 60):
            rows[number]["html"] += " zz-slow-zz"
        self.rows = rows
        shutil.rmtree(self.folder / "pages.parquet", ignore_errors=True)
        (self.folder / "pages.parquet").mkdir()
        for part in range(4):
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows[part::4]), self.folder / "pages.parquet" / f"{part}.parquet")
        shutil.rmtree(self.folder / "answers", ignore_errors=True)

    def judge(self, name, count):
        import pyarrow.parquet
        found = {row["id"]: row["html"] for row in pyarrow.parquet.read_table(self.folder / "answers").to_pylist()}
        lines = [json.dumps(row).encode() + b"\n" for row in self.rows]
        expected = {answer["id"]: answer["html"] for answer in map(records.strict, records.ask(self.tamis, "sanitize", lines)[0])}
        self.expect(found == expected, f"{name}: {len(found)} answers of {count}, {sum(found.get(k) == v for k, v in expected.items())} right")

    def spark_submit(self, name, source, target):
        self.run("spark-submit", "--master", "local-cluster[2,1,768]", "--archives", "tamis-worker.tar.gz#tamis-worker",
                 *(word for setting in ("spark.ui.enabled=false", "spark.executor.memory=512m", "spark.driver.host=127.0.0.1",
                                        "spark.sql.files.maxPartitionBytes=64k", "spark.sql.execution.arrow.maxRecordsPerBatch=50")
                   for word in ("--conf", setting)),
                 recipes.RECIPES / name, f"file://{self.folder}/{source}", f"file://{self.folder}/{target}", SPARK_LOCAL_IP="127.0.0.1",
                 SPARK_HOME=str(pathlib.Path(importlib.util.find_spec("pyspark").origin).parent))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("--only", choices=("slurm", "executors", "sql", "ray"))
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-cluster-"))
    cluster = Cluster(str(pathlib.Path(options.tamis).resolve()), folder, 0)
    for name in [options.only] if options.only else ["executors", "sql", "ray", "slurm"]:
        start = time.monotonic()
        getattr(cluster, name)()
        cluster.told.append(f"{name} {time.monotonic() - start:.0f} s")
    shutil.rmtree(folder)
    print("\n".join(cluster.problems + [f"skipped: {each}" for each in cluster.skipped]))
    print(f"{', '.join(cluster.told)}; {len(cluster.skipped)} skipped, {len(cluster.problems)} deviations")
    return 1 if cluster.problems else 0


if __name__ == "__main__":
    sys.exit(main())
