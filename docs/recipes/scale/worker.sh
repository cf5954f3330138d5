#!/bin/sh
# Packs what a bare Linux machine needs to run tamis (make worker): the program, its libraries, the loader and the encodings of glibc.
#
#   worker.sh .build/release/tamis tamis-worker.tar.gz          then: tar xzf tamis-worker.tar.gz && ./tamis --version
#
# Engines unpack it on each worker (Spark: --archives tamis-worker.tar.gz#tamis-worker) and find ./tamis-worker/tamis.
# Same program and libraries, same archive: names are sorted, times and owners are left out.
set -eu
binary=$1 out=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/lib/gconv"
cp "$binary" "$folder/lib/tamis"
strip "$folder/lib/tamis"
if ldd "$binary" | grep 'not found'; then echo "worker.sh: error: libraries of $binary are missing here" >&2; exit 1; fi
# libcurl is loaded when a request is sent, libmicrohttpd by tamis serve: ldd does not name them.
loaded=
for library in libcurl.so.4 libmicrohttpd.so.12; do
  path=$(PATH=$PATH:/sbin ldconfig -p | awk -v name=$library '$1 == name { print $NF; exit }')
  if [ -z "$path" ]; then echo "worker.sh: error: $library is missing here" >&2; exit 1; fi
  cp -L "$path" "$folder/lib/"
  loaded="$loaded $path"
done
# Lines of ldd: "name => path (address)", and "path (address)" for the loader.
for program in "$binary" $loaded; do ldd "$program"; done | awk '$2 == "=>" { print $3 } $1 ~ "^/" { print $1 }' | sort -u |
  while read -r library; do cp -L "$library" "$folder/lib/"; done
loader=$(basename "$(ldd "$binary" | awk '$1 ~ "^/" { print $1 }')")
# Feeds in EUC-JP, windows-1251 and the like are converted by modules that glibc loads when it meets them.
cp -rL "$(dirname "$(ldd "$binary" | awk '$1 == "libc.so.6" { print $3 }')")"/gconv/. "$folder/lib/gconv/"
cat > "$folder/tamis" <<WRAPPER
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")
# What --guard and serve start is this file: the program by itself would look for libraries that are not there.
export GCONV_PATH="\$here/lib/gconv" TAMIS_WORKER="\${TAMIS_WORKER:-\$here/tamis}"
exec "\$here/lib/$loader" --library-path "\$here/lib" "\$here/lib/tamis" "\$@"
WRAPPER
chmod 755 "$folder/tamis"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$folder" -cf - tamis lib | gzip -n > "$out.tmp"
mv "$out.tmp" "$out"
echo "$out: $(wc -c < "$out") bytes, $(find "$folder/lib" -name '*.so*' | wc -l) libraries"
