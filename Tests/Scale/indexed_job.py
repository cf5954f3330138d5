#!/usr/bin/env python3
"""Run the Jobs of a Kubernetes manifest on this machine, as a cluster that has a bad day.

usage: indexed_job.py MANIFEST --mount /data=FOLDER [--seed N] [--kills N] [--doubles N] [--selector step=shards]

Each Job runs its container's command: with parallelism, JOB_COMPLETION_INDEX, tries by index (backoffLimitPerIndex) or in all
(backoffLimit), and the exit codes of podFailurePolicy. Mounts become folders here by their paths. KILLS pods are killed with SIGKILL
in the middle, and the controller starts DOUBLES indexes twice at once, which Kubernetes says may happen. Exit code 0 when each
Job is complete; a line a Job says what became of its indexes.
"""
import argparse
import os
import random
import subprocess
import sys
import time

import yaml


class Job:
    def __init__(self, manifest, mounts, chance):
        spec = self.spec = manifest["spec"]
        self.name, self.chance = manifest["metadata"]["name"], chance
        container = spec["template"]["spec"]["containers"][0]
        self.command = container["command"] + container["args"]
        for path, folder in mounts.items():
            self.command = [word.replace(path + "/", folder + "/") for word in self.command]
        self.indexed = spec.get("completionMode") == "Indexed"
        self.limit = spec.get("backoffLimitPerIndex", spec.get("backoffLimit", 6))
        self.failures, self.done, self.failed, self.pods = {}, set(), {}, []

    def action(self, code):
        """What the policy says of a pod that ended with this exit code; the first rule that fits."""
        for rule in self.spec.get("podFailurePolicy", {}).get("rules", []):
            asked = rule.get("onExitCodes")
            if asked and (code in asked["values"]) == (asked["operator"] == "In") and code != 0:
                return rule["action"]
        return "Count"

    def start(self, index):
        environment = os.environ | ({"JOB_COMPLETION_INDEX": str(index)} if self.indexed else {})
        self.pods.append((index, subprocess.Popen(self.command, env=environment, stderr=subprocess.PIPE)))

    def ended(self, index, process):
        code, errors = process.returncode, process.stderr.read().decode(errors="replace")
        if code == 0:
            self.done.add(index)
            return
        self.failures[index] = self.failures.get(index, 0) + 1
        # A process that a signal ended has 128 and the signal's number as the code of its container.
        action = self.action(code if code > 0 else 128 - code)
        if action in ("FailIndex", "FailJob") or self.failures[index] > self.limit:
            self.failed[index] = f"exit code {code}: {errors.strip()[-300:]}"

    def run(self, kills=0, doubles=0, pause=0.3):
        todo = list(range(self.spec.get("completions", 1)))
        self.chance.shuffle(todo)
        killed = started = 0
        while todo or self.pods:
            while todo and len(self.pods) < self.spec.get("parallelism", 1):
                index, started = todo.pop(0), started + 1
                self.start(index)
                if doubles and self.chance.random() < 0.5:
                    doubles, started = doubles - 1, started + 1
                    self.start(index)
            if kills and self.pods and self.chance.random() < 0.3:
                time.sleep(self.chance.random() * pause)
                self.chance.choice(self.pods)[1].kill()
                kills, killed = kills - 1, killed + 1
            for pod in [pod for pod in self.pods if pod[1].poll() is not None]:
                self.pods.remove(pod)
                self.ended(*pod)
                running = {index for index, _ in self.pods}
                if pod[0] not in self.done | running | set(self.failed) | set(todo):
                    todo.append(pod[0])
            time.sleep(0.01)
        self.failed = {index: why for index, why in self.failed.items() if index not in self.done}
        print(f"{self.name}: {len(self.done)} done, {len(self.failed)} failed, {started} pods, {killed} killed"
              + "".join(f"\n  {index}: {why}" for index, why in sorted(self.failed.items())))
        return not self.failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("--mount", action="append", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--doubles", type=int, default=0)
    parser.add_argument("--selector")
    options = parser.parse_args()
    mounts = dict(mount.split("=", 1) for mount in options.mount)
    with open(options.manifest, encoding="utf-8") as file:
        manifests = list(yaml.safe_load_all(file))
    if options.selector:
        key, _, value = options.selector.partition("=")
        manifests = [each for each in manifests if each["metadata"].get("labels", {}).get(key) == value]
    for manifest in manifests:
        if not Job(manifest, mounts, random.Random(options.seed)).run(options.kills, options.doubles):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
