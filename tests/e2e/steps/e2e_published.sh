#!/bin/sh
# The number of a step reaches processes that nobody tells: the engine of a trainer in verl's shape takes it from the training process on
# its host. After a resume from step 40 all agree; where nobody publishes, steps are counted, and the report says so.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/verl_jobs.sh"
ipc=python:verl.workers.rollout.vllm_rollout.utils:vLLMColocateWorkerExtension.update_weights_from_ipc

# traced OPTION...: job.py train 40
traced() {
	rm -rf out
	RANK=0 "$run" --save-path out --level level1 --preset verl-0.8 "$@" -- $python "$shape/job.py" train 40 >said 2>err
}

# beside JOB N, job j's engine: a process of JOB that is told that step N has ended lives meanwhile
beside() {
	rm -rf out fifo said_by_fifo
	mkfifo fifo said_by_fifo
	(by_hand "$1" publish "$2" <fifo >said_by_fifo 2>/dev/null) &
	publisher=$!
	exec 8>fifo 9<said_by_fifo
	read -r line <&9
	[ "$line" = published ] || echo "no publisher"
	${before_engine-:}
	(rank=1 by_hand j engine <do >said 2>err)
	exec 8>&- 9<&-
	wait "$publisher" 2>/dev/null
	places_of 1
}
kill_publisher() { kill -9 "$publisher"; wait "$publisher" 2>/dev/null; }

engine_from_41='- - - -: 2
41 rollout.0 - 0: 3
42 - - -: 1
42 rollout.0 - 0: 2
42 rollout.0 - 1: 3
43 - - -: 1
43 rollout.0 - 0: 2
43 rollout.0 - 1: 2
43 rollout.0 - 2: 3
44 - - -: 1'
engine_entered_from_41='- - - -: 1
41 - - -: 1
41 rollout.0 - 0: 2
42 - - -: 2
42 rollout.0 - 0: 2
42 rollout.0 - 1: 2
43 - - -: 2
43 rollout.0 - 0: 2
43 rollout.0 - 1: 2
43 rollout.0 - 2: 2
44 - - -: 2'
printf '%s\n' weights decode weights decode decode weights >do
counted='- - - -: 2
1 rollout.0 - 0: 3
2 rollout.0 - 0: 2
2 rollout.0 - 1: 3'
all_in_901='- - - -: 2
901 rollout.0 - 0: 3
901 rollout.0 - 1: 2
901 rollout.0 - 2: 3'

