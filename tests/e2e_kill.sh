#!/bin/sh
# kill -9 at random moments: no completed call is missing after `recover`, names and steps there too.
# usage: e2e_kill.sh [BUILD [KILLS [SEED]]]
set -eu
export LC_ALL=C

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:-${BUILD:-$root/build}}")
kills=${2:-50}
[ -z "${SAN-}" ] || kills=10	# a sanitizer makes each five times as long
dir=$(mktemp -d)
cc="${CC:-cc} -std=gnu11 -O2 -g -Wall -Wextra"
cd "$dir"

$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$root/tests/kill/fake_opencl_kill.c"
$cc -o kill_driver "$root/tests/kill/kill_driver.c" ./libOpenCL.so.1 -pthread
if python3 "$root/tests/kill/kill_test.py" "$build" "$dir" "$kills" ${3:+"$3"}; then
	rm -rf "$dir"
	echo "ok no completed call is lost by $kills kills"
else
	echo "FAIL e2e_kill: what is left lies in $dir"
	exit 1
fi
