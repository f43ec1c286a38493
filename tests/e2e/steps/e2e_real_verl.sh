#!/bin/sh
# verl 0.7.1 and 0.9.1 themselves, imported as PyPI has them: each function that a preset watches in their training workers is found, and
# tells its step, stage, mini- and micro-batch as often as it is called.
# takes: 50 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/real_verl.sh"

# step N of the engine workers, whose actor's model is $2 calls
step_of_engine_workers() {
	echo "$1 - - -: 6"
	for i in 0 1 2 3 4 5 6 7; do echo "$1 actor_compute_log_prob.0 - $i: $2"; done
	for i in 0 1 2 3 4 5 6 7; do echo "$1 ref_compute_log_prob.0 - $i: $2"; done
	for i in 0 1 2 3 4 5 6 7; do echo "$1 ref_compute_log_prob.1 - $i: 1"; done
	for i in 0 1 2 3 4 5 6 7; do echo "$1 compute_values.0 - $i: 1"; done
	batches "$1" critic_update 2 4 1 2
	batches "$1" actor_update 4 2 "$2" 2
}
w=verl.workers.engine_workers:
critic='when=attr:self.config.model_type==value_model'
engine_workers_told="step ${w}ActorRolloutRefWorker.update_weights@return{step=arg:global_steps+1} 4
step ${w}TrainingWorker.infer_batch{$critic,step=published} 3
step ${w}TrainingWorker.infer_batch{$critic,step=counted} 3
stage ${w}ActorRolloutRefWorker.update_actor{role=actor_update} 3
stage ${w}ActorRolloutRefWorker.compute_log_prob{role=ref_compute_log_prob,when=arg:data[no_lora_adapter]==True} 3
stage ${w}ActorRolloutRefWorker.compute_log_prob{role=actor_compute_log_prob,skip=arg:data[no_lora_adapter]==True} 3
stage ${w}ActorRolloutRefWorker.compute_ref_log_prob{role=ref_compute_log_prob} 3
stage ${w}TrainingWorker.train_mini_batch{role=critic_update,$critic} 3
stage ${w}TrainingWorker.infer_batch{role=compute_values,$critic} 3
mini ${w}TrainingWorker.train_batch 18
micro verl.workers.engine.base:BaseEngine+.forward_step 144
number ${w}ActorRolloutRefWorker.update_weights{step=arg:global_steps+1} 4"

for version in 0.9.1 0.7.1; do
	v=$(echo $version | tr . _)
	workers $version engine --preset verl --steps all
	equal its_version_chose_the_preset_$v "$(grep -o "verl $version: preset .*" err)" "verl $version: preset verl-0.$([ $version = 0.7.1 ] && echo 7 || echo 8)"
	equal each_function_of_engine_workers_tells_$v "$(told 0)" "$engine_workers_told"
	equal where_each_call_was_made_$v "$(told_places)" "- - - -: 4
$(step_of_engine_workers 41 1 | sed 's/^41 - - -: 6/41 - - -: 3/' | sed '1{h;d};$G')
$(step_of_engine_workers 42 2)
$(step_of_engine_workers 43 3)
44 - - -: 3"
done

# Each row tells of its own class's calls alone: verl 0.9's trainer has another one, with other data.
a=verl.experimental.agent_loop.agent_loop:AgentLoopWorker
of_agent_loop="number $a.generate_sequences{role=rollout_validate,step=arg:batch.meta_info[global_steps],when=arg:batch.meta_info[validate]==True} 3
number $a.generate_sequences{role=rollout,skip=arg:batch.meta_info[validate]==True} 2"
workers 0.9.1 agent_loop --preset verl --steps none
equal the_agent_loop_is_told_whether_it_validates_0_9_1 "$(told 0)" "$of_agent_loop
number $a+.generate_sequences{role=rollout_validate,step=arg:batch[global_steps],when=arg:batch[validate]==True} 3
number $a+.generate_sequences{role=rollout,when=attr:self.__class__.__name__==AgentLoopWorkerTQ,skip=arg:batch[validate]==True} 2"
workers 0.7.1 agent_loop --preset verl --steps none
equal the_agent_loop_is_told_whether_it_validates_0_7_1 "$(told 0)" "$of_agent_loop"

# Its other workers, which end in an exception where something begins that is not verl's.
older_told() {
	echo "step verl.workers.$1:AsyncActorRolloutRefWorker.update_weights@return{step=arg:global_steps+1} 4
step verl.workers.$1:CriticWorker.compute_values{step=published} 3
step verl.workers.$1:CriticWorker.compute_values{step=counted} 3
stage verl.workers.$1:ActorRolloutRefWorker.update_actor{role=actor_update} 3
stage verl.workers.$1:ActorRolloutRefWorker.compute_log_prob{role=actor_compute_log_prob} 3
stage verl.workers.$1:ActorRolloutRefWorker.compute_ref_log_prob{role=ref_compute_log_prob} 3
stage verl.workers.$1:CriticWorker.compute_values 3
stage verl.workers.$1:CriticWorker.update_critic{role=critic_update} 3
$2
number verl.workers.$1:AsyncActorRolloutRefWorker.update_weights{step=arg:global_steps+1} 4"
}
stages_of_42='42 - - -: 6
42 actor_compute_log_prob.0 - -: 4
42 ref_compute_log_prob.0 - -: 5
42 compute_values.0 - -: 6'
workers 0.7.1 fsdp --preset verl --steps all
equal each_function_of_fsdp_workers_tells "$(told 0)" "$(older_told fsdp_workers 'mini verl.workers.actor.dp_actor:DataParallelPPOActor._optimizer_step@return{role=actor_update} 6
mini verl.workers.critic.dp_critic:DataParallelPPOCritic._optimizer_step@return{role=critic_update} 6
micro verl.workers.actor.dp_actor:DataParallelPPOActor._forward_micro_batch 12
micro verl.workers.critic.dp_critic:DataParallelPPOCritic._forward_micro_batch 12')"
equal their_places "$(told_places --steps 42)" "$stages_of_42
$(for role in critic_update actor_update; do
	echo "42 $role.0 0 -: 1
42 $role.0 0 0: 3
42 $role.0 0 1: 6
42 $role.0 1 2: 3
42 $role.0 1 3: 6"
done)"
workers 0.7.1 megatron --preset verl --steps all
equal each_function_of_megatron_workers_tells "$(told 0)" "$(older_told megatron_workers 'mini verl.workers.actor.megatron_actor:MegatronPPOActor.forward_backward_batch{role=actor_update} 6
mini verl.workers.critic.megatron_critic:MegatronPPOCritic.forward_backward_batch{role=critic_update} 6')"
equal and_theirs "$(told_places --steps 42)" "$stages_of_42
42 critic_update.0 0 -: 4
42 critic_update.0 1 -: 3
42 actor_update.0 0 -: 4
42 actor_update.0 1 -: 3"
finish
