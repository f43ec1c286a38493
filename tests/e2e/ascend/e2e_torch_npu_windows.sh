#!/bin/sh
# e2e_torch_npu_windows.sh [VERSION [more]]: a loop of verl's shape on the torch_npu of PyPI, unmodified, on the simulated CANN. It launches
# from a thread of its own, slowly here; and yet every window, of whole steps, of stages, of mini- and micro-batches, holds exactly the calls
# that the simulation counted between its boundaries in a run without ranktrace, whose queue was emptied at each. Nobody waits in vain.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/torch_npu.sh"

version=${1:-2.14.0} more=${2-}
loop=$here/tests/torch_npu/verl_loop
torch_npu "$version"
"$tool" hooks >hooks

on_npus() { timeout 300 "$here/tests/torch_npu/run" "$world" "$tmp/cann" "$@"; }

# kept NAME COMMAND...: what is called in which place, to NAME.kept
kept() {
	kept=$1.kept
	shift
	LOOP_KEEPS=$tmp/$kept SIM_COUNTS=$tmp/counts.%p on_npus "$@" >said 2>err || fail the_loop_runs_alone "$(tail -n 1 err)"
	rm -f counts.*
}

# exact WHAT "OPTIONS" "WINDOWS" WAITS COMMAND... : these windows there are, with what was counted; and so often the queue was waited for
exact() {
	what=$1 options=$2 windows=$3 waits=$4
	shift 4
	rm -rf out
	# shellcheck disable=SC2086 # a list of words
	SIM_LATENCY_NS=20000 on_npus "$run" --save-path out --level level1 $options -- "$@" >said 2>err || fail "${what}_runs" "$(tail -n 1 err)"
	equal "${what}_has_its_windows" "$(find out -name '*.rtrace' -printf '%f\n' | sed "s/\\.$(hostname)-.*//" | sort | paste -sd' ')" "$windows"
	# shellcheck disable=SC2046 # no blanks in them
	holds "${what}_holds_what_was_counted" sh -c "python3 $sim/accounts.py windows level1 $kept $(echo $(find out -name '*.rtrace')) <hooks"
	equal "${what}_waits_where_it_may_open_or_close" "$(grep -ho '"queue_waits":[0-9]*,' out/*/run.json)" "\"queue_waits\":$waits,"
	equal "${what}_loses_nothing" "$(grep -ho '"dropped":[1-9][0-9]*\|"unwaited_queues":[1-9][0-9]*' out/*/run.json)" ''
}

for mode in ${more:+0} 1 ${more:+2}; do
	export TASK_QUEUE_ENABLE=$mode
	verl='--preset verl-0.8'
	kept "mode$mode" python3 "$loop/loop.py"
	exact "a_step_in_mode_$mode" "$verl --steps 2" step-2 2 python3 "$loop/loop.py"
	exact "its_stages_in_mode_$mode" "$verl --steps 2 --discrete true" \
		'step-2.actor_compute_log_prob.0 step-2.actor_update.0 step-2.compute_values.0 step-2.critic_update.0 step-2.ref_compute_log_prob.0' \
		12 python3 "$loop/loop.py"
	if [ -n "$more" ]; then
		exact "steps_in_a_row_in_mode_$mode" "$verl --steps 1,3" 'step-1 step-3' 4 python3 "$loop/loop.py"
		exact "the_discrete_actor_in_mode_$mode" "$verl --steps 2 --roles actor{discrete=true}" \
			'step-2.actor_compute_log_prob.0 step-2.actor_update.0' 12 python3 "$loop/loop.py"
		exact "the_first_micro_batch_of_each_stage_in_mode_$mode" "$verl --steps 3 --schedule counter=micro,active=1,repeat=1" \
			'step-3.actor_compute_log_prob.0.micro-0 step-3.actor_update.0.micro-0 step-3.compute_values.0.micro-0 step-3.critic_update.0.micro-0 step-3.ref_compute_log_prob.0.micro-0' \
			20 python3 "$loop/loop.py"
		exact "the_second_mini_batch_in_mode_$mode" "$verl --steps 2 --schedule counter=mini,wait=1,active=1,repeat=1" \
			'step-2.actor_update.0.mini-1 step-2.critic_update.0.mini-1' 15 python3 "$loop/loop.py"
	fi
	kept "rollout$mode" python3 "$loop/loop.py" rollout
	exact "decode_steps_30_to_59_in_mode_$mode" "$verl --steps 2 --schedule counter=micro,wait=29,warmup=1,active=30,repeat=1" \
		step-2.rollout.0.micro-30-59 5 python3 "$loop/loop.py" rollout
	# Markers on a stream are made by the thread that launches, in order: nobody has to wait.
	kept "marked$mode" python3 "$loop/marked.py"
	exact "a_step_that_a_marker_begins_in_mode_$mode" '--step-source marker:^step#([0-9]+)$@entry --steps 2' step-2 0 python3 "$loop/marked.py"
	kept "told$mode" python3 "$loop/told.py" CDLL
	waits() { [ "$mode" = 0 ] && echo 0 || echo "$1"; } # where torch_npu has no queue
	for how in CDLL ${more:+PyDLL}; do
		exact "a_step_told_by_ctypes_${how}_in_mode_$mode" '--step-source api --steps 2' step-2 "$(waits 2)" python3 "$loop/told.py" $how
		exact "micro_batches_told_by_ctypes_${how}_in_mode_$mode" \
			'--step-source api --steps 2-3 --schedule counter=micro,wait=1,active=2,repeat=1' \
			'step-2.actor_update.0.micro-1-2 step-3.actor_update.0.micro-1-2' "$(waits 11)" python3 "$loop/told.py" $how
	done
done
finish
