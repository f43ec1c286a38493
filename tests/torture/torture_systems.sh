#!/bin/sh
# An older system, whole: Debian 11 in a folder, with its own C library, Python and compiler. The agent
# that was built here runs there, and what is built there does. Needs root, for chroot.
# shellcheck disable=SC2154 # what lib.sh sets
. "$(dirname "$0")/../lib/lib.sh"

[ "$(id -u)" = 0 ] || { echo "skip: no root, so no chroot"; exit 77; }
need debootstrap
[ -z "${SAN-}" ] || { ok an_older_system_has_no_sanitizer_of_ours; finish; }
old=$tmp/old
mirror=$("$here/scripts/dev/fetch-debs" --mirror)
debootstrap --variant=minbase --include=python3,gcc,make,libc6-dev,libyaml-dev,libzstd-dev \
	bullseye "$old" "$mirror" >"$tmp/debootstrap" 2>&1 ||
	{ tail -n 3 "$tmp/debootstrap"; echo "skip: no Debian 11 to be had"; exit 77; }
mkdir -p "$old/src" "$old/job"
(cd "$here" && git ls-files -z | tar -cz --null -T - -f -) | tar -xz -C "$old/src"
cp "$BUILD/libranktrace.so" "$old/job/"

# inside COMMAND: in the old system, with /proc and a /dev/shm of its own; mounts end with it
inside() {
	# shellcheck disable=SC2016 # words of the inner shell
	unshare -m sh -c 'mount --make-rprivate / && mount -t proc proc "$1/proc" && mkdir -p "$1/dev/shm" &&
		mount -t tmpfs tmpfs "$1/dev/shm" && exec env -u RANKTRACE_BUILD chroot "$1" sh -c "cd /job; $2"' sh "$old" "$1"
}
inside "gcc -shared -fPIC -I/src -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 /src/tests/helpers/kill/fake_opencl_kill.c &&
	gcc -D_GNU_SOURCE -I/src -o neighbours /src/tests/helpers/systems/neighbours.c ./libOpenCL.so.1 -Wl,-rpath,/job -pthread" >"$tmp/built" 2>&1
equal threads_and_children_build_on_the_older_system "$?$(cat "$tmp/built")" 0
echo 'import ctypes, sys
launch = ctypes.CDLL("./libOpenCL.so.1").clEnqueueNDRangeKernel
print(sys.version_info[:2], sum(launch(*[ctypes.c_void_p(0)] * 9) for _ in range(1000)))' >"$old/job/ctypes_calls.py"

# traced NAME COMMAND PREFIX: as without us, and every call is recorded
traced() {
	rm -rf "$old/job/out" "$old/job/counts"
	truncate -s 4096 "$old/job/counts"
	inside "$2" >"$tmp/plain" 2>&1
	plain=$?
	inside "FAKE_COUNTS=/job/counts $3 $2" >"$tmp/traced" 2>"$tmp/errors"
	equal "$1_it_ends_as_without_us" "$? $(cat "$tmp/traced")" "$plain $(cat "$tmp/plain")"
	holds "$1_every_call_is_recorded" /usr/bin/python3 "$here/tests/helpers/python/called.py" "$tool" "$old/job/out" "$old/job/counts"
}
built_here="RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=/job/out LD_PRELOAD=/job/libranktrace.so"
traced python_under_the_agent_that_was_built_here "python3 ctypes_calls.py" "$built_here"
holds ranktrace_builds_there inside "make -C /src -j2 CFLAGS=-O2"
built_there="/src/scripts/ranktrace-run --save-path /job/out --steps all --contents cpu --"
traced python_under_what_was_built_there "python3 ctypes_calls.py" "$built_there"
traced threads_and_children_under_what_was_built_there ./neighbours "$built_there"
inside "ldd --version | head -n 1"
finish
