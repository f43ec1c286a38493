# aarch64.sh - what tests of the agent for aarch64 share: where it is built, for_arm, emulated; to be sourced behind lib.sh. shellcheck shell=sh
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

helpers=$here/tests/helpers/qemu
gcc -D_GNU_SOURCE -Wall -Wextra -O1 -static -o "$tmp/start" "$helpers/start.c" || exit 1

# emulated TEST...: an end-to-end test as it is, of agent and programs for aarch64 under qemu-user: compiled by tests/helpers/qemu/cc, started by
# its run in the place of ranktrace-run, and read by this machine's command
emulated() {
	HOST_BUILD=$BUILD BUILD=$arm TOOL=$tool RUN=$helpers/run START=$tmp/start QEMU_LD_PREFIX=/usr/aarch64-linux-gnu \
		CC=$helpers/cc CXX="env CROSS=aarch64-linux-gnu-g++ $helpers/cc" "$@"
}
