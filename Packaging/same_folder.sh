#!/bin/sh
# Runs a command in the folder of the sources, which has the path /mnt for that command alone.
#
#   same_folder.sh COMMAND…
#
# What a compiler writes depends on the paths of what it reads: their text, their length, and digests of both. Where no namespace can
# be made (macOS, most containers), the command runs in the folder as it is, and a line says so.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd -P)
place=/mnt

alone() {
  if [ "$(id -u)" = 0 ]; then unshare --mount "$@"; else unshare --map-root-user --mount "$@"; fi
}

if alone mount --bind "$here" "$place" 2>/dev/null; then
  # shellcheck disable=SC2016  # the inner shell expands it
  alone sh -euc 'mount --bind "$1" "$2"; cd "$2"; shift 2; exec "$@"' sh "$here" "$place" "$@"
else
  echo "built in $here: $place cannot be used here, so another build differs in some bytes" >&2
  cd "$here"
  "$@"
fi
