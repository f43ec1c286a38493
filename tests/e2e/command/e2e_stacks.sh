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
# ---- report ----
for trace in out "$here/tests/golden/2.6-ascend.rtrace"; do
	for table in lines as_csv; do holds "${table}_of_$(basename "$trace")_are_those_of_dump" /usr/bin/python3 "$here/tests/helpers/python/report_tables.py" "$tool" "$table" "$trace"; done
done
equal the_report_says_of_how_many_calls_it_is_known "$("$tool" report --only stacks out | tail -n 1)" \
	"stacks: 120 of 168 calls; 24 by the thread of a framework's queue; 24 whose definitions are not in the files"
equal libraries_count_for_the_line_that_called_them "$("$tool" report --only lines out | awk 'NR > 4 { print $1, $2, $3, $NF, $(NF - 1) }' | paste -sd';')" \
	'48 28.800 ms Layer.forward /job/model.py:71;24 12.000 ms train_step /job/train.py:44;24 4.800 ms Layer.forward /job/model.py:72;24 2.400 ms Thread.run /usr/lib/python3.10/threading.py:901'
equal lines_are_of_the_steps_that_are_asked_for "$("$tool" report --steps 3-4 --only lines out | awk 'NR > 4 { print $1 }' | paste -sd' ')" '8 4 4 4'
finish
