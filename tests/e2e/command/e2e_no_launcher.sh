#!/bin/sh
# The agent preloaded by hand: without a launcher there is no run.json, so the files alone must say how many
# calls were made inside the windows, what became of them, and what ended the last step. A fake library counts.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS
export RANK=0 RANKTRACE_CONTENTS=cpu RANKTRACE_STEPS=1,3 RANKTRACE_STEP_SOURCE=api RANKTRACE_SAVE_PATH="$tmp/out" LC_ALL=C
. "$here/tests/helpers/storage/lib.sh"

# windows SETTING: 3,000 calls in each of two windows, 100 behind each.
windows() {
	rm -rf out counts
	truncate -s 4096 counts
	echo between | env "$1" FAKE_COUNTS="$tmp/counts" LD_PRELOAD="$SANITIZER$BUILD/libranktrace.so" ./store windows >said 2>&1
	[ ! -e out/*/run.json ] || fail "no_run_json_after_$1" "there is one"
}

# sums PATH...: of each, what the report says of its calls
sums() {
	for path; do
		"$tool" report --format json "$path" | python3 -c '
import json, sys
ranks = json.load(sys.stdin)["ranks"]
print(*(sum(r["events"][k] for r in ranks) for k in ("called", "kept", "dropped", "in_flight")))'
	done
}

windows RANKTRACE_ENABLE=true
inside=$(($(python3 -c "import sys; sys.path.insert(0, '$here/tests/lib'); import traces; print(sum(traces.counted('counts').values()))") - 200))
equal the_library_counted_two_windows_of_calls "$inside" 6000
equal without_a_launcher_every_call_is_kept "$(sums out)" "$inside $inside 0 0"
equal a_file_tells_of_its_own_window_and_no_other "$(sums out/*/*/*/step-1.* out/*/*/*/step-3.*)" "3000 3000 0 0
3000 3000 0 0"

for run in 1 2 3 4 5 6 7 8; do
	RANKTRACE_SAVE_PATH=$tmp/at_once/$run LD_PRELOAD="$SANITIZER$BUILD/libranktrace.so" ./store windows_at_once >said 2>&1
done
"$tool" recover >recovered 2>&1 # what the disk did not take in time
equal nor_of_a_call_that_was_under_way_when_it_ended "$(sums at_once/*/*/*/*/step-1.* | sort -u) $(sums at_once | sort -u)" \
	'3000 3000 0 0 4824000 4824000 0 0'

equal no_step_that_another_one_ended_lasts_to_the_exit "$("$tool" report out | grep -c 'to the exit')" 0

windows RANKTRACE_MAX_SIZE=1
equal without_a_launcher_windows_that_nothing_is_kept_of_are_told_as_dropped "$(sums out)" "$inside 0 $inside 0"

equal a_run_whose_settings_are_known_is_silent "$(grep -c 'not a setting' said)" 0
windows RANKTRACE_STEP=2
equal a_variable_that_is_no_setting_is_told_once "$(grep -o 'RANKTRACE_STEP is not a setting.*' said)" \
	'RANKTRACE_STEP is not a setting and is ignored: write RANKTRACE_STEPS'
RANKTRACE_STEP=2 LD_PRELOAD="$SANITIZER$BUILD/libranktrace.so" sh -c : 2>said
without_loader said
equal nothing_is_said_in_a_process_without_a_hooked_call "$(cat said)" ''

no_descriptor="ranktrace: cannot write $tmp/out: the process has no descriptor left (error 24); recording stops, the job runs on: raise the limit of open files (ulimit -n)"
for to in pipe file; do
	case $to in
	pipe) got=$(LD_PRELOAD="$SANITIZER$BUILD/libranktrace.so" ./store nofile_zero 2>&1 >said | cat) ;;
	file) LD_PRELOAD="$SANITIZER$BUILD/libranktrace.so" ./store nofile_zero >said 2>err; got=$(cat err) ;;
	esac
	equal "a_limit_of_no_descriptor_is_told_at_the_exit_into_a_$to" "$got" "$no_descriptor"
done

windows RANKTRACE_STEPS=all
equal the_step_that_the_exit_ended_is_marked "$("$tool" report out | awk '/to the exit/ { print $2 }')" 4
finish
