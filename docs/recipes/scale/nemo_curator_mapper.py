"""The column `html` of documents through tamis in NeMo Curator (1.0 and newer), a child process for each batch: columns `text` (Markdown), `title`, …

    pipeline = Pipeline(name="pages", stages=[ParquetReader("pages"), TamisStage(), ParquetWriter("articles")])       with this file on PYTHONPATH

No row is lost or moved: `status` is ok, other-kind or low-confidence (by KINDS and LEAST), or, and then `text` is null, no-article or the code of an
error: too-slow, crashed, memory, too-large, body. To drop all but ok: Filter(lambda status: status == "ok", filter_field="status"). When there is no
tamis, the task fails, and its batch stays to be done.
"""
import dataclasses, json, subprocess
import pandas
from nemo_curator.stages.base import ProcessingStage
from nemo_curator.tasks import DocumentBatch

TAMIS = """PATH=$PWD/tamis-worker:$PATH
command -v tamis >/dev/null || { echo "tamis is not on this worker: make worker, unpack tamis-worker.tar.gz as ./tamis-worker" >&2; exit 127; }
exec tamis article --jsonl --guard --max-time 10s --format markdown"""
FACTS = ("title", "byline", "published", "language", "site", "kind", "confidence", "hidden", "invisible", "by")
# Pages of other kinds (listing, product, other) have little prose, and those below LEAST the wrong words; text from a page's data has no kind. What a
# page hides is not in its Markdown: `hidden` and `invisible` count it, and drop nothing.
KINDS, LEAST = ("article", "thread", "documentation", None), 0.5

class TamisStage(ProcessingStage[DocumentBatch, DocumentBatch]):
    name = "tamis"

    def inputs(self):
        return ["data"], ["html"]

    def outputs(self):
        return ["data"], ["text", "status", *FACTS]

    def process(self, batch):
        table = batch.to_pandas()
        urls = table["url"] if "url" in table else [None] * len(table)
        # What a table has in place of a page or an address may be a NaN, which is not JSON.
        records = ({"id": n, "html": text(html), "url": text(url)} for n, (html, url) in enumerate(zip(table["html"], urls)))
        lines = "".join(json.dumps(record) + "\n" for record in records)
        done = subprocess.run(["sh", "-c", TAMIS], input=lines.encode(), stdout=subprocess.PIPE, check=True)
        answers = [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]
        columns = {name: [answer.get(name) for answer in answers] for name in FACTS}
        columns |= {"text": [answer.get("markdown") for answer in answers], "status": [status(answer) for answer in answers]}
        # In 1.0 a batch is made with its task's id, and since then without.
        return dataclasses.replace(batch, data=table.assign(**pandas.DataFrame(columns, index=table.index)))

def text(value):
    return value if isinstance(value, str) else None

def status(answer):
    if "error" in answer:
        return answer["error"]["code"].removeprefix("record.")
    if not answer.get("markdown"):
        return "no-article"
    if answer.get("kind") not in KINDS:
        return "other-kind"
    return "ok" if answer.get("confidence", 1) >= LEAST else "low-confidence"
