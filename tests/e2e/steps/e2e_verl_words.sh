#!/bin/sh
# The words of a verl command, and verl's files, say which steps, ranks and roles are recorded, and how much of each; what verl's own
# profiler means beside it is said, and --take-over switches that one off.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages # for the library beside it
export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1" PYTHONDONTWRITEBYTECODE=1
shape=$here/tests/helpers/python/verl_shape
version() {
	rm -rf site
	mkdir -p "site/verl-$1.dist-info"
	printf 'Metadata-Version: 2.1\nName: verl\nVersion: %s\n' "$1" >"site/verl-$1.dist-info/METADATA"
}
export PYTHONPATH="$tmp/site:$shape"
main='python3 -m verl.trainer.main_ppo'
A=actor_rollout_ref.actor.profiler
on="$A.enable=True $A.ranks=[0] $A.tool_config.npu.level=level1"

# traced OPTION... -- COMMAND...: windows, as a line
traced() {
	rm -rf out words
	RANK=${rank-0} "$run" --save-path out "$@" >said 2>err
	windows_in out | paste -sd,
}
# setting NAME OPTION... -- COMMAND...
setting() {
	name=$1
	shift
	"$tool" env --script "$@" 2>err | sed -n "s/^RANKTRACE_$name=//p"
}
said() { grep -v ': preset verl' err; }

# ---- what is recorded ----

version 0.9.1
# shellcheck disable=SC2086 # lists of words
{
	equal the_whole_of_a_step "$(traced --preset verl -- $main global_profiler.steps=[2] $on)" 'step-2 420'
	equal which_preset_is_said "$(grep preset err)" 'ranktrace: verl 0.9.1: preset verl-0.8'
	equal each_step_has_a_file "$(traced -- $main global_profiler.steps=[1,2] $on)" "$(traced -- $main global_profiler.steps=[1] $on),step-2 420"
	equal neighbours_may_share_one "$(traced -- $main global_profiler.steps=[2,3] $on global_profiler.profile_continuous_steps=True | sed 's/ .*//')" steps-2-3
	equal discrete_stages_of_enabled_roles "$(traced -- $main global_profiler.steps=[2] $on $A.tool_config.npu.discrete=True \
		actor_rollout_ref.ref.profiler.enable=False)" 'step-2.actor_compute_log_prob.0 3,step-2.actor_update.0 393'
	equal a_reference_that_is_not_named_does_as_the_actor "$(traced -- $main global_profiler.steps=[2] $on $A.tool_config.npu.discrete=True)" \
		'step-2.actor_compute_log_prob.0 3,step-2.actor_update.0 393,step-2.ref_compute_log_prob.0 5'
	equal a_critic_speaks_for_itself "$(traced -- $main global_profiler.steps=[3] critic.profiler.enable=True critic.profiler.all_ranks=True \
		critic.profiler.tool_config.npu='{level:level1,discrete:True}')" 'step-3.compute_values.0 3,step-3.critic_update.0 13'
	rank=1
	equal on_another_rank_nothing "$(traced -- $main global_profiler.steps=[2] $on)" ''
	equal on_all_ranks_again "$(traced -- $main global_profiler.steps=[2] $on $A.all_ranks=True)" 'step-2 420'
	rank=0
	equal null_is_no_step "$(traced -- $main global_profiler.steps=null $on) $(said | head -1)" \
		' ranktrace: global_profiler.steps: no steps, so nothing is recorded (to record: global_profiler.steps=[2])'
	equal options_go_before "$(traced --steps 3 -- $main global_profiler.steps=[2] $on)" 'step-3 452'
	equal variables_too "$(RANKTRACE_STEPS=1 setting STEPS -- $main global_profiler.steps=[2] $on)" 1
	equal the_command_is_as_it_was "$(traced -- $main a=1 global_profiler.steps=[2] b=[2,3] >windows; paste -sd' ' words)" \
		'a=1 global_profiler.steps=[2] b=[2,3]'
	equal another_program_is_left_alone "$(setting STEPS -- python3 -m trainer global_profiler.steps=[2]; setting PRESET -- python3 x.py $on)" all
	equal its_file_is_the_same_as_the_module "$(setting STEPS -- python3 $shape/verl/trainer/main_ppo.py global_profiler.steps=[2])" 2
	setting STEPS --preset verl -- sh run.sh >steps
	equal behind_a_script_it_is_not_seen "$(cat steps) $(grep -c "no trainer of verl's is in the command" err)" 'all 1'
	equal wherever_it_stands "$(setting STEPS -- env A=1 ray job submit -- python3 -u -m verl.trainer.main_ppo global_profiler.steps=[2])" 2
}

# ---- versions ----

