#!/bin/sh
# Writes what a release consists of: the sources, the program with all that it needs, the list of its parts, and checksums.
#
#   dist.sh PROGRAM VERSION NAME FOLDER            as `make dist` calls it; SOURCE_DATE_EPOCH is the time of all files
#
# Names are sorted and owners left out: the same commit, compiler and libraries give the same bytes.
set -eu
program=$1 version=$2 name=$3 out=$4
here=$(dirname "$0")
umask 022

rm -rf "$out"
mkdir -p "$out/$name"

pack() { tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$out" -cf - "$1" | gzip -9n > "$out/$1.tar.gz"; }

# The sources: what is committed, and the versions of the Swift packages that were built with, which SwiftPM takes from this file.
git archive --prefix="tamis-$version/" HEAD | tar -x -C "$out"
"$here/../.ci/versions"
install -m 644 "$here/../Package.resolved" "$out/tamis-$version/"
pack "tamis-$version"

# The program, its libraries, the loader and the encodings of glibc.
sh "$here/../docs/recipes/scale/worker.sh" "$program" "$out/worker.tar.gz"
tar -x -C "$out/$name" -f "$out/worker.tar.gz"
make -s man install-files BINARY="$program" DESTDIR="$out/staged" PREFIX=/usr
cp -R "$out/staged/usr/share" "$out/$name/share"
cp "$here/../README.md" "$here/../LICENSE" "$here/../NOTICE" "$here/../SECURITY.md" "$here/../CHANGELOG.md" "$out/$name"

"${PYTHON:-.build/check/bin/python3}" "$here/sbom.py" "$out/$name" "$version" "$out/$name.cdx.json"
cp "$out/$name.cdx.json" "$out/$name/sbom.cdx.json"
pack "$name"

rm -rf "$out/worker.tar.gz" "$out/staged" "${out:?}/$name" "$out/tamis-$version"
(cd "$out" && sha256sum ./* | sed 's|\./||' > ../SHA256SUMS && mv ../SHA256SUMS .)
ls -l "$out"
