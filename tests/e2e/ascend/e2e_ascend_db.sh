#!/bin/sh
# export --to ascend-db: what the databases hold is what dump and report say, and msprof-analyze and its recipes fill the tables that they should.
# MORE=1: its advisor, too.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"
. "$here/tests/lib/readers.sh"
readers ascend
readers=$here/tests/lib/ascend_readers.py

build_layouts split
export SIM_KERNEL_NS=5300 SIM_COPY_NS=1700 SIM_COPY_KB_NS=90 SIM_CLOCK=1600000000 SIM_DEVICES=2
cat >job <<END
for rank in 0 1; do RANK=\$rank WORLD_SIZE=2 TRAIN_ROOT=$tmp/root split/host split/looked.so handle 1 8 & done; wait
END
LD_LIBRARY_PATH=$tmp/split "$run" --save-path run --ranks all --steps 2-3 --level level1 --contents cpu,npu,memory,shapes -- sh job >log 2>&1
"$tool" export --to ascend-db run 2>said
equal it_goes_beside_the_traces "$(sed -n 's/.*: exported to //p' said)" "$(echo run/*)/ascend-db"
db=$(echo run/*/ascend-db)
holds the_tables_say_what_dump_and_report_say python "$readers" database "$db" run
equal the_owner_alone_reads_them "$(find "$db" -type d ! -perm 700 -o -type f ! -perm 600)" ''
equal no_other_file_is_left "$(find "$db" -type f ! -name '*.db' ! -name '*.json')" ''
"$tool" export --to ascend-text run 2>said
text=$(echo run/*/ascend-text)

