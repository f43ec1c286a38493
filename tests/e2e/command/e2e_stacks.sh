#!/bin/sh
# Which line of Python made a call: lines from the tables of each CPython, and what dump, report and export make of stacks.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
cd "$tmp" || exit 1

# ---- lines ----
for each in $(pythons); do
	equal "each_instruction_has_the_line_that_python_${each%%:*}_gives_it" \
		"$("${each#*:}" "$here/tests/helpers/python/line_tables.py" | "$BUILD/tests/programs/code_lines")" 'many functions, large ones of code, 0 wrong'
done

# ---- dump ----
mkdir out && "$BUILD/tests/programs/made_run" out 1 exact stacks more:extra
"$tool" dump --format jsonl out >lines
stacks() { /usr/bin/python3 "$here/tests/helpers/python/stacks_of.py" lines "$1"; }
equal frames_stand_innermost_first "$(stacks matmul)" 'linear:103 Layer.forward:71 train_step:42 <module>:15'
equal frames_of_python_stand_where_the_interpreter_does "$(stacks adam)" '/lib/libtorch.so+0x1000 train_step:44 <module>:15 /lib/libtorch.so+0x4000 None+0x6000'
equal why_there_is_none_is_told "$(stacks relu)" 'stack_of'
equal a_lost_stack_is_told "$(stacks extra)" 'stack_lost'
equal copies_without_one_have_none "$(grep -v clEnqueueNDRangeKernel lines | grep -c stack)" 0
equal a_line_of_text_ends_with_the_innermost_frame "$("$tool" dump out | sed -n 's/.* kernel=\([a-z]*\) .* \(stack.*\)/\1 \2/p' | sort -u | paste -sd';')" \
	'adam stack=/job/train.py:44 train_step;add stack=<frozen importlib._bootstrap>:200 _call_with_frames_removed;matmul stack=/venv/lib/python3.10/site-packages/torch/functional.py:103 linear;norm stack=/venv/lib/python3.10/site-packages/torch/functional.py:104 linear;relu stack_of=in_queue'
finish
