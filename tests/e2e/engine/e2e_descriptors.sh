#!/bin/sh
# Descriptors: a program's numbers are its own at any moment, whatever the agent opens. OPENINGS: of each kind (a few; torture: 10000).
. "$(dirname "$0")/../../lib/lib.sh"

cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
storage=$here/tests/helpers/storage
cd "$tmp" || exit 1
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc -o numbers "$here/tests/helpers/systems/numbers.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread
${MACHINE_CC:-$cc} -o under_filter "$storage/under_filter.c" "$storage/filter.c"
openings=${OPENINGS:-60}
most=100 # in a process: a list of steps has at most 128 ranges

# once STEPS DENIED CASE COUNT: what the program says, and what else is said.
once() {
	RANKTRACE_STEPS=$1 RANKTRACE_STEP_SOURCE=api RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out \
		timeout 120 ./under_filter deny "$2" env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" ./numbers "$3" "$4" 2>&1
}

# told NAME TABLE DENIED CASE: nothing went wrong, and each call of a selected step is in a trace that says TABLE of descriptors.
told() {
	name=$1 table=$2 denied=$3 case=$4 left=$openings wrong=''
	rm -rf out
	while [ "$left" -gt 0 ]; do
		count=$((left < most ? left : most))
		steps=2
		case $case in use | redirect) steps=$(seq -s, 2 2 $((2 * count))) ;; esac
		got=$(once "$steps" "$denied" "$case" "$count" | grep -v 'the disk did not take all in') # which is recovered below
		[ "$got" = '0 wrong' ] || wrong="$wrong $got"
		left=$((left - count))
	done
	equal "$name" "$wrong" ''
	"$tool" recover >recovered 2>&1
	"$tool" report --format json out 2>/dev/null >report.json
	equal "${name}_and_told" "$(python3 "$here/tests/helpers/systems/numbers.py" report.json)" "$openings events, 0 dropped, descriptors $table"
}

tables='own copied'
[ -z "${EMULATED-}" ] || tables=own # qemu-user starts no thread with a copy
for table in $tables; do
	denied=fsync # which the agent does not call
	[ $table = own ] || denied=close_range
	told a_file_at_3_is_the_programs_in_each_window_$table $table $denied use
	told what_was_closed_is_the_lowest_number_in_each_window_$table $table $denied redirect
	told a_file_at_3_is_the_programs_while_the_first_window_opens_$table $table $denied first
	told a_file_at_3_is_the_programs_beside_first_calls_$table $table $denied threads
done
finish
