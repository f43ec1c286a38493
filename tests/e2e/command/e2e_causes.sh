#!/bin/sh
# Causes of an empty or short trace, each provoked with the real agent on a real program, and the line
# that `ranktrace check` says about it. (tests/e2e/command/e2e_check.sh has the rest, with made-up status records.)
. "$(dirname "$0")/../../lib/lib.sh"

# says NAME WANTED [OPTIONS...] -- COMMAND...: the lines of check, with P for process numbers
says() {
	name=$1 wanted=$2
	shift 2
	rm -rf "$tmp/out"
	"$run" --save-path "$tmp/out" "$@" >/dev/null 2>"$tmp/err"
	equal "$name" "$("$tool" check "$tmp/out" 2>&1 | sed "s/process [0-9]*/process P/; s|$tmp|TMP|g")" "$wanted"
}

export RANK=0
says a_rank_that_is_not_selected 'rank 0: not among the selected ranks 3: give --ranks with this rank, or all' \
	--steps 2 --ranks 3 -- "$lm" --quiet --steps 3
says a_step_that_is_never_reached 'rank 0: steps 9 were selected, the last step seen was 4 (counted by kernel:(well-known optimizers)): run longer, or select steps up to 4' \
	--steps 9 -- "$lm" --quiet --steps 4
says no_step_source "rank 0: steps 2 were selected, but --step-source kernel:^no_such_kernel never fired: no kernel matches it (\`ranktrace dump\` of a run with --steps all has the names, those of C++ as they are matched: mangled), or nothing else is launched, and the run of matching launches never ends: then give --step-source symbol:LIB:NAME@return, or call ranktrace_step(n)" \
	--steps 2 --step-source kernel:^no_such_kernel -- "$lm" --quiet --steps 4
says no_steps 'rank 0: no steps are selected: give --steps 2,4 or --steps all' \
	--steps '' --ranks 0 -- "$lm" --quiet --steps 3
says "max_size" 'rank 0: max_size 1024 bytes was reached: 126 of 126 calls are lost: raise --max-size, or select fewer steps' \
	--steps all --max-size 1K -- "$lm" --quiet --steps 3
unset RANK
says a_rank_that_is_unknown 'process P: the rank is unknown and ranks 0 are selected: set RANKTRACE_RANK in each process, or give --ranks all' \
	--steps 2 --ranks 0 -- "$lm" --quiet --steps 3
printf 'int main(void) { return 0; }\n' | ${CC:-gcc} -x c -static -o "$tmp/static" -
# Whoever opens the library counts as having loaded it: other tests do, at the same time.
mkdir "$tmp/own"
cp "$BUILD"/ranktrace "$BUILD"/libranktrace*.so "$tmp/own"
RANKTRACE_BUILD=$tmp/own says a_static_program "TMP/static is linked statically, so no library can be preloaded into it: link it dynamically" \
	--steps 2 -- "$tmp/static"
says no_hooked_call 'libranktrace.so was loaded, but no hooked function was called: ranktrace hooks lists them; does the program use an accelerator at all? Libraries opened with RTLD_DEEPBIND are seen with --undo-deepbind true, or those of OpenCL by OPENCL_LAYERS naming libranktrace.so' \
	--steps 2 -- true
hint="and no hooked function was seen before that: ranktrace hooks lists them; libraries opened with RTLD_DEEPBIND are seen with --undo-deepbind true, or those of OpenCL by OPENCL_LAYERS naming libranktrace.so"
says a_command_that_failed "the command ended with status 3, $hint" --steps 2 -- sh -c 'exit 3'
says a_command_that_was_killed "signal 9 ended the command, $hint" --steps 2 -- sh -c 'kill -9 $$'


# ---- the same with a program whose calls a fake library counts ----

cd "$tmp" || exit
ulimit -c 0
. "$here/tests/helpers/storage/lib.sh"
$cc -o waits "$here/tests/programs/waits.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
export RANK=0 RANKTRACE_CONTENTS=cpu LC_ALL=C

