# collectives.sh - ranks of the training program of a simulated NCCL or RCCL, and what is told of their collectives: sourced behind
# sim.sh.
# shellcheck shell=sh disable=SC2154,SC2086

# ranks_of N FORM: ranks.sh NAME runs N ranks, which say to NAME.RANK and count to NAME.RANK.counts
ranks_of() {
	cat >ranks.sh <<END
for rank in $(seq -s ' ' 0 $(($1 - 1))); do
	RANK=\$rank WORLD_SIZE=$1 TRAIN_ROOT=\$1.root SIM_COUNTS=\$1.\$rank.counts symbolic/train-$2 3 >"\$1.\$rank" &
done
wait
END
}

# collectives_are_told N FORM: of N ranks, recorded to out
collectives_are_told() {
	ranks=$1
	ranks_of "$ranks" "$2"
	sh ranks.sh bare
	"$run" --save-path out --steps all --level level1 --contents cpu,memory,device -- sh ranks.sh traced 2>log
	for rank in $(seq 0 $((ranks - 1))); do
		"$tool" dump --format jsonl --ranks $rank out >dump.$rank
		holds "rank_${rank}_says_what_it_says_without_us" cmp bare.$rank traced.$rank
		holds "calls_of_rank_${rank}_are_recorded_once" sh -c "python3 $accounts all dump.$rank level1 traced.$rank.counts <hooks"
	done
	all="[x for x in e if x['name'] == 'ncclAllReduce' and x['communicator_size'] == $ranks]"
	report a_collective_has_what_it_was_given out "[(x['count'], x['type'], x['reduction'], x['bytes']) for x in $all] == [(40000, 'fp32', 'sum', 160000)] * 3 * $ranks"
	report one_group_is_one_number_on_all_ranks out "len({x['communicator_group'] for x in $all}) == 1 and {x['communicator_rank'] for x in $all} == set(range($ranks))"
	# What a group queues has no time of its own: its end has that of all.
	report each_collective_or_group_is_timed out "(Counter((x['name'], x.get('device_duration_ns')) for x in e if x['kind'] == 'collective') ==
		Counter({('nccl' + name, time): 3 * $ranks * n for names, time, n in (
			('AllReduce GroupEnd', 10000, 2), ('Bcast Broadcast AllGather AlltoAll', 10000, 1), ('Reduce ReduceScatter Send Recv', None, 1)) for name in names.split()}))"
	report its_kernel_is_a_launch_too out "sum(x['kind'] == 'launch' and x.get('kernel') == '_Z19ncclDevKernel_Generic' for x in e) == 24 * $ranks"
	"$tool" report --format json --steps 1-3 out >of_steps
	holds calls_and_times_of_some_steps_are_one_row python3 -c "import json
for r in json.load(open('of_steps'))['ranks']:
    rows = [c for c in r['collectives'] if c['name'] == 'ncclAllReduce']
    assert rows and all(c['count'] == c['timed'] > 0 and c['communicator_group'] for c in rows), rows"
	"$run" --save-path every --steps all --contents cpu,device --device-every 2 -- sh ranks.sh every 2>log
	report collectives_are_timed_in_each_step_and_launches_in_every_second every "(Counter(x['step'] for x in e if x['kind'] == 'collective' and 'device_duration_ns' in x) == dict.fromkeys((1, 2, 3), 8 * $ranks) and
		{x['step'] for x in e if x['kind'] == 'launch' and 'device_duration_ns' in x} == {1, 3})"
	"$run" --save-path steps --steps 2 --step-source 'collective:allreduce*1' --contents cpu -- sh ranks.sh steps 2>log
	report steps_are_told_by_a_collective_of_all_ranks steps "{x['rank']: x['step'] for x in $all} == {rank: 2 for rank in range($ranks)}"
}
