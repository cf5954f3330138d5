"""HTML of documents through tamis in datatrove, a child process for each task: the article as Markdown in `text`, what the page says of it in `metadata`.

    pipeline = [WarcReader("crawl"), TamisFilter(JsonlWriter("dropped")), JsonlWriter("kept")]       with this file on PYTHONPATH

It is a filter: what is dropped goes to the exclusion writer with its `filter_reason` and is counted as dropped_REASON. Reasons are other-kind and
low-confidence (by KINDS and LEAST; the Markdown and `metadata` are there), no-article, and the code of an error: too-slow, crashed, memory, too-large,
body. The others stay in order.
datatrove's filters need its extra `processing`, or regex alone.
"""
import json, os, subprocess, threading
from datatrove.pipeline.filters.base_filter import BaseFilter

TAMIS = """PATH=$PWD/tamis-worker:$PATH
command -v tamis >/dev/null || { echo "tamis is not on this worker: make worker, unpack tamis-worker.tar.gz as ./tamis-worker" >&2; exit 127; }
exec tamis article --jsonl --guard --max-time 10s --format markdown"""
FACTS = ("title", "byline", "published", "language", "site", "kind", "confidence", "hidden", "invisible")
# Pages of other kinds (listing, product, other) have little prose, and those below LEAST the wrong words; text from a page's data has no kind. What a
# page hides is not in its Markdown: `hidden` and `invisible` count it, and drop nothing.
KINDS, LEAST = ("article", "thread", "documentation", None), 0.5

class TamisFilter(BaseFilter):
    name = "Tamis"

    def __init__(self, exclusion_writer=None, batch_size=100):
        super().__init__(exclusion_writer, batch_size)

    def run(self, data, rank=0, world_size=1):
        with subprocess.Popen(["sh", "-c", TAMIS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as self.tamis:
            yield from super().run(data, rank, world_size)

    def filter(self, doc):
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch):
        lines = "".join(json.dumps({"id": doc.id, "html": doc.text, "url": doc.metadata.get("url")}) + "\n" for doc in batch).encode()
        # Written by a thread while answers are read: pipes hold little.
        writer = threading.Thread(target=send, args=(self.tamis.stdin.fileno(), lines))
        writer.start()
        answers = [self.tamis.stdout.readline() for _ in batch]
        writer.join()
        if not all(answers):
            # The task is not marked as done, and is run again with the next start.
            raise RuntimeError(f"tamis ended with exit code {self.tamis.wait()}; 127 means that it is not on this worker: {TAMIS}")
        return [self.take(doc, json.loads(answer)) for doc, answer in zip(batch, answers)]

    def take(self, doc, answer):
        if "error" in answer:
            return False, answer["error"]["code"].removeprefix("record.")
        if not answer.get("markdown"):
            return False, "no-article"
        doc.text = answer["markdown"]
        doc.metadata |= {name: answer[name] for name in FACTS if answer.get(name) is not None} | {"by": answer["by"]}
        if answer.get("kind") not in KINDS:
            return False, "other-kind"
        return answer.get("confidence", 1) >= LEAST or (False, "low-confidence")

def send(pipe, lines):
    try:
        while lines:
            lines = lines[os.write(pipe, lines):]
    except BrokenPipeError:
        pass
