#!/bin/sh
# Collectives as the clock of steps: collective:. What each window holds is what the program called between them.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK
build_layouts cann:cann
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -w -I"$here" -o npu_collectives "$here/tests/programs/npu_collectives.c" -Lcann -Wl,--no-as-needed -lascendcl -lacl_rt \
	-lhccl -lhcomm -pthread -Wl,--allow-shlib-undefined -Wl,-rpath,"$tmp/cann" || exit 1

# steps SOURCE WORD...: step:calls of each
steps() {
	source=$1
	shift
	rm -rf out
	RANKTRACE_RANK=0 "$run" --save-path out --steps all --level level1 --step-source "$source" -- ./npu_collectives "$@" >said 2>&1 || fail "$source" "$(cat said)"
	"$tool" dump --format jsonl out | python3 -c 'import collections, json, sys
count = collections.Counter(e["step"] for e in map(json.loads, sys.stdin) if e["name"] == "aclrtSynchronizeDevice")
print(*(f"{step}:{n}" for step, n in sorted(count.items())))'
}

rounds='2 allreduce 3 allgather 4 allreduce 5'
# shellcheck disable=SC2086 # a list of words
{
	equal each_call_ends_a_step "$(steps collective:HcclAllReduce all:1 $rounds)" '1:2 2:7 3:5'
	equal however_it_is_written "$(steps 'collective:allreduce$' all:1 $rounds)" '1:2 2:7 3:5'
	equal which_is_listed_with_its_steps "$(listened out)" 'step collective:allreduce$=2
step collective:allreduce$: fired 2 times'
	equal or_every_second "$(steps 'collective:allreduce*2' all:1 $rounds 6 allreduce 7 allreduce 8)" '1:9 2:18 3:8'
	equal of_several_names_too "$(steps 'collective:all(reduce|gather)*3' all:1 $rounds allreduce 9)" '1:9 2:14'
	equal others_do_not "$(steps collective:gather all:1 $rounds)" '1:5 2:9'
	equal on_one_of_the_ranks_here "$(steps collective:allreduce all:3 $rounds)" '1:2 2:7 3:5'
	equal the_largest_communicator_is_counted "$(steps collective:allreduce all:4 all:2 of:0 1 allreduce 2 of:1 allreduce 3 of:0 allreduce 4)" '1:1 2:5 3:4'
	equal of_two_as_large_the_first "$(steps collective:allreduce all:2 all:2 of:1 1 allreduce 2 of:0 allreduce 3 of:1 allreduce 4)" '1:1 2:5 3:4'
	equal from_where_a_larger_one_is_called "$(steps 'collective:allreduce*2' all:1 allreduce 1 all:2 allreduce 2 of:0 allreduce 3 of:1 allreduce 4)" '1:6 2:4'
	equal only_one_of_so_many_ranks_is "$(steps 'collective:allreduce*1{ranks=2}' all:1 allreduce 1 all:3 allreduce 2 all:2 allreduce 3 allreduce 4)" '1:3 2:3 3:4'
	equal where_it_ends_another_is "$(steps collective:allreduce all:4 allreduce 1 end all:2 allreduce 2 allreduce 3)" '2:1 3:2 4:3'
	equal a_forked_child_has_its_own "$(steps collective:allreduce 9 fork all:1 2 allreduce 3 join)" '1:11 2:3'
	RANKTRACE_RANK=0 "$run" --save-path never --steps 2 --step-source collective:alltoall -- ./npu_collectives all:2 $rounds >said 2>&1
	equal one_that_never_fires_is_told "$("$tool" check never | grep -c 'collective:alltoall never fired: no collective has such a name')" 1
	equal and_listed "$(listened never)" 'step collective:alltoall=0
step collective:alltoall: did not fire'
}

# The window that is asked for: the collective that ends a step is its last call.
# shellcheck disable=SC2086 # a list of words
RANKTRACE_RANK=0 "$run" --save-path one --steps 2 --level level0 --step-source collective:allreduce -- ./npu_collectives all:1 $rounds >said 2>&1
equal a_step_ends_with_its_collective "$("$tool" dump --format jsonl one | python3 -c 'import json, sys
print(*("%s:%s" % (e["step"], e["name"]) for e in map(json.loads, sys.stdin) if e["kind"] == "collective"))')" '2:HcclAllGather 2:HcclAllReduce'
# MindSpeed-RL's light mode: of the same calls collectives alone.
printf 'profile: true\nmstx: true\nprofile_level: level_none\nprofile_with_cpu: false\nprofile_with_npu: true\n' >light.yaml
# shellcheck disable=SC2086 # a list of words
RANKTRACE_RANK=0 "$run" --save-path light --steps 2 --config light.yaml --step-source collective:allreduce -- ./npu_collectives all:1 $rounds >said 2>&1
equal light_mode_records_collectives_alone "$("$tool" dump --format jsonl light | python3 -c 'import json, sys
print(*("%s:%s" % (e["step"], e["name"]) for e in map(json.loads, sys.stdin)))')" '2:HcclAllGather 2:HcclAllReduce'
equal nothing_is_lost "$("$tool" check one >checked; echo $?)" 0
finish
