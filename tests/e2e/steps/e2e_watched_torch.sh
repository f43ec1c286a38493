#!/bin/sh
# The real PyTorch. A watched method in a region that it compiles: one graph as without us, and nothing is told of it. And its preset:
# micro-batches of a plain trainer that accumulates gradients.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
need python3
world=$(python3 "$here/tests/torch_npu/world.py" 2.14.0) || { echo "skip: torch_npu 2.14.0 could not be had"; exit 77; }
told_python
export PYTHONDONTWRITEBYTECODE= # what was unpacked has not been compiled yet
export PYTHONPATH="$world/torch/site" LD_LIBRARY_PATH="$world/torch/cuda"
watched=$here/tests/helpers/python/watched
equal torch_compiles_it_as_one_graph "$("$run" --save-path out --level level1 --steps all --step-source api \
	--micro-source python:__main__:Model.forward_step -- "$world/venv/bin/python" "$watched/compiled.py" 2>err)" '[4.0, 4.0]'
equal and_what_is_not_compiled_is_told "$(told_places)" '- - - -: 3
- - - 0: 3'

# places OPTION...: of a plain trainer, by a Python that has the real PyTorch
places() {
	rm -rf out
	"$run" --save-path out --level level1 "$@" -- "$world/venv/bin/python" "$watched/accumulated.py" 2>err
	told_places
}
equal a_micro_batch_ends_with_each_backward_pass "$(places --preset pytorch --steps 2)" '2 - - 0: 1
2 - - 1: 2
2 - - 2: 3
2 - - 3: 4
2 - - 4: 9'
equal steps_are_told_as_without_it "$("$tool" report out | sed -n '/^Step source/{n;p}' | cut -d' ' -f1)" 'python:torch.optim.optimizer:Optimizer+.step@return{group=max}'
equal the_third_micro_batch_of_each_step "$(places --preset pytorch --steps all --schedule counter=micro,skip_first=2,active=1,repeat=1)" '1 - - 2: 3
2 - - 2: 3
3 - - 2: 3'
equal which_count_on_where_no_source_has_fired_yet "$(places --micro-source python:torch._tensor:Tensor.backward@return --steps all --schedule counter=micro,skip_first=2,active=1,repeat=1 | sed 's/^[^ ]* //' | sort -u)" '- - 2: 3'
equal the_version_that_is_there_is_told "$("$tool" check --sources out | grep -c '^  package torch 2\.14\.0')" 1
finish
