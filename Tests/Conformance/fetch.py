"""Fetches public test suites into a folder, for `make conformance`.

Usage: fetch.py FOLDER [--from FOLDER_OR_URL] [--again] [--list]

What is in FOLDER already stays. --from names a mirror: a folder, or a URL, with files under the same names as in FOLDER; packages
may lie there as archives. FOLDER/fetched.json says where each file came from, with its sha256.

Exit codes: 0 all are there, 65 a file is not what the list below says, 75 something could not be reached.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.parse
import urllib.request

MODULES = ["comments", "delimiters", "interpolation", "inverted", "partials", "sections"]
GITHUB = "https://raw.githubusercontent.com"

# The commits of web-platform-tests whose cases Fixtures/SanitizerConfig/deviations.txt counts.
SANITIZER_API = {
    "sanitizer-in-adoption-agency": "09fbc63aabf55ac6d90767269da47e63f724ea57",
    "sanitizer-script-tokenizer": "302e6725f735eed0daeac9e3b60f119da43e1ca9",
    "sethtml-safety": "40072f6226c4df4ca12a166ea46659cc36f2b931",
    "sethtml-tree-construction": "302e6725f735eed0daeac9e3b60f119da43e1ca9",
}

# `files`: path below FOLDER -> URL, the head of a branch unless said otherwise, since standards move. `package`: a source package of the Python index,
# with its sha256, and which of its folders becomes which below FOLDER.
SUITES = [
    {
        "name": "url",
        "what": "web-platform-tests: how URLs are parsed",
        "licence": "BSD-3-Clause",
        "files": {"url/urltestdata.json": f"{GITHUB}/web-platform-tests/wpt/master/url/resources/urltestdata.json"},
    },
    {
        "name": "sanitizer-api",
        "what": "web-platform-tests: what setHTML makes of fragments",
        "licence": "BSD-3-Clause",
        "files": {
            f"sanitizer-api/{name}.sub.dat": f"{GITHUB}/web-platform-tests/wpt/{commit}/sanitizer-api/{name}.sub.dat"
            for name, commit in SANITIZER_API.items()
        },
    },
    {
        "name": "dompurify",
        "what": "DOMPurify: hostile fragments",
        "licence": "MPL-2.0 or Apache-2.0",
        "files": {"dompurify/expect.mjs": f"{GITHUB}/cure53/DOMPurify/main/test/fixtures/expect.mjs"},
    },
    {
        "name": "mustache",
        "what": "the Mustache specification",
        "licence": "MIT",
        "files": {f"mustache/{name}.json": f"{GITHUB}/mustache/spec/master/specs/{name}.json" for name in MODULES},
    },
    {
        "name": "feedparser",
        "what": "Universal Feed Parser: feeds, each with what it comes to",
        "licence": "BSD-2-Clause",
        "package": "feedparser==6.0.14",
        "sha256": "088679b0c4b543ee211a820dd544698c76a402122eae7473c04a43425f283d06",
        "folders": {
            f"feedparser/{name}": f"tests/{name}" for name in ("wellformed", "illformed", "encoding", "entities")
        },
    },
    {
        "name": "html5lib",
        "what": "html5lib: tokens and trees that browsers build",
        "licence": "MIT",
        "package": "html5lib==1.1",
        "sha256": "b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f",
        # Its build asks for what later versions of setuptools do not have.
        "constraints": "setuptools<70\n",
        "folders": {
            f"html5lib-tests/{name}": f"html5lib/tests/testdata/{name}" for name in ("tokenizer", "tree-construction")
        },
    },
]
LARGEST = 64 << 20


class Unreachable(Exception):
    """Something that may be there another time."""


class Wrong(Exception):
    """Something that is not what the list says."""


def read(place):
    """The bytes at a URL or a path."""
    if not re.match(r"https?://", str(place)):
        try:
            return pathlib.Path(place).read_bytes()
        except OSError as error:
            raise Unreachable(f"{place}: {error.strerror}") from None
    try:
        with urllib.request.urlopen(str(place), timeout=30) as response:
            data = response.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Unreachable(f"{place}: {getattr(error, 'reason', error)}") from None
    if len(data) > LARGEST:
        raise Wrong(f"{place}: larger than {LARGEST} bytes")
    return data


def below(mirror, path):
    return f"{mirror.rstrip('/')}/{urllib.parse.quote(path) if '://' in mirror else path}"


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)


def fetch_files(suite, folder, mirror, record):
    for path, url in suite["files"].items():
        place = below(mirror, path) if mirror else url
        data = read(place)
        write(folder / path, data)
        record[path] = {"from": place, "sha256": hashlib.sha256(data).hexdigest()}


def archive_by_pip(suite):
    """The archive of a source package, as pip finds and checks it; pip asks the index that it is set to."""
    with tempfile.TemporaryDirectory() as work:
        wanted, limits = pathlib.Path(work, "wanted.txt"), pathlib.Path(work, "limits.txt")
        wanted.write_text(f"{suite['package']} --hash=sha256:{suite['sha256']}\n")
        limits.write_text(suite.get("constraints", ""))
        run = subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "--require-hashes",
             "-r", wanted, "-d", f"{work}/got"],
            env=os.environ | {"PIP_CONSTRAINT": str(limits)}, capture_output=True, text=True)
        archives = list(pathlib.Path(work, "got").glob("*.tar.gz"))
        if run.returncode or not archives:
            if "DO NOT MATCH" in run.stderr:
                raise Wrong(f"{suite['package']}: its sha256 is another")
            lines = [line.strip() for line in run.stderr.splitlines() if line.strip()] or ["pip failed"]
            errors = [line for line in lines if line.lower().startswith("error")] or lines
            raise Unreachable(f"{suite['package']}: {errors[-1]}")
        return archives[0].read_bytes(), suite["package"]


def archive(suite, mirror):
    if not mirror:
        return archive_by_pip(suite)
    place = below(mirror, suite["package"].replace("==", "-") + ".tar.gz")
    return read(place), place


def unpack(data, suite, folder):
    """Writes the wanted folders of an archive; links and paths that lead out are left out."""
    count = 0
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        with tarfile.open(fileobj=file) as members:
            for member in members:
                _, _, path = member.name.partition("/")
                for target, source in suite["folders"].items():
                    rest = path.removeprefix(source + "/")
                    if rest == path or not member.isfile() or ".." in pathlib.PurePosixPath(rest).parts:
                        continue
                    write(folder / target / rest, members.extractfile(member).read())
                    count += 1
    if not count:
        raise Wrong(f"{suite['package']}: it has none of {', '.join(suite['folders'].values())}")


def fetch_package(suite, folder, mirror, record):
    copies = [pathlib.Path(mirror, target) for target in suite["folders"]] if mirror and "://" not in mirror else []
    if any(copy.is_dir() for copy in copies):
        for copy, target in zip(copies, suite["folders"]):
            if copy.is_dir():
                shutil.copytree(copy, folder / target, dirs_exist_ok=True)
                record[target] = {"from": str(copy)}
        return
    data, place = archive(suite, mirror)
    if hashlib.sha256(data).hexdigest() != suite["sha256"]:
        raise Wrong(f"{place}: its sha256 is another")
    unpack(data, suite, folder)
    record[suite["package"]] = {"from": place, "sha256": suite["sha256"]}


def is_there(suite, folder):
    if "files" in suite:
        return all((folder / path).is_file() for path in suite["files"])
    return any((folder / target).is_dir() for target in suite["folders"])


def fetch(folder, mirror, again):
    """Fetches what is missing; the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "fetched.json"
    record = json.loads(log.read_text()) if log.is_file() else {}
    unreachable, wrong = [], []
    for suite in SUITES:
        if is_there(suite, folder) and not again:
            print(f"{suite['name']}: is there")
            continue
        try:
            (fetch_files if "files" in suite else fetch_package)(suite, folder, mirror, record)
            print(f"{suite['name']}: fetched")
        except Unreachable as error:
            unreachable.append(suite["name"])
            print(f"{suite['name']}: cannot be reached: {error}", file=sys.stderr)
        except Wrong as error:
            wrong.append(suite["name"])
            print(f"{suite['name']}: {error}", file=sys.stderr)
    log.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    if unreachable:
        print(
            f"Not fetched: {', '.join(unreachable)}. Check the network, or name a mirror: make conformance FROM=folder or URL. "
            f"To run what is there: make conformance SUITES={folder}", file=sys.stderr)
    return 65 if wrong else 75 if unreachable else 0


def main():
    parser = argparse.ArgumentParser(description="Fetches public test suites into a folder.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--from", dest="mirror", help="a folder or a URL with the same files")
    parser.add_argument("--again", action="store_true", help="fetch what is there too")
    parser.add_argument("--list", action="store_true", help="say what there is")
    options = parser.parse_args()
    if options.list:
        for suite in SUITES:
            print(f"{suite['name']}: {suite['what']} ({suite['licence']})")
            for place in suite.get("files", {}).values():
                print(f"  {place}")
            if "package" in suite:
                print(f"  the source package {suite['package']}, sha256 {suite['sha256']}")
        return 0
    return fetch(options.folder, options.mirror, options.again)


if __name__ == "__main__":
    sys.exit(main())
