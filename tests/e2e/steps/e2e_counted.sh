#!/bin/sh
# Who is told no number counts: behind the checkpoint that he has loaded, and where he is alone on his host. The report says so.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/verl_jobs.sh"

# alone WORD...: job.py, by hand
alone() { (rm -rf out && by_hand j "$@" >said 2>err); }

critic_from() {
	echo '- - - -: 2'
	for n in $1 $(($1 + 1)) $(($1 + 2)); do
		echo "$n compute_values.0 - 0: 3
$n critic_update.0 - -: 1
$n critic_update.0 0 0: 4"
	done
}
alone critic
equal a_critic_counts_from_1 "$(places_of 0)" "$(critic_from 1)"
alone critic ckpt/run_7/global_step_40/critic
equal behind_what_it_has_loaded "$(places_of 0)" "$(critic_from 41)"
equal the_report_says_both "$(source_of 0)" 'python:verl.workers.engine_workers:TrainingWorker.infer_batch{when=attr:self.config.model_type==value_model,step=counted}
(counted from 41, behind the checkpoint that was loaded: no other process of the run on this host had told the step'"'"'s number)'
steps=42 alone critic ckpt/global_step_40
equal whose_steps_are_selected_by_their_numbers "$(find out -name '*.rtrace' -printf '%f\n' | windows_of | tr '\n' ' ')$(places_of 0 | awk '{ n += $NF } END { print n }')" 'step-42 8'
for path in ckpt/40/critic ckpt/step40; do
	alone critic $path
	equal a_path_without_such_a_number_is_none_$(basename $path) "$(places_of 0)" "$(critic_from 1)"
done
alone ref
equal a_reference_that_is_alone_counts_its_own "$(places_of 0)" '- - - -: 1
1 ref_compute_log_prob.0 - 0: 1
2 ref_compute_log_prob.0 - 0: 2
3 ref_compute_log_prob.0 - 0: 3'

# 0.6: updates end steps, and what is before the first one is of its step.
actor_from() {
	echo "$1 - - -: 2
$1 ref_compute_log_prob.0 - -: 1
$1 actor_update.0 0 -: 4
$(($1 + 1)) ref_compute_log_prob.0 - -: 2
$(($1 + 1)) actor_update.0 0 -: 5
$(($1 + 2)) ref_compute_log_prob.0 - -: 3
$(($1 + 2)) actor_update.0 0 -: 6"
}
preset=verl-0.6
alone older actor
equal updates_are_counted_where_the_rollout_is_an_agent_loop_s "$(places_of 0)" "$(actor_from 1)"
alone older actor ckpt/global_step_40/actor
equal from_where_it_was_resumed "$(places_of 0)" "$(actor_from 41)"
equal and_the_report_says_so "$(source_of 0)" 'python:verl.workers.fsdp_workers:ActorRolloutRefWorker.update_actor@return
(counted from 41, behind the checkpoint that was loaded)'
steps=42 alone older actor ckpt/global_step_40/actor
equal step_42_is_the_second_one "$(places_of 0)" '42 ref_compute_log_prob.0 - -: 2
42 actor_update.0 0 -: 5'
alone older ref
equal a_reference_of_0_6_counts_too "$(places_of 0)" '- - - -: 2
1 ref_compute_log_prob.0 - -: 1
2 ref_compute_log_prob.0 - -: 2
3 ref_compute_log_prob.0 - -: 3'
preset=verl-0.7
alone older critic ckpt/global_step_40/critic
equal and_a_critic_of_0_7 "$(places_of 0 | grep -v '^-')" "$(for n in 41 42 43; do echo "$n compute_values.0 - -: $((n - 40))
$n critic_update.0 0 -: 1"; done)"
finish
