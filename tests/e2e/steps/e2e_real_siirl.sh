#!/bin/sh
# siiRL 0.2.0 itself, imported as PyPI has it: its own loop goes through its own graph, and each call is told with step, stage, mini- and
# micro-batch. What its workers would compute are calls of a library.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/real_verl.sh"
siirl=$(packages siirl==0.2.0 tensordict==0.10.0 pydantic+==2.12.5) || { echo "skip: siirl 0.2.0 could not be had"; exit 77; }

# graph OPTION...: steps 3 to 5 by its own count, of which step 4 is tried twice; $words are its own
graph() {
	rm -rf out
	# shellcheck disable=SC2086 # a list of words
	PYTHONPATH="$siirl:$torch/torch/site:$(echo "$venv"/lib/python3*/site-packages)" RANK=0 timeout 120 "$run" --save-path out --level level1 "$@" -- \
		"$torch/venv/bin/python" "$here/tests/helpers/python/trainers/siirl_graph.py" ${words-} >said 2>err || tail -n 5 err
}
stages() {
	echo "$1 generate.0 - -: 7"
	[ "$1" != 4 ] || echo '4 generate.1 - -: 7'
	echo "$1 compute_value.0 - -: 8
$1 compute_advantage.0 - -: 6
$1 compute_old_log_prob.0 - -: 4
$1 compute_ref_log_prob.0 - -: 5"
	batches "$1" train_actor 2 2 3 2
	batches "$1" train_critic 2 2 3 2
}
graph --preset siirl --steps all
equal its_version_chose_the_preset "$(cat said) $(grep -o 'siirl 0.2.0: preset .*' err)" '6 siirl 0.2.0: preset siirl-0.2'
dag=siirl.dag_worker.dagworker:DAGWorker
equal each_function_tells "$(told 0)" "step $dag._run_training_step{step=attr:self.global_steps} 4
stage siirl.execution.dag.node:Node.run{role=attr:self._executable.__name__,skip=attr:self._executable==None} 25
stage $dag.generate 4
$(for role in compute_reward compute_old_log_prob compute_ref_log_prob compute_value compute_advantage train_critic train_actor; do echo "stage $dag.$role 3"; done)
mini siirl.engine.actor.dp_actor:DataParallelPPOActor._optimizer_step@return{role=train_actor} 6
mini siirl.engine.critic.dp_critic:DataParallelPPOCritic._optimizer_step@return{role=train_critic} 6
micro siirl.engine.actor.dp_actor:DataParallelPPOActor._forward_micro_batch 12
micro siirl.engine.critic.dp_critic:DataParallelPPOCritic._forward_micro_batch 12"
equal where_each_call_was_made "$(told_places)" "- - - -: 1
$(for step in 3 4 5; do stages $step; done)"
graph --preset siirl --steps 4 --roles 'generate{discrete=true};train_actor{schedule=counter=mini active=1 repeat=1}'
equal roles_by_their_names "$(windows_in out)" 'step-4.generate.0 7
step-4.generate.1 7
step-4.train_actor.0.mini-0 8'

# Its own settings, as its documents have them, but for the `enable` that they leave out: end to end, and stage by stage.
cat >e2e.yaml <<'END'
profiler:
  save_path: out
  level: level1
  with_memory: False
  record_shapes: False
  with_npu: True
  with_cpu: True
  with_module: False
  with_stack: False
  analysis: False
  discrete: False
  ranks: [0]
  steps: [1, 2, 5]
END
sed "s/discrete: False/discrete: True\n  roles: ['generate', 'train_actor']/" e2e.yaml >discrete.yaml
export BEGIN=0
graph --config e2e.yaml
equal whole_steps_of_its_own_settings "$(windows_in out)" 'steps-1-2 124
step-5 62'
equal a_switch_left_out_is_told "$(grep -c 'profiler.enable is not given, but what to record is: it counts as on' err)" 1
graph --config discrete.yaml
equal a_file_of_each_call_of_a_stage "$(windows_in out)" "$(for step in 1 2 5; do echo "step-$step.generate.0 7
step-$step.train_actor.0 16"; done)"
words="profiler.enable=True profiler.profile_steps=[4] profiler.level=level1 profiler.discrete=True profiler.roles=[generate]"
graph
equal its_words_say_the_same "$(windows_in out)" 'step-4.generate.0 7
step-4.generate.1 7'
finish
