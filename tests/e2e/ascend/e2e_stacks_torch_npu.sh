#!/bin/sh
# e2e_stacks_torch_npu.sh [VERSION]: who asked for a call, with the torch_npu of PyPI on the simulated CANN: forward, backward, checkpoints, Python
# in the backward pass, optimizers, copies and collectives, as Python itself says of each operator; in each mode of torch_npu's queue. The version
# is that of e2e_torch_npu.sh; the others: make test-torch-npu.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/torch_npu.sh"

torch_npu "${1:-2.14.0}"
asked=$here/tests/torch_npu/asked.py
job="python3 $here/tests/torch_npu/stacks.py npu"

TASK_QUEUE_ENABLE=0 bare alone $job said
equal a_run_without_us_ends_well "$status $(grep -c '^losses\|^[A-Za-z]*Error:' alone.said)" '0 6'
for mode in 0 1 2; do
	TASK_QUEUE_ENABLE=$mode traced mode$mode '--steps all --level level0 --contents cpu,module' $job
	equal "with_mode_${mode}_of_its_queue_results_and_what_is_raised_are_the_same" "$status $(cmp alone.said mode$mode.said 2>&1)" '0 '
	report "with_mode_${mode}_each_call_has_a_stack_or_is_told_why_not" mode$mode \
		'(lambda x: len(e) == x["kept"] == x["called"] and all(("stack" in v) != (v.get("stack_of") == "in_queue") for v in e))(ranks[0]["events"])'
done
holds each_call_has_the_stack_that_python_says python3 "$asked" same said mode0.dump
holds what_the_queue_runs_has_the_stack_of_who_asked_though_its_plan_was_kept python3 "$asked" queued mode0.dump mode1.dump
# collectives, and with both phases in the queue operators, too
equal and_what_is_prepared_in_the_queue_has_none "$(for mode in 1 2; do python3 "$asked" of mode$mode.dump collective operator; done | paste -sd';')" \
	'collective in_queue; operator asked backward;collective in_queue; operator in_queue'
equal and_the_report_says_what_would_help "$(for mode in 0 1 2; do "$tool" report mode$mode | grep -c 'no stacks of calls that its queue makes: .*TASK_QUEUE_ENABLE=1 .* 0 '; done | xargs)" '0 1 1'
echo "is told $(for mode in 0 1 2; do python3 "$asked" sum mode$mode.dump; done | paste -sd,)"
finish
