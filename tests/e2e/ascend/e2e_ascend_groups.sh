#!/bin/sh
# Three ranks on a simulated CANN: communicators of one group have one number everywhere, batches tell how many they are,
# and collectives beside HCCL's have what they were given.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/ascend
cd "$tmp" || exit 1
{ "$sim/build.sh" cann split && ${CC:-gcc} -std=gnu11 -I"$here" -o groups "$here/tests/programs/ascend_groups.c" -Lcann -Wl,--no-as-needed -lhccl -lhcomm \
	-lascendcl -lacl_rt -llcal -lshmem -Wl,-rpath,"$tmp/cann"; } >log 2>&1 || {
	fail the_simulated_libraries_are_built "$(grep -E "error|ld:" log | head -n 3)"
	finish
}
export LD_LIBRARY_PATH=$tmp/cann SIM_HCCL_TIMEOUT=20
python3 -c 'import sys
for name in sys.argv[1:]: sys.stdout.write(name.ljust(4108, "\0"))' "groups-$$-a" "groups-$$-b" "groups-$$-c" >roots
echo "groups-$$-table 3" >table
for rank in 0 1 2; do
	RANK=$rank WORLD_SIZE=3 SIM_COUNTS=counts.$rank "$run" --save-path "out.$rank" --job groups --steps all --level level2 --contents cpu,memory -- \
		./groups roots table >"said.$rank" 2>"log.$rank" &
done
wait
rm -f "/dev/shm/groups-$$"*
equal all_ranks_get_the_sum_of_their_part "$(cat said.?)" 'sum 2
sum 2'
"$tool" hooks >hooks
for rank in 0 1 2; do
	"$tool" dump --format jsonl "out.$rank" >"dump.$rank"
	holds "rank_${rank}_is_recorded_once" sh -c "python3 $sim/accounts.py all dump.$rank level2 counts.$rank <hooks"
done
# group SYMBOL [N]: of the (N-th) call, on each rank
group() { for r in 0 1 2; do grep "\"name\":\"$1\"" dump.$r | grep -o '"communicator_group":"0x[0-9a-f]*"' | sed -n "${2:-1}p"; done; }
same() { group "$1" | sort | uniq -c | awk '{ print $1 }'; }
equal ranks_that_met_by_a_root_have_one_group "$(same HcclCommInitRootInfo)" 3
equal ranks_that_met_by_many_roots_have_one_group "$(same HcclCommInitRootInfoScalable)" 3
equal ranks_of_a_rank_table_have_one_group "$(same HcclCommInitClusterInfo)" 3
equal a_part_of_the_ranks_has_one_group "$(same HcclCreateSubCommConfig)" 2
equal communicators_of_one_process_are_no_other_process_s "$(same HcclCommInitAll | xargs)" '1 1 1'
equal groups_that_met_elsewhere_are_others "$(for s in HcclCommInitRootInfo HcclCommInitRootInfoScalable HcclCommInitClusterInfo HcclCreateSubCommConfig \
	HcclCommInitAll; do group $s; done | sort -u | wc -l)" 7

# fact NAME RANK SYMBOL EXPRESSION over its events s
fact() { report "$1" "out.$2" "(lambda s: $4)([x for x in e if x['name'] == '$3'])"; }
fact a_part_has_rank_and_size_in_it 2 HcclAllReduce '[(x["communicator_rank"], x["communicator_size"], x["count"]) for x in s] == [(1, 2, 4)]'
fact a_rank_outside_a_part_has_no_communicator 1 HcclCreateSubCommConfig '[x.get("communicator_size") for x in s] == [None]'
fact a_batch_of_messages_has_items_and_bytes 0 HcclBatchSendRecv '[(x["count"], x["bytes"]) for x in s] == [(2, 48)]'
fact a_batch_of_copies_has_items_and_bytes 0 aclrtMemcpyBatch '[(x["items"], x["bytes"]) for x in s] == [(3, 28)]'
fact lccl_collectives_have_what_they_were_given 1 LcclAllReduce \
	'[(x["kind"], x["count"], x["type"], x["reduction"], x["bytes"], x["communicator_rank"], x["communicator_size"]) for x in s] ==
	 [("collective", 5, "fp32", "max", 20, 1, 3)]'
