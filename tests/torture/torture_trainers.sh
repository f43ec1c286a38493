#!/bin/sh
# Trainers of PyPI, unmodified, on the CPU: steps, micro-batches and stages are those that they count themselves, and each has its own calls.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/real_trainers.sh"

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
