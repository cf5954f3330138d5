"""Which post stands for which across feeds, for more posts than one machine folds: Spark makes the pairs, tamis decides each.

    tamis archive export --keys --archive shards/K-of-N.archive | gzip > keys/K.jsonl.gz                         # of each shard
    spark-submit --archives tamis-worker.tar.gz#tamis-worker spark_fold.py keys folds.jsonl

A line {"feed", "post", "of": {"feed", "post"}, "rule"} for each post that another stands for: what one archive of all finds by itself.
"""
import collections, json, sys
from pyspark.sql import SparkSession, functions as f

TAMIS = """sh -c 'PATH=$PWD/tamis-worker:$PATH
command -v tamis >/dev/null || { echo "tamis is not on this worker: make worker, then --archives tamis-worker.tar.gz#tamis-worker" >&2; exit 127; }
exec tamis archive same --jsonl'"""
MOST, CLUSTER = 64, 8
source, target = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
posts = spark.read.schema("feed string, post string, keys array<string>, facts map<string, string>").json(source)
# How often the feed has a text that has it most often: a boilerplate text says nothing.
counts = posts.groupBy(f.expr("facts['text'] text"), "feed").count().groupBy("text").agg(f.max("count").alias("copies")).where("copies > 1")
posts = posts.join(counts, f.expr("facts['text'] = text"), "left").selectExpr(
    "feed", "post", "keys", "if(copies is null, facts, map_concat(facts, map('copies', string(copies)))) facts").cache()
# Counted before it is collected: a key that a million posts have is dropped by its number.
keys = posts.selectExpr("feed", "post", "explode(keys) key")
few = keys.join(keys.groupBy("key").count().where(f"count between 2 and {MOST}"), "key")
pairs = few.alias("a").join(few.alias("b"), "key").where("a.feed < b.feed").selectExpr("struct(a.feed, a.post) a", "struct(b.feed, b.post) b").distinct()
side = lambda name: posts.selectExpr(f"struct(feed, post) {name}", f"facts {name}_facts")
asked = pairs.join(side("a"), "a").join(side("b"), "b").selectExpr("concat(a.post, ' ', b.post) id", "a_facts a", "b_facts b", "struct(a_facts a, b_facts b) meta")
answers = spark.read.schema("same boolean, reason string, error map<string, string>, meta struct<a: map<string, string>, b: map<string, string>>").json(
    asked.select(f.to_json(f.struct("*"))).rdd.map(lambda row: row[0]).pipe(TAMIS, checkCode=True)).where("same or error is not null").toLocalIterator()

def rank(post):
    number = lambda name, default: int(post.get(name, default))
    mark = lambda name: name in post.get("marks", "")
    return (number("first", 0), not mark("o"), mark("a"), -number("words", 0), number("since", 0), number("date", 2 ** 63 - 1), post["feed"],
            int.from_bytes(bytes.fromhex(post["post"]), signed=True))

# One task from here on: of a thousand posts about fifty are in pairs. The first by rank stands for the others.
ranks, near = {}, collections.defaultdict(dict)
for answer in answers:
    if answer["error"]:
        raise RuntimeError(f"tamis archive same: {answer['error']}")
    both = [(post["feed"], post["post"]) for post in answer["meta"]]
    for (one, other), facts in zip((both, both[::-1]), answer["meta"]):
        ranks[one], near[one][other] = rank(facts), answer["reason"]
folds, members = {}, collections.Counter()
for post in sorted(near, key=ranks.get):
    for other in sorted((o for o in near[post] if ranks[o] < ranks[post] and o not in folds), key=ranks.get):
        # Texts that are only nearly the same make small clusters: likeness is not handed on without end.
        if near[post][other] != "near" or members[other] + 2 <= CLUSTER:
            folds[post], members[other] = other, members[other] + 1
            break
with open(target, "w", encoding="utf-8") as file:
    for (feed, post), of in sorted(folds.items()):
        print(json.dumps({"feed": feed, "post": post, "of": {"feed": of[0], "post": of[1]}, "rule": near[feed, post][of]}), file=file)
