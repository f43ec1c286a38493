#!/bin/sh
# Recipes of msprof-analyze, the real one, on databases of other traces than e2e_ascend_db.sh has: each table that can have rows has those that dump
# and report tell of.
# takes: 50 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/readers.sh"
readers ascend
readers=$here/tests/lib/ascend_readers.py
cd "$tmp" || exit 1

cat >recipe <<'END'
cp -r "$2.db" "in.$1.$2"
msprof-analyze cluster -m "$1" -d "in.$1.$2" -o "out.$1.$2" >"$1.$2.log" 2>&1
END

mkdir marked cuda made
"$BUILD/tests/programs/two_ranks" marked 3 marked
"$BUILD/tests/programs/two_ranks" cuda 3 cuda
cp "$here"/tests/golden/2.3-ascend.rtrace made
cat >job <<END
RANK=0 WORLD_SIZE=2 $lm --quiet --steps 4 &
RANK=1 WORLD_SIZE=2 $lm --quiet --steps 4 && wait \$!
END
"$run" --save-path demo --steps 2-3 --ranks all --level level1 --contents cpu,npu,memory -- sh job >demo.log 2>&1
for trace in marked cuda made demo; do "$tool" export --to ascend-db -o $trace.db $trace >said 2>&1; done
"$tool" export --to chrome --ranks 1 -o cuda.json cuda 2>said

xargs -P 2 -L 1 sh recipe <<'END'
pp_chart marked
module_statistic marked
mstx_sum marked
all demo
cann_api_sum demo
compute_op_sum demo
free_analysis demo
export_summary demo
all made
cann_api_sum made
compute_op_sum made
hccl_sum made
END
msprof-analyze compare -d cuda.json -bp "$(dirname cuda.db/*/profiler_info_0.json)" -o compared.cuda >cuda.log 2>&1

# ---- ranges: of modules, and on a stream ----

holds module_statistic_has_the_kernels_of_each_module python "$readers" modules out.module_statistic.marked marked
holds pp_chart_has_each_range_on_the_device python "$readers" chart in.pp_chart.marked marked FP forward
holds mstx_sum_has_them_too python "$readers" recipe out.mstx_sum.marked MSTXMarkStats=6 MSTXAllDeviceStats=3
for log in module_statistic.marked pp_chart.marked mstx_sum.marked; do
	holds "${log}_complains_of_nothing" python "$readers" no_errors $log.log
done

# ---- the demo: no collectives, of which two lines complain ----

holds a_cluster_has_the_steps_of_the_demo python "$readers" recipe out.all.demo ClusterStepTraceTime=4 RankDeviceMap=2 HostInfo=1
holds and_complains_of_collectives_alone python "$readers" no_errors all.demo.log 'CommunicationGroupMap'
holds cann_api_sum_of_the_demo python "$readers" api_sums out.cann_api_sum.demo demo
holds compute_op_sum_of_the_demo python "$readers" kernel_sums out.compute_op_sum.demo demo
holds free_analysis_of_the_demo python "$readers" recipe out.free_analysis.demo FreeAnalysis=20

holds export_summary_of_the_demo python "$readers" summary_files in.export_summary.demo demo

# ---- a trace made by hand, with every kind there is ----

holds a_cluster_of_every_kind python "$readers" recipe out.all.made ClusterStepTraceTime=2 ClusterCommunicationTime=2 RankDeviceMap=1
holds cann_api_sum_of_every_kind python "$readers" api_sums out.cann_api_sum.made made
holds compute_op_sum_of_every_kind python "$readers" kernel_sums out.compute_op_sum.made made
holds hccl_sum_of_every_kind python "$readers" collective_sums out.hccl_sum.made made
for log in cann_api_sum.demo compute_op_sum.demo free_analysis.demo export_summary.demo all.made cann_api_sum.made compute_op_sum.made hccl_sum.made; do
	holds "${log}_complains_of_nothing" python "$readers" no_errors $log.log
done

# ---- a database against CUDA ----

holds compare_has_operators_and_times_of_CUDA python "$readers" against_gpu compared.cuda cuda 1
holds and_complains_of_nothing python "$readers" no_errors cuda.log
finish
