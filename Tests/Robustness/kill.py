#!/usr/bin/env python3
"""Kill builds at random points and see that the next one makes good.

usage: kill.py TAMIS FEEDS [COUNT] [SEED]

A build over FEEDS is left alone once; its site and the export of its index are what every other build has to come to. Then
COUNT builds (200) into empty folders are killed with SIGKILL after a random part of that time, run again, and compared:
each file of the site and the index must be the same, byte for byte, and the index whole. Exit code 0 when all are.
"""
import hashlib
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time


def build(tamis, feeds, folder, wait=None):
    """Runs a build, or kills it after a time; answers whether it was killed."""
    command = [tamis, "build", feeds, "--output", "site", "--jobs", "2", "--reproducible"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(timeout=wait)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            return True


def outcome(tamis, folder):
    """The site's files with their digests, and the index's export."""
    site = pathlib.Path(folder, "site")
    files = {str(path.relative_to(site)): hashlib.sha256(path.read_bytes()).hexdigest()
             for path in sorted(site.rglob("*")) if path.is_file()}
    index = ["--index", "site.index"]
    export = subprocess.run([tamis, "index", "export", *index], cwd=folder, capture_output=True, check=True).stdout
    subprocess.run([tamis, "index", "verify", *index], cwd=folder, capture_output=True, check=True)
    return files, export


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tamis, feeds = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        build(tamis, feeds, folder)
        length = time.monotonic() - start
        expected = outcome(tamis, folder)
    killed = 0
    problems = []
    for number in range(count):
        folder = tempfile.mkdtemp()
        wait = chance.random() * length
        killed += build(tamis, feeds, folder, wait)
        build(tamis, feeds, folder)
        files, export = outcome(tamis, folder)
        if export != expected[1]:
            problems.append(f"{number}: killed after {wait:.3f} s, the index is another")
        for path in sorted(files.keys() ^ expected[0].keys()):
            problems.append(f"{number}: killed after {wait:.3f} s, {path} is in one site only")
        for path in sorted(files.keys() & expected[0].keys()):
            if files[path] != expected[0][path]:
                problems.append(f"{number}: killed after {wait:.3f} s, {path} is another")
        shutil.rmtree(folder)
    print("\n".join(problems[:50]))
    print(f"{count} builds of {length:.2f} s, {killed} of them killed, {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
