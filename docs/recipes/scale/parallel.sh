#!/bin/bash
# Feeds to one archive by GNU parallel, on this machine or on those of a list that see the same disk.
#
#   parallel.sh FEEDS ARCHIVE [SHARDS] [OPTION OF PARALLEL...]      e.g.  parallel.sh feeds planet.archive 64 --sshloginfile hosts --wd .
set -euo pipefail
feeds=$1 archive=$2 shards=${3:-$(nproc)}
shard='command -v tamis >/dev/null || { echo "tamis is not on $(hostname): make worker, unpack tamis-worker.tar.gz there, put its folder into PATH" >&2; exit 127; }
tamis ingest "$1" --shard "$4/$3" --to "$2.shards" --reproducible'
# A shard that fails is tried three times more. One that is there and fits its receipt is not done again: start this anew after any mishap.
seq 0 "$((shards - 1))" | parallel --quote --retries 4 "${@:4}" bash -c "$shard" shard "$feeds" "$archive" "$shards" {}
tamis archive merge --archive "$archive" "$archive.shards"
