#!/bin/sh
# Tables of fixed size, overfilled: they grow, or what does not fit is counted and told.
. "$(dirname "$0")/../../lib/lib.sh"

cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra"
cd "$tmp" || exit 1

# traced SO PROGRAM [VARIABLE=VALUE...]: what it says goes to `said`, its trace to `out`
traced() {
	so=$1 program=$2
	shift 2
	rm -rf out
	env RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH="$tmp/out" "$@" \
		LD_PRELOAD="${SANITIZER-}$so" $program >said 2>errors
}

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
tool=$tmp/wide/ranktrace
traced "$tmp/wide/libranktrace.so" ./wide_program RANKTRACE_LEVEL=level0
equal a_program_that_calls_rows_of_high_numbers_ends_as_without_us $? 0
report calls_of_rows_of_high_numbers_that_the_level_leaves_out_are_told out \
	"ranks[0]['unrecorded']['$wide'] == 2"
report each_of_many_rows_that_the_level_leaves_out_is_told out \
	"len(ranks[0]['unrecorded']) == 150 and sum(ranks[0]['unrecorded'].values()) == 151"
traced "$tmp/wide/libranktrace.so" "./wide_program abort" RANKTRACE_LEVEL=level0
"$tool" recover >recovered 2>&1
report they_are_told_of_a_process_that_was_killed out \
	"ranks[0]['unrecorded']['$wide'] == 2 and len(ranks[0]['unrecorded']) == 150"
traced "$tmp/wide/libranktrace.so" ./wide_program RANKTRACE_LEVEL=level1
report calls_of_rows_of_high_numbers_are_recorded out \
	"by('name', e)['$wide'] == 2 and len(e) == 152"
tool=$BUILD/ranktrace
finish
