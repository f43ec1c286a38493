#!/bin/sh
# e2e_torch_npu_readers.sh [VERSION]: DistributedDataParallel of two ranks on the torch_npu of PyPI, unmodified, on the simulated CANN, with
# its queue: msprof-analyze, HTA and TensorBoard's plugin, the real ones, find in the exports what report and dump say, and what the
# simulation counted in a run without ranktrace.
# takes: 70 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/readers.sh"
. "$here/tests/lib/torch_npu.sh"

torch_npu "${1:-2.14.0}"
readers pytorch
pytorch=$venv
readers ascend
readers=$here/tests/lib/ascend_readers.py

export SIM_CLOCK=1600000000 SIM_KERNEL_NS=5300 SIM_COPY_NS=1700 SIM_COPY_KB_NS=90 SIM_DEVICES=2
# trained COMMAND...: two ranks, under the command
trained() {
	timeout 300 "$here/tests/torch_npu/run" "$world" "$tmp/cann" "$@" \
		python3 "$here/tests/helpers/python/two_ranks.py" "$here/tests/torch_npu/train.py" >said 2>log || fail "two_ranks_end_well $*" "$(tail -n 1 log)"
}
trained "$run" --save-path run --steps 2-3 --ranks all --level level1 --contents cpu,npu,memory,shapes --torch-npu-markers allocator --
report nothing_of_it_is_lost run 'all(x["events"]["called"] == x["events"]["kept"] for x in ranks) and {x["rank"] for x in ranks} == {0, 1}'
# without a queue nothing is under way where a step ends: it is known what belongs to it
TASK_QUEUE_ENABLE=0 TRAIN_KEEPS=1 SIM_COUNTS=counts.%p SIM_TASKS=tasks.%p SIM_SHAPES=shapes.%p trained env

for kind in text db; do "$tool" export --to ascend-$kind run 2>>said; done
"$tool" export --to chrome -o chrome/ run 2>>said
text=$(echo run/*/ascend-text) db=$(echo run/*/ascend-db)
holds the_files_say_what_dump_and_report_say python "$readers" text "$text" run
holds the_databases_too python "$readers" database "$db" run
for pid in $(find . -name 'tasks.*.3' | cut -d. -f3); do
	holds "they_hold_what_process_${pid}_gave_the_device_without_us" python "$readers" simulated "$text" "$db" "$pid" 1 3
done
equal these_were_two_processes "$(find . -name 'tasks.*.3' | wc -l)" 2

folder() { dirname "$1"/*/profiler_info_"$2".json; }
msprof-analyze compare -d "$(folder "$text" 0)" -bp "$(folder "$text" 1)" -o compared.text >text.log 2>&1 &
msprof-analyze compare -d "$(folder "$text" 0)" -bp "$(folder "$db" 1)" -o compared.mixed >mixed.log 2>&1
wait
holds compare_has_the_report_s_figures python "$readers" compared compared.text run 1 0
holds compare_has_them_of_text_against_db python "$readers" compared compared.mixed run 1 0 db text
msprof-analyze cluster -m all -d "$text" -o clustered >cluster.log 2>&1 &
msprof-analyze cluster -m all -d "$db" -o clustered.db >cluster_db.log 2>&1
wait
holds the_cluster_has_the_report_s_figures_of_both_ranks python "$readers" clustered clustered run
collectives=$("$tool" dump --format jsonl run | grep '"kind":"collective"' | grep -c '"device_duration_ns"')
holds the_cluster_of_databases_has_all_steps_and_collectives python "$readers" recipe clustered.db ClusterStepTraceTime=4 ClusterCommunicationTime=$((collectives + 4)) RankDeviceMap=2
for log in text mixed cluster cluster_db; do
	holds "${log}_complains_of_nothing" python "$readers" no_errors $log.log
done
export HTA_DISABLE_NS_ROUNDING=1
holds HTA_and_the_plugin_have_the_report_s_figures "$pytorch/bin/python" "$here/tests/lib/pytorch_readers.py" "$tool" run chrome
finish
