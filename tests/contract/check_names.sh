#!/bin/sh
# Every function that a preset names is in the packages as PyPI has them, in each version that the preset is for, with the arguments that
# are read of it. RANKTRACE_NAMES=all: in vLLM's too (300 MB).
# takes: 50 s
. "$(dirname "$0")/../lib/lib.sh"
need python3
python3 "$here/tests/names/names.py" "$here/config/presets.def" >"$tmp/said" 2>"$tmp/err" || {
	grep -q 'pip.*download' "$tmp/err" && echo "skip: the packages could not be had" && exit 77
}
cat "$tmp/said"
equal each_name_is_there "$(grep -c ' is not there in \| has no ' "$tmp/said") $(grep -c '^[1-9][0-9]* names, [1-9][0-9]* found, 0 wrong' "$tmp/said")" '0 1'
sed -n '/^PRESET("verl-0.8"/,/^$/p' "$here/config/presets.def" | sed 's/update_weights_from_ipc/update_weights_by_ipc/; s/update_actor/update_actors/
	s/+\.forward_step/+.forward_steps/; s/arg:global_steps/arg:steps/' >"$tmp/presets.def"
sed -n '/^#define MEGATRON_FROM/,/^$/p; /^PRESET("megatron-0.17"/,/^$/p' "$here/config/presets.def" | sed 's/arg:iteration/global:megatron.training.global_vars:_ARGS.n/' >>"$tmp/presets.def"
sed -n '/^PRESET("deepspeed-0.16"/,/^$/p' "$here/config/presets.def" | sed 's/_take_model_step/_take_step/' >>"$tmp/presets.def"
TRAINERS= python3 "$here/tests/names/names.py" "$tmp/presets.def" >"$tmp/said"
equal a_name_that_is_gone_is_told "$(grep '0\.9\.1\|0\.19\.' "$tmp/said" | awk '!told[$0]++')" 'verl-0.8: verl.workers.engine_workers:ActorRolloutRefWorker.update_weights has no argument steps in verl==0.9.1
verl-0.8: verl.checkpoint_engine.base:CheckpointEngineWorker.update_weights has no argument steps in verl==0.9.1
verl-0.8: verl.workers.rollout.vllm_rollout.utils:vLLMColocateWorkerExtension.update_weights_by_ipc is not there in verl==0.9.1
verl-0.8: verl.workers.engine_workers:ActorRolloutRefWorker.update_actors is not there in verl==0.9.1
verl-0.8: verl.workers.engine.base:BaseEngine+.forward_steps is not there in verl==0.9.1
megatron-0.17: megatron.training.training:train_step has no megatron.training.global_vars:_ARGS to read in megatron-core==0.19.2
deepspeed-0.16: deepspeed.runtime.engine:DeepSpeedEngine._take_step is not there in deepspeed==0.19.8'

# What is checked out is looked up in the presets of its release; what is not is named, and is no mistake.
looked_up() {
	status=0
	TRAINERS=$1 python3 "$here/tests/names/names.py" "$tmp/llm.def" >"$tmp/said" || status=$?
	echo "$status $(sed "s|$tmp/||g" "$tmp/said" | paste -sd'|')"
}
sed -n '/^#define MINDSPEED_LLM/,/^$/p; /^PRESET("mindspeed-llm-2.[02]"/,/^$/p; /^PRESET("mindspeed-rl-markers"/,$d; /^PRESET("mindspeed-rl"/,/^$/p' "$here/config/presets.def" | grep -v micro_source >"$tmp/llm.def"
mkdir -p "$tmp/one/mindspeed_llm/training" "$tmp/none"
echo 'def train_step(): skip_first = args.profile_step_start' >"$tmp/one/mindspeed_llm/training/training.py"
equal of_several_one_is_enough "$(looked_up "$tmp/one")" '0 looked up in mindspeed_llm 2.0 of one|mindspeed_llm: 1 of its names are in no checkout, or in none of their release|'"\
"'mindspeed_rl: 17 of its names are in no checkout, or in none of their release|19 names, 1 found, 0 wrong, 18 of packages that were not asked for'
sed -i 's/train_step/training_step/' "$tmp/one/mindspeed_llm/training/training.py"
equal a_name_that_it_has_not_is_wrong "$(looked_up "$tmp/one" | cut -d'|' -f1)" '1 mindspeed-llm-2.0: mindspeed_llm.training.training:train_step is not there in mindspeed_llm 2.0 of one'
equal nothing_at_all_is_a_mistake "$(looked_up "$tmp/none" | cut -d'|' -f1)" \
	'1 nothing that a preset is of lies in TRAINERS: name the folder that has megatron.training, mindspeed_llm, mindspeed_rl in it'
finish
