#!/usr/bin/env python3
"""Lists the parts of a packed program as CycloneDX 1.6, and puts the licence of each beside it.

    sbom.py FOLDER VERSION OUT         FOLDER has the program's libraries in lib/; licences go into FOLDER/licenses

The parts are the Swift packages of .ci/versions.txt with libyaml, Swift's own libraries with ICU, which are inside the program, and the Debian
packages of which the libraries are. licenses/README.txt says where the sources of the latter are. The list is checked against CycloneDX's
schema before it is written.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import uuid
from datetime import datetime, timezone

from cyclonedx import spdx
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"
SWIFT_PACKAGES = {
    "grdb.swift": ("groue/GRDB.swift", "MIT"),
    "swift-argument-parser": ("apple/swift-argument-parser", SWIFT_LICENSE),
    "yams": ("jpsim/Yams", "MIT"),
}
# Names of licences in Debian's copyright files that differ from SPDX's; GPL-2+ and the like are changed by rule.
SPDX_NAMES = {"Expat": "MIT", "BSD-2-clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause", "BSD-4-clause": "BSD-4-Clause", "zlib": "Zlib"}
COMMON_LICENSES = pathlib.Path("/usr/share/common-licenses")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def swift_parts(licenses):
    """The Swift packages with their versions and licences, Swift's libraries, and what both have in them from elsewhere."""
    for line in (ROOT / ".ci/versions.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, version, _ = line.split()
        address, license = SWIFT_PACKAGES[name]
        owner, repository = address.split("/")
        purl = PackageURL("swift", f"github.com/{owner}", repository, version)
        yield part(repository, version, purl, [license])
        checkouts = [folder / repository for folder in (ROOT / ".build/dist/checkouts", ROOT / ".build/checkouts")]
        checkout = next(folder for folder in checkouts if folder.is_dir())
        text = next(file for file in sorted(checkout.iterdir()) if file.name.upper().startswith("LICENSE"))
        shutil.copyfile(text, licenses / f"{repository}.txt")
        if name == "yams":
            # No file of it says which version it is, but the list of changes of Yams does.
            commit = re.search(r"github\.com/yaml/libyaml/compare/\w+\.\.\.(\w+)", (checkout / "CHANGELOG.md").read_text()).group(1)
            yield part("libyaml", commit, PackageURL("github", "yaml", "libyaml", commit), ["MIT"], "in Yams")
    toolchain = pathlib.Path(shutil.which("swift")).resolve().parent.parent
    shutil.copyfile(toolchain / "share/swift/LICENSE.txt", licenses / "swift.txt")
    version = re.search(r"Swift version (\S+)", run("swift", "--version")).group(1)
    yield part("swift", version, PackageURL("swift", "github.com/swiftlang", "swift", version), [SWIFT_LICENSE])
    header = (toolchain / "lib/swift_static/_foundation_unicode/uvernum.h").read_text()
    version = re.search(r'U_ICU_VERSION "(\S+)"', header).group(1)
    purl = PackageURL("github", "unicode-org", "icu", f"release-{version.replace('.', '-')}")
    yield part("icu", version, purl, ["Unicode-3.0", "ICU", "BSD-3-Clause"], "in Foundation, without its data")


def debian_parts(library_folder, licenses):
    """The Debian packages of which the libraries are, found by their files' names."""
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    distribution = f"{system['ID'].strip(chr(34))}-{system['VERSION_ID'].strip(chr(34))}"
    packages = set()
    for file in sorted(library_folder.iterdir()):
        if ".so" in file.name:
            packages.add(owner(file.name))
    sources = {}
    for package in sorted(packages):
        name, version, source, source_version, architecture = run(
            "dpkg-query", "-W", "-f", "${Package}\t${Version}\t${source:Package}\t${source:Version}\t${Architecture}", package).split("\t")
        purl = PackageURL("deb", "debian", name, version, {"arch": architecture, "distro": distribution})
        sources[name] = f"https://snapshot.debian.org/package/{source}/{source_version}/"
        text = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text(errors="replace")
        yield part(name, version, purl, debian_licenses(text), f"built from {source} {source_version}", sources[name])
        shutil.copyfile(f"/usr/share/doc/{name}/copyright", licenses / f"{name}.txt")
        for license in re.findall(rf"{COMMON_LICENSES}/([\w.+-]*\w)", text):
            (licenses / "common-licenses").mkdir(exist_ok=True)
            shutil.copyfile(COMMON_LICENSES / license, licenses / "common-licenses" / license)
    lines = "".join(f"  {name:<20} {address}\n" for name, address in sources.items())
    (licenses / "README.txt").write_text(
        "The licences of what is in this archive. NOTICE, beside this folder, says what they belong to.\n\n"
        "Files of Debian packages name texts in /usr/share/common-licenses; these are in common-licenses here. The libraries are as Debian built\n"
        "them. Their sources, with the versions that are here:\n\n" + lines)


def debian_licenses(text):
    """The licences that a copyright file names for what is not only packaging, when a program can read it (DEP 5)."""
    if not text.startswith("Format:"):
        return []
    names = set()
    for paragraph in re.split(r"\n\s*\n", text):
        files, license = (re.search(rf"^{field}:[ \t]*(.*)$", paragraph, re.M) for field in ("Files", "License"))
        if files and license and license[1] and not files[1].startswith("debian/"):
            names.add(spdx_name(license[1].strip()))
    return sorted(names)


def spdx_name(name):
    """SPDX's name of a licence that Debian names; others as they are."""
    if gnu := re.fullmatch(r"(A?GPL|LGPL|GFDL)-([\d.]+)(\+?)", name):
        version = gnu[2] if "." in gnu[2] else gnu[2] + ".0"
        return f"{gnu[1]}-{version}-{'or-later' if gnu[3] else 'only'}"
    return SPDX_NAMES.get(name, name)


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


def part(name, version, purl, licenses, description=None, source=None):
    return Component(
        type=ComponentType.LIBRARY, name=name, version=version, purl=purl, bom_ref=str(purl), description=description,
        licenses=[license_of(license) for license in licenses],
        external_references=[ExternalReference(type=ExternalReferenceType.SOURCE_DISTRIBUTION, url=XsUri(source))] if source else [])


def license_of(name):
    """A licence by its SPDX id, as an expression of SPDX's, or by a name that SPDX does not know."""
    if spdx.is_supported_id(name):
        return DisjunctiveLicense(id=name)
    # A part has one expression or a list of licences; names with "and" and "or" are Debian's.
    return LicenseExpression(name) if name == SWIFT_LICENSE else DisjunctiveLicense(name=name)


def main():
    folder, version, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    licenses = folder / "licenses"
    licenses.mkdir(exist_ok=True)
    program = folder / "lib/tamis"
    digest = run("sha256sum", program).split()[0]
    tamis = Component(
        type=ComponentType.APPLICATION, name="tamis", version=version, bom_ref="tamis",
        licenses=[DisjunctiveLicense(id="Apache-2.0")], hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)])
    for text in (ROOT / "Packaging/licenses").glob("*.txt"):
        shutil.copyfile(text, licenses / text.name)
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
