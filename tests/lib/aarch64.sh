# aarch64.sh - what tests of the agent for aarch64 share: where it is built, for_arm; to be sourced behind lib.sh. shellcheck shell=sh
# shellcheck disable=SC2154 # what lib.sh sets
libs=$here/build/cross
arm=$here/build/arm64
"$here/scripts/dev/cross-libs" "$libs" >"$tmp/libs" 2>&1 || { tail -n 2 "$tmp/libs"; echo "skip: no arm64 packages to be had"; exit 77; }
lib=$libs/usr/lib/aarch64-linux-gnu

# for_arm FLAGS FILE...: the agent as it is released, what is about numbers and bytes as it compiles fast
for_arm() {
	flags=$1
	shift
	make -C "$here" --no-print-directory -j2 O=build/arm64 CC=aarch64-linux-gnu-gcc CFLAGS="$flags -idirafter $libs/usr/include" \
		STATIC_LIBS="$lib/libyaml.a $lib/libzstd.a" LDFLAGS="-L$lib" "$@"
}
