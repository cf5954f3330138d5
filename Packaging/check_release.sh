#!/usr/bin/env bash
# Installs what is released in new Debian systems that have no toolchain, and builds the example site there, without a network.
#
#   check_release.sh RELEASE_FILES DEB_FOLDER          needs root, debootstrap and a Debian mirror (MIRROR)
#
# The package goes into Debian 12, whose libraries it is built with; the archive into Debian 12 and 13 as they are. Both have to build the
# same site, byte for byte, as an ordinary user. The systems are removed at the end.
set -euo pipefail

files=$(realpath "$1") deb=$(realpath "$2"/tamis_*.deb) here=$(realpath "$(dirname "$0")/..")
mirror=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "new systems are made by root" >&2; exit 2; }
for tool in debootstrap unshare; do command -v $tool >/dev/null || { echo "$tool is missing (apt-get install debootstrap util-linux)" >&2; exit 2; }; done
# The mounts of the systems end with a namespace of their own.
[ -n "${TAMIS_NAMESPACE:-}" ] || exec unshare --mount --propagation private env TAMIS_NAMESPACE=1 "$0" "$@"
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/tamis-release.XXXXXX")
trap 'umount "$folder"/*/proc; rm -rf --one-file-system "$folder"' EXIT

# Runs a command in a system: with a network, or without one.
online() { chroot "$folder/$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -euc "$2"; }
offline() { unshare --net chroot "$folder/$1" /usr/bin/env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -euc "$2"; }

make_system() {
  debootstrap --variant=minbase "$1" "$folder/$1" "$mirror" >"$folder/log" 2>&1 || { tail "$folder/log"; exit 1; }
  cp /etc/resolv.conf "$folder/$1/etc/resolv.conf"
  mount -t proc proc "$folder/$1/proc"
  mkdir "$folder/$1/work"
  cp -R "$here/Fixtures/Feeds" "$folder/$1/work/feeds"
  chmod -R a+rwX "$folder/$1/work"
  # shellcheck disable=SC2016  # the system's shell expands it
  online "$1" 'for tool in swift gcc make python3 curl; do ! command -v $tool || exit 1; done'
}

# Builds the example site by a program, as nobody, and prints a digest of it.
site() {
  offline "$1" "cd /work && rm -rf $3 && setpriv --reuid=65534 --regid=65534 --clear-groups \
    $2 build feeds --output $3 --title Tamis --reproducible --quiet 2>/dev/null >&2 && cd $3 && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum"
}

for suite in bookworm trixie; do
  make_system $suite
  cp "$files"/tamis-*-linux-*.tar.gz "$folder/$suite/work"
  offline $suite 'cd /work && mkdir archive && tar -xzf tamis-*.tar.gz -C archive --strip-components=1 && chmod -R a+rX archive'
  offline $suite '/work/archive/tamis --version'
  # A server loads a library, and starts the command again to build; it ends with the signal.
  offline $suite 'cd /work && { timeout 20 archive/tamis serve feeds --output served >served.log 2>&1 || true; } && test -s served/index.html' \
    || { cat "$folder/$suite/work/served.log"; exit 1; }
  digest=$(site $suite /work/archive/tamis "site-archive")
  echo "$suite: the archive builds the site: $digest"
  [ "${first:=$digest}" = "$digest" ] || { echo "$suite: another site than before" >&2; exit 1; }
done

cp "$deb" "$folder/bookworm/work/tamis.deb"
# The packages that it depends on are fetched first, and installed without a network.
online bookworm 'apt-get update -qq && apt-get install -y -qq --download-only --no-install-recommends /work/tamis.deb >/dev/null'
offline bookworm 'apt-get install -y -qq --no-install-recommends /work/tamis.deb >/work/apt.log 2>&1 || { cat /work/apt.log; exit 1; }'
offline bookworm 'tamis --version && tamis --help >/dev/null && test -s /usr/share/man/man1/tamis-build.1.gz'
digest=$(site bookworm tamis site-package)
echo "bookworm: the package builds the site: $digest"
[ "$first" = "$digest" ] || { echo "the package builds another site than the archive" >&2; exit 1; }
# Fetching needs libcurl, which the package asks for; without a network each feed has to fail for that reason alone.
offline bookworm 'cd /tmp && tamis fetch --into f https://feeds.example/a.xml 2>&1 || true' | tee "$folder/fetch.log"
grep -q 'offline\|resolve' "$folder/fetch.log"
online bookworm 'apt-get remove -y -qq tamis >/dev/null && ! command -v tamis'
echo "installed, used and removed"
