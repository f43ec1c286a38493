#!/bin/sh
# The presets of MindSpeed-LLM and MindSpeed-RL on a stand-in with their names: neither is on a registry, and what tests/names finds in a
# checkout is all that is known of the real ones.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/lib/told_steps.sh"
told_python
shape=$here/tests/helpers/python/mindspeed_shape

# places KIND OPTION...
places() {
	rm -rf out
	kind=$1
	shift
	RANK=0 "$run" --save-path out --level level1 --steps all "$@" -- $python "$shape/train.py" "$kind" >said 2>err
	told_places
}
updates() {
	for micro in 0 1 2 3; do echo "$1 $2.0 $((micro / 2)) $micro: $((micro % 2 ? 5 : 3))"; done
}
integrated() {
	echo "$1 actor_generate.0 - -: 7
$1 actor_compute_log_prob.0 - 0: 3
$1 actor_compute_log_prob.0 - 1: 3
$1 - - -: 2
$1 reference_compute_log_prob.0 - -: 6
$1 actor_update.0 - -: 1"
	updates "$1" actor_update
}
for named in $(pythons | grep '^system:\|^3_1[2-9]:'); do
	v=${named%%:*} python=${named#*:}
	equal fsdp2_from_the_step_that_was_restored_in_$v "$(places fsdp2 --preset mindspeed-llm)" "- - - -: 1
$(for step in 5 6 7; do echo "$step - - 0: 2
$step - - 1: 7"; done)"
	equal megatron_whose_train_step_was_imported_by_name_in_$v "$(places megatron --preset mindspeed-llm)" "- - - -: 1
$(for step in 4 5 6; do echo "$step - - 0: 3
$step - - 1: 8"; done)"
	equal the_report_says_which_releases_were_looked_at_in_$v "$("$tool" report out | grep '^(preset')" \
		'(preset mindspeed-llm-26.0: its functions were looked up in mindspeed_llm 26.0 to 26.1)'
	equal an_integrated_worker_in_$v "$(places integrated --preset mindspeed-rl | sort)" "$({
		for step in 1 2 3; do integrated $step; done | sed 's/^1 - - -: 2/1 - - -: 4/'
	} | sort)"
	equal a_critic_in_$v "$(places critic --preset mindspeed-rl | sort)" "$({
		echo '1 - - -: 2'
		for step in 1 2 3; do echo "$step critic_compute_values.0 - -: 4"; updates $step critic_update; done
	} | sort)"
	equal a_reference_of_its_own_in_$v "$(places reference --preset mindspeed-rl)" "1 - - -: 2
$(for step in 1 2 3; do echo "$step reference_compute_log_prob.0 - -: 6"; done)"
	places integrated --preset mindspeed-rl --discrete true --roles 'actor_update{ranks=all}' >/dev/null
	equal the_update_alone_in_$v "$(windows_in out)" "$(for step in 1 2 3; do echo "step-$step.actor_update.0 17"; done)"
done
finish
