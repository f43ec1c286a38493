#!/bin/sh
# A preset tells where a trainer of verl's shape is: steps by the trainer's own number, stages, mini- and micro-batches, decode steps.
# That verl itself has the functions is what check_names.sh looks up.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/lib/told_steps.sh"
told_python
shape=$here/tests/helpers/python/verl_shape

# traced "WORDS" OPTION...
traced() {
	rm -rf out
	words=$1
	shift
	# shellcheck disable=SC2086 # a list of words
	RANK=0 "$run" --save-path out --level level1 "$@" -- $python "$shape/train.py" $words >said 2>err
}
places() {
	traced "$@"
	told_places
}
windows() {
	traced "$@"
	windows_in out
}

for named in $(pythons | grep '^system:\|^3_1[2-9]:'); do
	v=${named%%:*} python=${named#*:}
	equal step_2_of_verl_in_$v "$(places "" --preset verl-0.8 --steps 2)" '2 actor_compute_log_prob.0 - 0: 1
2 actor_compute_log_prob.0 - 1: 2
2 ref_compute_log_prob.0 - 0: 5
2 compute_values.0 - 0: 3
2 critic_update.0 - -: 1
2 critic_update.0 0 0: 2
2 critic_update.0 0 1: 4
2 critic_update.0 1 2: 2
2 critic_update.0 1 3: 4
2 actor_update.0 - -: 1
'"$(for mini in 0 1 2 3; do for micro in 0 1 2 3 4 5 6 7; do echo "2 actor_update.0 $mini $((mini * 8 + micro)): $((micro == 7 ? 14 : 12))"; done; done)
2 - - -: 3"
	equal the_first_micro_batch_of_each_stage_in_$v "$(windows "" --preset verl-0.8 --steps 3 --schedule counter=micro,active=1,repeat=1)" 'step-3.actor_compute_log_prob.0.micro-0 1
step-3.actor_update.0.micro-0 13
step-3.compute_values.0.micro-0 3
step-3.critic_update.0.micro-0 2
step-3.ref_compute_log_prob.0.micro-0 5'
	equal discrete_in_$v "$(windows "" --preset verl-0.8 --steps 1 --discrete true)" "step-1.actor_compute_log_prob.0 3
step-1.actor_update.0 $((1 + 4 * (8 * 11 + 2)))
step-1.compute_values.0 3
step-1.critic_update.0 13
step-1.ref_compute_log_prob.0 5"
	equal step_1_of_a_role_that_comes_late_in_it_in_$v "$(windows "" --preset verl-0.8 --steps 1 --roles critic)" \
		"step-1 $((3 + 5 + 3 + 13 + 1 + 4 * (8 * 11 + 2) + 3))"
	equal decode_steps_30_to_59_of_step_2_in_$v "$(windows rollout --preset verl-0.8 --steps 2 --schedule counter=micro,wait=29,warmup=1,active=30,repeat=1)" \
		'step-2.rollout.0.micro-30-59 60'
	equal decode_steps_of_an_engine_alone_in_$v "$(windows rollout --preset vllm-0.9 --schedule counter=micro,wait=149,warmup=1,active=2,repeat=1)" \
		'micro-150-151 4'
	equal the_users_own_sources_go_before_in_$v "$(places "" --preset verl-0.8 --steps 1 --stage-source python:nowhere:f --micro-source python:nowhere:g --mini-source python:nowhere:h)" \
		"1 - - -: $((3 + 5 + 3 + 13 + 1 + 4 * (8 * 11 + 2) + 3))"
done

python=/usr/bin/python3
# A package's name stands for the preset that its version wants.
mkdir -p site/verl-0.7.1.dist-info
printf 'Metadata-Version: 2.1\nName: verl\nVersion: 0.7.1.post2\n' >site/verl-0.7.1.dist-info/METADATA
PYTHONPATH=$tmp/site traced rollout --preset verl
equal the_version_that_is_there_chooses "$(grep 'preset' err)" 'ranktrace: verl 0.7.1.post2: preset verl-0.7'
equal and_is_kept "$(/usr/bin/python3 -c 'import glob, json; asked = json.load(open(glob.glob("out/*/run.json")[0]))["asked"]; print(asked["preset"], asked["preset_version"])')" 'verl-0.7 0.7.1.post2'
equal and_told_by_check "$("$tool" check --sources out | grep '^preset')" 'preset verl-0.7, by the installed version 0.7.1.post2'
sed -i 's/^Version.*/Version: 0.12.1/' site/verl-0.7.1.dist-info/METADATA
PYTHONPATH=$tmp/site traced rollout --preset verl
equal one_that_nobody_has_looked_at_takes_the_nearest "$(grep 'preset' err)" 'ranktrace: verl 0.12.1: preset verl-0.8, the nearest: functions of this version have not been looked up'
sed -i 's/^Version.*/Version: 0.5.0/' site/verl-0.7.1.dist-info/METADATA
PYTHONPATH=$tmp/site traced rollout --preset verl
equal an_older_one_the_oldest "$(grep -m 1 'preset' err)" 'ranktrace: verl 0.5.0: preset verl-0.6, the nearest: functions of this version have not been looked up'
printf 'import runpy, sys\nsys.path.insert(0, "%s")\nimport verl\nverl.__version__ = "0.7.1"\nrunpy.run_path("%s/train.py")\n' "$shape" "$shape" >other.py
rm -rf out
RANK=0 "$run" --save-path out --preset verl-0.8 --steps none -- $python other.py >said 2>err
equal what_is_found_in_the_process_is_told_too "$("$tool" check --sources out | grep 'package\|^preset')" 'preset verl-0.8
  package verl 0.7.1, which wants preset verl-0.7'
traced rollout --preset vllm-ascend
equal a_package_that_is_not_there_has_the_newest "$(grep 'preset' err)" \
	'ranktrace: the version of vllm-ascend could not be told: preset vllm-ascend-0.13, the newest (another: --preset vllm-ascend-0.9)'
traced rollout --preset verl-0.81
equal a_preset_that_is_not_there_is_answered "$(cat err)" "ranktrace: --preset: 'verl-0.81' is no preset: write verl-0.8, which is for 0.8 to 0.9"
finish
