#!/usr/bin/env python3
"""Run each recipe of docs/recipes/scale as it is written; those of Spark but one run in spark.py's session.

usage: recipes.py TAMIS [--only NAME] [--seeds N]

Feeds go to one archive by GNU parallel, a real Slurm, and the Kubernetes manifest in a runner of our own with kills and doubled pods:
each time the archive's export and the site are those of one process. Records go through xargs, and through Spark on workers that
have nothing but what `worker.sh` packs; it is started with no file of this machine's but busybox. Web pages go through
datatrove and NeMo Curator with `--only` alone (make check-datatrove, make check-nemo). Each recipe is then run without
the command, and says what to ship. What cannot be run here is said, and is no failure but with CI=true. Exit code 0 when all holds.
"""
import argparse
import gzip
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import corpus
import pipelines
import records
import slurm

HERE = pathlib.Path(__file__).resolve().parent
RECIPES = HERE.parents[1] / "docs/recipes/scale"
SITE = ["--title", "Shards"]
NOWHERE = "/usr/bin:/bin"
# Pages that recipes judge by their facts: a list of links, a short text in the data that a page has for scripts, an article with what nobody sees.
LISTING = "<title>Ferries</title><ul>" + "".join(f"<li><a href=/p/{n}>The ferry number {n} on the sea</a>" for n in range(20)) + "</ul>"
WORDS = " ".join(f"The ferry number {n} leaves the harbour in the morning, with barley, copper and canvas." for n in range(12))
DATA = f'<title>Ferries</title><script id="__NEXT_DATA__" type="application/json">{{"props": {{"pageProps": {{"body": "{WORDS}"}}}}}}</script>'
HIDDEN = records.PAGE.replace("</article>", "<p hidden>Ignore this<p>No\U000e0041 \u202eferry is late.</article>")


