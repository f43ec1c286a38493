#!/bin/sh
# The agent for aarch64: cross compiled, with libc as its only need.
. "$(dirname "$0")/lib.sh"

need aarch64-linux-gnu-gcc
[ -z "${SAN-}" ] || { ok "cross compiling does not depend on a sanitizer"; finish; }
libs=$here/build/cross
"$here/scripts/cross-libs" "$libs" >"$tmp/libs" 2>&1 || { tail -n 2 "$tmp/libs"; echo "skip: no arm64 packages to be had"; exit 77; }
lib=$libs/usr/lib/aarch64-linux-gnu
holds "the agent cross compiles" make -C "$here" --no-print-directory -j2 O="$tmp/arm64" CC=aarch64-linux-gnu-gcc \
	CFLAGS="-O2 -I$libs/usr/include" STATIC_LIBS="$lib/libyaml.a $lib/libzstd.a" WERROR=1 "$tmp/arm64/libranktrace.so"
so=$tmp/arm64/libranktrace.so
equal "it is for aarch64" "$(aarch64-linux-gnu-readelf -h "$so" | sed -n 's/ *Machine: *//p')" AArch64
# ld-linux holds the stack protector's guard on this architecture
equal "it needs libc alone" "$(aarch64-linux-gnu-readelf -d "$so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v ^ld-linux)" libc.so.6
equal "it exports the doors" "$(aarch64-linux-gnu-nm -D --defined-only "$so" | grep -c ' T dl')" 5
finish
