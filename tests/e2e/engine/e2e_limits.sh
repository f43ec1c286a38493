#!/bin/sh
# Tables of fixed size, overfilled: they grow, or what does not fit is counted and told.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/limits.sh"

cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra"
cd "$tmp" || exit 1

# ---- many more rows: a copy of the tree in which a vendor has 1,100 more, of which 150 are functions ----

first=951 last=1100
mkdir tree
cp -R "$here/agent" "$here/analysis" "$here/config" "$here/hooks" "$here/Makefile" "$here/VERSION" tree/
for i in $(seq $last); do
	wide=$(printf 'clFunctionOfAVeryWideVendorWithANameThatIsLongEnough%04d' "$i")
	[ "$i" -lt $first ] && echo "HOOK_AS($wide, EVENT)" >&3 && continue
	echo "HOOK(cl_int, $wide, (cl_uint n), (n), EVENT())" >&3
	echo "int $wide(unsigned int n) { return (int)n; }" >&4
	echo "CALL($wide)"
done 3>>tree/hooks/opencl/opencl.def 4>wide.c >wide_calls.h
cat >wide_program.c <<END_OF_PROGRAM
#include <stdlib.h>
#define CALL(name) int name(unsigned int n);
#include "wide_calls.h"
#undef CALL
int clEnqueueNativeKernel(void *queue);

int main(int argc, char **argv)
{
	int sum = 0;

#define CALL(name) sum += name(0);
#include "wide_calls.h"
	sum += $wide(0);
	clEnqueueNativeKernel(NULL);
	if (argc > 1)
		abort();
	(void)argv;
	return sum;
}
END_OF_PROGRAM
echo 'int clEnqueueNativeKernel(void *queue) { return !!queue; }' >>wide.c
$cc -shared -fPIC -Wno-missing-prototypes -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 wide.c &&
	$cc -o wide_program wide_program.c ./libOpenCL.so.1 -Wl,-rpath,"$tmp" || exit 1
make -C tree -j2 -s O="$tmp/wide" SAN="${SAN-}" CFLAGS="-O${SAN:+1}" >/dev/null 2>build.log ||
	{ fail a_copy_with_many_more_rows_is_built "$(tail -n 3 build.log)"; finish; }
tool=$tmp/wide/ranktrace so=$tmp/wide/libranktrace.so
traced ./wide_program RANKTRACE_LEVEL=level0
equal a_program_that_calls_rows_of_high_numbers_ends_as_without_us "$status" 0
report calls_of_rows_of_high_numbers_that_the_level_leaves_out_are_told out \
	"ranks[0]['unrecorded']['$wide'] == 2"
report each_of_many_rows_that_the_level_leaves_out_is_told out \
	"len(ranks[0]['unrecorded']) == 150 and sum(ranks[0]['unrecorded'].values()) == 151"
traced ./wide_program abort RANKTRACE_LEVEL=level0
"$tool" recover >recovered 2>&1
report they_are_told_of_a_process_that_was_killed out \
	"ranks[0]['unrecorded']['$wide'] == 2 and len(ranks[0]['unrecorded']) == 150"
traced ./wide_program RANKTRACE_LEVEL=level1
report calls_of_rows_of_high_numbers_are_recorded out \
	"by('name', e)['$wide'] == 2 and len(e) == 152"
tool=$BUILD/ranktrace so=

# ---- many handles, alive at once ----

$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/programs/many_handles_cl.c" &&
	$cc -o many "$here/tests/programs/many_handles.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" &&
	$cc -DCOUNTED -o many_counted "$here/tests/programs/many_handles.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" || exit 1
cat >same.py <<'END_OF_PYTHON'
"""same.py SAID DUMP: launches and frees are those that the program says it made, in order, each by its name and size."""
import json, sys
e = [json.loads(line) for line in open(sys.argv[2])]
got = ["launch %s %d" % (x.get("kernel"), x["global"][0]) for x in e if x["kind"] == "launch"]
got += ["free %d" % x["bytes"] for x in e if x["kind"] == "free"]
want = [line.strip() for line in open(sys.argv[1])]
wrong = [(w, g) for w, g in zip(want, got) if w != g]
assert not wrong, wrong[:3]
assert len(want) == len(got) > 5000, (len(want), len(got))
END_OF_PYTHON
traced ./many 250000 70000 250000 RANKTRACE_LEVEL=level0 RANKTRACE_STEPS=2 RANKTRACE_STEP_SOURCE=api RANKTRACE_CONTENTS=cpu,memory
"$tool" dump --format jsonl out >dump
holds each_of_250000_kernels_and_buffers_has_its_name_and_size python3 same.py said dump
holds streams_beyond_the_last_number_are_counted_and_told told shared_streams 'streams are shown under the number' 4466
report the_first_streams_have_numbers_of_their_own out \
	"by('stream', e)[1] == by('stream', e)[4] == 1000 and by('stream', e)[65535] == 1000"

# count N: instructions of a launch of any of N kernels, and of one of the last
count() {
	rm -f cg cg.*
	env RANKTRACE_STEPS=2 RANKTRACE_STEP_SOURCE=api RANKTRACE_CONTENTS=cpu RANKTRACE_CLOCK=raw RANKTRACE_SAVE_PATH="$tmp/counted" \
		LD_PRELOAD="$tmp/stripped.so" valgrind -q --tool=callgrind --instr-atstart=no --separate-threads=yes \
		--callgrind-out-file=cg ./many_counted "$1" 100 200 >/dev/null 2>valgrind.out
	awk '/^desc: Trigger: Client Request: / { name = $5 } /^summary: / { total[name] = $2 }
		END { printf "%d %d\n", total["all"] / 1000, total["last"] / 1000 }' cg.*-01
}
if [ -z "${SAN-}" ] && command -v valgrind >/dev/null; then
	strip -g -o stripped.so "$BUILD/libranktrace.so" # valgrind 3.19 ends at the debug information of clang 14
	few=$(count 1000) many=$(count 300000)
	holds a_launch_among_300000_kernels_costs_no_more_than_among_1000 test "${few% *}" -gt 100 -a "${many% *}" -le $((${few% *} * 11 / 10))
	holds nor_does_a_launch_of_the_last_of_them test "${few#* }" -gt 100 -a "${many#* }" -le $((${few#* } * 11 / 10))
fi
finish
