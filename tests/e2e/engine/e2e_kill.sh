#!/bin/sh
# kill -9 at random moments, at random instructions of a flush and of a step change: no completed call is
# missing after `recover`, none is there twice, and names and steps are there too.
# usage: e2e_kill.sh [BUILD [KILLS [SEED [CALLS OF A STEP,...]]]]]
# takes: 40 s
set -eu
export LC_ALL=C
BUILD=${1:-${BUILD-build}}
. "$(dirname "$0")/../../lib/lib.sh"

kills=${2:-200}
[ -z "${SAN-}${EMULATED-}" ] || kills=15	# a sanitizer makes each five times as long, and so does qemu-user
one_clock
cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra"
cd "$tmp"

$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc -rdynamic -o kill_driver "$here/tests/helpers/kill/kill_driver.c" "$here/tests/helpers/kill/kill_points.c" ./libOpenCL.so.1 -pthread -ldl
python3 "$here/tests/helpers/kill/kill_test.py" "$BUILD" "$tmp" "$kills" ${3:+"$3"} ${4:+"$4"} || {
	KEEP=1
	echo "what is left lies in $tmp"
	exit 1
}