for named in $(pythons); do
	v=${named%%:*} python=${named#*:}
	echo "$v: $python"

	traced --steps all
	equal after_a_resume_the_engine_has_the_trainer_s_steps_in_$v "$(places_of 1)" "$engine_from_41"
	equal as_the_trainer_itself_in_$v "$(places_of 0)" '- - - -: 4
41 actor_update.0 - -: 1
41 actor_update.0 0 0: 4
41 - - -: 3
42 - - -: 6
42 actor_update.0 - -: 1
42 actor_update.0 0 0: 4
43 - - -: 6
43 actor_update.0 - -: 1
43 actor_update.0 0 0: 4
44 - - -: 3'
	equal the_report_says_whose_they_are_in_$v "$(source_of 1)" "$ipc@return{step=published}
(another process of the run on this host told which step begins)"
	traced --steps 42
	equal both_have_files_of_the_same_step_in_$v "$(find out -name '*.rtrace' | sed 's,.*/rank,rank,' | windows_of | sort | tr '\n' ' ')" \
		'rank0/step-42 rank1/step-42 '
	traced --steps all --ranks 1
	equal who_is_not_selected_tells_all_the_same_in_$v "$(places_of 1)" "$engine_from_41"
	traced --steps all --step-source "$ipc{step=published};$ipc{step=counted}"
	equal the_first_of_two_sources_on_one_function_is_asked_first_in_$v "$(places_of 1)" "$engine_entered_from_41"
done
python=/usr/bin/python3

(rm -rf out && steps=41 ENGINE_STEPS=42- by_hand j train 40 >said 2>err)
equal who_has_recorded_all_his_steps_tells_on "$(places_of 1)" "$(echo "$engine_from_41" | grep '^4[234]')"
equal a_number_told_twice_in_a_step_is_nothing_to_say "$(cat err)" ''

equal a_process_of_the_job_is_listened_to "$(beside j 900)" "$all_in_901"
equal one_of_another_job_is_not "$(beside k 900)" "$counted"
equal which_the_report_says "$(source_of 1)" "$ipc@return{step=counted}
(counted from 1: no other process of the run on this host had told the step's number)"
printf '%s\n' weights decode 'wake up' weights decode decode >do_sglang
sglang_of() { (rm -rf out && preset=$1 rank=1 by_hand j sglang <do_sglang >said 2>err); places_of 1; }
for of in verl-0.7 verl-0.8; do
	equal "where_nobody_publishes_sglang_s_updates_are_counted_in_$of" "$(sglang_of $of)" '- - - -: 5
1 rollout.0 - 0: 7
2 rollout.0 - 0: 2
2 rollout.0 - 1: 2'
	equal "which_the_report_says_of_$of" "$(source_of 1 | sed 's/.*,//')" "step=counted}
(counted from 1: no other process of the run on this host had told the step's number)"
done
before_engine=kill_publisher
equal nor_is_one_that_was_killed "$(beside j 900)" "$counted"

# Who has published ends: an older number of somebody else's is no step back, and without anybody steps are counted on.
cat >ends.py <<'E2'
import ctypes, os, subprocess, sys
library = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"])
class T:
    def publish(self, n): pass
    def take(self): pass
library.clFinish(None)
if len(sys.argv) > 1:
    T().publish(int(sys.argv[1]))
    print("published", flush=True)
    sys.stdin.read()
    sys.exit()
def publisher(n):
    child = subprocess.Popen([sys.executable, __file__, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    return child
def end(child):
    child.stdin.close()
    child.wait()
def step(calls):
    T().take()
    for _ in range(calls):
        library.clFinish(None)
older = publisher(9)
newer = publisher(10)
step(1)
end(newer)
step(2)
end(older)
step(3)
step(4)
E2
rm -rf out
(RANKTRACE_JOB=e RANK=0 LD_PRELOAD="$SANITIZER${SANITIZER:+ }$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH=$tmp/out RANKTRACE_LEVEL=level1 RANKTRACE_STEPS=10- \
	RANKTRACE_NUMBER_SOURCE='python:__main__:T.publish{step=arg:n}' RANKTRACE_STEP_SOURCE='python:__main__:T.take{step=published};python:__main__:T.take{step=counted}' \
	/usr/bin/python3 ends.py >said 2>err)
equal who_ends_leaves_no_step_behind "$(places_of 0; cat err)" '10 - - -: 3
11 - - -: 3
12 - - -: 4
ranktrace: nobody tells the numbers of steps any more: they are counted on'

# What others leave beside the sessions, and above them, waits for nobody.
before_engine=
root=/dev/shm/ranktrace-test-$$-above
mkdir "$root" && mkfifo "$root/status.0"
RANKTRACE_SESSION_ROOT=$root/in
export RANKTRACE_SESSION_ROOT
mkdir -m 700 "$root/in-$(id -u)" && mkdir "$root/in-$(id -u)/1-1-1" && mkfifo "$root/in-$(id -u)/1-1-1/status.0"
equal pipes_of_others_keep_nobody_waiting "$(beside j 900)" "$all_in_901"
RANKTRACE_SESSION_ROOT=/dev/shm/ranktrace-test-$$
rm -rf "$root"

(rm -rf out && by_hand j critic >said 2>err)
equal a_critic_that_is_alone_counts_its_own "$(places_of 0)" '- - - -: 2
1 compute_values.0 - 0: 3
1 critic_update.0 - -: 1
1 critic_update.0 0 0: 4
2 compute_values.0 - 0: 3
2 critic_update.0 - -: 1
2 critic_update.0 0 0: 4
3 compute_values.0 - 0: 3
3 critic_update.0 - -: 1
3 critic_update.0 0 0: 4'
finish
