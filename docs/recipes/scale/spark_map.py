"""Columns of a table through tamis in Spark's workers: mapInArrow with a process a partition, Parquet to Parquet.

    spark-submit --archives tamis-worker.tar.gz#tamis-worker spark_map.py pages.parquet answers.parquet      # columns: id, html
"""
import json, os, subprocess, sys, threading
import pyarrow
from pyspark.sql import SparkSession

TAMIS = """PATH=$PWD/tamis-worker:$PATH
command -v tamis >/dev/null || { echo "tamis is not on this worker: make worker, then --archives tamis-worker.tar.gz#tamis-worker" >&2; exit 127; }
exec tamis sanitize --jsonl --guard"""

def answers(batches):
    with subprocess.Popen(["sh", "-c", TAMIS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as tamis:
        for batch in batches:
            lines = "".join(json.dumps(row) + "\n" for row in batch.to_pylist()).encode()
            # Written by a thread while answers are read: pipes hold little.
            writer = threading.Thread(target=send, args=(tamis.stdin.fileno(), lines))
            writer.start()
            read = [tamis.stdout.readline() for _ in range(batch.num_rows)]
            writer.join()
            if not all(read):
                # Spark tries the partition again.
                raise RuntimeError(f"tamis ended with exit code {tamis.wait()}; 127 means that it is not on this worker: {TAMIS}")
            rows = [json.loads(line) for line in read]
            yield pyarrow.RecordBatch.from_pydict(
                {"id": [row["id"] for row in rows], "html": [row.get("html") for row in rows],
                 "error": [row.get("error", {}).get("code") for row in rows], "by": [row["by"] for row in rows]}, schema=SCHEMA)

def send(pipe, lines):
    try:
        while lines:
            lines = lines[os.write(pipe, lines):]
    except BrokenPipeError:
        pass

SCHEMA = pyarrow.schema([(name, pyarrow.string()) for name in ("id", "html", "error", "by")])
source, target = sys.argv[1:]
pages = SparkSession.builder.getOrCreate().read.parquet(source).selectExpr("string(id) id", "html")
pages.mapInArrow(answers, "id string, html string, error string, by string").write.parquet(target)
