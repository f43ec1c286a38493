#!/bin/sh
# Time as the clock of steps: time:10s. The programs' clocks are their own, so that each window's launches are known.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK
build_layouts cann:cann
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -I$here"
mkdir cl
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o cl/libOpenCL.so.1 "$here/tests/programs/launches_cl.c" || exit 1
$cc -o timed "$here/tests/programs/timed_launches.c" cl/libOpenCL.so.1 -Wl,-rpath,"$tmp/cl" || exit 1
$cc -DNPU -o timed_npu "$here/tests/programs/timed_launches.c" -Lcann -Wl,--no-as-needed -lascendcl -lacl_rt -Wl,--allow-shlib-undefined \
	-Wl,-rpath,"$tmp/cann" || exit 1

# steps PROGRAM OPTIONS WORD...: step:launches of each
steps() {
	program=$1 options=$2
	shift 2
	rm -rf out
	# shellcheck disable=SC2086 # a list of words
	RANKTRACE_RANK=0 "$run" --save-path out --level level1 $options -- "./$program" "$@" >said 2>&1 || [ "${*##* }" = killed ] || fail "$options" "$(cat said)"
	"$tool" dump --format jsonl out | python3 -c 'import collections, json, sys
count = collections.Counter(e["step"] for e in map(json.loads, sys.stdin) if e["kind"] == "launch")
print(*(f"{step}:{n}" for step, n in sorted(count.items(), key=lambda x: (x[0] is not None, x[0]))))'
}

equal replays_of_graphs_are_launches_too "$(steps timed_npu "--steps all --step-source time:10s" graph graph +9999 graph +1 graph +25000 graph 2)" '1:3 2:1 4:3'

for program in timed timed_npu; do
	time="--steps all --step-source time:10s"
	equal "a_step_lasts_so_long_in_$program" "$(steps $program "$time" 3 +4000 5 +6000 7 +9999 2 +1 4)" '1:8 2:9 3:4'
	equal "from_the_first_launch_on_in_$program" "$(steps $program "$time" +25000 1 +9999 2 +1 3)" '1:3 2:3'
	equal "steps_without_a_launch_are_counted_in_$program" "$(steps $program "$time" 1 +45000 2 +5000 3)" '1:1 5:2 6:3'
	equal "a_window_is_a_step_in_$program" "$(steps $program '--steps 2,4 --step-source time:1500ms' 1 +1500 2 +1500 3 +1500 4 +1500 5)" '2:2 4:4'
	equal "others_are_waited_for_in_$program" "$(steps $program '--steps 1-3 --step-source api;time:2s --step-timeout 30' 9 +29999 8 +1 7 +2000 6 +2000 5)" \
		'1:7 2:6 3:5'
	equal "which_is_told_in_$program" "$(head -n 1 said)" \
		'ranktrace: no step was told in 30 s of launches (--step-source api;time:2s): from here on they are counted by time:2s'
	equal "and_stands_in_the_report_of_$program" "$("$tool" report out | sed -n '/^Step source/{n;N;p}')" 'time:2s
(waited for: api; no step was told in 30 s of launches)'
	report "and_in_the_file_of_$program" out '[ranks[0][key] for key in ("step_source", "waited_for", "waited_seconds")] == ["time:2s", "api", 30]'
	equal "a_forked_child_has_its_own_in_$program" "$(steps $program "$time" 1 +15000 fork 2 +10000 3 join 4)" '1:3 2:7'
	RANKTRACE_RANK=0 "$run" --save-path never --steps 2 --step-source 'api;time:1s' -- ./$program 4 +119000 4 >said 2>&1
	equal "one_that_never_fires_is_told_of_$program" "$("$tool" check never | grep -c 'time:1s never fired: nothing was launched')" 1
	rm -rf never
	RANKTRACE_RANK=0 "$run" --save-path never --steps 2 --step-source 'time:1s;api' -- ./$program make +2000 make >said 2>&1
	equal "and_why_where_nothing_is_launched_in_$program" "$("$tool" check never | grep -c 'time:1s;api never fired: nothing was launched: kernels, operators and graphs look')" 1
	rm -rf never
done

# waited: what a run of these words says of its step source
waited() {
	steps "$@" >/dev/null
	"$tool" report --format json out | python3 -c 'import json, sys
rank, = json.load(sys.stdin)["ranks"]
print(rank["step_source"], rank.get("waited_for"), rank.get("waited_seconds"))'
}
never="--steps all --step-timeout 10 --step-source"
equal one_that_fires_first_is_the_clock "$(steps timed '--steps all --step-source kernel:adam;time:1s --step-timeout 10' 1 adam 2 +60000 3 adam 4 +60000 5)" '1:2 2:6 3:9'
equal one_that_fires_too_late_is_not "$(steps timed '--steps all --step-source kernel:adam;time:100s --step-timeout 10' 1 +10000 2 adam 3)" 'None:1 1:6'
equal all_before_it_were_waited_for "$(waited timed "$never api;kernel:adam;time:100s;marker:^step$" 1 +10000 2 adam 3)" 'time:100s api;kernel:adam 10'
equal what_did_not_fire_before_is_listed "$(listened out)" 'step api=0; step kernel:adam=0; step time:100s=1; step marker:^step$=0
step api: had not fired when time:100s did; step kernel:adam: had not fired when time:100s did; step time:100s: fired 1 time; step marker:^step$: had not fired when time:100s did'
equal with_what_was_waited_for "$("$tool" check --sources out | grep -o 'told by.*launches')" 'told by time:100s; waited for: api;kernel:adam, which told none in 10 s of launches'
equal of_many_the_first_ones_are_told "$(waited timed "$never $(for n in $(seq 11); do printf 'marker:^%060d$;' "$n"; done)time:100s" 1 +10000 2)" \
	"time:100s $(for n in $(seq 7); do printf 'marker:^%060d$;' "$n"; done).. 10"
equal one_that_fired_first_waited_for_nobody "$(waited timed "$never kernel:adam;time:1s" 1 adam 2 +60000 3) $("$tool" report out | grep -c 'waited for')" 'kernel:adam None None 0'
equal nor_did_one_that_is_named_first "$(waited timed "$never time:100s;api" 1 +10000 2) $(grep -c 'no step was told' said)" 'time:100s None None 0'
equal of_one_that_was_killed_it_is_told "$(waited timed "$never api;time:100s" 1 +10000 2 killed)" 'time:100s api 10'
finish
