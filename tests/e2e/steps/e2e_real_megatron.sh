#!/bin/sh
# Megatron-LM 0.19.2 itself, imported as PyPI has it: its train_step, its schedule without pipelining and its optimizers, as far as they go
# on no device; and loops of others over the latter two.
# takes: 50 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/real_verl.sh"
megatron=$(packages megatron-core==0.19.2) || { echo "skip: megatron-core 0.19.2 could not be had"; exit 77; }

# looped "WORD..." OPTION...: iterations 3 to 5
looped() {
	rm -rf out
	word=$1
	shift
	# shellcheck disable=SC2086 # a list of words
	PYTHONPATH="$megatron:$torch/torch/site:$(echo "$venv"/lib/python3*/site-packages)" RANK=0 timeout 120 "$run" --save-path out --level level1 "$@" -- \
		"$torch/venv/bin/python" "$here/tests/helpers/python/trainers/megatron_loop.py" $word >said 2>err || tail -n 5 err
}
# of_step N FIRST LAST: its first micro-batch has so many calls, and the last one so many more than two
of_step() {
	echo "$1 - - 0: $2
$1 - - 1: 2
$1 - - 2: $((2 + $3))"
}
forward=megatron.core.pipeline_parallel.schedules:forward_step
chained=megatron.core.optimizer.optimizer:MegatronOptimizer+.step@return

# Before the first forward pass gradients are set to zero; two optimizers' steps are seven calls, and five follow.
wanted=$(echo '- - - -: 1'; for step in 3 4 5; do echo "$step - - -: 1"; of_step $step 2 $((7 + 5)); done)
looped '' --preset megatron --steps all
equal its_version_chose_the_preset "$(grep -o 'megatron-core 0.19.2: preset .*' err) $("$tool" check --sources out | grep -c '^  package megatron-core 0.19.2')" \
	'megatron-core 0.19.2: preset megatron-0.17 1'
equal each_function_tells "$(told 0)" "step megatron.training.training:train_step{step=arg:iteration} 3
step $chained 3
micro $forward 9"
equal where_each_call_was_made "$(told_places)" "$wanted"
looped '' --preset megatron-0.11 --steps all
equal as_of_versions_whose_number_is_a_variable "$(told_places)" "$wanted"
looped '' --preset megatron --steps 4 --schedule counter=micro,active=1,repeat=1
equal the_first_micro_batch_of_iteration_4 "$(windows_in out)" 'step-4.micro-0 2'

# Its own flags: with nsys, and with PyTorch's profiler, which counts since the process began, and one less.
looped '--profile --profile-step-start 4 --profile-step-end 5'
equal its_own_flags_say_iteration_4 "$(windows_in out)" "step-4 $((1 + 2 + 2 + 2 + 7 + 5))"
looped '--profile --use-pytorch-profiler --profile-step-start 2 --profile-step-end 3'
equal of_pytorch_s_profiler_the_second_of_the_process "$(windows_in out)" "step-4 $((1 + 2 + 2 + 2 + 7 + 5))"

looped core --preset megatron --steps all
equal steps_of_others_end_with_the_outer_optimizer "$(told 0)" "step $chained 3
micro $forward 9"
equal and_where_their_calls_were_made "$(told_places)" "1 - - -: 1
$(for step in 1 2 3; do of_step $step 2 7; done)"
finish
