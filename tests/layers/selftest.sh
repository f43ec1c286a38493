#!/bin/sh
# Does the counting layer count what a program knows that it did?
# usage: selftest.sh LM_TRAIN LIBCOUNT_LAYER.SO
set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
train=$(realpath "$1")
layer=$(realpath "$2")
dir=$(mktemp -d)
pid=
trap 'test -z "$pid" || kill -9 "$pid" 2>/dev/null || :; rm -rf "$dir"' EXIT
cd "$dir"

fail()
{
	echo "FAIL: $*" >&2
	exit 1
}

# count FILE NAME: the number beside the name, 0 where there is none.
count()
{
	awk -v name="$2" '$1 == name { n = $2 } END { print n + 0 }' "$1"
}

# counted OUT ARGUMENTS...: runs the trainer under the layer, its own counts go to OUT.own.
counted()
{
	out=$1
	shift
	OPENCL_LAYERS=$layer COUNT_LAYER_OUT=$out.%p \
		"$train" --quiet --print-counts "$@" > "$out.own"
	cat "$out".[0-9]* > "$out"
}

every_function_of_the_headers_has_a_row()
{
	echo '#include <CL/cl_icd.h>' | ${CC:-cc} -DCL_TARGET_OPENCL_VERSION=300 -E -P - |
		tr '\n' ' ' | sed 's/.*struct _cl_icd_dispatch {//; s/}.*//' | tr ';' '\n' |
		awk 'NF { print $NF }' | grep -vE 'GL|KHR$|EXT$' | sort > in_headers
	sed -n 's/^\(CALL([^,]*, *\|VOID_CALL(\)\(cl[A-Za-z0-9]*\),.*/\2/p' "$here/dispatch.def" |
		sort > in_table
	test -s in_headers || fail "no function found in CL/cl_icd.h"
	diff in_headers in_table || fail "dispatch.def differs from CL/cl_icd.h"
}

the_layer_agrees_with_the_program()
{
	counted six --steps 6
	grep -v '^completed:' six | diff - six.own || fail "counted otherwise than the program"
	sed -n 's/^completed://p' six | diff - six.own || fail "not every call came back"
}

calls_of_a_step_grow_with_the_steps()
{
	counted three --steps 3
	for name in clEnqueueNDRangeKernel clEnqueueWriteBuffer clEnqueueReadBuffer clFinish; do
		once=$(count three $name)
		twice=$(count six $name)
		test "$once" -gt 0 -a "$twice" -eq $((2 * once)) ||
			fail "$name: $once in 3 steps, $twice in 6"
	done
}

counters_outlive_a_kill()
{
	OPENCL_LAYERS=$layer COUNT_LAYER_SHM=shm COUNT_LAYER_OUT=out \
		"$train" --steps 100000000 > log &
	pid=$!
	while kill -0 $pid && ! grep -q 'step 20 ' log; do
		sleep 0.1
	done
	kill -9 $pid
	wait $pid 2> /dev/null || :
	pid=

	test ! -e out || fail "a killed process wrote its counts"
	"$here/count_dump.py" shm > killed
	lines=$(wc -l < log)
	done=$(count killed completed:clFinish)
	test "$done" -eq "$lines" -o "$done" -eq $((lines + 1)) ||
		fail "$lines steps were logged, $done were counted"
	test $(($(count killed clFinish) - done)) -le 1 || fail "one thread, two calls at once"
}

"$train" --quiet --steps 2 2> error || {
	cat error >&2
	grep -q 'clGetPlatformIDs\|clGetDeviceIDs' error || fail "the trainer does not run"
	echo "SKIP: no OpenCL device"
	exit 77
}

for test in every_function_of_the_headers_has_a_row the_layer_agrees_with_the_program \
	    calls_of_a_step_grow_with_the_steps counters_outlive_a_kill; do
	$test
	echo "ok $test"
done
