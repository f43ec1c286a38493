#!/bin/sh
# The same commit makes the same wheel, whoever builds it, where and when: a clone elsewhere, an hour on, in another locale.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"

need_wheels "$x86"
need git
git clone -q "$here" 'another place' 2>clone || { tail -n 1 clone; echo 'skip: this tree is no clone'; exit 77; }
git -C "$here" diff --quiet HEAD -- . || { echo 'skip: this tree has changes that are not committed'; exit 77; }
cd 'another place' || exit 1
[ -z "${CROSS-}" ] || mkdir build
arches='x86_64'
[ -d "$here/build/cross" ] && mkdir -p build && cp -r "$here/build/cross" build/ && arches='x86_64 aarch64'
umask 077
# shellcheck disable=SC2086 # a list of words
env -i PATH="$PATH" HOME="$tmp" TZ=Asia/Tokyo LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8 USER=nobody JOBS=2 scripts/dev/make-wheels dist $arches >"$tmp/built" 2>&1 || tail -n 3 "$tmp/built"
for arch in $arches; do
	for file in "$(wheel $arch)" "$(debug $arch)"; do
		equal "the_same_bytes_$(basename "$file" | tr -c 'a-z0-9_\n' _)" "$(sha256sum <"dist/${file##*/}")" "$(sha256sum <"$file")"
	done
done
finish
