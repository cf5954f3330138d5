#!/usr/bin/env python3
"""Run a recipe for pipelines of language models over lines {"id", "html", "url"}, in its engine and on this machine.

usage: pipelines.py datatrove|nemo LINES ANSWERS

ANSWERS gets a line {"id", "status", "text", "title", "kind", "confidence", "hidden", "invisible"} for each document, in the order in which they came out:
with datatrove first those that it kept, then those that it gave to the exclusion writer. A document with an error, or without an article, has no text.
The folder of the recipes is on PYTHONPATH, for this process and those of the engine.
"""
import json
import pathlib
import sys

FACTS = ("title", "kind", "confidence", "hidden", "invisible")


def datatrove(rows, folder):
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from datatrove_mapper import TamisFilter
    (folder / "in").mkdir(parents=True)
    documents = [{"id": row["id"], "text": row["html"], "metadata": {"url": row["url"]}} for row in rows]
    (folder / "in" / "0.jsonl").write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    writer = {name: JsonlWriter(str(folder / name), compression=None) for name in ("kept", "dropped")}
    # Two workers: the steps go to processes of their own, as on a cluster.
    LocalPipelineExecutor([JsonlReader(str(folder / "in")), TamisFilter(writer["dropped"], batch_size=7), writer["kept"]],
                          tasks=2, workers=2, logging_dir=str(folder / "logs")).run()
    for name in ("kept", "dropped"):
        for path in sorted((folder / name).glob("*.jsonl")):
            for document in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
                facts = document["metadata"]
                yield {"id": document["id"], "status": facts.get("filter_reason", "ok"), "text": document["text"] if "by" in facts else None,
                       **{fact: facts.get(fact) for fact in FACTS}}


def nemo(rows, _folder):
    import pandas
    from nemo_curator.backends.ray_data import RayDataExecutor
    from nemo_curator.pipeline import Pipeline
    from nemo_curator.tasks import DocumentBatch
    from nemo_curator_mapper import TamisStage
    batch = DocumentBatch(dataset_name="pages", data=pandas.DataFrame(rows))
    for done in Pipeline(name="pages", stages=[TamisStage()]).run(RayDataExecutor(), initial_tasks=[batch]):
        table = done.to_pandas()[["id", "status", "text", *FACTS]].astype(object)
        yield from table.where(table.notna(), None).to_dict("records")


def main():
    engine, lines, answers = sys.argv[1:]
    rows = [json.loads(line) for line in pathlib.Path(lines).read_text(encoding="utf-8").splitlines()]
    found = list({"datatrove": datatrove, "nemo": nemo}[engine](rows, pathlib.Path(f"{answers}.folder")))
    pathlib.Path(answers).write_text("".join(json.dumps(each) + "\n" for each in found), encoding="utf-8")


if __name__ == "__main__":
    main()
