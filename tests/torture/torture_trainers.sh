#!/bin/sh
# Trainers of PyPI, unmodified, on the CPU: steps, micro-batches and stages are those that they count themselves, and each has its own calls.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
need python3
[ -z "${SAN-}" ] || { echo "skip: torch does not run under a sanitizer that came too late for it"; exit 77; }
world=$(python3 "$here/tests/torch_npu/world.py" 2.14.0) || { echo "skip: torch 2.14.0 could not be had"; exit 77; }
venv=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/trainers
"$here/tests/helpers/python/trainers.sh" "$venv" || { echo "skip: the trainers could not be had"; exit 77; }
told_program stages # for the library beside it
export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$world/torch/site" LD_LIBRARY_PATH="$world/torch/cuda" HF_HUB_OFFLINE=1
trainers=$here/tests/helpers/python/trainers
python=$venv/bin/python

# trained SCRIPT OPTION...: what it says is in `said`
trained() {
	script=$1
	shift
	rm -rf out
	timeout 300 "$run" --save-path out --level level1 "$@" -- $python "$trainers/$script.py" 2>err | tail -n 1 >said
	cut -d/ -f1 said | tr -s ' ' '\n' | grep . >steps # of the trainer, a line each
}
# recorded: the calls of each step that has a number, a line each
recorded() { "$tool" report --format json out | python3 -c 'import json, sys; [print(s["events"]) for r in json.load(sys.stdin)["ranks"] for s in r["steps"] if s["step"]]'; }
# heard KEY...: what run.json tells of the trainer's process
heard() { cat out/*/run.json | python3 -c 'import json, sys
for p in json.load(sys.stdin)["processes"]:
	if p["windows"]: print(*(p[key] for key in sys.argv[1:]))' "$@"; }

# ---- Hugging Face's Trainer ----

micro='--micro-source python:transformers.trainer:Trainer.training_step'
# shellcheck disable=SC2086 # a list of words
RANK=0 trained hf --steps all $micro
equal ten_steps_and_twenty_micro_batches_of_the_Trainer "$(heard boundaries micros step_source)" "10 20 python:torch.optim.optimizer:Optimizer+.step@return{group=max}"
recorded >got
equal each_step_of_the_Trainer_has_its_calls "$(head -n 10 got | diff steps -)" ''
# shellcheck disable=SC2086
RANK=0 trained hf --steps 4 --schedule counter=micro,active=1,repeat=1 $micro
equal the_first_micro_batch_of_step_4_has_its_calls "$(windows_in out)" 'step-4.micro-0 3'

# ---- accelerate ----

RANK=0 trained accelerated --steps 1-4
recorded >got
equal four_steps_of_sixteen_micro_batches_of_accelerate "$(heard boundaries) $(diff steps got)" '4 '

# ---- TRL ----

stage='--stage-source python:trl.trainer.grpo_trainer:GRPOTrainer._generate_and_score_completions{role=rollout}'
# shellcheck disable=SC2086
RANK=0 trained grpo --steps 1-4 --micro-source python:transformers.trainer:Trainer.training_step $stage
recorded >got
equal four_steps_of_GRPO_have_their_calls "$(heard boundaries micros) $(diff steps got)" '4 8 '
# shellcheck disable=SC2086
RANK=0 trained grpo --steps 1-4 --discrete true $stage
equal each_rollout_of_GRPO_has_its_calls "$(windows_in out)" "$(cut -d/ -f2 said | tr -s ' ' '\n' | grep . | awk '{ print "step-" NR ".rollout.0 " $1 }')"

# ---- DistributedDataParallel ----

python="$venv/bin/python -m torch.distributed.run --nproc-per-node 2"
trained ddp --steps 3,5 --ranks 1
recorded >got
equal two_steps_of_rank_1_of_DDP_have_their_calls "$(windows_in out | cut -d' ' -f1 | paste -sd' ') $(sed -n '3p;5p' steps | diff - got)" 'step-3 step-5 '
finish