# provoked NAME STATUS WANTED [OPTIONS...] -- COMMAND...: all lines of check, and its exit status
provoked() {
	name=$1 wanted="$3
status $2"
	shift 3
	rm -rf out
	"$run" --save-path "$tmp/out" "$@" >said 2>err
	{ "$tool" check out; echo "status $?"; } >got 2>&1
	equal "$name" "$(sed "s/process [0-9]*/process P/; s|$tmp|TMP|g; s/: [0-9]* events were/: N events were/" got)" "$wanted"
}

provoked a_good_run_has_no_cause 0 'recorded 5000 events of rank 0' --steps all -- ./store few
rm -rf out
"$run" --save-path "$tmp/out" --steps all --shm-size 4M -- ./store crowd >said 2>err </dev/null
"$tool" check out >got
equal more_threads_than_shm_size_has_buffers_for_are_told "$(sed 's/ [0-9]* events/ N events/; s/: [0-9]* of/: N of/' got)" \
	'recorded N events of rank 0
rank 0: no memory for buffers (Cannot allocate memory): N of 24000 calls are lost: make /dev/shm larger, or raise --shm-size or the limits of memory (ulimit -d, -v)'
kept=$(sed -n 's/^recorded \([0-9]*\) .*/\1/p' got) lost=$(sed -n 's/.*: \([0-9]*\) of 24000 .*/\1/p' got)
equal and_none_of_their_calls_is_forgotten "$((kept + lost)) $((kept >= 3000))" '24000 1'
provoked a_shm_size_that_a_process_refuses 1 "rank 0: the settings were refused: RANKTRACE_SHM_SIZE: '1' is too small for buffers: write 4M or more" \
	--steps all -- env RANKTRACE_SHM_SIZE=1 ./store few
provoked no_thread_to_be_had 1 'rank 0: the flush thread could not start (Operation not permitted): 5000 of 5000 calls are lost: raise the limit of processes (ulimit -u)' \
	--steps all -- env RANKTRACE_SANDBOX=allowed ./store deny:clone,clone3 few
provoked settings_that_a_process_refuses 1 "rank 0: the settings were refused: RANKTRACE_LEVEL: 'x' is not a level: write level_none, level0, level1 or level2" \
	--steps all -- env RANKTRACE_LEVEL=x ./store few
provoked a_save_path_of_its_own_is_named 1 \
	'rank 0: /proc/none cannot be written: No such file or directory: 5000 of 5000 calls are lost: give another --save-path' \
	--steps all -- env RANKTRACE_SAVE_PATH=/proc/none ./store few
provoked recording_switched_off_on_the_way 1 'rank 0: recording is switched off: set enable to true' \
	--steps all -- env RANKTRACE_ENABLE=false ./store few
provoked steps_lost_on_the_way 1 'rank 0: no steps are selected: give --steps 2,4 or --steps all' \
	--steps all -- env RANKTRACE_STEPS= ./store few
provoked a_level_that_leaves_everything_out 1 'rank 0: level level_none leaves out all 5000 calls that were made in the window: give --level level0 for launches and copies, level1 or level2 for more' \
	--steps all --level level_none -- ./store few
provoked a_level_that_has_no_stacks_is_told_beside_what_it_leaves_out 1 'rank 0: level level_none leaves out all 5000 calls that were made in the window: give --level level0 for launches and copies, level1 or level2 for more
no call has a stack where the level is level_none, though module or stack is among the contents: give --level level0, or a role level=level0' \
	--steps all --level level_none --contents module -- ./store few
provoked windows_without_a_call 1 'rank 0: 1 window was opened, but no hooked function was called in it' \
	--steps 1 --step-source api -- ./store steps_only
provoked a_sandbox_in_which_memory_is_not_wiped 1 'rank 0: the kernel does not wipe memory on fork (it is older than 4.14, or a sandbox forbids it), so nothing is recorded: record without that sandbox' \
	--steps all -- env RANKTRACE_SANDBOX=allowed ./store deny:madvise few