fact lccl_roots_are_named 1 LcclBroadcast '[(x["peer"], x["communicator_size"]) for x in s] == [(1, 3)]'
fact one_sided_copies_have_bytes_and_peer 0 aclshmemx_putmem_on_stream '[(x["kind"], x["bytes"], x["peer"]) for x in s] == [("collective", 20, 2)]'
fact shared_memory_has_bytes 0 aclshmem_malloc '[(x["kind"], x["bytes"], "nested" in x) for x in s] == [("alloc", 64, False)]'
fact and_what_it_stands_on_is_nested 0 aclrtMalloc '[(x["bytes"], x.get("nested")) for x in s] == [(64, True)]'

# The report joins them: a row a group, whichever processes were in it.
mkdir together
find out.? -name '*.rtrace' -exec cp {} together \;
"$tool" report --top 100 together >joined
# joined_row NAME COMMUNICATOR: how often, how often each rank, which ranks, bytes
joined_row() { sed -n '/^Collectives by group/,/^$/p' joined | grep "  $1  $2\$" | awk '{ print $1, $2, $3, $4, $5, $6, $7 }'; }
equal the_report_joins_all_ranks_of_a_group "$(joined_row HcclBatchSendRecv "groups-$$-a")" '3 1 3 of 3 144 B'
equal and_the_ranks_of_a_part "$(joined_row HcclAllReduce "groups-$$-a-7")" '2 1 2 of 2 32 B'
equal a_rank_that_was_not_there_is_missed "$("$tool" report --top 100 out.0 | grep "groups-$$-a-7\$" | awk '{ print $1, $2, $3, $4, $5 }')" '1 1 1 of 2'
for rank in 0 1 2; do "$tool" report --format json "out.$rank" >"$rank.json"; done
python3 -c 'import json, sys
for report in sys.argv[1:]:
	for r in json.load(open(report))["ranks"]:
		for c in r["collectives"]: print(c["name"], c["communicator_group"] is not None, c["communicator_rank"], c["communicator_size"], c["count"], c["bytes"])' 0.json 1.json 2.json >rows
equal each_rank_has_its_rows "$(grep "^Hccl" rows | sort)" 'HcclAllReduce True 0 2 1 16
HcclAllReduce True 1 2 1 16
HcclBatchSendRecv True 0 3 1 48
HcclBatchSendRecv True 1 3 1 48
HcclBatchSendRecv True 2 3 1 48'

# Where no variable tells a rank: a communicator of the world's size does, and no other.
# inferred WORLD OPTIONS...: rank:source of each process, in the order of the ranks
inferred() {
	world=$1
	shift
	python3 -c 'import sys
for name in sys.argv[1:]: sys.stdout.write(name.ljust(4108, "\0"))' "groups-$$-$world-a" "groups-$$-$world-b" "groups-$$-$world-c" >roots
	echo "groups-$$-$world-table 3" >table
	for rank in 0 1 2; do
		env -u RANK WORLD_SIZE=$world SIM_COUNTS=world.$world.$rank "$run" --save-path "by.$world.$rank" --level level2 --contents cpu,memory "$@" -- \
			./groups roots table $rank >said 2>"log.$rank" &
	done
	wait
	rm -f "/dev/shm/groups-$$"*
	for rank in 0 1 2; do
		"$tool" report --format json "by.$world.$rank" 2>/dev/null | python3 -c 'import json, sys
print(*("%s:%s" % (r["rank"], r["rank_source"]) for r in json.loads(sys.stdin.read() or "{\"ranks\":[]}")["ranks"]), sep=" ")'
	done
}
equal a_communicator_of_all_tells_the_rank "$(inferred 3 --steps all)" '0:communicator (inferred)
1:communicator (inferred)
2:communicator (inferred)'
"$tool" dump --format jsonl by.3.1 >dump.1
holds and_every_call_before_it_is_there sh -c "python3 $sim/accounts.py all dump.1 level2 world.3.1 <hooks"
equal a_smaller_one_does_not "$(inferred 5 --steps all | sort -u)" 'None:None'
equal nor_does_one_whose_ranks_are_all_here "$(inferred 2 --steps all | sed -n 2p)" 'None:None'
rm -rf by.3.* world.3.*
equal ranks_are_selected_by_it "$(inferred 3 --steps all --ranks 1 | xargs)" '1:communicator (inferred)'
finish
