#!/bin/sh
# Operators whose names do not begin with aclnn (aclRfft1D, Atb...): first phases, of whatever signature, are recorded and joined
# with their second ones, by import and by dlsym.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
[ -n "${SAN-}${EMULATED-}" ] || need strace
sim=$here/tests/sims/ascend
cd "$tmp" || exit 1
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1"
source=$here/tests/programs/npu_first_phases.c
link="-Wl,-rpath,$tmp"
# shellcheck disable=SC2086
{ $cc -DLIBRARY -DRFFT -fPIC -shared -Wl,-soname,libopapi.so -o libopapi.so "$source" && $cc -DLIBRARY -fPIC -shared -Wl,-soname,libatb.so -o libatb.so "$source" &&
	$cc -o program "$source" -L. -lopapi -latb $link -ldl; } >build.log 2>&1 || {
	fail the_program_is_built "$(tail -n 3 build.log)"
	finish
}
./program ./libopapi.so ./libatb.so >bare
equal it_runs_without_us "$? $(wc -l <bare)" '0 20'

# recorded NAME LEVEL CONTENTS
recorded() {
	out=$1
	"$run" --save-path "$1" --steps all --level "$2" --contents "$3" -- ./program ./libopapi.so ./libatb.so >said 2>log
	equal "$1_gets_all_arguments_and_results" "$? $(cmp bare said 2>&1)" '0 '
	"$tool" dump --format jsonl "$1" >"$1.dump"
}

first='{"aclRfft1DGetWorkspaceSize": 11, "AtbMLAGetWorkspaceSize": 10}'
second='{"aclRfft1D": 10, "AtbMLA": 10}'
# names NAME KIND WANTED
names() { report "$1" "$out" "((lambda s: {n: s.count(n) for n in set(s)})([x['kernel'] for x in e if x['kind'] == '$2']) == $3)"; }
for contents in cpu cpu,shapes cpu,npu; do
	recorded "level1-$contents" level1 $contents
	names "first_phases_are_recorded_once_with_$contents" prepare "$first"
	names "and_second_ones_with_$contents" operator "$second"
	report "a_first_phase_that_failed_says_so_with_$contents" "$out" "([x['result'] for x in e if x['kind'] == 'prepare' and x['result']] == [7])"
	holds "both_belong_together_with_$contents" python3 "$sim/shapes.py" joined "$out.dump" 20 ${EMULATED:+coarse} # as the clock of qemu is
done
report nothing_of_it_is_lost level1-cpu "({x['kind'] for x in e} == {'prepare', 'operator'} and total('kept') == 41)"
recorded level0 level0 cpu
names second_phases_alone_are_recorded_at_level0 operator "$second"
report and_first_phases_are_counted_as_left_out level0 \
	"(ranks[0]['unrecorded'] == {'acl[A-Z]*GetWorkspaceSize': 11, 'Atb[A-Z]*GetWorkspaceSize': 10} and len(e) == 20)"

# ---- wherever on the stack: of the first thread's nobody asks the kernel whether arguments and what they point to are there ----

"$run" --save-path places --steps all --contents cpu,shapes -- ./program ./libopapi.so ./libatb.so 256 >said 2>log
equal calls_from_any_place_of_a_stack_get_what_they_ask_for "$? $(wc -l <said)" '0 512'
report and_all_of_them_are_recorded places "(len(e) == 512 and total('kept') == 512)"
report and_no_tensors_that_a_library_made_inside_of_one level1-cpu,shapes "(len(e) and not any(x.get('shapes') for x in e))"
./program ./libopapi.so ./libatb.so wide >bare
equal wide_vectors_stay_as_they_are "$("$run" --save-path wide --steps all --contents cpu,shapes -- ./program ./libopapi.so ./libatb.so wide 2>log) $?" "$(cat bare) 0"
./program ./libopapi.so ./libatb.so ends >bare
equal a_stack_may_end_right_above_a_call "$("$run" --save-path ends --steps all --contents cpu,shapes -- ./program ./libopapi.so ./libatb.so ends 2>log) $?" "$(cat bare) 0"
if [ -z "${SAN-}${EMULATED-}" ]; then
	# asked PLACES: how often the first thread did
	asked() {
		strace -c -o asked -e trace=rt_sigprocmask -E LD_PRELOAD="$BUILD/libranktrace.so" -E RANKTRACE_SAVE_PATH="$tmp/asked_$1" \
			-E RANKTRACE_STEPS=all -E RANKTRACE_CONTENTS=cpu,shapes ./program ./libopapi.so ./libatb.so "$1" >asked.log 2>&1
		awk '$NF == "rt_sigprocmask" { print $4 }' asked
	}
	more=$(($(asked 256) - $(asked 8)))
	holds "nobody_is_asked_for_248_more ($more)" test "$more" -lt 10
	report they_were_recorded asked_256 "(len(e) == 512)"