equal the_job_s_standard_error_says_so_once "$(grep -c 'does not wipe memory on fork .*; nothing is recorded, the job runs on$' err)" 1
RANKTRACE_SANDBOX=allowed RANKTRACE_STEPS=all RANKTRACE_SAVE_PATH="$tmp/alone" LD_PRELOAD="$BUILD/libranktrace.so" ./store deny:madvise few >said 2>err
equal also_without_the_launcher "$(grep -c 'does not wipe memory on fork .*; nothing is recorded, the job runs on$' err)" 1
for steps in '--steps 3-' '--steps 1,4-' '--step-start 3'; do
	# shellcheck disable=SC2086 # two words
	provoked "a_list_without_an_end_is_complete_once_begun_$(echo "$steps" | tr -dc 'a-z0-9')" 0 'recorded 3100 events of rank 0' \
		$steps --step-source api -- sh -c 'echo | ./store windows'
done
provoked a_list_without_an_end_that_did_not_begin 1 \
	'recorded 100 events of rank 0
rank 0: steps 2,5- were selected, the last step seen was 4 (counted by api): run longer, or select steps up to 4' --steps 2,5- --step-source api -- sh -c 'echo | ./store windows'
mkfifo word && exec 8<>word
# asked_while_it_runs NAME STEPS CASE WANTED: what check says of a job that has called and waits for a word
asked_while_it_runs() {
	rm -rf out said
	"$run" --save-path "$tmp/out" --steps "$2" --step-source api -- ./store "$3" <word >said 2>err &
	until grep -q called said 2>/dev/null; do :; done
	equal "$1" "$("$tool" check out | tail -n 1 | sed 's/process [0-9]*/process P/')" "$4"
	echo >&8
	wait $!
}
asked_while_it_runs a_job_whose_source_has_not_fired_waits_for_it 2 waiting 'process P waits for steps 2: no step source has fired yet'
asked_while_it_runs a_job_that_is_not_there_yet_is_in_another_step 7-9 waiting_in_steps 'process P waits for steps 7-9: it is in step 2, counted by api'
asked_while_it_runs a_job_whose_steps_are_over_runs_on 1 waiting_in_steps 'process P has recorded steps 1, and runs on'
provoked a_rank_that_is_killed_is_told 0 'recorded 300 events of rank 0
rank 0: was killed by signal 9 (Killed) in step 1: N events were recovered from memory' \
	--steps all --step-source api -- ./store killed
provoked one_killed_before_a_selected_step_is_told_once 1 'rank 0: was killed by signal 9 (Killed) in step 1: no selected step began' \
	--steps 1000 --step-source api -- ./store killed
equal and_once_by_the_launcher "$(grep ^ranktrace err)" 'ranktrace: nothing was recorded: rank 0: was killed by signal 9 (Killed) in step 1: no selected step began'
provoked and_once_below_a_shell 1 'rank 0: ended without its exit handlers (killed, or _exit) in step 1: no selected step began' \
	--steps 1000 --step-source api -- sh -c './store killed; exit 0'
provoked a_rank_killed_below_a_shell_is_told_but_no_cause 0 'recorded 300 events of rank 0
rank 0: ended without its exit handlers (killed, or _exit) in step 1: N events were recovered from memory' \
	--steps all --step-source api -- sh -c './store killed; exit 0'
waited='300 of 300 calls waited in memory for the rank, which was not known when the process ended'
provoked one_killed_while_it_waited_for_its_rank_is_told 0 "recorded 400 events of rank 0
process P: $waited: set RANKTRACE_RANK in each process, or give --ranks all
process P: ended without its exit handlers (killed, or _exit) in step 1: N events were recovered from memory" \
	--steps all --step-source api --ranks 0 -- sh -c './store few_in_steps; RANK="" ./store killed; true'
equal to_the_report_nothing_is_lost_by_that "$("$tool" report out >got; echo "status $?") $(sed -n 's/^pid [0-9]* (rank unknown): //p' got)" \
	"status 0 $waited; it has no file: see \`ranktrace check\`"
provoked a_rank_that_left_by_exit_is_nothing_to_tell 0 'recorded 300 events of rank 0' --steps all -- ./store left

RANK=abc "$run" --save-path "$tmp/out" --steps all -- sh -c './store few; ./store few' >said 2>err
equal a_rank_that_is_no_number_is_told_once "$(grep 'RANK=' err)" "ranktrace: RANK='abc' is not a number, so the rank is unknown"

