#!/bin/sh
# Tables of fixed size, overfilled: they grow, or what does not fit is counted and told.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/limits.sh"

cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -I$here"
cd "$tmp" || exit 1

# ---- many more rows and kinds: a copy of the tree, a vendor of which has 1,100 more rows, and 150 functions of 8 more kinds ----

first=951 last=1100
mkdir tree
cp -R "$here/agent" "$here/analysis" "$here/config" "$here/hooks" "$here/Makefile" "$here/VERSION" tree/
rm -r tree/hooks/ascend tree/hooks/cuda tree/hooks/hip # whose rows take long to build
sed -i '/hooks\/\(ascend\|cuda\|hip\)/d' tree/hooks/rows/vendors.def
more=
for n in 1 2 3 4 5 6 7 8; do
	group=$(echo ALWAYS ALWAYS WORK WORK MEMORY MEMORY DETAIL DETAIL | cut -d ' ' -f $n)
	more="$more KIND(EXTRA$n, \"extra$n\", $group)"
	echo "#define KIND_EXTRA$n(...) EV_EXTRA$n" >>tree/hooks/rows/kinds.h
	printf '#define OPENS_EXTRA%s(...) GATE_WINDOW\n#define DO_EXTRA%s()\n' $n $n >>tree/hooks/capture/words.h
done
sed -i "s/KIND(POOL_FREE, \"pool_free\", MEMORY)/& $more/" tree/agent/format/event.h
for i in $(seq $last); do
	wide=$(printf 'clFunctionOfAVeryWideVendorWithANameThatIsLongEnough%04d' "$i")
	[ "$i" -lt $first ] && echo "HOOK_AS($wide, EVENT)" >&3 && continue
	echo "HOOK(cl_int, $wide, (cl_uint n), (n), EXTRA$((i % 8 + 1))())" >&3
	echo "int $wide(unsigned int n) { return (int)n; }" >&4
	echo "CALL($wide)"
done 3>>tree/hooks/opencl/opencl.def 4>wide.c >wide_calls.h
# Of the highest kind: calls another of its kind and one of the kind before.
cat >>tree/hooks/opencl/opencl.def <<'END_OF_ROWS'
HOOK(cl_int, clOuter, (cl_uint n), (n), EXTRA8())
HOOK(cl_int, clInnerAlike, (cl_uint n), (n), EXTRA8())
HOOK(cl_int, clInnerOther, (cl_uint n), (n), EXTRA7())
END_OF_ROWS
cat >>wide.c <<'END_OF_LIBRARY'
int clEnqueueNativeKernel(void *queue) { return !!queue; }
int clInnerAlike(unsigned int n) { return (int)n; }
int clInnerOther(unsigned int n) { return (int)n; }
int clOuter(unsigned int n) { return clInnerAlike(n) + clInnerOther(n); }
END_OF_LIBRARY
cat >wide_program.c <<END_OF_PROGRAM
#include <stdlib.h>
#define CALL(name) int name(unsigned int n);
#include "wide_calls.h"
#undef CALL
int clEnqueueNativeKernel(void *queue), clOuter(unsigned int n);

int main(int argc, char **argv)
{
	int sum = 0;

#define CALL(name) sum += name(0);
#include "wide_calls.h"
	sum += $wide(0) + clOuter(0);
	clEnqueueNativeKernel(NULL);
	if (argc > 1)
		abort();
	(void)argv;
	return sum;
}
END_OF_PROGRAM
$cc -shared -fPIC -Wno-missing-prototypes -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 wide.c &&
	$cc -o wide_program wide_program.c ./libOpenCL.so.1 -Wl,-rpath,"$tmp" || exit 1
level=0 # compiles in half the time
[ -z "${SAN-}" ] || level=1
make -C tree -j2 -s O="$tmp/wide" SAN="${SAN-}" CFLAGS="-O$level" "$tmp/wide/libranktrace.so" "$tmp/wide/ranktrace" >/dev/null 2>build.log ||
	{ fail a_copy_with_many_more_rows_is_built "$(tail -n 3 build.log)"; finish; }
tool=$tmp/wide/ranktrace so=$tmp/wide/libranktrace.so

# kinds LEVEL CONTENTS: events of each of the new kinds, "-" where none is recorded
kinds() {
	traced ./wide_program RANKTRACE_LEVEL="$1" RANKTRACE_CONTENTS="$2"
	"$tool" dump --format jsonl out 2>/dev/null | python3 -c '
import collections, json, sys
n = collections.Counter(json.loads(line)["kind"] for line in sys.stdin)
print(*(n["extra%d" % i] or "-" for i in range(1, 9)))'
}
traced ./wide_program RANKTRACE_LEVEL=level0
equal a_program_that_calls_rows_of_high_numbers_ends_as_without_us "$status" 0
report calls_of_rows_of_high_numbers_that_the_level_leaves_out_are_told out "ranks[0]['unrecorded']['$wide'] == 2"
report each_of_many_rows_that_the_level_leaves_out_is_told out \
	"len(ranks[0]['unrecorded']) == 76 and sum(ranks[0]['unrecorded'].values()) == 77"
traced ./wide_program abort RANKTRACE_LEVEL=level_none
"$tool" recover >recovered 2>&1
report they_are_told_of_a_process_that_was_killed out \
	"ranks[0]['unrecorded']['$wide'] == 2 and len(ranks[0]['unrecorded']) > 100"
equal kinds_are_recorded_that_each_level_records "$(kinds level_none cpu,memory)" '19 19 - - - - - -'
equal kinds_are_recorded_that_level0_records "$(kinds level0 cpu)" '19 19 19 19 - - - -'
equal kinds_are_recorded_that_contents_name "$(kinds level0 cpu,memory)" '19 19 19 19 20 18 - -'
equal kinds_are_recorded_that_level1_records "$(kinds level1 cpu,memory)" '19 19 19 19 20 18 19 20'
equal a_call_within_one_of_its_kind_is_recorded_by_level2 "$(kinds level2 cpu,memory)" '19 19 19 19 20 18 19 21'
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
