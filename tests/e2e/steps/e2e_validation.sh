#!/bin/sh
# What an engine does for a validation is a stage of its own, of the step that is validated, though its weights are the next one's already:
# the agent loop is told, and tells. Schedules and roles leave it out unless they name it. The agent loop calls no device.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/verl_jobs.sh"

# engine OPTION...: the windows of the engine of a job whose agent loop is $loop
engine() {
	rm -rf out
	# shellcheck disable=SC2086 # a list of words
	RANK=0 "$run" --save-path out --level level1 --preset verl-0.8 "$@" -- $python "$shape/job.py" validated $loop >said 2>err
	windows_in "$(find out -name rank1)"
}

# The first one is of step 0: it is before the training.
each_step() {
	echo '- - - -: 2'
	for n in 1 2 3 4; do
		echo "$n rollout_validate.0 - 0: 2
$n rollout_validate.0 - 1: 2"
		[ $n = 4 ] || echo "$n rollout.0 - 0: 2
$n rollout.0 - 1: 2
$n rollout.0 - 2: 3"
	done
}
for named in $(pythons | grep '^system:\|^3_13:'); do
	for loop in '' tq; do
		v=${named%%:*}${loop:+_$loop} python=${named#*:}
		engine --steps all >/dev/null
		equal validations_are_told_apart_in_$v "$(places_of 1)" "$(each_step)"
		equal stages_of_step_2_in_$v "$(engine --steps 2 --discrete true)" 'step-2.rollout.0 7
step-2.rollout_validate.0 4'
		equal a_schedule_is_the_rollout_s_in_$v "$(engine --steps 2 --schedule counter=micro,active=1,repeat=1)" 'step-2.rollout.0.micro-0 2'
	done
done
python=/usr/bin/python3 loop=forked
equal a_forked_child_tells "$(engine --steps 2 --discrete true)" 'step-2.rollout.0 7
step-2.rollout_validate.0 4'
loop=
equal a_role_is_the_rollout_s "$(engine --steps 2 --roles 'rollout{discrete=true}')" 'step-2.rollout.0 7'
equal unless_the_validation_is_named "$(engine --steps 2 --roles 'rollout_validate{discrete=true}')" 'step-2.rollout_validate.0 4'
equal its_batches_too "$(engine --steps 2 --roles 'rollout_validate{schedule=counter=micro skip_first=1 active=1 repeat=1}')" 'step-2.rollout_validate.0.micro-1 2'
equal the_one_before_the_training_is_of_step_0 "$(engine --steps 0 --roles 'rollout_validate{discrete=true}')" 'step-0.rollout_validate.0 4'
equal whole_steps_have_both "$(engine --steps 2)" 'step-2 11'
finish
