# trained.sh - trainers whose optimizers tell of steps, sourced behind lib.sh: `train` and `counted`. shellcheck shell=sh disable=SC2034,SC2154
# The trainer and its PyTorch (a stand-in: hooks as the real one has them, no tensors) are optimizer_steps.py.

standin=$here/tests/helpers/python/standin
trainer=$here/tests/helpers/python/optimizer_steps.py
cd "$tmp" || exit 1
"$here/tests/sims/ascend/build.sh" "$tmp/cann" split >build.log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
	finish
}
export LD_LIBRARY_PATH="$tmp/cann"

# train OUT "PYTHON FLAGS" CASE [OPTION...]: with and without us; what it says and how it ends must be the same
train() {
	out=$1 command="$2 $trainer $tmp/cann $standin $3"
	shift 3
	$command >"$out.bare" 2>"$out.bare-errors"
	bare=$?
	SIM_COUNTS=$out.counts.%p RANK=${RANK-0} "$run" --save-path "$out" "$@" -- $command >"$out.said" 2>"$out.log"
	equal "${out}_runs_as_without_us" "$? $(cat "$out.said"; grep -v ^ranktrace: "$out.log")" "$bare $(cat "$out.bare" "$out.bare-errors")"
}

# counted OUT EXPRESSION: ... and of what the simulated libraries counted, nothing is missing; asks for --steps all
counted() {
	equal "$1_is_recorded_once" "$("$tool" dump --format jsonl "$1" 2>/dev/null | wc -l)" \
		"$(for c in "$1".counts.*; do python3 "$here/tests/sims/lib/counts.py" "$c"; done | awk '{ n += $2 } END { print n }')"
	report "$1_has_its_calls_in_their_steps" "$1" "$2"
}

source='python:torch.optim.optimizer:Optimizer+.step@return{group=max}'
clock="ranks[0]['step_source'] == '$source'"
