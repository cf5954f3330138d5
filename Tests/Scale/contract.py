#!/usr/bin/env python3
"""See that shards, in any order, killed and doubled, come to the bytes of one process.

usage: contract.py TAMIS [--seeds N] [--seed FIRST] [--keep FOLDER]

A corpus with copies across feeds, twins, cut-off and hostile documents is built by one process. Then, for each of N seeds (20), it
is ingested in 1, 2, 3 or 8 shards, in an order of the seed's; some runs are killed with SIGKILL in the middle and tried again, some
are started twice at once, and some shards are merged twice. The sorted export of the merged archive and each file of its site
must be the bytes of one process. Last, what a merge and a shard have to refuse. Exit code 0 when all holds.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import corpus

COUNTS = [8, 3, 2, 1]
SITE = ["--title", "Shards"]


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Contract:
    def __init__(self, tamis, folder):
        self.tamis, self.folder = tamis, folder
        self.problems, self.killed, self.doubled, self.left_over = [], 0, 0, 0
        self.posts = corpus.write(folder / "feeds")

    def expect(self, holds, text):
        if not holds:
            self.problems.append(text)

    def start(self, *arguments, **more):
        return subprocess.Popen([self.tamis, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, *arguments, code=0, says="", **more):
        process = self.start(*arguments, **more)
        output, errors = process.communicate(timeout=300)
        told = f"{' '.join(map(str, arguments))}: exit code {process.returncode}"
        codes = code if isinstance(code, tuple) else (code,)
        self.expect(process.returncode in codes, f"{told} instead of {code}: {errors.decode(errors='replace')[-300:]}")
        for word in [says] if isinstance(says, str) else says:
            self.expect(word in errors.decode(errors="replace") + output.decode(errors="replace"),
                        f"{told}, and '{word}' is not said: {errors.decode(errors='replace')[-300:]}")
        return output

    def shard(self, index, count, target, *options):
        return ["ingest", "feeds", "--shard", f"{index}/{count}", "--to", target, "--reproducible", *options]

    def outcome(self, archive, site):
        """The archive's sorted export and the files of its site."""
        export = self.run("archive", "export", "--archive", archive).splitlines()
        return sorted(export), files(self.folder / site)

    def one_process(self):
        # The site says which documents are no feeds: exit code 1.
        self.run("build", "feeds", "--output", "one/site", "--archive", "one.archive", "--reproducible", *SITE, code=(0, 1))
        self.expected = self.outcome("one.archive", "one/site")
        self.expect(len(self.expected[0]) > 100 and len(self.expected[1]) > 100, "one process makes hardly anything")
        start = time.monotonic()
        self.run(*self.shard(0, 1, "first"))
        self.length = time.monotonic() - start

    def compare(self, name, export, site):
        self.expect(export == self.expected[0],
                    f"{name}: the export differs in {len(set(export) ^ set(self.expected[0]))} lines")
        other = sorted(path for path in site.keys() | self.expected[1].keys() if site.get(path) != self.expected[1].get(path))
        self.expect(not other, f"{name}: {len(other)} of {len(self.expected[1])} files differ: {other[:5]}")

    # MARK: - Order, kills, doubles

    def once(self, chance, index, count, target):
        """One run of a shard, perhaps killed, perhaps two at once; whether it has to be tried again."""
        processes = [self.start(*self.shard(index, count, target)) for _ in range(2 if chance.random() < 0.2 else 1)]
        self.doubled += len(processes) - 1
        if chance.random() < 0.35:
            time.sleep(chance.random() * self.length * (0.3 + 0.7 / count))
            victim = chance.choice(processes)
            victim.kill()
        ends = []
        for process in processes:
            _, errors = process.communicate(timeout=300)
            ends.append(process.returncode)
            self.expect(process.returncode in (0, -9), f"shard {index}/{count}: exit code {process.returncode}: {errors.decode()[-300:]}")
        self.killed += ends.count(-9)
        return 0 not in ends

    def trial(self, seed):
        chance = random.Random(seed)
        count, target = COUNTS[seed % len(COUNTS)], f"shards-{seed}"
        todo = list(range(count))
        while todo:
            index = todo.pop(chance.randrange(len(todo)))
            if self.once(chance, index, count, target) or chance.random() < 0.1:
                todo.append(index)
        names = {path.name for path in (self.folder / target).iterdir()}
        whole = {f"{index}-of-{count}.{kind}" for index in range(count) for kind in ("archive", "receipt.json")}
        self.left_over += len(names - whole)
        self.expect(whole <= names and all(".tmp-" in name for name in names - whole), f"seed {seed}: {sorted(names ^ whole)} in the folder")
        # By the folder, or archive by archive in any order and some of them twice.
        archives = [f"{target}/{index}-of-{count}.archive" for index in range(count)]
        inputs = [target] if seed % 2 else chance.sample(archives + archives[:count // 2], count + count // 2)
        merged, site = f"merged-{seed}.archive", f"merged-{seed}/site"
        self.run("archive", "merge", "--archive", merged, *inputs)
        if seed % 5 == 0:
            self.run("archive", "merge", "--archive", merged, *chance.sample(archives, max(1, count // 2)))
        self.run("publish", "--archive", merged, "--output", site, *SITE)
        self.compare(f"seed {seed}, {count} shards", *self.outcome(merged, site))
        for path in (target, f"merged-{seed}"):
            shutil.rmtree(self.folder / path, ignore_errors=True)
        (self.folder / merged).unlink(missing_ok=True)

    # MARK: - Bad input

    def reuse(self):
        """What is there and fits its receipt is not done again; what was damaged is."""
        self.run(*self.shard(1, 3, "again"))
        archive, receipt = self.folder / "again/1-of-3.archive", self.folder / "again/1-of-3.receipt.json"
        before = (archive.read_bytes(), archive.stat().st_mtime_ns, receipt.read_bytes())
        self.run(*self.shard(1, 3, "again"))
        self.expect((archive.read_bytes(), archive.stat().st_mtime_ns, receipt.read_bytes()) == before, "a shard that is done is done again")
        facts = json.loads(before[2])
        self.expect(facts.get("of") == 3 and facts.get("shard") == 1 and "by" in facts, f"a receipt says {str(facts)[:300]}")
        archive.write_bytes(before[0][:-5_000])
        self.run(*self.shard(1, 3, "again"))
        self.expect(sorted(self.run("archive", "export", "--archive", "again/1-of-3.archive").splitlines()) and receipt.read_bytes() == before[2],
                    "a shard that was damaged is not done again")

    def refusals(self):
        """What a merge has to refuse, and says why."""
        for index in range(3):
            self.run(*self.shard(index, 3, "three"))
        lost = self.folder / "three/1-of-3.receipt.json"
        text = lost.read_bytes()
        lost.unlink()
        self.run("archive", "merge", "--archive", "x.archive", "three", code=65, says=("missing", "/3"))
        lost.write_bytes(text)
        archive = self.folder / "three/2-of-3.archive"
        bytes_before = archive.read_bytes()
        archive.write_bytes(bytes_before[:len(bytes_before) // 2] + b"\0" * 4_096 + bytes_before[len(bytes_before) // 2 + 4_096:])
        self.run("archive", "merge", "--archive", "x.archive", "three", code=65, says="2-of-3")
        archive.unlink()
        self.run(*self.shard(2, 3, "three", "--rules", "strict"))
        self.run("archive", "merge", "--archive", "x.archive", "three", code=65, says="2-of-3")
        self.expect(not list(self.folder.glob("x.archive*")), "a merge that was refused leaves an archive")
        for index in range(2):
            self.run(*self.shard(index, 2, "mixed"))
            self.run(*self.shard(index, 3, "mixed"))
        self.run("archive", "merge", "--archive", "x.archive", "mixed", code=65)

    def edges(self):
        """An empty shard, numbers out of range, the number from an engine, a source that is not there, a full disk."""
        few = self.folder / "few"
        few.mkdir()
        (few / "a.xml").write_text(corpus.rss("A", "https://a.example/", [corpus.Post(random.Random(1), 1)]), encoding="utf-8")
        for index in range(8):
            self.run("ingest", "few", "--shard", f"{index}/8", "--to", "spread", "--reproducible")
        self.run("archive", "merge", "--archive", "spread.archive", "spread")
        self.expect(len(self.run("archive", "export", "--archive", "spread.archive").splitlines()) > 0, "seven empty shards hide the full one")
        self.run("ingest", "few", "--shard", "8/8", "--to", "spread", code=2)
        self.run("ingest", "few", "--shard", "8", "--to", "spread", code=2, says="JOB_COMPLETION_INDEX")
        for name in ("JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"):
            self.run("ingest", "few", "--shard", "2", "--to", name, "--reproducible", env=os.environ | {name: "1"})
            self.expect((self.folder / name / "1-of-2.receipt.json").is_file(), f"{name} is not understood")
        self.run("ingest", "nowhere", "--shard", "0/2", "--to", "spread", code=65)
        # As a full disk does: what is written beyond 64 KB fails (EFBIG in place of ENOSPC, its signal ignored).
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))
        self.run(*self.shard(0, 2, "full"), code=74, preexec_fn=limit, restore_signals=False)
        left = list((self.folder / "full").iterdir()) if (self.folder / "full").is_dir() else []
        self.expect(not left, f"a full disk leaves {[path.name for path in left]}")
        self.run(*self.shard(0, 2, "full"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="where the folder is kept when something differs")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-contract-"))
    contract = Contract(str(pathlib.Path(options.tamis).resolve()), folder)
    contract.one_process()
    for seed in range(options.seed, options.seed + options.seeds):
        contract.trial(seed)
    contract.reuse()
    contract.refusals()
    contract.edges()
    contract.expect(options.seeds < 10 or contract.killed >= options.seeds // 4, f"only {contract.killed} runs were killed in time")
    print("\n".join(contract.problems[:40]))
    if contract.problems and options.keep:
        shutil.copytree(folder, options.keep, dirs_exist_ok=True)
    shutil.rmtree(folder)
    print(f"{contract.posts} posts, {len(contract.expected[1])} files, {options.seeds} seeds: {contract.killed} runs killed, "
          f"{contract.doubled} doubled, {contract.left_over} temporary files passed over; {len(contract.problems)} deviations")
    return 1 if contract.problems else 0


if __name__ == "__main__":
    sys.exit(main())
