#!/bin/sh
# Installs other people's sanitizers: Python's and JavaScript's below .build/others, Debian's by apt-get. What cannot be had is said
# and left out; the programs that need it are then not measured. Does nothing when all is there.
cd "$(dirname "$0")/../.." || exit 1
here=Tests/Others
folder=.build/others
mkdir -p $folder/javascript $folder/java $folder/debian
missing() { echo "Could not get: $1 - what needs it is left out."; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
version_of() { dpkg-query -W -f='${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p'; }
install_package() { as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; }

# Debian's packages: all at once, and one by one when that fails.
if command -v dpkg-query >/dev/null; then
  wanted=
  while read -r name version; do
    case $name in "#" | unpack | "") continue ;; esac
    [ -n "$(version_of "$name")" ] || wanted="$wanted $name"
  done <$here/debian.txt
  if [ -n "$wanted" ]; then
    echo "Installing:$wanted"
    as_root apt-get update -qq >/dev/null 2>&1
    # shellcheck disable=SC2086
    install_package $wanted || for name in $wanted; do install_package "$name" || missing "$name"; done
  fi
  while read -r name version; do
    case $name in "#" | unpack | "") continue ;; esac
    now=$(version_of "$name")
    [ -z "$now" ] || [ "$now" = "$version" ] || echo "$name is $now; $version was measured."
  done <$here/debian.txt
  while read -r kind name version; do
    [ "$kind" = unpack ] || continue
    [ "$(cat $folder/debian/"$name"/version 2>/dev/null)" = "$version" ] && continue
    rm -rf "$folder/debian/$name"
    mkdir -p "$folder/debian/$name"
    (cd "$folder/debian/$name" && apt-get download -qq "$name=$version" >/dev/null 2>&1 && dpkg -x ./*.deb . && rm ./*.deb \
      && echo "$version" >version) || { rm -rf "$folder/debian/$name"; missing "$name $version"; }
  done <$here/debian.txt
else
  missing "Debian's packages: this is another system"
fi

# Python's libraries.
[ -x $folder/python/bin/python3 ] || python3 -m venv $folder/python || missing "Python's venv"
if [ -x $folder/python/bin/python3 ] && ! cmp -s $here/requirements.txt $folder/python/installed; then
  if $folder/python/bin/python3 -m pip install -q -r $here/requirements.txt; then
    cp $here/requirements.txt $folder/python/installed
  else
    grep -v '^#' $here/requirements.txt | while read -r library; do
      $folder/python/bin/python3 -m pip install -q "$library" || missing "$library"
    done
  fi
fi

# DOMPurify as NiceGUI, a library of Python's, carries it.
nicegui=3.18.0
purify=eb3183bfda22b2d2f538a067eed2f68820922454538915f006af027b58327cad
holds() { echo "$purify  $folder/javascript/dompurify.mjs" | sha256sum -c --status 2>/dev/null; }
if ! holds; then
  python3 -m pip download -q --no-deps --dest $folder/javascript "nicegui==$nicegui" \
    && python3 -c "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read('nicegui/static/dompurify.mjs'))" \
      $folder/javascript/nicegui-$nicegui-py3-none-any.whl >$folder/javascript/dompurify.mjs
  rm -f $folder/javascript/*.whl
  holds || { rm -f $folder/javascript/dompurify.mjs; missing "DOMPurify"; }
fi

# The adapters in Java and Go.
jars=/usr/share/java
if [ -e $jars/gson.jar ] && command -v javac >/dev/null; then
  javac -d $folder/java -cp $jars/gson.jar:$jars/jsoup.jar:$jars/owasp-java-html-sanitizer.jar:$jars/guava.jar $here/*.java \
    2>/dev/null || missing "the adapters in Java"
fi
if command -v go >/dev/null && [ -z "$(find $folder/bluemonday -newer $here/with_bluemonday.go 2>/dev/null)" ]; then
  GO111MODULE=off GOPATH=/usr/share/gocode go build -o $folder/bluemonday $here/with_bluemonday.go 2>/dev/null || missing "bluemonday"
fi

# HTML Purifier of Debian 12 is written for PHP 7: three files have brackets that PHP 8 does not read.
if [ -d /usr/share/php/HTMLPurifier ] && [ ! -d $folder/debian/php-htmlpurifier ]; then
  mkdir -p $folder/debian/php-htmlpurifier
  cp -r /usr/share/php/HTMLPurifier* $folder/debian/php-htmlpurifier
  for file in TagTransform/Font Encoder ChildDef/Custom; do
    sed -i -E "s/(\\\$(str|raw)|\\\$attr\\['size'\\])\\{(0|\\\$i)\\}/\\1[\\3]/g" $folder/debian/php-htmlpurifier/HTMLPurifier/$file.php
  done
fi
exit 0
