#!/bin/sh
# The same commit makes the same packages, whoever builds them, where and when: a clone elsewhere, by another user, later, with another
# umask, locale and time zone. dist/ is to be of this commit. ARCHES: of these alone.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"

need_wheels "$x86" "$arm" "$(deb x86_64)" "$(deb aarch64)" "$(rpm_of x86_64)" "$(rpm_of aarch64)"
need git
git clone -q "$here" 'another place' 2>clone || { tail -n 1 clone; echo 'skip: this tree is no clone'; exit 77; }
git -C "$here" diff --quiet HEAD -- . || { echo 'skip: this tree has changes that are not committed'; exit 77; }
cd 'another place' || exit 1
mkdir build && cp -r "$here/build/cross" build/
arches=${ARCHES:-x86_64 aarch64} somebody=
if [ "$(id -u)" = 0 ]; then
	chmod 711 "$tmp" && chown -R 65534:65534 .
	somebody='setpriv --reuid 65534 --regid 65534 --clear-groups'
fi
umask 077
# shellcheck disable=SC2086 # a list of words
$somebody env -i PATH="$PATH" HOME="$tmp" TZ=Asia/Tokyo LC_ALL=C.UTF-8 sh -c 'packaging/wheels.py dist "$@" && packaging/linux.py dist deb "$@" && packaging/linux.py dist rpm "$@"' - $arches >"$tmp/built" 2>&1 ||
	tail -n 3 "$tmp/built"
for arch in $arches; do
	for file in "$(wheel $arch)" "$(debug $arch)" "$(deb $arch)" "$(rpm_of $arch)"; do
		equal "the_same_bytes_$(basename "$file" | tr -c 'a-z0-9_\n' _)" "$(sha256sum <"dist/${file##*/}")" "$(sha256sum <"$file")"
	done
done
finish