"$run" --save-path /proc/none --steps all -- sh -c './store few; RANK=1 ./store few' >said 2>err
equal a_save_path_that_cannot_be_written_is_told_before_the_run_and_after_it_and_not_between "$(cat err)" \
	'ranktrace: /proc/none cannot be written (No such file or directory), nothing will be recorded: give another --save-path
ranktrace: nothing was recorded: rank 0, rank 1, each: /proc/none cannot be written: No such file or directory: 5000 of 5000 calls are lost: give another --save-path'

# A cause of steps is told in the end, when the loss has not been noticed yet.
"$run" --save-path /proc/none --steps 1,3 -- ./store few >said 2>err
equal a_save_path_that_cannot_be_written_is_the_only_cause_that_is_told "$(cat err)" \
	'ranktrace: /proc/none cannot be written (No such file or directory), nothing will be recorded: give another --save-path
ranktrace: nothing was recorded: rank 0: /proc/none cannot be written: No such file or directory: 5000 of 5000 calls are lost: give another --save-path'
"$run" --save-path /proc/none --steps 1 -- ./store killed >said 2>err
# Which of them: had the flush thread met the folder by then?
refused='ranktrace: /proc/none cannot be written (No such file or directory), nothing will be recorded: give another --save-path'
kept="$refused
ranktrace: process P of HOST was killed and its buffers cannot be recovered now: No such file or directory; try later: ranktrace recover FOLDER
ranktrace: nothing was recorded: rank 0: ended without its exit handlers (killed, or _exit) in step 1: 300 events are still in memory: run \`ranktrace recover /proc/none\`"
lost="$refused
ranktrace: nothing was recorded: rank 0: /proc/none cannot be written: No such file or directory: 300 of 300 calls are lost: give another --save-path
ranktrace: nothing was recorded: rank 0: was killed by signal 9 (Killed) in step 1: 0 events were recovered from memory"
got=$(sed -n "s/process [0-9]* of [^ ]*/process P of HOST/; s|$RANKTRACE_SESSION_ROOT[^ ]*|FOLDER|; /^ranktrace/p" err)
[ "$got" = "$lost" ] || equal what_cannot_be_saved_of_a_killed_rank_is_told_as_such "$got" "$kept"
[ "$got" != "$lost" ] || ok what_cannot_be_saved_of_a_killed_rank_is_told_as_such
rm -rf "$RANKTRACE_SESSION_ROOT"-*
"$run" --save-path /sys/none --steps all -- ./store few >said 2>err
equal a_folder_that_cannot_be_made_is_not_called_one_that_is_open_to_others \
	"$(grep -c '/sys/none cannot be written' err) $(grep -c 'others may' err)" '2 0'

# ---- without the launcher ----

# by_hand NAME STATUS WANTED COMMAND...: the same, started with nothing but variables
by_hand() {
	name=$1 wanted="$3
status $2"
	shift 3
	rm -rf out
	env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_STEPS=all "$@" >said 2>err
	"$tool" recover >recovered 2>&1
	{ "$tool" check out; echo "status $?"; } >got 2>&1
	equal "$name" "$(sed "s|$tmp|TMP|g; s/: [0-9]* events were/: N events were/" got)" "$wanted"
}
by_hand a_good_run_by_hand_has_no_cause 0 'recorded 5000 events of rank 0' ./store few
by_hand a_rank_killed_by_hand_is_told 0 'recorded 300 events of rank 0
rank 0: ended without its exit handlers (killed, or _exit) in step 1: N events were recovered from memory' ./store killed
by_hand max_size_by_hand 1 'rank 0: max_size 1024 bytes was reached: 5000 of 5000 calls are lost: raise --max-size, or select fewer steps' \
	env RANKTRACE_MAX_SIZE=1K ./store few
LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH=/proc/none RANKTRACE_STEPS=all ./store few >said 2>err
equal a_save_path_that_cannot_be_written_is_told_by_hand_too "$(cat err)" \
	'ranktrace: cannot write /proc/none: no such file or directory (error 2); recording stops, the job runs on: give a writable --save-path'

# ---- what the report says of it ----

# reported NAME WANTED-LINE [OPTIONS...] -- COMMAND...: the report has the line
reported() {
	name=$1 wanted=$2
	shift 2
	rm -rf out
	"$run" --save-path "$tmp/out" "$@" >said 2>err
	"$tool" report out >got 2>&1
	holds "$name" grep -qxF "$wanted" got || cat got
}
reported a_rank_that_left_by_exit_was_not_killed 'rank 0: ended without its exit handlers (killed, or _exit); recorded calls were recovered from memory' \
	--steps all -- ./store left
reported a_signal_that_is_known_is_named 'rank 0: was killed by signal 9 (Killed); recorded calls were recovered from memory' \
	--steps all -- ./store killed
reported a_call_unfinished_at_the_exit_is_counted 'rank 0: 1 call was in flight at the end' --steps all -- ./store unfinished
equal and_named "$(grep -A 1 'in flight at the end' got | tail -n 1)" "  thread $(cat stay.tid) was inside clEnqueueNativeKernel"
reported device_times_that_were_not_asked_for_are_told 'add device to --contents for device times.' --steps all -- ./store few
reported device_times_of_a_killed_process_are_told \
	"device is in --contents, but the process is still running, or ended before the times were read." \
	--steps all --contents cpu,npu -- ./store killed
reported a_step_without_device_work_is_told 'device is in --contents, but no launch or copy was recorded.' \
	--steps all --level level2 --contents cpu,npu -- ./waits
# shellcheck disable=SC2016
reported equal_lines_of_many_ranks_are_one 'ranks 0-4, 7, each: 5000 of 5000 calls dropped: max_size was reached and recording stopped; raise --max-size, or select fewer steps' \
	--steps all --max-size 1K -- sh -c 'for r in 0 1 2 3 4 7; do RANK=$r ./store few; done'
# shellcheck disable=SC2016
provoked long_lists_of_ranks_are_ranges 0 'recorded 30000 events of ranks 0-4, 7' --steps all -- sh -c 'for r in 0 1 2 3 4 7; do RANK=$r ./store few; done'

"$run" --save-path "$tmp/out" --job dropped --steps all --max-size 1 -- ./store few >said 2>err
for command in report dump; do
	"$tool" "$command" out >got 2>&1
	equal "${command}_ends_with_1_when_calls_were_dropped" $? 1
done
"$tool" export --to chrome -o trace.json out >got 2>&1
equal export_ends_with_1_when_calls_were_dropped $? 1

rm -rf out
for job in old new; do
	env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH="$tmp/out/$job" RANKTRACE_JOB="$job" RANKTRACE_STEPS=all \
		RANKTRACE_MAX_SIZE="$(if [ $job = old ]; then echo 1K; else echo 1G; fi)" ./store few >said 2>err
done
equal of_runs_by_hand_the_newest_is_told "$("$tool" check out)" 'recorded 5000 events of rank 0'

# ---- live processes that are not traced ----

LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" RANKTRACE_STEPS=all ./store silent <word >said &
pid=$!
until grep -q silent said; do :; done
equal a_process_that_called_nothing_is_told_from_one_without_the_library "$("$tool" check --pid "$pid")" \
	"process $pid has loaded libranktrace.so, but has not called a hooked function yet: ranktrace hooks lists them"
echo >&8
wait "$pid"

# ---- no rank, and ranks are listed ----

no_rank='ranktrace: the rank is unknown and ranks 0,3 are selected: calls of selected steps wait in memory until it is known: set RANKTRACE_RANK in each process, or give --ranks all'
rm -rf out said
env -u RANK "$run" --save-path "$tmp/out" --steps 9 --ranks 0,3 -- ./store waiting_in_steps <word >said 2>err &
launcher=$!
until grep -qs called said; do :; done
equal a_missing_rank_is_told_while_the_job_runs_and_before_the_selected_step "$(cat err)" "$no_rank"
echo >&8
wait "$launcher"
rm -rf out
env -u RANK "$run" --save-path "$tmp/out" --steps 1 --ranks 0,3 --step-source api -- sh -c './store few; for r in 0 3; do RANK=$r ./store left; RANK=$r ./store steps_only; done' >said 2>err
equal where_only_the_ranks_have_one_nothing_is_told "$(grep -c 'wait in memory until it is known' err)" 0
env -u RANK "$run" --save-path "$tmp/out" --steps all -- ./store steps_only >said 2>err
equal nor_where_all_ranks_are_selected "$(grep -c 'wait in memory until it is known' err)" 0
env -u RANK "$run" --save-path "$tmp/out" --steps all --ranks 0,3 -- sh -c './store steps_only & ./store steps_only & ./store steps_only & wait' >said 2>err
equal of_many_processes_without_a_rank_one_tells "$(grep -c 'wait in memory until it is known' err)" 1

# ---- a launcher that is killed, alone or with its rank ----

rm -rf out said
"$run" --save-path "$tmp/out" --job k --steps all -- ./store waiting <word >said 2>err &
launcher=$!
until grep -qs called said; do :; done
pid=$("$tool" recover | sed -n 's/^process \([0-9]*\) .*/\1/p')
kill -9 "$launcher"
wait "$launcher" 2>/dev/null
kill -9 "$pid"
while kill -0 "$pid" 2>/dev/null; do :; done
{ "$tool" check out; echo "status $?"; } >got 2>&1
waiting=$(sed -n 's/.*: \([0-9]*\) events are still.*/\1/p' got)
in_file=$(sed -n 's/^recorded \([0-9]*\) events.*/\1/p' got)
equal check_before_recover_says_what_is_still_in_memory "$(tail -n 2 got | sed "s|$tmp|TMP|; s/$waiting events/N events/") $((waiting + in_file))" \
	"rank 0: ended without its exit handlers (killed, or _exit) before its first step: N events are still in memory: run \`ranktrace recover TMP/out\`
status 1 300"
equal and_recover_saves_as_many "$("$tool" recover out | sed 's/.*: \([0-9]*\) events saved.*/\1/')" "$waiting"
equal after_that_nothing_is_missing "$("$tool" check out; echo "status $?")" 'recorded 300 events of rank 0
rank 0: ended without its exit handlers (killed, or _exit) before its first step: '"$waiting"' events were recovered from memory
status 0'

rm -rf out said
"$run" --save-path "$tmp/out" --job k --steps all -- ./store waiting <word >said 2>err &
launcher=$!
until grep -qs called said; do :; done
pid=$(sed -n 's/^process \([0-9]*\) .*/\1/p' <<-END
	$("$tool" recover)
END
)
kill -9 "$launcher"
wait "$launcher" 2>/dev/null
echo >&8
while kill -0 "$pid" 2>/dev/null; do :; done
"$run" --save-path "$tmp/other" --steps 1 -- true 2>/dev/null
equal nothing_is_left_of_a_launcher_that_was_killed "$(ls "$RANKTRACE_SESSION_ROOT"-*)" ''
equal and_what_its_rank_recorded_is_there "$("$tool" check out)" 'recorded 300 events of rank 0'

export RANK=0
if unshare -m true 2>/dev/null; then
	cat >"$tmp/full" <<-EOF
	mkdir -p $tmp/disk && mount -t tmpfs -o size=16k none $tmp/disk || exit 99
	head -c 12K /dev/zero >$tmp/disk/filler
	$run --save-path $tmp/disk/out --job j --steps all -- $lm --quiet --steps 400 >$tmp/full.out 2>$tmp/full.err
	echo \$? >$tmp/full.status
	rm $tmp/disk/filler
	$tool check $tmp/disk/out >$tmp/full.check 2>&1
	EOF
	unshare -m sh "$tmp/full" 2>"$tmp/full.log"
	equal a_full_disk_the_job_runs_on "$(cat "$tmp/full.status")" 0
	equal a_full_disk_is_told_when_it_is_met_and_at_the_end \
		"$(sed "s|$tmp|TMP|; s|/all[^ ]*:|/FILE:|; s/[0-9]* of [0-9]* calls/N of M calls/" "$tmp/full.err")" \
		"ranktrace: cannot write TMP/disk/out/j/ranks-0-255/rank0/FILE: no space left on the device (error 28); recording stops, the job runs on
ranktrace: run.json cannot be written in TMP/disk/out/j: No space left on device
ranktrace: nothing was recorded: rank 0: the disk of TMP/disk/out is full (No space left on device): N of M calls are lost: make room, or select fewer steps"
fi
finish
