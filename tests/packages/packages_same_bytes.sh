#!/bin/sh
# The same commit makes the same packages, whoever builds them, where and when: a clone elsewhere, by another user, a day and an hour later by
# the clock of all that is started, its files a day older, with another umask, locale and time zone. dist/ is to be of this commit.
# ARCHES: of these alone.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"

need_wheels "$x86" "$arm" "$(deb x86_64)" "$(deb aarch64)" "$(rpm_of x86_64)" "$(rpm_of aarch64)"
need git
need faketime
git clone -q "$here" 'another place' 2>clone || { tail -n 1 clone; echo 'skip: this tree is no clone'; exit 77; }
git -C "$here" diff --quiet HEAD -- . || { echo 'skip: this tree has changes that are not committed'; exit 77; }
cd 'another place' || exit 1
mkdir build && cp -r "$here/build/cross" build/
arches=${ARCHES:-x86_64 aarch64} somebody=
if [ "$(id -u)" = 0 ]; then
	chmod 711 "$tmp" && chown -R 65534:65534 .
	somebody='setpriv --reuid 65534 --regid 65534 --clear-groups'
fi
find . -exec touch -h -d '25 hours ago' {} +
# What shells, Python and the compiler take for the day and the hour.
cat >"$tmp/told" <<'T'
date +%F:%H
/usr/bin/python3 -c 'import time; print(time.strftime("%Y-%m-%d:%H"))'
echo __DATE__ __TIME__ | gcc -E -P - | tr -d '"' | date +%F:%H -f -
T
chmod a+r "$tmp/told"
umask 077

# elsewhere COMMAND...: as it is there; files have the times that the kernel gives them, or make would build all anew
elsewhere() { $somebody env -i PATH="$PATH" HOME="$tmp" TZ=Asia/Tokyo LC_ALL=C.UTF-8 NO_FAKE_STAT=1 faketime -f +25h "$@"; }
wanted=$(TZ=Asia/Tokyo date +%F:%H -d '25 hours') told=$(elsewhere sh "$tmp/told" | uniq)
[ "$told" = "$wanted" ] || wanted=$(TZ=Asia/Tokyo date +%F:%H -d '25 hours') # the hour was full
equal it_is_a_day_and_an_hour_later_there "$told" "$wanted"

# shellcheck disable=SC2016,SC2086 # a text for another shell; a list of words
elsewhere sh -c 'packaging/wheels.py dist "$@" && packaging/linux.py dist deb "$@" && packaging/linux.py dist rpm "$@"' - $arches >"$tmp/built" 2>&1 ||
	tail -n 3 "$tmp/built"
for arch in $arches; do
	for file in "$(wheel $arch)" "$(debug $arch)" "$(deb $arch)" "$(rpm_of $arch)"; do
		equal "the_same_bytes_$(basename "$file" | tr -c 'a-z0-9_\n' _)" "$(sha256sum <"dist/${file##*/}")" "$(sha256sum <"$file")"
	done
done
finish