class Recipes:
    def __init__(self, tamis, folder, seeds):
        self.tamis, self.folder, self.seeds, self.problems, self.skipped, self.told = tamis, folder, seeds, [], [], []
        (folder / "bin").mkdir()
        (folder / "bin" / "tamis").symlink_to(tamis)
        self.environment = os.environ | {"PATH": f"{folder / 'bin'}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
                                         "PYSPARK_PYTHON": sys.executable}
        corpus.write(folder / "feeds", feeds=10)
        self.run("tamis", "build", "feeds", "--output", "one/site", "--archive", "one.archive", "--reproducible", *SITE, code=(0, 1))
        self.expected = self.outcome("one.archive", "one/site")

    def expect(self, holds, text):
        if not holds:
            self.problems.append(text)

    def run(self, *command, code=0, says="", path=None, **more):
        """Runs a command in the folder; answers what it wrote, messages and all."""
        environment = self.environment | ({"PATH": path} if path else {}) | more
        done = subprocess.run([str(word) for word in command], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300, check=False)
        told = f"{' '.join(map(str, command))[-90:]}: exit code {done.returncode}: {done.stdout.decode(errors='replace')[-400:]}"
        self.expect(done.returncode in (code if isinstance(code, tuple) else (code,)), told)
        self.expect(says in done.stdout.decode(errors="replace"), f"{told}: '{says}' is not said")
        return done.stdout

    def outcome(self, archive, site):
        if not (self.folder / archive).exists():
            return [], {}
        export = sorted(self.run("tamis", "archive", "export", "--archive", archive).splitlines())
        folder = self.folder / site
        if not folder.exists():
            self.run("tamis", "publish", "--archive", archive, "--output", site, *SITE)
        return export, {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    def same(self, name, archive):
        """The archive and its site are those of one process."""
        export, site = self.outcome(archive, f"site-{name}")
        self.expect(export == self.expected[0], f"{name}: the archive differs in {len(set(export) ^ set(self.expected[0]))} lines")
        other = [path for path in site.keys() | self.expected[1].keys() if site.get(path) != self.expected[1].get(path)]
        self.expect(not other, f"{name}: {len(other)} files of the site differ: {sorted(other)[:4]}")

    def without(self, tool):
        """A PATH on which the tool is and tamis is not."""
        folder = self.folder / f"only-{tool}"
        folder.mkdir(exist_ok=True)
        found = shutil.which(tool)
        if found and not (folder / tool).exists():
            (folder / tool).symlink_to(found)
        return f"{folder}:{NOWHERE}"

    def skip(self, name, why):
        self.skipped.append(f"{name} ({why})")

    # MARK: - Feeds to one archive

    def parallel(self):
        if not shutil.which("parallel"):
            return self.skip("parallel.sh", "GNU parallel is not installed")
        self.run("bash", RECIPES / "parallel.sh", "feeds", "parallel.archive", 3)
        self.same("parallel", "parallel.archive")
        self.run("bash", RECIPES / "parallel.sh", "feeds", "none.archive", 2, path=self.without("parallel"), code=(1, 2, 127), says="make worker")

    def array(self):
        if not slurm.available():
            return self.skip("array.sbatch", "Slurm's packages are not installed, or this is not root")
        with slurm.Slurm(self.folder / "slurm") as cluster:
            script = RECIPES / "array.sbatch"
            cluster.ask("bash", str(script), "feeds", "array.archive", "4", cwd=self.folder, environment={"PATH": self.slurm_path(True)})
            self.expect(cluster.wait(120), "array.sbatch: jobs are left after two minutes")
            self.same("array", "array.archive")
            cluster.ask("bash", str(script), "feeds", "lost.archive", "2", cwd=self.folder, environment={"PATH": self.slurm_path(False)})
            self.expect(cluster.wait(120), "array.sbatch without the command: jobs are left after two minutes")
            said = "".join(path.read_text(errors="replace") for path in self.folder.glob("slurm-*.out"))
            self.expect("make worker" in said, f"array.sbatch without the command says {said[-300:]}")
        return None

    def slurm_path(self, tamis):
        return f"{self.folder / 'bin'}:{NOWHERE}:/usr/sbin:/sbin" if tamis else f"{NOWHERE}:/usr/sbin:/sbin"

    def job(self):
        """The manifest is valid and strictly so, and its Jobs come to one process on a bad day."""
        manifest = RECIPES / "job.yaml"
        if not importlib.util.find_spec("kubernetes_validate"):
            return self.skip("job.yaml", "kubernetes-validate is not installed")
        self.run("kubernetes-validate", "--strict", manifest)
        for right, wrong in (("backoffLimitPerIndex:", "backofLimitPerIndex:"), ("completions: 8", "completions: eight"),
                             ("operator: In, values: [2", "values: [2")):
            broken = self.folder / "broken.yaml"
            broken.write_text(manifest.read_text(encoding="utf-8").replace(right, wrong), encoding="utf-8")
            self.run("kubernetes-validate", "--strict", broken, code=1)
        for seed in range(self.seeds):
            # Places are as seen from the archive's folder, in which the feeds are.
            data = self.folder / f"data-{seed}"
            shutil.copytree(self.folder / "feeds", data / "feeds")
            runner = [sys.executable, HERE / "indexed_job.py", manifest, "--mount", f"/data={data}", "--seed", seed]
            told = self.run(*runner, "--selector", "step=shards", "--kills", 3, "--doubles", 3)
            self.run(*runner, "--selector", "step=merge")
            self.expect(b"8 done, 0 failed" in told, f"job.yaml: {told.decode()}")
            self.same(f"job-{seed}", f"data-{seed}/planet.archive")
        lost = [sys.executable, HERE / "indexed_job.py", manifest, "--mount", f"/data={self.folder}/lost"]
        told = self.run(*lost, "--selector", "step=shards", code=1, says="make worker", path=NOWHERE)
        self.expect(b"8 failed, 8 pods" in told, f"without the command an index is tried again: {told.decode()[:200]}")
        return None

    # MARK: - Records

    def lines(self, count):
        words = corpus.WORDS
        return [json.dumps({"id": str(n), "html": f"<p onclick=x>{words[n % 31]} <b>{words[n * 7 % 31]}"}).encode() + b"\n" for n in range(count)]

    def xargs(self):
        source = self.folder / "crawl" / "a b"
        source.mkdir(parents=True)
        lines = self.lines(900)
        # Names are names, whatever a shell would make of them.
        names = ["part 0", "part\n1", "$(touch made)`touch made`\"'"]
        for part, name in enumerate(names):
            (source / f"{name}.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[part::3])))
        self.run("bash", RECIPES / "xargs.sh", "crawl", "out")
        self.expect(not list(self.folder.rglob("made")), "xargs.sh: what stands in a file's name was run")
        for part, name in enumerate(names):
            answers = self.folder / "out" / "a b" / f"{name}.jsonl.gz"
            expected = records.ask(self.tamis, "sanitize", lines[part::3])[0]
            said = gzip.decompress(answers.read_bytes()).splitlines(keepends=True) if answers.exists() else []
            self.expect(said == expected, f"xargs.sh: {len(said)} answers in {answers.name} are not those of tamis")
        cut = self.folder / "crawl" / "cut.jsonl.gz"
        cut.write_bytes((source / "part 0.jsonl.gz").read_bytes()[:-40])
        before = {path: path.stat().st_mtime_ns for path in (self.folder / "out").rglob("*.gz")}
        self.run("bash", RECIPES / "xargs.sh", "crawl", "out", code=123)
        after = {path: path.stat().st_mtime_ns for path in (self.folder / "out").rglob("*") if path.is_file()}
        self.expect(before == after, f"xargs.sh: a file that is cut off leaves {sorted(after.keys() ^ before.keys())}, or what is done is done again")
        self.run("bash", RECIPES / "xargs.sh", "crawl", "other", path=NOWHERE, code=127, says="make worker")

    def worker(self):
        """What is packed runs on a machine that has a shell and nothing else, with and without --guard, in any encoding."""
        archive = self.folder / "tamis-worker.tar.gz"
        self.run("sh", RECIPES / "worker.sh", self.tamis, archive)
        bare = self.folder / "bare"
        bare.mkdir()
        self.run("tar", "xzf", archive, "-C", bare)
        self.told.append(f"worker of {archive.stat().st_size >> 20} MB")
        busybox = shutil.which("busybox")
        if not shutil.which("bwrap") or not busybox:
            return self.skip("a bare machine", "bubblewrap or busybox is not installed")
        cage = ["bwrap", "--unshare-all", "--ro-bind", bare, "/w", "--ro-bind", busybox, "/bin/busybox", "--proc", "/proc", "--dev", "/dev",
                "--tmpfs", "/tmp", "--clearenv", "--setenv", "PATH", "/bin"]
        for name in ("sh", "readlink", "dirname", "printf", "cat"):
            cage += ["--symlink", "busybox", f"/bin/{name}"]
        self.run(*cage, "/w/tamis", "--version", says="tamis")
        record = json.dumps({"id": "one", "html": "<p onclick=x>Fog"})
        for options in ("", "--guard"):
            said = self.run(*cage, "sh", "-c", f"printf '%s\\n' '{record}' | /w/tamis sanitize --jsonl {options}")
            self.expect(b'"html":"<p>Fog</p>"' in said, f"a bare machine answers {said[-300:]} {options}")
        feed = records.FEED.replace("<rss", '<?xml version="1.0" encoding="euc-jp"?><rss').replace("One", "\u6e2f\u306e\u706f").encode("euc-jp")
        line = json.dumps({"id": 1, "body64": records.packed(feed)})
        said = self.run(*cage, "sh", "-c", f"printf '%s\\n' '{line}' | /w/tamis parse --jsonl")
        self.expect("\u6e2f\u306e\u706f" in json.loads(said)["entries"][0]["title"], f"a bare machine reads EUC-JP as {said[-300:]}")
        return None

    def spark(self):
        """spark_pipe.py by spark-submit, on executors in folders of their own that get the packed worker."""
        if not importlib.util.find_spec("pyspark") or not shutil.which("java"):
            return self.skip("spark_pipe.py", "pyspark or Java is not installed")
        if not (self.folder / "tamis-worker.tar.gz").exists():
            self.run("sh", RECIPES / "worker.sh", self.tamis, self.folder / "tamis-worker.tar.gz")
        lines = self.lines(2_000)
        (self.folder / "records.jsonl").write_bytes(b"".join(lines))
        self.run("spark-submit", "--master", "local-cluster[2,1,768]", "--archives", "tamis-worker.tar.gz#tamis-worker", "--conf", "spark.ui.enabled=false",
                 "--conf", "spark.executor.memory=512m", "--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.driver.bindAddress=127.0.0.1",
                 RECIPES / "spark_pipe.py", "file://" + str(self.folder / "records.jsonl"), "file://" + str(self.folder / "answers"),
                 SPARK_LOCAL_IP="127.0.0.1", SPARK_HOME=str(pathlib.Path(importlib.util.find_spec("pyspark").origin).parent))
        answers = b"".join(path.read_bytes() for path in sorted(self.folder.glob("answers/part-*")))
        self.expect(answers == b"".join(records.ask(self.tamis, "sanitize", lines)[0]), f"spark_pipe.py: {answers.count(10)} answers of 2000, or others")
        return None

    # MARK: - Pages, for language models

    def datatrove(self):
        missing = [name for name in ("datatrove", "regex", "orjson") if not importlib.util.find_spec(name)]
        return self.skip("datatrove_mapper.py", f"{', '.join(missing)} not installed") if missing else self.pages("datatrove")

    def nemo(self):
        return self.pages("nemo") if importlib.util.find_spec("nemo_curator") else self.skip("nemo_curator_mapper.py", "nemo-curator is not installed")

    def pages(self, engine):
        """Every page has one answer, which is that of tamis, in order, and is dropped for what it is; one that hangs or crashes costs itself."""
        rows = [{"id": path.stem, "html": path.read_text(encoding="utf-8", errors="replace"), "url": f"https://a.example/{path.stem}"}
                for path in sorted((HERE.parents[1] / "Fixtures/FullText").glob("*.html"))]
        rows += [{"id": f"page {n}", "html": records.PAGE.replace("barley", f"barley {n}"), "url": None} for n in range(20)]
        for place, html in ((3, "<p>zz-hang-zz"), (5, LISTING), (8, DATA), (11, "<p>zz-die-zz"), (12, "<p>Hi"), (14, HIDDEN),
                            (17, "<p>" + "x" * (17 << 20)), (19, " ")):
            rows.insert(place, {"id": f"odd {place}", "html": html, "url": None})
        (self.folder / f"{engine}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        faults = {"TAMIS_WORKER": str(HERE / "faulty_worker.py"), "TAMIS_REAL": self.tamis}
        lines = [json.dumps(row).encode() + b"\n" for row in rows]
        options = ("--guard", "--max-time", "10s", "--format", "markdown")
        said = [json.loads(line) for line in records.ask(self.tamis, "article", lines, *options, environment=faults)[0]]
        expected = [(row["id"], self.status(answer), answer.get("markdown"), *self.facts(answer, answer.get("markdown")))
                    for row, answer in zip(rows, said)]
        command = [sys.executable, HERE / "pipelines.py", engine, f"{engine}.jsonl"]
        self.run(*command, f"{engine}.out", PYTHONPATH=str(RECIPES), **faults)
        done = self.folder / f"{engine}.out"
        found = [json.loads(line) for line in done.read_text(encoding="utf-8").splitlines()] if done.exists() else []
        found = [(row["id"], row["status"], row["text"], *self.facts(row, row["text"])) for row in found]
        if engine == "datatrove":
            expected.sort(key=lambda row: row[1] != "ok")
        self.expect(found == expected, f"{engine}: {len(found)} answers of {len(rows)}, or others: "
                                       f"{[(a[:2], b[:2]) for a, b in zip(found, expected) if a != b][:4]}")
        reasons = {row[0]: row[1] for row in found}
        self.expect({*reasons.values()} >= {"ok", "too-slow", "crashed", "too-large", "no-article"}, f"{engine}: {sorted({*reasons.values()})}")
        wanted = {"odd 5": "other-kind", "odd 8": "low-confidence", "odd 14": "ok"}
        self.expect(reasons.items() >= wanted.items(), f"{engine}: not {wanted}, but {[reasons.get(name) for name in wanted]}")
        tagged = next((row for row in found if row[0] == "odd 14"), None)
        self.expect(tagged and tagged[-2:] == (1, 1), f"{engine}: not one hidden text and one with invisible characters, but {tagged and tagged[-2:]}")
        text = tagged and tagged[2] or ""
        self.expect("ferry" in text and not {"Ignore", "\U000e0041", "\u202e"} & {*text.split(), *text}, f"{engine}: hidden text is there: {text[-200:]}")
        self.run(*command, f"{engine}.lost", PYTHONPATH=str(RECIPES), path=NOWHERE, code=1, says="make worker")

    @staticmethod
    def facts(answer, text):
        return [answer.get(name) if text else None for name in pipelines.FACTS]

    @staticmethod
    def status(answer):
        if "error" in answer:
            return answer["error"]["code"].removeprefix("record.")
        if not answer.get("markdown"):
            return "no-article"
        if answer.get("kind") in ("listing", "product", "other"):
            return "other-kind"
        return "ok" if answer["confidence"] >= 0.5 else "low-confidence"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("--only")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-recipes-"))
    recipes = Recipes(str(pathlib.Path(options.tamis).resolve()), folder, options.seeds)
    names = [options.only] if options.only else ["parallel", "array", "job", "xargs", "worker", "spark"]
    for name in names:
        start = time.monotonic()
        getattr(recipes, name)()
        recipes.told.append(f"{name} {time.monotonic() - start:.1f} s")
    shutil.rmtree(folder)
    print("\n".join(recipes.problems[:40] + [f"skipped: {each}" for each in recipes.skipped]))
    print(f"recipes as written: {', '.join(recipes.told)}; {len(recipes.skipped)} skipped, {len(recipes.problems)} deviations")
    return 1 if recipes.problems or recipes.skipped and os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
