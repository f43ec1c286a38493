#!/bin/sh
# vLLM and SGLang themselves, as verl 0.9.1 asks for them, beside verl's own training workers: what a preset watches in an engine's process is
# found, the step is the one that the training worker tells, and each decode step is one. vLLM's wheel alone is 300 MB.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/real_verl.sh"
others=$(packages transformers+==5.9.0 dill==0.4.0) || { echo "skip: transformers could not be had"; exit 77; }
ipc="verl.workers.rollout.vllm_rollout.utils:vLLMColocateWorkerExtension.update_weights_from_ipc@return"
tokens=scheduler_output.total_num_scheduled_tokens

# engine VERSION KIND PACKAGE OPTION...
engine() {
	version=$1 kind=$2
	ENGINE_PATH=$(packages "$3") || { echo "skip: $3 could not be had"; exit 77; }
	export ENGINE_PATH
	shift 3
	workers "$version" "engine $kind" --preset verl "$@"
}
decode_steps() {
	echo "41 rollout.0 - 0: $1
42 rollout.0 - 0: $2
42 rollout.0 - 1: $1
43 rollout.0 - 0: $2
43 rollout.0 - 1: $2
43 rollout.0 - 2: $1"
}
for version in 0.9.1 0.7.1; do
	v=$(echo $version | tr . _)
	engine $version vllm vllm==0.24.0 --steps all
	equal vllm_tells_what_it_is_asked_$v "$(told 5)" "step $ipc{step=published} 7
step $ipc{step=counted} 7
micro vllm.v1.worker.gpu_worker:Worker.execute_model{rank=attr:self.rank,stage=rollout,skip=arg:$tokens==0} 6"
	equal its_decode_steps_$v "$(told_places --ranks 5 | grep rollout)" "$(decode_steps 4 2)"
done
engine 0.9.1 sglang sglang==0.5.12 --steps all
equal sglang_tells_what_it_is_asked "$(told -)" "step sglang.srt.managers.scheduler_update_weights_mixin:SchedulerUpdateWeightsMixin.update_weights_from_tensor@return{step=published} 14
micro sglang.srt.managers.scheduler:Scheduler.run_batch{stage=rollout} 6"
equal its_decode_steps "$(told_places | grep rollout)" "$(decode_steps 3 2)"
finish
