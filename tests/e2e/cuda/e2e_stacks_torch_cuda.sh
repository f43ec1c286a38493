#!/bin/sh
# Who asked for a launch, with the torch of PyPI on the simulated CUDA, whose backward pass is a thread's of its own: as Python itself says of each
# operator, in DistributedDataParallel; and while two threads are inside the backward pass it is said to be nobody's. The version is e2e_torch_cuda.sh's.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/torch_cuda.sh"

torch_cuda 2.14.0
asked=$here/tests/torch_npu/asked.py
job="python3 $here/tests/torch_npu/stacks.py cuda"

bare alone $job said
equal a_run_without_us_ends_well "$status $(grep -c '^losses\|^[A-Za-z]*Error:' alone.said)" '0 6'
traced learnt '--steps all --level level0 --contents cpu,module' $job
# kernels compute nothing here: what memory held before is what a loss is
for said in alone learnt; do sed 's/^\(gradients\|same\|losses\|reduced\) .*/\1/' $said.said >$said.raised; done
equal what_is_raised_is_the_same "$status $(cmp alone.raised learnt.raised 2>&1)" '0 '
holds each_call_has_the_stack_that_python_says python3 "$asked" same said learnt.dump

traced two '--steps 1 --step-source api --level level0 --contents cpu,module' python3 "$here/tests/torch_cuda/two_backward.py"
report while_two_threads_are_inside_the_backward_pass_one_since_before_the_window_a_launch_is_of_several two \
	'(lambda of: [of["several"], of["backward"], len(e)] == [1, 3, 11])(Counter(v.get("stack_of", "caller") for v in e))'
report and_then_of_the_one_that_is_left two \
	'["second" in [f["function"] for f in v["stack"]] for v in e if v.get("stack_of") == "backward"] == [True, False, False]'
echo "is told $(python3 "$asked" sum learnt.dump)"
finish
