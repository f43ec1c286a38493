#!/bin/sh
# What docs/verl.md says to type records what it says: each row is carried out on a program of verl's shape, in the trainer's process and in
# the engine's.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages # for the library beside it
export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/tests/helpers/python/verl_shape" RANK=0 RANKTRACE_LEVEL=level1

# wanted "ROW": the windows that the row's options make
wanted() {
	options=$(grep "^| $1 |" "$here/docs/verl.md" | sed 's/^[^`]*`//; s/`[^`]*$//')
	rm -rf out
	for VERL_SHAPE in '' rollout; do
		export VERL_SHAPE
		eval "\"\$run\" --save-path out --preset verl-0.8 $options -- /usr/bin/python3 -m verl.trainer.main_ppo data.train_batch_size=8" 2>err
	done
	windows_in out
}
equal decode_steps "$(wanted 'decode steps 30 to 59 of step 2')" 'step-2.rollout.0.micro-30-59 60'
equal micro_batches_of_two_roles "$(wanted 'the first micro-batch of compute_log_prob, actor and reference apart')" 'step-3.actor_compute_log_prob.0.micro-0 1
step-3.ref_compute_log_prob.0.micro-0 5'
equal the_first_mini_batch "$(wanted "the first mini-batch of the actor's update")" "step-2.actor_update.0.mini-0 $((7 * 12 + 14))"
equal the_first_micro_batch "$(wanted 'its first micro-batch')" 'step-2.actor_update.0.micro-0 12'
equal whole_steps "$(wanted 'steps 1, 2 and 5, whole, a file of each' | sed 's/ .*//' | sort -u | tr '\n' ' ')" 'step-1 step-2 '
equal a_discrete_role "$(wanted "the actor's stages, each in a file of its own")" "step-2.actor_compute_log_prob.0 3
step-2.actor_update.0 $((1 + 4 * (8 * 12 + 2)))"
equal each_row_is_carried_out "$(sed -n '/^## What to type/,/^## The driver/p' "$here/docs/verl.md" | grep -c '^|.*`')" 6
finish
