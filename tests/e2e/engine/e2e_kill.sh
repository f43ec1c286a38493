#!/bin/sh
# kill -9 at random moments, at random instructions of a flush and of a step change: no completed call is
# missing after `recover`, none is there twice, and names and steps are there too.
# usage: e2e_kill.sh [BUILD [KILLS [SEED [CALLS OF A STEP,...]]]]]
set -eu
export LC_ALL=C

root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(realpath "${1:-${BUILD:-$root/build}}")
kills=${2:-200}
[ -z "${SAN-}" ] || kills=15	# a sanitizer makes each five times as long
dir=$(mktemp -d)
cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra"
cd "$dir"

$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$root/tests/helpers/kill/fake_opencl_kill.c"
$cc -rdynamic -o kill_driver "$root/tests/helpers/kill/kill_driver.c" "$root/tests/helpers/kill/kill_points.c" ./libOpenCL.so.1 -pthread -ldl
if python3 "$root/tests/helpers/kill/kill_test.py" "$build" "$dir" "$kills" ${3:+"$3"} ${4:+"$4"}; then
	rm -rf "$dir"
else
	echo "what is left lies in $dir"
	exit 1
fi
