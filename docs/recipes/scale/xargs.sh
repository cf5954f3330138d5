#!/bin/bash
# Files of records to files of answers, as many at once as there are cores. What is there is not done again: start it anew after any mishap.
#
#   xargs.sh RECORDS ANSWERS [ARGUMENT OF TAMIS...]      RECORDS/**/*.jsonl.gz -> ANSWERS/**/*.jsonl.gz      e.g.  xargs.sh crawl out article --jsonl
set -euo pipefail
records=$1 answers=$2; shift 2
command -v tamis >/dev/null || { echo "tamis is not on this machine: make worker, unpack tamis-worker.tar.gz, put its folder into PATH" >&2; exit 127; }
test $# -gt 0 || set -- sanitize --jsonl
mkdir -p "$answers"; answers=$(realpath "$answers"); cd "$records"
# A file is put in its place by one rename: it is whole, or not there. A packed file that is cut off fails, and only that.
find . -name '*.jsonl.gz' -printf '%P\0' | answers=$answers xargs -0 -r -n 1 -P "$(nproc)" bash -c '
  set -euo pipefail
  file=${!#}; target=$answers/$file
  test -e "$target" && exit
  mkdir -p "$(dirname "$target")"
  drop() { rm -f -- "$target.tmp-$$"; }
  trap drop EXIT
  gzip -dc -- "$file" | tamis "${@:1:$#-1}" --guard | gzip -n > "$target.tmp-$$"
  mv "$target.tmp-$$" "$target"' file "$@"
