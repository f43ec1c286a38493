#!/bin/sh
# A watched method in a region that the real PyTorch compiles: one graph as without us, and nothing is told of it.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
need python3
world=$(python3 "$here/tests/torch_npu/world.py" 2.14.0) || { echo "skip: torch_npu 2.14.0 could not be had"; exit 77; }
told_program stages # for the library beside it
export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$world/torch/site" LD_LIBRARY_PATH="$world/torch/cuda"
watched=$here/tests/helpers/python/watched
equal torch_compiles_it_as_one_graph "$("$run" --save-path out --level level1 --steps all --step-source api \
	--micro-source python:__main__:Model.forward_step -- "$world/venv/bin/python" "$watched/compiled.py" 2>err)" '[4.0, 4.0]'
equal and_what_is_not_compiled_is_told "$("$tool" dump --format jsonl out 2>/dev/null | /usr/bin/python3 "$watched/places.py")" '- - - -: 3
- - - 0: 3'
finish
