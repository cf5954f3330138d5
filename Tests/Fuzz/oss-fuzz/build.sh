#!/bin/bash -eu
# Licensed under the Apache License, Version 2.0: http://www.apache.org/licenses/LICENSE-2.0
# Builds the targets for OSS-Fuzz: one program under the name of each, with its seeds, its dictionary and its libraries.

targets="configuration rules feed article sanitizer soup archive"

# RE2 of the distribution is built with libstdc++, and what calls it has to be, too.
export CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
# shellcheck source=/dev/null
. precompile_swift
# Swift's libraries are shared and copied with the others: Foundation's do not link as archives.
read -r -a flags <<<"${SWIFT6_2FLAGS//-Xswiftc -static-stdlib --static-swift-stdlib/}"

# The machine that runs the targets has no libraries but those beside them, which other libraries have to find as well.
export TAMIS_FUZZING=1
swift build -c release --product fuzz --scratch-path "$WORK/build" "${flags[@]}" \
  -Xswiftc -use-ld=lld -Xlinker --allow-multiple-definition \
  -Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker "\$ORIGIN/lib"
program=$(swift build -c release --scratch-path "$WORK/build" --show-bin-path)/fuzz

mkdir -p "$OUT/lib"
ldd "$program" | awk '$3 ~ /^\// { print $3 }' | grep -Ev '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' \
  | xargs cp -L -t "$OUT/lib"

for target in $targets; do
  cp "$program" "$OUT/$target"
  cp "Tests/Fuzz/dictionaries/$target.dict" "$OUT/"
  TAMIS_FUZZ=$target ASAN_OPTIONS=detect_leaks=0 "$program" -seeds Fixtures "$WORK/seeds-$target"
  find "$WORK/seeds-$target" -type f | sort | zip -q -j "$OUT/${target}_seed_corpus.zip" -@
done