fi

# ---- left by a jump or an exception, and inside of another: each operator is shown its own tensors, or none ----

if command -v "${CXX:=g++}" >/dev/null; then
	source=$here/tests/programs/npu_left_phases.cc
	# shellcheck disable=SC2086
	{ $CXX -O1 -DLIBRARY -fPIC -shared -Wl,-soname,libopapi.so -o libopapi.so "$source" && $CXX -O1 -o left "$source" -L. -lopapi "-Wl,-rpath,$tmp"; } >build.log 2>&1
	wanted="['Abs [2]', 'Exp []', 'Abs [3]', 'Exp [4]', 'Abs [5]', 'Exp []', 'Exp [6]', 'Abs []', 'Exp [8]', 'Abs [9]', 'Exp [10]']"
	for level in level0 level1; do
		"$run" --save-path "left-$level" --steps all --level $level --contents cpu,shapes -- ./left >said 2>log
		equal "a_program_that_leaves_phases_ends_well_at_$level" $? 0
		report "who_is_left_or_inside_takes_nobody_s_tensors_at_$level" "left-$level" \
			"(['%s %s' % (x['kernel'][5:], [t['dims'][0] for t in x.get('shapes', [])]) for x in sorted(e, key=lambda x: x['begin_ns']) if x['kind'] == 'operator'] == $wanted)"
	done
else
	echo 'skip who_is_left_or_inside_takes_nobody_s_tensors: there is no C++ compiler'
fi

# ---- any number of arguments, in registers and behind them, the plan last: 2 to 61, three times each ----

# shellcheck disable=SC2046 # a list of words
python3 "$here/tests/programs/npu_many_arguments.py" $(nm -D --defined-only "$BUILD/libranktrace.so" | sed -n 's/.* T \(aclnn.*\)GetWorkspaceSize$/\1/p' | head -n 60)
{ $cc -fPIC -shared -Wl,-soname,libopapi.so -o libopapi.so library.c && $cc -o many program.c -L. -lopapi "-Wl,-rpath,$tmp"; } >build.log 2>&1
for level in level0 level1; do
	"$run" --save-path "many-$level" --steps all --level $level --contents cpu,shapes -- ./many >said 2>log
	equal "every_number_of_arguments_comes_through_at_$level" "$? $(cat said)" '0 180'
done
"$tool" dump --format jsonl many-level1 >many.dump
holds and_each_plan_leads_to_its_operator python3 "$sim/shapes.py" joined many.dump 180 ${EMULATED:+coarse}

# ---- arguments that are not like most ----

source=$here/tests/programs/npu_odd_arguments.c
{ $cc -DLIBRARY -fPIC -shared -Wl,-soname,libopapi.so -o libopapi.so "$source" && $cc -o odd "$source" -L. -lopapi "-Wl,-rpath,$tmp"; } >build.log 2>&1
for level in level0 level1; do
	"$run" --save-path "odd-$level" --steps all --level $level --contents cpu,shapes -- ./odd >said 2>log
	equal "odd_arguments_come_through_at_$level" "$? $(cat said)" '0 two plans 4, plan first 4, any number 4, aligned 4'
	report "and_all_of_them_are_recorded_at_$level" "odd-$level" "(len([x for x in e if x['kind'] == 'operator']) == 16)"
done
finish
