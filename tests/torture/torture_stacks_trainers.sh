#!/bin/sh
# Who asked for a call, with Hugging Face's Trainer and TRL's GRPOTrainer as PyPI has them, on the simulated CANN and CUDA: each call has the stack
# that Python says, whoever makes it; what is learnt and what is raised are as without us.
. "$(dirname "$0")/../lib/lib.sh"
need python3
venv=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/trainers
"$here/tests/helpers/python/trainers.sh" "$venv" || { echo "skip: the trainers could not be had"; exit 77; }
asked=$here/tests/torch_npu/asked.py
tables=$here/tests/helpers/python/report_tables.py
export HF_HUB_OFFLINE=1 SIM_CLOCK=0

# folded FOLDER, in_lines FOLDER: how many calls have a stack, by folded stacks, and by the report's lines
folded() { "$tool" export --to folded --by count "$1" | awk '!/^\[/ { n += $NF } END { print n }'; }
in_lines() { "$tool" report --format json "$1" | python3 -c 'import json, sys; print(sum(line["count"] for line in json.load(sys.stdin)["ranks"][0]["lines"]))'; }

# results NAME: without what the trainer logs, times among it
results() { grep -v "^{" "$1.said" | cksum; }

# trainer DEVICE KIND: in mode 0 of torch_npu's queue, in which the order of calls is that of who asks
trainer() {
	job="$venv/bin/python $here/tests/torch_npu/trainers.py $1 $2" of=$1_$2
	TASK_QUEUE_ENABLE=0 bare "$of.asked" $job learn said
	equal "a_run_without_us_ends_well_$of" $status 0
	for how in learn raise; do
		TASK_QUEUE_ENABLE=0 bare "$of.alone" $job $how
		TASK_QUEUE_ENABLE=0 traced "$of.$how" '--steps all --level level0 --contents cpu,module' $job $how
		equal "what_comes_of_it_is_the_same_${of}_$how" "$status $(results "$of.$how")" "0 $(results "$of.alone")"
	done
	holds "what_is_raised_is_said_$of" grep -q '^ValueError: no gradient in step 3' "$of.raise.said"
	holds "each_call_has_the_stack_that_python_says_$of" python3 "$asked" same said "$of.learn.dump"
	report "each_has_one_$of" "$of.learn" 'all("stack" in v for v in e) and len(e) == ranks[0]["events"]["kept"] == ranks[0]["events"]["called"]'
	holds "lines_have_the_time_of_their_calls_$of" python3 "$tables" "$tool" lines "$of.learn"
	equal "and_folded_stacks_as_many_$of" "$(folded "$of.learn")" "$(in_lines "$of.learn")"
	echo "$of is told $(python3 "$asked" sum "$of.learn.dump")"
}

# queued KIND: by the queue's thread
queued() {
	for mode in 1 2; do
		TASK_QUEUE_ENABLE=$mode traced "queue$mode.$1" '--steps all --level level0 --contents cpu,module' "$venv/bin/python" "$here/tests/torch_npu/trainers.py" npu "$1" learn
		report "with_mode_${mode}_each_call_has_a_stack_or_is_told_why_not_$1" "queue$mode.$1" \
			'all(("stack" in v) != (v.get("stack_of") == "in_queue") for v in e) and len(e) == ranks[0]["events"]["kept"] == ranks[0]["events"]["called"]'
		echo "$1 in mode $mode is told $(python3 "$asked" sum "queue$mode.$1.dump")"
	done
}

. "$here/tests/lib/torch_npu.sh"
torch_npu 2.14.0
for kind in hf grpo; do
	trainer npu $kind
	queued $kind
done
. "$here/tests/lib/torch_cuda.sh"
torch_cuda 2.14.0
for kind in hf grpo; do trainer cuda $kind; done
finish