# shellcheck disable=SC2086 # lists of words
{
	version 0.6.1
	equal level1_is_0_6s_own "$(setting ROLES -- $main $A.enable=True $A.ranks=[0] | grep -o 'actor{[^}]*}')" 'actor{enable=true,ranks=0,level=level1,discrete=false}'
	version 0.9.0
	equal level0_is_later_ones "$(setting ROLES -- $main $A.enable=True $A.ranks=[0] | grep -o 'actor{[^}]*}')" 'actor{enable=true,ranks=0,level=level0,discrete=false}'
	equal the_preset_is_the_versions "$(setting PRESET -- $main $A.enable=True)" verl-0.8
}
version 0.9.1

# ---- two profilers ----

off='=null, or ranktrace-run --take-over, switches verl'\''s off and this one not'
# shellcheck disable=SC2086 # lists of words
{
	discrete=$A.tool_config.npu.discrete=True
	setting STEPS -- $main global_profiler.steps=[2] global_profiler.tool=npu $on $discrete >steps
	equal of_two_profilers_is_told "$(said)" \
		"ranktrace: global_profiler.tool=npu: verl's own profiler runs in these steps, and no device times are taken meanwhile: global_profiler.tool$off"
	setting STEPS -- $main global_profiler.steps=[2] global_profiler.tool=null $on $discrete >steps
	equal null_switches_that_one_off_only "$(cat steps) $(said)" '2 '
	equal taking_over_records_the_same "$(traced --take-over -- $main global_profiler.steps=[2] global_profiler.tool=npu $on)" 'step-2 420'
	equal and_adds_a_word "$(paste -sd' ' words)" "global_profiler.steps=[2] global_profiler.tool=npu $on global_profiler.tool=null"
	equal of_it_nothing_is_left_to_say "$(grep -c take-over err)" 0
	equal a_roles_own_tool_too "$(traced --take-over -- $main $on critic.profiler.tool=npu >windows; tail -2 words | paste -sd' ')" \
		'global_profiler.tool=null critic.profiler.tool=null'
	"$run" --take-over --save-path out -- true 2>err
	equal elsewhere_there_is_nothing_to_take_over "$? $(cat err)" "2 ranktrace: --take-over: no trainer of verl's is in the command: \
write its python -m verl.trainer.main_ppo here, or add global_profiler.tool=null to it"
	"$run" --take-over --print-env >out.env 2>err
	equal nor_without_a_command "$? $(cat err)" \
		'2 ranktrace: --take-over changes the command, which --print-env has none of: add global_profiler.tool=null to it'
}

# ---- files ----

cat >mine.yaml <<'END'
defaults: [ppo_trainer, _self_]
global_profiler: {steps: [2]}
actor_rollout_ref: {actor: {profiler: {enable: True, all_ranks: True, tool_config: {npu: {level: level1}}}}}
END
# shellcheck disable=SC2086 # lists of words
{
	equal a_file_says_it "$(traced --config mine.yaml -- $main)" 'step-2 420'
	equal words_go_before_a_file "$(setting STEPS --config mine.yaml -- $main global_profiler.steps=[3])" 3
	equal the_commands_own_file_is_read "$(setting STEPS -- $main --config-path $tmp --config-name=mine)" 2
	equal with_its_folder_behind_the_others "$(setting STEPS -- $main --config-dir $tmp -cn mine global_profiler.profile_continuous_steps=True)" 2
	equal of_two_names_the_last_one_counts "$(setting STEPS -- $main --config-path $tmp --config-name=yours -cn mine)" 2
	setting STEPS -- $main --config-name yours global_profiler.steps=[2] >steps
	equal one_that_is_not_found_is_told "$(cat steps) $(said)" \
		"2 ranktrace: --config-name yours: its file is not found, and verl's defaults count instead: name it, --config FILE"
	setting STEPS -- python3 -m recipe.dapo.main_dapo global_profiler.steps=[2] >steps
	equal so_is_a_recipe "$(cat steps) $(said)" "2 ranktrace: recipe.dapo.main_dapo: its own settings are not seen beside the command's words, \
and verl's defaults count: name their file, --config FILE"
	equal for_a_scheduler_a_file_is_as_good "$("$run" --config mine.yaml --print-env=plain 2>err | sed -n 's/^RANKTRACE_STEPS=//p; s/^RANKTRACE_PRESET=//p' | paste -sd' ')" \
		'2 verl'
}
printf 'global_profiler:\n  steps: 2\n' >bad.yaml
"$run" --config bad.yaml --save-path out -- true 2>err
equal a_mistake_has_its_line "$? $(cat err)" '2 ranktrace: bad.yaml:2: global_profiler.steps: this is no list: write one like [1,2]'
"$run" --save-path out -- python3 -m verl.trainer.main_ppo 'global_profiler.steps=[1' 2>err
equal or_its_word_and_the_job_runs "$? $(head -n 1 err)" "0 ranktrace: global_profiler.steps=[1: a ']' is missing: write [1,2]; without --steps nothing is recorded, the job runs on"

