#!/usr/bin/env bash
# Does what the README says, `make site` and `make test`, in a new Debian that has Swift and nothing else.
#
#   fresh.sh [--can | --prepare-only] [--archive tamis-VERSION.tar.gz] [--suites FOLDER] [--save FOLDER] [--suite bookworm|trixie]... [--as root|user]...
#
# Needs root, debootstrap and a Debian mirror: MIRROR, deb.debian.org, or one that this machine installs from. With --suites the tests
# find public suites in that folder; with CI in the environment warnings are errors. Each system has Debian's minbase, the packages that Swift's installation page
# names, make and git; Swift's toolchain is that of this machine. What is tested is the last commit, or an archive of the sources. --prepare-only stops before the
# builds, which take minutes; --save puts the command into a folder; --can stops before everything: it says by its exit code whether this machine can make such systems. The systems live in a mount and process namespace of their own and end with it.
set -euo pipefail

source=$(cd "$(dirname "$0")/../.." && pwd)
# https://www.swift.org/install/linux/tarball/, Debian 12; Debian 13 has a newer libstdc++.
swift_packages="binutils gcc git libcurl4-openssl-dev libedit-dev libicu-dev libncurses-dev libpython3-dev libsqlite3-dev libxml2-dev pkg-config tzdata uuid-dev"
declare -A library=([bookworm]=libstdc++-12-dev [trixie]=libstdc++-14-dev) name=([bookworm]="Debian 12" [trixie]="Debian 13")

