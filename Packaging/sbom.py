#!/usr/bin/env python3
"""Lists the parts of a packed program as CycloneDX 1.6, and puts the licence of each beside it.

    sbom.py FOLDER VERSION OUT         FOLDER has the program's libraries in lib/; licences go into FOLDER/licenses

The parts are the Swift packages of .ci/versions.txt, Swift's own libraries, which are inside the program, and the Debian packages of which the
libraries are. The list is checked against CycloneDX's schema before it is written.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import uuid
from datetime import datetime, timezone

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT_PACKAGES = {
    "grdb.swift": ("groue/GRDB.swift", "MIT"),
    "swift-argument-parser": ("apple/swift-argument-parser", "Apache-2.0"),
    "yams": ("jpsim/Yams", "MIT"),
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def swift_parts(licenses):
    """The Swift packages with their versions and licences, and Swift's libraries."""
    for line in (ROOT / ".ci/versions.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, version, _ = line.split()
        address, license = SWIFT_PACKAGES[name]
        owner, repository = address.split("/")
        purl = PackageURL("swift", f"github.com/{owner}", repository, version)
        yield part(repository, version, purl, license)
        checkouts = [folder / repository for folder in (ROOT / ".build/dist/checkouts", ROOT / ".build/checkouts")]
        checkout = next(folder for folder in checkouts if folder.is_dir())
        text = next(file for file in sorted(checkout.iterdir()) if file.name.upper().startswith("LICENSE"))
        shutil.copyfile(text, licenses / f"{repository}.txt")
    toolchain = pathlib.Path(shutil.which("swift")).resolve().parent.parent
    shutil.copyfile(toolchain / "share/swift/LICENSE.txt", licenses / "swift.txt")
    version = re.search(r"Swift version (\S+)", run("swift", "--version")).group(1)
    yield part("swift", version, PackageURL("swift", "github.com/swiftlang", "swift", version), "Apache-2.0 WITH Swift-exception")


def debian_parts(library_folder, licenses):
    """The Debian packages of which the libraries are, found by their files' names."""
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    distribution = f"{system['ID'].strip(chr(34))}-{system['VERSION_ID'].strip(chr(34))}"
    packages = set()
    for file in sorted(library_folder.iterdir()):
        if ".so" in file.name:
            packages.add(owner(file.name))
    for package in sorted(packages):
        name, version, source, architecture = run(
            "dpkg-query", "-W", "-f", "${Package}\t${Version}\t${source:Package}\t${Architecture}", package).split("\t")
        purl = PackageURL("deb", "debian", name, version, {"arch": architecture, "distro": distribution})
        yield part(name, version, purl, None, source)
        shutil.copyfile(f"/usr/share/doc/{name}/copyright", licenses / f"{name}.txt")


def owner(name):
    """The Debian package that has a library; dpkg may know its folder with or without /usr."""
    for folder in ("/usr/lib", "/lib"):
        found = subprocess.run(["dpkg-query", "-S", f"{folder}/*/{name}"], capture_output=True, text=True).stdout
        if not found and name.startswith("ld-linux"):
            found = subprocess.run(["dpkg-query", "-S", f"/lib*/{name}"], capture_output=True, text=True).stdout
        if found:
            return found.split(": ")[0].split(",")[0]
    # A file that is named by its whole version belongs to the link that programs ask for.
    raise SystemExit(f"sbom.py: error: no Debian package has {name}")


def part(name, version, purl, license, description=None):
    licenses = [DisjunctiveLicense(name=license)] if license else []
    return Component(
        type=ComponentType.LIBRARY, name=name, version=version, purl=purl, bom_ref=str(purl), licenses=licenses,
        description=f"built from {description}" if description else None)


def main():
    folder, version, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    licenses = folder / "licenses"
    licenses.mkdir(exist_ok=True)
    program = folder / "lib/tamis"
    digest = run("sha256sum", program).split()[0]
    tamis = Component(
        type=ComponentType.APPLICATION, name="tamis", version=version, bom_ref="tamis",
        licenses=[DisjunctiveLicense(id="Apache-2.0")], hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)])
    parts = [*swift_parts(licenses), *debian_parts(folder / "lib", licenses)]
    bom = Bom(components=parts, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"tamis-{version}-{digest}"))
    bom.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    bom.metadata.component = tamis
    bom.register_dependency(tamis, parts)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise SystemExit(f"sbom.py: error: not CycloneDX: {fault}")
    out.write_text(text + "\n")
    print(f"{out}: {len(parts)} parts, {len(list(licenses.iterdir()))} licences")


if __name__ == "__main__":
    main()
