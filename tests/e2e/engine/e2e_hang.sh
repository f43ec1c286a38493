#!/bin/sh
# A rank that hangs inside a vendor call: `recover` and `check` say in which, since when and on which thread,
# and do no harm: released, it goes on and its trace is whole; killed, what it recorded is rescued.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit
ulimit -c 0
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS
export RANK=7 RANKTRACE_CONTENTS=cpu LC_ALL=C FAKE_COUNTS=$tmp/counts HANG_GATE=$tmp/gate
one_clock
. "$here/tests/helpers/storage/lib.sh"

# start CASE CALL: the program under the launcher, hanging inside CALL by the time this returns.
start() {
	rm -rf out gate counts hang.tid && mkfifo gate && truncate -s 4096 counts
	HANG=$2 "$run" --save-path "$tmp/out" --job j --steps all --step-source api -- ./store "$1" >said 2>err &
	launcher=$!
	for _ in $(seq 600); do
		"$tool" recover >seen 2>&1
		grep -q "inside $2" seen && break
		sleep 0.1
	done
	tid=$(cat hang.tid)
	pid=$(sed -n 's/^process \([0-9]*\) .*/\1/p' seen)
}

seconds() { sed -n 's/.*entered \([0-9.]*\) s ago$/\1/p'; }

# shown CASE CALL: what is said of it while it hangs; then it is released and nothing is missing.
shown() {
	start "$1" "$2"
	equal "recover_names_rank_call_and_thread_of_a_hang_in_$2" "$(sed 's/entered [0-9.]* s ago/entered S s ago/; s/ on [^:]*:/ on HOST:/' seen)" \
		"process $pid (rank 7) on HOST: still running; nothing to recover
  thread $tid is inside $2, entered S s ago"
	first=$(seconds <seen)
	equal "report_says_that_a_rank_runs_which_hangs_in_$2" "$("$tool" report out | grep -c '^rank 7: still running: see `ranktrace check`$')" 1
	equal "check_says_it_of_the_folder_of_a_hang_in_$2" "$("$tool" check out | grep inside | sed 's/entered [0-9.]* s ago/entered S s ago/')" \
		"rank 7: thread $tid is inside $2 in step 2, entered S s ago"
	"$tool" check --pid "$pid" >later
	equal "check_says_it_of_the_process_of_a_hang_in_$2" "$(grep -c "^rank 7: thread $tid is inside $2" later)" 1
	"$tool" ctl status --pid "$pid" >status
	equal "ctl_says_it_in_its_status_of_a_hang_in_$2" "$(grep -c "^rank 7, process $pid on .*: step 2 (api); recording into " status) $(grep -c "^  thread $tid is inside $2 in step 2, entered" status)" '1 1'
	holds "the_time_since_a_hang_in_${2}_grows" /usr/bin/python3 -c "assert 0 <= $first < $(seconds <later) < 600"
	echo >gate
	wait "$launcher"
	equal "a_rank_released_from_a_hang_in_$2_goes_on" "$? $(cut -d: -f1 said)" "0 $1"
	holds "the_trace_of_a_rank_released_from_a_hang_in_$2_is_whole" /usr/bin/python3 "$here/tests/helpers/storage/balance.py" "$tool" counts out err 0 \
		'dropped == 0 and kept >= 500 and "1 rank" in text'
	report "it_is_not_a_recovered_one_after_a_hang_in_$2" out 'one(7)["clean_end"]'
}
shown hang_finish clFinish
shown hang_launch clEnqueueNDRangeKernel

start hang_finish clFinish
kill -9 "$pid"
status=0
wait "$launcher" || status=$?
words="was killed by signal 9 (Killed) in step 2, inside clFinish (thread $tid): N events were recovered from memory"
rescued() { sed 's/: [0-9]* events were recovered from memory/: N events were recovered from memory/'; }	# the older ones are in the file
equal a_rank_killed_in_a_hang_is_told_with_signal_step_call_and_rescue "$status $(grep '^ranktrace: rank 7' err | rescued)" "137 ranktrace: rank 7: $words"
equal check_tells_it_too "$("$tool" check out | rescued)" "recorded 300 events of rank 7
rank 7: $words"

# A thread that left its call by a jump has ended: nobody is in there any more.
unset HANG
rm -rf out said counts && truncate -s 4096 counts && mkfifo word && exec 8<>word
"$run" --save-path "$tmp/out" --job j --steps all --step-source api -- ./store jumped <word >said 2>err &
launcher=$!
until grep -qs called said; do :; done
equal no_thread_that_has_ended_is_told_to_be_inside_a_call_that_it_left_by_a_jump "$("$tool" recover | sed 's/process [0-9]*/process P/; s/ on [^:]*:/ on HOST:/')" \
	'process P (rank 7) on HOST: still running; nothing to recover'
echo >&8
wait "$launcher"
equal and_its_job_ends_as_without_us "$? $(cut -d: -f1 said | tail -n 1)" '0 jumped'
report and_of_its_calls_the_one_that_it_left_is_in_flight out \
	'[one(7)["events"][k] for k in ("called", "kept", "dropped", "in_flight")] == [301, 300, 0, 1]'
finish