folder() { dirname "$1"/*/profiler_info_"$2".json; }
msprof-analyze compare -d "$(folder "$db" 0)" -bp "$(folder "$db" 1)" -o both >both.log 2>&1 &
msprof-analyze compare -d "$(folder "$text" 0)" -bp "$(folder "$db" 1)" -o mixed >mixed.log 2>&1
wait
holds compare_has_all_its_sheets_and_the_report_s_figures python "$readers" compared both run 1 0 db db
holds and_of_text_against_db python "$readers" compared mixed run 1 0 db text
[ -z "${MORE-}" ] || msprof-analyze advisor all -d "$(folder "$db" 0)" -o advised >advised.log 2>&1 &

cat >recipe <<'END'
cp -r "$2" "in.$1"
msprof-analyze cluster -m "$1" -d "in.$1" -o "out.$1" $3 >"$1.log" 2>&1
END
printf '%s\n' all cann_api_sum compute_op_sum hccl_sum free_analysis communication_group_map communication_time_sum communication_bottleneck \
	slow_rank | xargs -P 2 -I {} sh recipe {} "$db" ''
sh recipe computational_op_masking "$db" '--parallel_types default_group'
# Without -o the output is beside the input, where the recipe that compares two of them looks for it.
cp -r "$db" left
msprof-analyze cluster -m cluster_time_summary -d left >left.log 2>&1
wait
cp -r left right
msprof-analyze cluster -m cluster_time_compare_summary -d left --bp right >compare_summary.log 2>&1
for log in both mixed all cann_api_sum compute_op_sum hccl_sum free_analysis communication_group_map communication_time_sum \
	communication_bottleneck left compare_summary slow_rank computational_op_masking; do
	holds "${log}_complains_of_nothing" python "$readers" no_errors $log.log
done
[ -z "${MORE-}" ] || {
	holds the_advisor_writes_its_page sh -c 'test -s advised/mstt_advisor_*.html'
	holds advised_complains_of_nothing python "$readers" no_errors advised.log
}
steps=$((2 * 2)) collectives=$((2 * 10))
holds a_cluster_has_all_steps_and_collectives python "$readers" recipe out.all ClusterStepTraceTime=$steps ClusterCommunicationTime=$((collectives + steps)) RankDeviceMap=2 HostInfo=1
holds recipe_cann_api_sum python "$readers" api_sums out.cann_api_sum run
holds recipe_compute_op_sum python "$readers" kernel_sums out.compute_op_sum run
holds recipe_hccl_sum python "$readers" collective_sums out.hccl_sum run
holds and_its_tables python "$readers" recipe out.hccl_sum HcclAllRankStats=5 HcclPerRankStats=10 HcclTopOpStats=$((collectives / 2)) HcclGroupNameMap=1
holds recipe_free_analysis python "$readers" recipe out.free_analysis FreeAnalysis=20
holds recipe_communication_group_map python "$readers" recipe out.communication_group_map CommunicationGroupMapping=1
holds recipe_communication_time_sum python "$readers" communication_times out.communication_time_sum run
holds recipe_computational_op_masking python "$readers" masking out.computational_op_masking run
holds recipe_communication_bottleneck python "$readers" recipe out.communication_bottleneck CommunicationBottleneck=$((collectives / 2))
holds recipe_cluster_time_summary python "$readers" step_times left run
holds recipe_cluster_time_compare_summary python "$readers" no_difference left run

# ---- ranges that are given a stream ----

fill=1700 # SIM_COPY_NS: 64 bytes more take no ns
RANK=0 SIM_CLOCK=0 LD_LIBRARY_PATH=$tmp/split "$run" --save-path ranges --steps 1 --contents cpu,npu -- \
	/usr/bin/python3 "$here/tests/sims/ascend/times_ctypes.py" "$tmp/split" ranges >log 2>&1
"$tool" export --to ascend-db -o ranges.db ranges 2>said
equal a_range_has_a_task_as_long_as_it_was_on_the_device "$(/usr/bin/python3 -c '
import glob, sqlite3
db = sqlite3.connect(glob.glob("ranges.db/*/*/ascend_pytorch_profiler_0.db")[0])
print(*db.execute("select value, TASK.endNs - TASK.startNs from MSTX_EVENTS join TASK using (connectionId) join STRING_IDS on id = message order by 1"))')" \
	"('inner', $((2 * fill))) ('outer', $((6 * fill)))"
# In text: a slice of the stream, led to from the host's.
"$tool" export --to ascend-text -o ranges.text ranges 2>said
/usr/bin/python3 -c '
import glob, json, sys
records = json.load(open(glob.glob("ranges.text/*/*/trace_view.json")[0]))
threads = {(x["pid"], x["tid"]): x["args"]["name"] for x in records if x["name"] == "thread_name"}
slices = {(x["pid"], x["tid"], x["ts"]): x for x in records if x["ph"] == "X" and "event_type" in x.get("args", {})}
ends = {(x["id"], x["ph"]): slices[x["pid"], x["tid"], x["ts"]] for x in records if x.get("cat") == "MsTx"}
for (number, phase), begin in sorted(ends.items(), key=lambda x: x[1]["name"]):
	if phase == "s":
		end = ends[number, "f"]
		print(begin["name"], end["name"], threads[end["pid"], end["tid"]].split()[0::2], round(float(end["dur"]) * 1000))' >slices 2>&1
equal in_text_it_is_a_slice_of_its_stream "$(cat slices)" "inner inner ['Stream', 'ranges'] $((2 * fill))
outer outer ['Stream', 'ranges'] $((6 * fill))"
sh recipe mstx_sum ranges.db ''
holds recipe_mstx_sum python "$readers" recipe out.mstx_sum MSTXAllDeviceStats=2 MSTXMarkStats=2 MSTXAllCannStats=2
holds it_has_the_simulated_clock_s_times python "$readers" range_sums out.mstx_sum outer=$((6 * fill)) outer::inner=$((2 * fill))
holds mstx_sum_complains_of_nothing python "$readers" no_errors mstx_sum.log

# ---- a trace made by hand, with every kind there is ----

for kind in text db; do
	"$tool" export --to ascend-$kind -o made.$kind "$here"/tests/golden/2.3-ascend.rtrace 2>said
done
msprof-analyze compare -d made.text/*_ascend_pt -bp made.db/*_ascend_pt -o compared.made >compared.log 2>&1
holds compare_takes_every_kind python "$readers" no_errors compared.log
holds and_has_all_its_sheets_of_it python "$readers" sheet compared.made OverallMetrics CommunicationCompare OperatorCompareStatistic OperatorCompare ApiCompare KernelCompare MemoryCompareStatistic

# ---- a trace that is cut, with chunks lost: what is left of it is taken, and what is missing is said ----

cat >mangle.py <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
n = len(data)
data[n // 10:n // 10 + 300] = bytes(300)
open(sys.argv[1], "wb").write(data[:n * 95 // 100])
END
RANK=0 "$BUILD/tests/bench/stream" -d -s 12 lost >/dev/null
python mangle.py "$(find lost -name '*.rtrace')"
for kind in text db; do
	"$tool" export --to ascend-$kind -o lost.$kind lost >/dev/null 2>&1
	equal "a_damaged_trace_has_a_status_of_its_own_as_$kind" $? 1
done
equal what_is_left_says_that_it_is_not_all "$(cat lost.*/*/profiler_info_0.json | grep -c '"complete": false')" 2
equal the_database_is_whole "$(python -c '
import glob, sqlite3
for name in sorted(glob.glob("lost.db/*/*/*.db")):
    print(*sqlite3.connect(name).execute("pragma integrity_check").fetchone())')" 'ok
ok'
holds work_of_the_device_is_the_same_in_both python "$readers" same_kernels lost.text lost.db
msprof-analyze compare -d lost.text/*_ascend_pt -bp lost.db/*_ascend_pt -o compared.lost >compared.log 2>&1
holds compare_takes_it python "$readers" no_errors compared.log
holds and_has_its_figures python "$readers" sheet compared.lost OverallMetrics
finish
