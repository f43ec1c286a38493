#!/bin/sh
# verl's own engine workers, as PyPI has them, and decode steps of a worker with vLLM's names, over the real torch on the simulated CUDA:
# each call that torch makes for models, losses, optimizers, collectives and graphs is recorded once, in its step, stage and batch.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/real_verl.sh"
. "$here/tests/lib/torch_cuda.sh"

torch_cuda 2.14.0
"$tool" hooks >hooks
export SIM_CLOCK=0
verl=$(packages verl==0.9.1 tensordict==0.10.0 pydantic+==2.12.5) || { echo "skip: verl could not be had"; exit 77; }
others=$verl:$(echo "$venv"/lib/python3*/site-packages)

# placed NAME PRESET PLACES SCRIPT: each call that torch makes is in the place where the script says it is; there are so many
placed() {
	PYTHONPATH=$others SIM_COUNTS=$tmp/$1.counts SIM_TASKS=$tmp/$1.tasks RANK=0 on_torch "$run" --save-path "$1" --preset "$2" --steps all --level level1 \
		--contents cpu,npu,memory -- "$torch/venv/bin/python" "$real/$4" >"$1.said" 2>"$1.err"
	equal "$1_ends_well" $? 0
	"$tool" dump --format jsonl "$1" 2>>"$1.err" | grep -v '"name":"nvtx\|"name":"_ZN3c10' >dump
	holds "each_call_of_$1_is_in_its_place" python3 "$real/of_places.py" hooks level1 dump "$tmp/$1.counts" "$(tail -n 1 "$1.said")"
	equal "and_these_are_all_places_of_$1" "$(cat holds.out)" "$3"
	holds "kernels_of_$1_are_those_of_the_device" python3 "$accounts" kernels dump "$1.tasks"
	[ "$failures" -eq 0 ] || tail -n 5 "$1.err"
}
# window NAME PRESET SCRIPT FILES OPTION...: recorded in part, each place has the calls that are made there; FILES: how many places, and the names of
# what is written
window() {
	job=$1.part preset=$2 script=$3 wanted=$4
	shift 4
	PYTHONPATH=$others SIM_COUNTS=$tmp/$job.counts RANK=0 on_torch "$run" --save-path "$job" --preset "$preset" --level level1 --contents cpu,npu,memory "$@" -- \
		"$torch/venv/bin/python" "$real/$script" >"$job.said" 2>"$job.err"
	"$tool" dump --format jsonl "$job" 2>>"$job.err" | grep -v '"name":"nvtx\|"name":"_ZN3c10' >part
	holds "each_call_of_${job}_is_in_its_place" python3 "$real/of_places.py" hooks level1 part "$tmp/$job.counts" "$(tail -n 1 "$job.said")" part
	equal "and_a_file_for_each_stretch_of_$job" "$(cat holds.out; find "$job" -name '*.rtrace' | sed 's|.*/||; s/\.[^.]*-[0-9]*-[0-9a-f]*\.rtrace$//' | sort)" "$wanted"
}
placed verl verl 180 on_cuda.py
window verl verl on_cuda.py "58
step-42.actor_compute_log_prob.0
step-42.actor_update.0
step-42.compute_values.0
step-42.critic_update.0
step-42.ref_compute_log_prob.0
step-42.ref_compute_log_prob.1" --steps 42 --discrete true
placed vllm vllm-0.9 5 decode_on_cuda.py
equal decode_steps_are_graphs "$(grep '"name":"cudaGraphLaunch"' dump | grep -o '"micro":[0-9]*\|"nodes":[0-9]*,"kernels"' | paste -sd ' ')" \
	'"micro":1 "nodes":3,"kernels" "micro":2 "nodes":3,"kernels" "micro":2 "nodes":3,"kernels" "micro":3 "nodes":3,"kernels"' # one without tokens is none
window vllm vllm-0.9 decode_on_cuda.py "1
micro-1" --steps all --schedule counter=micro,wait=1,active=1,repeat=1
finish
