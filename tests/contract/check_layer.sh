#!/bin/sh
# Does the counting layer, which other tests trust, count what a program knows that it did?
. "$(dirname "$0")/../lib/lib.sh"
cd "$tmp" || exit 1

# count FILE NAME: the number beside the name, 0 where there is none.
count() {
	awk -v name="$2" '$1 == name { n = $2 } END { print n + 0 }' "$1"
}

# counted OUT ARGUMENTS...: runs the trainer under the layer, its own counts go to OUT.own.
counted() {
	out=$1
	shift
	OPENCL_LAYERS=$layer COUNT_LAYER_OUT=$out.%p \
		"$lm" --quiet --print-counts "$@" > "$out.own"
	cat "$out".[0-9]* > "$out"
}

echo '#include <CL/cl_icd.h>' | ${CC:-cc} -DCL_TARGET_OPENCL_VERSION=300 -E -P - |
	tr '\n' ' ' | sed 's/.*struct _cl_icd_dispatch {//; s/}.*//' | tr ';' '\n' |
	awk 'NF { print $NF }' | grep -vE 'GL|KHR$|EXT$' | sort >in_headers
sed -n 's/^\(CALL([^,]*, *\|VOID_CALL(\)\(cl[A-Za-z0-9]*\),.*/\2/p' "$here/tests/helpers/layers/dispatch.def" | sort >in_table
holds every_function_of_the_headers_has_a_row sh -c 'test -s in_headers && diff in_headers in_table'

counted six --steps 6
grep -v '^completed:' six >called
sed -n 's/^completed://p' six >came_back
holds the_layer_counts_what_the_program_counts sh -c 'test -s six.own && diff called six.own'
holds every_call_comes_back diff came_back six.own

counted three --steps 3
grown=
for name in clEnqueueNDRangeKernel clEnqueueWriteBuffer clEnqueueReadBuffer clFinish; do
	grown="$grown $(($(count three $name) > 0 && $(count six $name) == 2 * $(count three $name)))"
done
equal calls_of_twice_the_steps_are_twice_as_many "$grown" ' 1 1 1 1'

OPENCL_LAYERS=$layer COUNT_LAYER_SHM=shm COUNT_LAYER_OUT=out "$lm" --steps 100000000 >log &
pid=$!
while kill -0 $pid && ! grep -qs 'step 20 ' log; do
	sleep 0.1
done
kill -9 $pid
wait $pid 2>/dev/null
python3 "$here/tests/helpers/layers/count_dump.py" shm >killed
steps=$(wc -l <log) finished=$(count killed completed:clFinish)
equal a_killed_process_writes_no_counts "$(ls out 2>/dev/null)" ''
holds but_leaves_them_in_memory test "$finished" -ge 20 -a $((finished - steps)) -le 1 -a $((finished - steps)) -ge 0
holds of_one_thread_one_call_at_most_is_under_way test $(($(count killed clFinish) - finished)) -le 1
finish
