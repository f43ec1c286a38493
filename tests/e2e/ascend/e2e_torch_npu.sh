#!/bin/sh
# e2e_torch_npu.sh [VERSION [more | untimed]]: the torch_npu of PyPI, unmodified, on the simulated CANN: a training run that does
# not notice us, and of which every call is recorded once, in its step. The version is the one whose torch is the smallest
# to download; the others, and more ways of running them: make test-torch-npu. untimed: nothing that is about how long something took.
# takes: 120 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/torch_npu.sh"

version=${1:-2.14.0} more=${2-}
train=$here/tests/torch_npu/train.py
torch_npu "$version"
"$tool" hooks >hooks

export SIM_CLOCK=0 SIM_KERNEL_NS=5300 SIM_COPY_NS=1700 SIM_COPY_KB_NS=90 # times are to be those of the work alone
all_contents='--contents cpu,npu,memory,shapes'

# timed NAME [SOURCE]: all work that streams were given has the time that it took; told NAME: and every operator its tensors
timed() {
	cat "$out".tasks.* >"$out.tasks"
	holds "$1" python3 "$sim/times.py" same "$out.dump" "$out.tasks" 0 ${2+"$2"}
}
told() {
	cat "$out".shapes.* >"$out.shapes"
	holds "$1" python3 "$sim/shapes.py" given "$out.shapes" "$out.dump"
}

# ---- alone ----

bare alone python3 "$train"
equal "a_training_run_ends_well" "$status $(grep -c . alone.said)" '0 20'
holds its_loss_falls_as_on_the_host sh -c "grep -qx 'rank0 as on the host True' alone.said && awk '/ (sgd|adamw) [0-9]/ { print \$NF }' alone.said |
	python3 -c 'import sys; l = [float.fromhex(x) for x in sys.stdin]; assert len(l) == 8 and sorted(l, reverse=True) == l, l'"
sed -n 's/^PLAIN(\(.*\))/aclnn\1/p' cann/lib64/rows/operators.def | sort >plain
equal every_operator_that_it_runs_computes "$(python3 "$here/tests/sims/lib/counts.py" alone.counts.* | cut -d' ' -f1 | sort | comm -12 - plain)" ''

traced whole "--steps all --level level2 $all_contents" python3 "$train"
equal a_recorded_run_comes_to_the_same_to_the_last_bit "$status $(cmp alone.said whole.said 2>&1)" '0 '
exact every_call_of_it_is_recorded_once level2
holds it_calls_what_it_did_without_us python3 "$sim/accounts.py" unchanged 'alone.counts.*' 'whole.counts.*'
timed all_of_its_work_has_the_time_that_it_took events
told every_operator_of_it_has_its_tensors
first_phases=$(python3 "$here/tests/sims/lib/counts.py" -p whole.counts.* | awk '$1 ~ /GetWorkspaceSize$/ { n += $2 } END { print n }')
holds every_first_phase_leads_to_its_operator python3 "$sim/shapes.py" joined whole.dump "$first_phases"
equal and_some_operators_come_from_the_cache "$(($(wc -l <whole.shapes) > first_phases))" 1
echo "is recorded $(wc -l <whole.dump)"
report nothing_of_it_is_lost whole '(lambda x: x["called"] == x["kept"] and not x["dropped"] and not x["in_flight"])(ranks[0]["events"])'

# ---- several of PyTorch's optimizers ----

traced rounds '--steps all' python3 "$here/tests/torch_npu/rounds.py"
equal each_round_of_them_copies_as_often "$status $(paste -sd' ' rounds.said)" '0 4 4 4 4 5 5 5 5'
report a_step_of_them_is_a_round rounds "[s['events'] for s in ranks[0]['steps']][:11] == [1, 1, 1, 2, 1, 1, 5, 4, 9, 6, 5]"
report until_it_is_known_they_are_provisional rounds \
	"[s['step'] for s in ranks[0]['steps'] if s.get('provisional')] == [1, 2, 3, 4, 5, 6, 7, 9, 10]"
holds and_the_report_tells_how_many_they_are sh -c "'$tool' report rounds | grep -qx '(2 optimizers: a step ends when the last one of a round has stepped)'"

# ---- torchrun, two ranks, one of them recorded: what a user types ----

