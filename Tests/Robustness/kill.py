#!/usr/bin/env python3
"""Kill runs at random points and see that the next one makes good.

usage: kill.py TAMIS FEEDS [COUNT] [SEED]

FEEDS are built once, undisturbed: that site and the export of its archive are what all else has to come to. Then COUNT times
(200) a run over empty folders is killed with SIGKILL after a random part of the time that it takes, in turn a build, an
ingest, and a publish of what an ingest has read; it is run again, and published: each file of the site and the export must
be the same, byte for byte, and the archive whole. Exit code 0 when all are.
"""
import hashlib
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ARCHIVE = ["--archive", "site.archive"]


def commands(tamis, feeds):
    """For each kind of run the commands that come to a site, and which of them is killed."""
    build = [tamis, "build", feeds, "--output", "site", "--jobs", "2", "--reproducible"]
    ingest = [tamis, "ingest", feeds, *ARCHIVE, "--jobs", "2", "--reproducible"]
    publish = [tamis, "publish", "--output", "site", "--jobs", "2"]
    return {"build": ([build], 0), "ingest": ([ingest, publish], 0), "publish": ([ingest, publish], 1)}


def run(command, folder, wait=None):
    """Runs a command, or kills it after a time; answers whether it was killed."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            _, errors = process.communicate(timeout=wait)
        except subprocess.TimeoutExpired:
            process.kill()
            return True
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command[1:3])}: {errors.decode(errors='replace')}")
    return False


def outcome(tamis, folder):
    """The site's files with their digests, and the archive's export."""
    site = pathlib.Path(folder, "site")
    files = {str(path.relative_to(site)): hashlib.sha256(path.read_bytes()).hexdigest()
             for path in sorted(site.rglob("*")) if path.is_file()}
    export = subprocess.run([tamis, "archive", "export", *ARCHIVE], cwd=folder, capture_output=True, check=True).stdout
    verify = subprocess.run([tamis, "archive", "verify", *ARCHIVE], cwd=folder, capture_output=True, check=False)
    return files, export, verify.stdout.decode(errors="replace")


def lengths(kinds):
    """How long the commands take that are to be killed, in seconds."""
    found = {}
    for kind, (steps, victim) in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            for number, command in enumerate(steps):
                start = time.monotonic()
                run(command, folder)
                if number == victim:
                    found[kind] = time.monotonic() - start
    return found


def trial(tamis, steps, victim, wait, expected):
    """Kills one command of several; answers whether that was in time, and what is another in the end."""
    folder = tempfile.mkdtemp()
    problems = []
    killed = False
    try:
        for number, command in enumerate(steps):
            if number == victim:
                killed = run(command, folder, wait)
            run(command, folder)
        files, export, broken = outcome(tamis, folder)
        if broken:
            problems.append(f"the archive is not whole: {broken}")
        if export != expected[1]:
            problems.append("the archive is another")
        problems += [f"{path} is in one site only" for path in sorted(files.keys() ^ expected[0].keys())]
        problems += [f"{path} is another" for path in sorted(files.keys() & expected[0].keys())
                     if files[path] != expected[0][path]]
    except RuntimeError as error:
        problems.append(str(error))
    shutil.rmtree(folder)
    return killed, problems


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tamis, feeds = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    kinds = commands(tamis, feeds)
    with tempfile.TemporaryDirectory() as folder:
        run(kinds["build"][0][0], folder)
        expected = outcome(tamis, folder)
    length = lengths(kinds)
    killed = dict.fromkeys(kinds, 0)
    problems = []
    for number in range(count):
        kind = list(kinds)[number % len(kinds)]
        wait = chance.random() * length[kind]
        was_killed, found = trial(tamis, *kinds[kind], wait, expected)
        killed[kind] += was_killed
        problems += [f"{number}: {kind} killed after {wait:.3f} s: {problem}" for problem in found]
    print("\n".join(problems[:50]))
    told = ", ".join(f"{killed[kind]} in {kind} ({length[kind]:.2f} s)" for kind in kinds)
    print(f"{count} runs, killed: {told}; {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
