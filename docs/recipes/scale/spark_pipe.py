"""Lines of records through tamis in Spark's workers, by the engine's own pipe: the shortest way, and the one that costs least.

    spark-submit --archives tamis-worker.tar.gz#tamis-worker spark_pipe.py records.jsonl answers

One answer a line, in the order of the lines of a partition; join answers to records by id.
"""
import sys
from pyspark.sql import SparkSession

TAMIS = """sh -c 'PATH=$PWD/tamis-worker:$PATH
command -v tamis >/dev/null || { echo "tamis is not on this worker: make worker, then --archives tamis-worker.tar.gz#tamis-worker" >&2; exit 127; }
exec tamis sanitize --jsonl --guard'"""
source, target = sys.argv[1:]
lines = SparkSession.builder.getOrCreate().sparkContext.textFile(source)
# checkCode: without it a mapper that failed counts as one that is done, and what it has not answered is lost.
lines.pipe(TAMIS, checkCode=True).saveAsTextFile(target)