arguments=("$@") suites=() users=() prepare_only="" can="" archive="" public="" saved=""
while [ $# -gt 0 ]; do
  case $1 in
    --prepare-only) prepare_only=yes ;;
    --can) can=yes ;;
    --archive) archive=$(realpath "$2"); shift ;;
    --suites) public=$(realpath "$2"); shift ;;
    --save) saved=$(realpath "$2"); shift ;;
    --suite) suites+=("$2"); shift ;;
    --as) users+=("$2"); shift ;;
    *) echo "unknown argument '$1'; see the head of $0" >&2; exit 2 ;;
  esac
  shift
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
[ ${#users[@]} -gt 0 ] || users=(root user)
for suite in "${suites[@]}"; do
  [ -n "${library[$suite]:-}" ] || { echo "unknown suite '$suite'; choose bookworm or trixie" >&2; exit 2; }
done

# The first mirror that has a suite. apt knows its own proxies.
find_mirror() {
  local mirrors=${MIRROR:-http://deb.debian.org/debian $(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' | sed -n 's/^Debian //p' | sort -u)}
  for mirror in $mirrors; do
    if /usr/lib/apt/apt-helper -o Acquire::Retries=0 -o Acquire::http::Timeout=20 download-file "${mirror%/}/dists/$1/InRelease" \
      "$FRESH_FOLDER/InRelease" >/dev/null 2>&1; then
      echo "${mirror%/}"
      return
    fi
  done
  echo "no mirror has $1; name one by MIRROR" >&2
  return 1
}

if [ -z "${FRESH_FOLDER:-}" ]; then
  [ "$(id -u)" = 0 ] || { echo "new systems are made by root: sudo make check-fresh" >&2; exit 2; }
  for tool in debootstrap unshare swift git; do
    command -v $tool >/dev/null || { echo "$tool is missing (apt-get install debootstrap util-linux git)" >&2; exit 2; }
  done
  unshare --mount --propagation private --pid --fork --mount-proc true 2>/dev/null || { echo "this machine lets nobody mount anything; in a container, start it with --privileged" >&2; exit 2; }
  FRESH_FOLDER=$(mktemp -d "${TMPDIR:-/var/tmp}/tamis-fresh.XXXXXX")
  export FRESH_FOLDER
  # The mounts are in the namespace alone, so that nothing of this machine is below the folder when it is removed.
  trap 'rm -rf --one-file-system "$FRESH_FOLDER"' EXIT
  if [ -n "$can" ]; then
    for suite in "${suites[@]}"; do find_mirror "$suite"; done
    exit
  fi
  status=0
  unshare --mount --propagation private --pid --fork --kill-child --mount-proc bash "$0" "${arguments[@]}" || status=$?
  exit $status
fi

cd "$FRESH_FOLDER"
swift_root=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
path="$swift_root/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# Mounts a folder of this machine at the same place, read-only.
share() {
  mkdir -p "$1$2"
  mount --bind "$2" "$1$2"
  mount -o remount,bind,ro "$1$2"
}

# Makes a system that others are copied from.
make_base() {
  local suite=$1 packages mirror proxy
  mirror=$(find_mirror "$suite")
  proxy=$(apt-config --format '%f=%v%n' dump Acquire::http::Proxy | sed -n 's/^Acquire::http::Proxy=//p')
  [ -z "$proxy" ] || export http_proxy=$proxy
  packages=$(echo "$swift_packages make ${library[$suite]}" | tr ' ' ,)
  echo "${name[$suite]}: debootstrap"
  debootstrap --variant=minbase --include="$packages" "$suite" "base-$suite" "$mirror" >"$suite.log" 2>&1 \
    || { tail -n 20 "$suite.log"; return 1; }
  rm -f "base-$suite"/var/cache/apt/archives/*.deb
  [ -z "$proxy" ] || echo "Acquire::http::Proxy \"$proxy\";" >"base-$suite/etc/apt/apt.conf.d/proxy"
}

# Copies the system, and gives it what it shares with this machine and a clone of the sources.
make_system() {
  local suite=$1 user=$2 root="$FRESH_FOLDER/$1-$2"
  cp -a --reflink=auto "base-$suite" "$root"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  echo "127.0.0.1 localhost $(uname -n)" >"$root/etc/hosts"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  share "$root" "$swift_root"
  [ -z "$public" ] || share "$root" "$public"
  # Packages of Swift's that lie on this machine.
  git config --get-regexp '^url\..*\.insteadof$' | while read -r key value; do
    folder=${key#url.} folder=${folder%.insteadof}
    [ -d "$folder" ] || continue
    mountpoint -q "$root$folder" || share "$root" "${folder%/}"
    git config --file "$root/etc/gitconfig" --add "$key" "$value"
  done || true
  git config --file "$root/etc/gitconfig" --add safe.directory '*'
  if [ "$user" = user ]; then
    in_system "$suite-user" root "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends sudo" \
      >sudo.log 2>&1 || { cat sudo.log; return 1; }
    chroot "$root" useradd --create-home --shell /bin/bash user
    echo "user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/user"
    chmod 440 "$root/etc/sudoers.d/user"
  fi
  local home=/root
  [ "$user" = root ] || home=/home/user
  if [ -n "$archive" ]; then
    mkdir "$root$home/tamis" && tar -xzf "$archive" -C "$root$home/tamis" --strip-components=1
  else
    git clone -q --no-hardlinks "$source" "$root$home/tamis"
  fi
  chroot "$root" chown -R "$user:" "$home/tamis"
}

# Runs a command in the sources of a system, as a user, with nothing of this shell's environment.
in_system() {
  local root="$FRESH_FOLDER/$1" user=$2 home=/root
  [ "$user" = root ] || home=/home/user
  chroot --userspec="$user:" --groups="" "$root" \
    /usr/bin/env -i HOME="$home" USER="$user" PATH="$path" TERM=dumb LANG=C.UTF-8 ${CI:+CI="$CI"} ${public:+TAMIS_SUITES="$public"} \
    /bin/bash -c "cd $home/tamis 2>/dev/null || cd /; $3"
}

# What the README presumes is there, and what it does not presume is not.
look_at() {
  local suite=$1 user=$2
  in_system "$suite-$user" "$user" '
    swift --version 2>&1 | head -n 1 && make --version | head -n 1 && git --version || exit 1
    for tool in python3 node curl unzip sqlite3; do ! command -v $tool || { echo "this system is not empty" >&2; exit 1; }; done
    [ "$(id -u)" = 0 ] || sudo -n true'
}

failed=0
for suite in "${suites[@]}"; do
  make_base "$suite"
  for user in "${users[@]}"; do
    make_system "$suite" "$user"
    look_at "$suite" "$user" >look.log 2>&1 || { cat look.log; exit 1; }
    echo "${name[$suite]} as $user: $(paste -sd ' ' look.log)"
    if [ -z "$prepare_only" ]; then
      for target in site test; do
        start=$SECONDS
        log="$suite-$user-$target.log"
        if in_system "$suite-$user" "$user" "make $target" >"$log" 2>&1; then
          echo "${name[$suite]} as $user: make $target passed in $((SECONDS - start)) s"
          # The command as `make site` builds it; tests build it once more, for themselves.
          home=$([ "$user" = root ] || echo home/)$user
          [ "$target" != site ] || [ -z "$saved" ] || cp "$suite-$user/$home/tamis/.build/release/tamis" "$saved/"
        else
          failed=$((failed + 1))
          echo "${name[$suite]} as $user: make $target failed after $((SECONDS - start)) s"
          grep -a '✘\|error:' "$log" | head -n 20 || true
          tail -n 20 "$log"
        fi
      done
    fi
    # The next system has the space. What cannot be unmounted is not removed.
    umount -R "$suite-$user/dev"
    awk -v below="$FRESH_FOLDER/$suite-$user/" 'index($2, below) == 1 { print $2 }' /proc/mounts | tac | while read -r place; do umount "$place"; done
    rm -rf --one-file-system "${FRESH_FOLDER:?}/$suite-$user"
  done
  rm -rf --one-file-system "base-$suite"
done
exit $((failed > 0))
