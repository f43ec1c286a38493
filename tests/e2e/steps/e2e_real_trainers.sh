#!/bin/sh
# The presets of trainers that run on the CPU, with these as PyPI has them: each call is told with the step and micro-batch in which the
# trainer made it, by the trainer's own numbers.
# MORE=1: also what is like something else here.
# takes: 110 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/real_trainers.sh"

# told RANK: which functions told something, and how often
told() { "$tool" check --sources out | sed -n "/^rank $1,/,/^[^ ]/s/^  \\([a-z]*\\) \\(.*\\): called \\([0-9]*\\) times*\$/\\1 \\2 \\3/p"; }
# of_steps FIRST LAST MICROS CALLS: each micro-batch of these steps has so many calls
of_steps() { for step in $(seq "$1" "$2"); do for micro in $(seq 0 $(($3 - 1))); do echo "$step - - $micro: $4"; done; done; }
chosen() { grep -o "preset [a-z].*" err | head -n 1; }

# ---- Hugging Face's Trainer: what is called before its first step is of none ----

fetches='python:transformers.trainer:Trainer.get_batch_samples{step=attr:self.state.global_step+1}'
RANK=0 trained hf --preset transformers --steps all
equal the_Trainer_tells_its_steps "$(heard boundaries last_step micros step_source) $(chosen)" "10 10 20 $fetches preset transformers-4.46"
equal each_micro_batch_of_the_Trainer_has_its_calls "$(told_places)" "- - - 0: 1
$(of_steps 1 10 2 3)"
equal each_step_of_it_has_what_it_counts "$(recorded)" "$(sed '1s/7/6/' steps)"
RANK=0 trained "hf resume" --preset transformers --steps 12 --schedule counter=micro,active=1,repeat=1
equal a_training_that_goes_on_has_its_numbers "$(windows_in out) $(heard last_step)" 'step-12.micro-0 3 12'

# ---- a loop of one's own with accelerate ----

calls_of_accelerate=$(awk 'BEGIN { for (step = 1; step <= 4; step++) for (micro = 0; micro < 4; micro++) print step " - - " micro ": " (n++ ? n : 2) }')
RANK=0 trained accelerated --preset accelerate --steps all
equal each_micro_batch_of_accelerate_has_its_calls "$(told_places) $(chosen)" "$calls_of_accelerate preset accelerate-1.0"
[ -z "${MORE-}" ] || {
	RANK=0 trained accelerated --preset transformers --steps all
	equal also_by_the_preset_of_the_Trainer "$(told_places)" "$calls_of_accelerate"
}
RANK=0 trained accelerated --preset accelerate --steps 1 --schedule counter=micro,active=1,repeat=1
equal the_first_micro_batch_of_all "$(windows_in out)" 'step-1.micro-0 2'

# ---- TRL: four steps, generated and rewarded twice, eight micro-batches ----

for kind in grpo ${MORE:+rloo}; do
	class=${kind}_trainer:$(echo $kind | tr a-z A-Z)Trainer
	RANK=0 trained "grpo $kind" --preset trl --steps all
	equal what_${kind}_tells "$(told 0) $(chosen)" "step $fetches 4
stage python:trl.trainer.$class._generate{role=generate} 2
stage python:trl.trainer.$class._calculate_rewards{role=reward} 2
micro python:transformers.trainer:Trainer+.training_step 8 preset trl-1.0"
	equal where_each_call_of_${kind}_was_made "$(told_places)" "- - - -: 1
$(for step in 1 3; do
	echo "$step generate.0 - -: 8
$step - - 0: 5
$step reward.0 - -: 5
$step - - 1: 1"
	of_steps $((step + 1)) $((step + 1)) 2 1
done)"
done
RANK=0 trained grpo --preset trl --steps all --discrete true
equal a_file_of_each_stage_of_grpo "$(windows_in out)" 'step-1.generate.0 8
step-1.reward.0 5
step-3.generate.0 8
step-3.reward.0 5'

# ---- PyTorch's DistributedDataParallel and FSDP ----

single=$python
python="$single -m torch.distributed.run --nproc-per-node 2"
trained ddp --preset pytorch --steps 3,5 --ranks 1
equal two_steps_of_rank_1_of_DDP_have_their_calls "$(told_places)" '3 - - 0: 13
5 - - 0: 15'
python="$single $here/tests/helpers/python/two_ranks.py" # the same ranks, sooner
for kind in 1 2; do
	function=$([ $kind = 1 ] && echo _runtime_utils:_post_backward_final_callback || echo _fully_shard._fsdp_state:FSDPState._root_post_backward_final_callback)
	trained "fsdp $kind" --preset fsdp --steps all --ranks 1
	equal each_backward_pass_of_FSDP${kind}_is_heard "$(told 1 | grep fsdp)" "micro python:torch.distributed.fsdp.$function@return 6"
	equal each_micro_batch_of_FSDP${kind}_has_its_calls "$(told_places)" "1 - - 0: 3
$(for step in 1 2 3; do [ $step = 1 ] || echo "$step - - 0: 2"; echo "$step - - 1: 3
$step - - 2: 1"; done)"
done

# ---- DeepSpeed's engine: a reference's passes, and an evaluation behind each step, are no micro-batches ----

python=$single
deepspeed=$("$world/venv/bin/python" "$here/tests/helpers/python/verl_real/world.py" deepspeed==0.19.8 hjson==3.1.0 py-cpuinfo==9.0.0 msgpack==1.2.4 einops==0.8.2) || {
	echo "skip: DeepSpeed 0.19.8 could not be had"
	exit 77
}
export DS_ACCELERATOR=cpu PYTHONPATH="$PYTHONPATH:$deepspeed"
trained "deepspeed_engine 2" --preset deepspeed-0.16 --steps all
engine=python:deepspeed.runtime.engine:DeepSpeedEngine
equal what_DeepSpeed_tells "$(told 0)" "step $engine.forward{step=attr:self.global_steps+1,when=attr:self.module.training==True} 30
step $engine._take_model_step@return{step=attr:self.global_steps+1} 10
micro $engine.forward{when=attr:self.module.training==True} 30"
equal the_steps_of_a_checkpoint_go_on "$(heard boundaries last_step)" '10 10'
equal where_each_call_of_DeepSpeed_was_made "$(told_places)" "- - - -: 8
$(for step in 1 2 3 4 5 6 7 8 9 10; do
	of_steps $step $step 2 9
	echo "$step - - 2: $((step == 10 ? 9 : 16))"
done)"
finish