# Words of other programs, and words that are no settings of ours, keep nobody from running.
echo 'print("ran")' >main_ppo.py
equal another_projects_main_ppo_is_its_own "$("$run" --save-path out --steps 1 -- /usr/bin/python3 main_ppo.py --lr 3 trainer.profile_steps=all 2>err; grep -c 'profile_steps' err)" 'ran
0'
equal long_lists_take_no_room "$("$run" --print-env -- /usr/bin/python3 main_ppo.py "data.train_files=[$(seq -s, 1 3500)]" global_profiler.steps=[2] | grep STEPS=)" 'RANKTRACE_STEPS=2'
equal print_env_reads_the_command "$("$run" --print-env -- /usr/bin/python3 -mverl.trainer.main_ppo global_profiler.steps=[2] actor_rollout_ref.actor.profiler.enable=1 2>/dev/null |
	grep -c 'STEPS=2$\|^RANKTRACE_ROLES=.actor{enable=true')" 2
equal an_option_goes_before_a_word_of_a_role "$("$run" --print-env --level level2 --contents cpu -- /usr/bin/python3 -um verl.trainer.main_ppo global_profiler.steps=[2] actor_rollout_ref.actor.profiler.enable=True \
	actor_rollout_ref.actor.profiler.tool_config.npu.level=level0 2>/dev/null | grep -c 'ROLES=.*level=')" 0
equal a_preset_tells_the_version_of_a_verl_that_is_not_here "$(for preset in verl-0.7 verl-0.8; do
	PYTHONPATH='' "$run" --print-env --preset $preset -- /usr/bin/python3 -m verl.trainer.main_ppo global_profiler.steps=[2] actor_rollout_ref.actor.profiler.enable=True actor_rollout_ref.actor.profiler.ranks=[3] 2>/dev/null |
		grep -o 'replica_ranks=[0-9]*'; done | tr '\n' ' ')" 'replica_ranks=3 replica_ranks=3 '
printf 'exec python3 -m verl.trainer.main_ppo global_profiler.steps=[2]\n' >run_grpo.sh
equal a_script_is_looked_into_for_a_trainer "$("$run" --save-path out -- sh -c : run_grpo.sh 2>&1 | grep -c "no trainer of verl's is in the command, so the settings")" 1
equal no_version_of_a_preset_is_the_one_that_fits "$("$run" --preset verl-0.9.1 -- true 2>&1) $("$run" --preset vllm-ascend-0.12 -- true 2>&1)" \
	"ranktrace: --preset: 'verl-0.9.1' is no preset: write verl-0.8, which is for 0.8 to 0.9 \
ranktrace: --preset: 'vllm-ascend-0.12' is no preset: write vllm-ascend-0.9, which is for 0.9 to 0.11"
printf 'steps: [2]\nglobal_profiler:\n  steps: [3]\n' >mixed.yaml
equal a_file_speaks_one_language "$("$run" --config mixed.yaml --save-path out -- true 2>&1)" \
	"ranktrace: mixed.yaml:1: steps is ranktrace's, and global_profiler (line 2) is verl's: keep one of them in a file"
/usr/bin/python3 - <<'E2'
depth, wide = 14, 8
lines = ["  s%d: %s" % (i, "${x}" if i == depth else "${x.%s}" % ".".join(["s%d" % (i + 1)] * wide)) for i in range(depth, 0, -1)]
open("wide.yaml", "w").write("global_profiler:\n  steps: ${x.s1.list}\nx:\n" + "\n".join(lines) + "\n  list: [2]\n")
open("nul.yaml", "w").write('global_profiler:\n  "steps\\0x": [2]\n')
E2
equal settings_that_refer_to_each_other_without_end_end "$(timeout 20 "$tool" env --config wide.yaml 2>&1 >/dev/null | grep -c 'is not looked into')" 1
equal nul_is_refused "$("$run" --config nul.yaml --save-path out -- true 2>&1)" 'ranktrace: nul.yaml:2: NUL is not allowed: remove it'

# A library that somebody else preloads reads the file itself, and the job runs on whatever is in it.
RANKTRACE_CONFIG=bad.yaml LD_PRELOAD="$BUILD/libranktrace.so" ./stages step:1 1 step:2 1 >said 2>err
equal the_job_runs_on "$? $(grep -c 'bad.yaml:2: global_profiler.steps' err)" '0 1'
finish
