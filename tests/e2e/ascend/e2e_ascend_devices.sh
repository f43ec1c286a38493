#!/bin/sh
# One process that drives several devices: each is the rank that its communicator says.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANKTRACE_RANK RANK WORLD_SIZE
export SIM_DEVICES=4
build_layouts cann:cann
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -w -I"$here" -o npu_devices "$here/tests/programs/npu_devices.c" -Lcann -Wl,--no-as-needed -lascendcl -lacl_rt \
	-lhccl -lhcomm -pthread -Wl,--allow-shlib-undefined -Wl,-rpath,"$tmp/cann" || exit 1

# record RANKS WORD...: into out; the variables are the caller's
record() {
	ranks=$1
	shift
	rm -rf out /dev/shm/devices-$$*
	"$run" --save-path out --steps all --ranks "$ranks" --level level1 --contents cpu,npu -- ./npu_devices "$@" >said 2>&1 || fail "$*" "$(cat said)"
}

# told WORD...: the process's rank, and of each of its devices' the number of fills and of the device
told() {
	record all "$@"
	"$tool" report --format json out | python3 -c 'import json, sys
for r in json.load(sys.stdin)["ranks"]:
	print(r["rank"], *("%d:%d@%s" % (d["rank"], d["copies"], d["device"].split()[-1]) for d in r["device_ranks"]))'
}

equal all_that_are_here_are_the_world "$(told all:3 work:2,3,5)" 'None 0:2@0 1:3@1 2:5@2'
equal a_list_of_devices_says_which "$(told reversed:3 work:2,3,5)" 'None 0:5@2 1:3@1 2:2@0'
equal threads_make_theirs "$(told "met:devices-$$:4:0:4" work:1,2,3,4)" 'None 0:1@0 1:2@1 2:3@2 3:4@3'
equal the_largest_group_is_the_world "$(told all:2 work:1,1 "met:devices-$$:4:0:4" work:1,2,3,4)" 'None 0:2@0 1:3@1 2:3@2 3:4@3'
equal a_part_of_a_group_may_be_any "$(told "met:devices-$$:4:2:2" work:1,2)" None
equal each_of_two_processes_has_two "$(RANK=1 WORLD_SIZE=2 told "met:devices-$$:4:2:2" work:1,2)" '1 2:1@0 3:2@1'
equal groups_in_a_process_are_not_the_world "$(RANK=1 WORLD_SIZE=2 told all:2 work:1,2)" 1
equal a_world_of_devices_without_a_rank "$(RANK_SIZE=4 told "met:devices-$$:4:2:2" work:1,2 | sed 's/^[23] /first /')" 'first 2:1@0 3:2@1'
equal one_device_is_its_process "$(RANK=3 WORLD_SIZE=4 told "met:devices-$$:4:3:1" work:7)" 3
equal a_part_tells_no_rank "$(WORLD_SIZE=4 told "met:devices-$$:2:1:1" work:7)" None
equal the_world_that_comes_behind_a_part_does "$(WORLD_SIZE=4 told "met:devices-$$-part:2:1:1" "met:devices-$$:4:3:1" work:7)" 3

# ---- what is shown ----

record all all:3 work:2,3,5
# fills OPTION...: how many of each rank the dump has
fills() { "$tool" dump --format jsonl "$@" out | python3 -c 'import collections, json, sys
print(*("%s:%d" % (rank, n) for rank, n in sorted(collections.Counter(str(e["rank"]) for e in map(json.loads, sys.stdin) if e["kind"] == "fill").items())))'; }
equal each_call_has_the_rank_of_its_device "$(fills)" '0:2 1:3 2:5'
equal so_has_its_line_of_text "$("$tool" dump out | awk '$9 == "fill" { print $3 }' | sort | uniq -c | xargs)" '2 0 3 1 5 2'
equal they_are_chosen_by_it "$(fills --ranks 1)" 1:3
equal one_that_is_not_there_is_missed "$("$tool" dump --ranks 7 out 2>&1 >/dev/null)" 'ranktrace: none of the --ranks is in the trace, but ranks 0-2'
"$tool" report out >report
equal the_report_has_a_row_for_each "$(sed -n '/^Ranks by device/,/^$/p' report | awk '$1 ~ /^[0-9]/ { print $1, $3, $4, $5, $NF }' | xargs)" '0 0 2 0 0 1 0 3 0 1 2 0 5 0 2'
equal they_were_busy "$(sed -n '/^Ranks by device/,/^$/p' report | awk '$1 ~ /^[0-9]/ && $6 > 0' | wc -l)" 3
"$tool" export --to csv -o tables out >said 2>&1
equal the_table_of_calls_has_their_ranks "$(python3 -c 'import collections, csv
for table in "fill", "device_times":
	print(*("%s:%d" % x for x in sorted(collections.Counter(r["rank"] for r in csv.DictReader(open(f"tables/{table}.csv"))).items())))')" '0:2 1:3 2:5
0:2 1:3 2:5'
"$tool" export --to ascend-db -o viewer out >said 2>&1
equal the_viewer_s_table_has_them "$(find viewer -name 'ascend_pytorch_profiler*.db' -exec python3 -c 'import sqlite3, sys
print(*sorted(sqlite3.connect(sys.argv[1]).execute("SELECT rankId, deviceId FROM RANK_DEVICE_MAP")))' {} \;)" '(0, 0) (1, 1) (2, 2)'

# ---- which are recorded ----

record 1 all:3 work:2,3,5
equal a_device_s_rank_is_selected "$(fills)" '0:2 1:3 2:5'
equal and_is_the_process_s "$("$tool" report --format json out | python3 -c 'import json, sys
print(*((r["rank"], r["rank_source"]) for r in json.load(sys.stdin)["ranks"]))')" "(1, 'communicator (inferred)')"
record 7 all:3 work:2,3,5
equal others_are_not "$(find out -name '*.rtrace' -size +0 | wc -l)" 0
finish