export SIM_DEVICES=2
torchrun="python3 -m torch.distributed.run --nproc-per-node 2 $train"
two_ranks="python3 $here/tests/helpers/python/two_ranks.py $train" # the same ranks, sooner
# mode 0 of the queue: nothing is under way where a step ends, so it is known what belongs to it
TASK_QUEUE_ENABLE=0 TRAIN_KEEPS=1 traced ranks '--steps 2,4 --ranks 0 --level level1' $torchrun
equal two_ranks_end_well "$status $(grep -c . ranks.said)" '0 38'
equal a_recorded_rank_learns_what_the_other_one_does \
	"$(sed -n 's/^rank0 \(.* weights\|coll\)/\1/p' ranks.said)" "$(sed -n 's/^rank1 \(.* weights\|coll\)/\1/p' ranks.said)"
report only_what_was_asked_for_is_recorded ranks '(({x["rank"] for x in e}, {x["step"] for x in e}) == ({0}, {2, 4}))'
report the_optimizer_told_of_the_steps ranks '([x["step_source"].split(".")[0] for x in ranks] == ["python:torch"])'
equal copies_that_block_say_whose_time_is_theirs "$("$tool" report --only copies ranks | tail -n 1)" 'DEVICE -: the host waits in the call, which counts as the copy'"'"'s time, in Steps too'
pid=$(sed -n '1s/.*"pid":\([0-9]*\).*/\1/p' ranks.dump)
for step in 2 4; do
	holds "every_call_of_step_${step}_is_recorded_once" sh -c \
		"python3 $sim/accounts.py step $step ranks.dump level1 ranks.counts.$pid.$((step - 1)) ranks.counts.$pid.$step <hooks"
	grep "\"step\":$step," ranks.dump >step.dump
	tail -n +"$(($(wc -l <ranks.tasks.$pid.$((step - 1))) + 1))" ranks.tasks.$pid.$step >step.tasks
	holds "all_work_of_step_${step}_has_the_time_that_it_took" python3 "$sim/times.py" same step.dump step.tasks 0 events
done
# names FILE STEP: what was called in a step, and how often; but for the events of PyTorch's allocator, which looks at them as its time allows
names() { grep "\"step\":$2," "$1" | sed 's/.*"name":"\([^"]*\)".*/\1/' | grep -v 'Event\|^aclrtSetCurrentContext$\|^aclrtSetDevice$' | sort | uniq -c; }
# With a queue torch_npu launches from a thread of its own: where windows open and close it is waited for.
for mode in 1 ${more:+2}; do
	TASK_QUEUE_ENABLE=$mode traced queue$mode '--steps 2,4 --ranks 0 --level level1' $two_ranks
	for step in 2 4; do
		names ranks.dump $step >wanted
		names queue$mode.dump $step >got
		equal "with_mode_${mode}_of_its_queue_step_${step}_holds_the_same_calls" "$(diff wanted got)" ''
	done
done
# Collectives as the clock: every second all-reduce ends a step, on the thread that calls it.
collectives_end_steps() {
	TASK_QUEUE_ENABLE=0 traced reduced '--steps all --ranks 0 --level level1 --step-source collective:allreduce*2' $two_ranks
	python3 - reduced.dump >cut.dump <<'END'
import json, sys
calls = 0
for begin, line in sorted((json.loads(line)["begin_ns"], line) for line in open(sys.argv[1])):
    event = json.loads(line)
    event["step"] = 1 + calls // 2
    calls += event["name"] == "HcclAllReduce"
    print(json.dumps(event, separators=(",", ":")))
END
	equal every_second_all_reduce_ends_a_step "$(cut_steps=$(names cut.dump 3); [ "$cut_steps" = "$(names reduced.dump 3)" ] && echo "$cut_steps" | awk '$2 == "HcclAllReduce" { print $1 }')" 2
	for mode in 1 ${more:+2}; do
		SIM_KEEP=HcclAllReduce TASK_QUEUE_ENABLE=$mode traced reduced$mode '--steps 3 --ranks 0 --level level1 --step-source collective:allreduce*2' $two_ranks
		# torch_npu marks in windows only, and in mode 1 the trainer's own thread prepares operators, ahead of the one that calls collectives
		others=mstx$([ $mode = 2 ] || echo "\\|GetWorkspaceSize")
		names cut.dump 3 | grep -v "$others" >wanted
		names reduced$mode.dump 3 | grep -v "$others" >got
		equal "with_mode_${mode}_the_same_calls_are_between_two_of_them" "$(diff wanted got)" ''
		# What the simulation counted from the end of the fourth all-reduce to that of the sixth; but for calls of other threads.
		pid=$(sed -n '1s/.*"pid":\([0-9]*\).*/\1/p' reduced$mode.dump)
		others="Event|aclrtSet(CurrentContext|Device)$([ $mode = 2 ] || echo '|GetWorkspaceSize')"
		holds "with_mode_${mode}_the_window_is_what_was_counted_between_them" sh -c \
			"python3 $sim/accounts.py step 3 reduced$mode.dump level1 reduced$mode.counts.$pid.4 reduced$mode.counts.$pid.6 '$others' <hooks"
	done
}
[ -z "$more" ] || collectives_end_steps
echo "is stepped $(grep -c '"step":2' ranks.dump) + $(grep -c '"step":4' ranks.dump)"

