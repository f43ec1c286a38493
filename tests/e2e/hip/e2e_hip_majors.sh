#!/bin/sh
# HIP's majors: opened in one process each gets its own calls, dormant or recorded; and the last error, which each call of 5 and 6 sets, is
# the one that it is without us.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
counts=$here/tests/sims/lib/counts.py
cd "$tmp" || exit 1
cc="${CC:-gcc} -std=gnu11 -O1 -g -Wall"
"$here/tests/sims/hip/build.sh" sim >log 2>&1 && $cc -o majors "$here/tests/programs/hip_majors.c" -ldl || {
	fail the_simulated_libraries_are_built "$(grep -E 'error|ld:' log | head -n 3)"
	finish
}
for major in 5 6 7; do
	$cc -o error$major "$here/tests/programs/hip_last_error.c" -Lsim -l:libamdhip64.so.$major -Wl,-rpath,"$tmp/sim" || exit 1
done

# counted FILE: what each runtime was called for, by the program
counted() { python3 "$counts" -a "$1" | grep -E 'libamdhip64.*(hipMalloc|hipFree) ' | tr '\n' ' '; }
# of MAJOR TIMES: how that looks
of() { echo "libamdhip64.so.$1 hipFree $2 libamdhip64.so.$1 hipMalloc $2 "; }
majors="./majors 5 sim/libamdhip64.so.5 sim/libamdhip64.so.6 sim/libamdhip64.so.7"
wanted="50000000 60000000 70000000 $(of 5 10)$(of 6 15)$(of 7 20)"
equal each_major_has_its_own_calls_without_us "$(SIM_COUNTS=bare.counts $majors | tr '\n' ' ')$(counted bare.counts)" "$wanted"
for settings in "RANKTRACE_STEPS=1000000 RANKTRACE_STEP_SOURCE=api" "RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu,memory"; do
	case $settings in *all*) when=recorded ;; *) when=dormant ;; esac
	equal "each_major_has_its_own_calls_$when" \
		"$(env $settings SIM_COUNTS=$when.counts "$run" --save-path out -- $majors 2>log | tr '\n' ' ')$(counted $when.counts)" "$wanted"
done
report every_call_is_recorded_once out 'sum(x["name"] == "hipMalloc" for x in e) == 45 and sum(x["name"] == "hipFree" for x in e) == 45'

export SIM_CLOCK=0 SIM_EVENT_QUERIES=2 # what is asked for at once is not ready
for major in 5 6 7; do
	./error$major >error$major.bare
	"$run" --save-path error$major.out --steps all --level level2 --contents cpu,memory,device -- ./error$major >traced 2>log
	equal "the_last_error_of_$major" "$(diff error$major.bare traced)" ''
done
# after MAJOR: what it is behind calls that succeed
after() { sed -n 's/^fill 0, then //p' "error$1.bare" | sort | uniq -c | xargs; }
equal calls_that_succeed_clear_it_up_to_6 "$(after 5), $(after 6)" '9 0, 9 0'
equal and_no_more_from_7_on "$(after 7)" '6 0 3 2'
# Copies in batches, whose stream stands elsewhere in later releases of 7, have all but a stream.
$cc -o batches "$here/tests/programs/hip_batches.c" -Lsim -l:libamdhip64.so.7 -Wl,-rpath,"$tmp/sim" || exit 1
bare=$(./batches; echo "ends with $?")
equal batches_are_copied_as_without_us "$("$run" --save-path batches.out --steps all --contents cpu,memory -- ./batches 2>log; echo "ends with $?")" "$bare"
equal and_all_bytes_are_there "$(echo "$bare" | tail -n 1)" 'ends with 0'
equal and_recorded "$("$tool" dump --format jsonl batches.out | sed -n 's/.*"kind":"copy"/"kind":"copy"/p' | grep -o '"result":[0-9]*\|"bytes":[0-9]*\|"items":[0-9]*\|"stream":[0-9]*' | tr '\n' ' ')" \
	'"result":0 "items":2 "bytes":24 "result":0 "items":3 "bytes":88 "result":1 "bytes":0 '
# A kernel of a library has the name that it was asked for by.
$cc -I"$here" -o library "$here/tests/programs/hip_library.c" -Lsim -l:libamdhip64.so.7 -Wl,-rpath,"$tmp/sim" || exit 1
equal a_library_s_kernel_is_launched_as_without_us "$("$run" --save-path library.out --steps all --contents cpu -- ./library 2>log)" "$(./library)"
report and_named library.out '[(x["kernel"], x["result"]) for x in e if x["kind"] == "launch"] == [("_Z10of_libraryv", 0)] * 3'
report there_were_times error6.out 'sum("device_duration_ns" in x for x in e) >= 6'
finish
