"""Builds packages that use one product each, runs them, and sees what each brings along.

    check.py SCRATCH TAMIS

Each is built in SCRATCH, as a stranger's package would be, after those that need less, so that what they share is compiled once. What it links and which Swift packages are
built for it must be what is listed here; what it prints must be what the product is for. (SwiftPM fetches the sources of all
packages that the manifest names; it builds those that are needed.) TAMIS is the command, whose size has a bound.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FIXTURES = HERE.parent.parent / "Fixtures"
LINK = ' rel="noopener noreferrer nofollow"'

# Folder, executable, what it links of all that Tamis can link, and the modules of other packages that are built for it:
# each has those of the one before.
OURS = {"xml2", "tidy", "idn2", "curl", "uchardet", "nettle", "xxhash", "z", "zstd", "re2", "sqlite3"}
OTHERS = ["Yams", "GRDB", "ArgumentParser"]
PRODUCTS = [
    ("Feed", "Read", {"xml2", "idn2", "uchardet"}, set()),
    ("Sanitizer", "Sanitize", {"tidy", "idn2"}, {"Yams"}),
    # Not curl: it is loaded when a request is sent (`CCurl`).
    ("Site", "Build", OURS - {"curl"}, {"Yams", "GRDB"}),
]


# The most bytes of the stripped command: ICU's data alone would be 34 MB more (Sources/CICUData).
MOST_BYTES = 60_000_000


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def linked(binary):
    """The libraries that a binary names itself, as `-l` would."""
    names = re.findall(r"NEEDED.*\[lib(.+?)\.so", run("readelf", "-d", binary))
    return {re.sub(r"-\d.*$", "", name) for name in names}


def check(folder, executable, libraries, packages, scratch):
    run("swift", "build", "--package-path", HERE / folder, "--scratch-path", scratch, "--product", executable)
    binary = next(scratch.glob(f"*/debug/{executable}"))
    found = linked(binary) & OURS
    # SwiftPM makes a folder for every module that it plans; only those that it compiles have object files in theirs.
    built = {name for name in OTHERS if any((binary.parent / f"{name}.build").glob("**/*.o"))}
    faults = []
    if found != libraries:
        faults.append(f"links {sorted(found)}, not {sorted(libraries)}")
    if built != packages:
        faults.append(f"builds {sorted(built)}, not {sorted(packages)}")
    print(f"{folder}: links {', '.join(sorted(found))}; builds {', '.join(sorted(built)) or 'nothing'} besides Tamis")
    return binary, faults


def weigh(tamis):
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder) / "tamis"
        run("strip", "-o", stripped, tamis)
        size = stripped.stat().st_size
    print(f"the command, stripped: {size / 1e6:.1f} MB")
    return [f"the stripped command has {size:,} bytes, more than {MOST_BYTES:,}"] if size > MOST_BYTES else []


def expect(text, *parts):
    return [f"'{part}' is not in: {text}" for part in parts if part not in text]


def main():
    scratch = pathlib.Path(sys.argv[1]).resolve()
    # What an earlier run has compiled would count as needed by the first product.
    for old in [*scratch.glob("*-*-*"), scratch / "debug", scratch / "release"]:
        old.unlink() if old.is_symlink() else shutil.rmtree(old, ignore_errors=True)
    faults = weigh(sys.argv[2])
    for folder, executable, libraries, packages in PRODUCTS:
        binary, found = check(folder, executable, libraries, packages, scratch)
        if folder == "Sanitizer":
            found += expect(
                run(binary), '<search>a<img alt="c" loading="lazy" src="https://proxy.example/?https://feed.example/b.png"',
                "<figure>Film</figure>")
        elif folder == "Feed":
            found += expect(run(binary), "A B & C", "[parse.ill-formed]")
        else:
            with tempfile.TemporaryDirectory() as output:
                site = pathlib.Path(output) / "site"
                run(binary, FIXTURES / "Feeds", site)
                pages = "".join(page.read_text() for page in site.glob("posts/**/*.html"))
                found += expect(pages, "<p>By hand.</p>") + (["a stage got past the sanitizer"] if "onclick" in pages else [])
        faults += [f"{folder}: {fault}" for fault in found]
    run("swift", "test", "--package-path", HERE / "Hooks", "--scratch-path", scratch)
    print("\n".join(faults) if faults else "each product brings along what it needs and nothing else")
    sys.exit(1 if faults else 0)


main()