# ---- why ----

[ "$more" != untimed ] || finish
# A rank that loads its data for 0.2 s in step 7. In mode 1 the other one waits in a collective that is counted to its step 8.
unset SIM_CLOCK
for mode in ${more:+0} 1; do
	TASK_QUEUE_ENABLE=$mode TRAIN_PAUSES=1:7:0.2 traced paused$mode '--steps 2-19 --level level1 --contents cpu,npu,memory' $two_ranks 10
	"$tool" why --format json paused$mode >why.json
	equal "with_mode_${mode}_why_names_the_step_in_which_a_rank_loaded_its_data_and_how_long_that_took" \
		"$(python3 - why.json "$(sed -n 's/^rank1 paused //p' paused$mode.said)" <<-'END'
			import json, sys
			f = json.load(open(sys.argv[1]))["findings"][0]
			gaps = sum(c["ns"] for c in f["causes"] if c["kind"] == "host_gap")
			print(f["step"], f["rank"], f["causes"][0]["kind"], abs(gaps / int(sys.argv[2]) - 1) < .15, sum(c["ns"] for c in f["causes"]) == f["excess_ns"])
		END
		)" '7 1 host_gap True True'
	"$tool" why --format json --ranks 0 paused$mode >why.json
	equal "and_with_mode_${mode}_the_other_one_waited_for_it" \
		"$(python3 - why.json "$(sed -n 's/^rank1 paused //p' paused$mode.said)" <<-'END'
			import json, sys
			f = json.load(open(sys.argv[1]))["findings"][0]
			c = f["causes"][0]
			print(c["kind"], abs(c["ns"] / int(sys.argv[2]) - 1) < .15, "waited for rank 1, " in c["text"])
		END
		)" 'wait True True'
done
export SIM_CLOCK=0
[ -n "$more" ] || finish

# ---- everything in torch_npu's queue ----

export SIM_DEVICES=1
TASK_QUEUE_ENABLE=2 traced queued "--steps all --level level1 $all_contents" python3 "$train"
equal with_both_phases_in_the_queue_it_comes_to_the_same "$status $(grep -v graph alone.said | cmp - queued.said 2>&1)" '0 '
exact and_every_call_is_recorded_once level1
timed and_all_its_work_has_the_time_that_it_took events
told and_every_operator_has_its_tensors

# ---- device times by msPTI ----

LD_PRELOAD=$tmp/cann/lib64/libmspti.so traced mspti "--steps all --level level1 $all_contents" python3 "$train"
equal with_mspti_it_comes_to_the_same "$status $(cmp alone.said mspti.said 2>&1)" '0 '
exact and_every_call_is_recorded_once_with_mspti level1
timed and_its_kernels_take_as_long_by_mspti
report which_tells_of_kernels mspti '({x["device_source"] for x in e if x["kind"] == "operator" and "device_source" in x} == {"mspti"})'

# ---- torch_npu's own profiler at the same time ----

profiled="python3 $here/tests/torch_npu/profiled.py"
bare profiled $profiled theirs
traced both "--steps all --level level1 $all_contents" $profiled theirs_with_us
equal beside_the_profiler_a_run_comes_to_the_same "$status $(grep -c ^0x both.said) $(grep ^0x profiled.said)" "0 5 $(grep ^0x both.said)"
exact and_every_call_beside_the_profiler_is_recorded_once level1
told and_every_operator_beside_the_profiler_has_its_tensors
echo "is profiled $(grep ^files both.said), $(grep ^files profiled.said) without us"
finish
