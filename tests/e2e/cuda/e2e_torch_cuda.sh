#!/bin/sh
# The torch of PyPI, unmodified, trains on the simulated CUDA, alone and in two ranks of DistributedDataParallel: it does not notice us,
# and each call that it makes is recorded once, in its step. The version is the one that e2e_torch_npu.sh has downloaded.
# takes: 70 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/torch_cuda.sh"
. "$here/tests/lib/readers.sh"

torch_cuda 2.14.0
train=$here/tests/torch_cuda/train.py
"$tool" hooks >hooks
export SIM_CLOCK=0 # times are to be those of the work alone

uncounted='"name":"nvtx\|"name":"_ZN3c10' # NVTX and torch's allocator are in no library that could count

bare alone python3 "$train"
equal a_training_run_ends_well "$status $(grep -c . alone.said)" '0 4'
traced whole '--steps all --level level2 --contents cpu,npu,memory,shapes' python3 "$train"
equal a_recorded_run_comes_to_the_same "$status $(cmp alone.said whole.said 2>&1)" '0 '
exact each_call_is_recorded_once level2
cat whole.tasks.* >whole.tasks
holds kernels_take_as_long_as_the_device_says python3 "$accounts" times whole.dump whole.tasks
equal ranges_of_nvtx_are_ranges "$("$tool" report --only ranges whole | awk '$NF ~ /^[1-3]$/ && $(NF - 1) == "step" { print $1, $2, $NF }' | sort | tr '\n' ';')" '1 0 1;1 0 2;1 0 3;'
equal it_multiplies_matrices "$(python3 "$here/tests/sims/lib/counts.py" whole.counts.* | grep '^cublas\(LtMatmul\|Sgemm_v2\) ' | xargs)" 'cublasLtMatmul 12 cublasSgemm_v2 39'
equal a_gemm_has_its_matrices "$("$tool" report whole | awk '/ cublas(Lt|Sg).*fp32/ { n += $1 } END { print n }')" 51

equal what_torch_allocates_is_what_it_says "memory $(awk '/"kind":"pool_alloc"/ { n++ } match($0, /"allocated":[0-9]+/) { now = substr($0, RSTART + 12, RLENGTH - 12) + 0; if (now > most) most = now } END { print most, n }' whole.all)" \
	"$(tail -n 1 alone.said)"

# ---- steps of it ----

# of_steps DUMP RANKS: of each rank two steps
of_steps() {
	for rank in $2; do
		for step in 2 3; do
			holds "the_calls_of_step_${step}_of_$1_are_in_it_on_rank_$rank" python3 "$here/tests/torch_cuda/of_step.py" hooks level1 "$1.dump" "$rank" $step "$tmp/$1.kept"
		done
	done
	equal "and_no_others_of_$1" "$(grep -vc '"step":[23],' "$1.dump")" 0
}
TRAIN_KEEPS=$tmp/steps.kept traced steps '--steps 2,3 --level level1 --contents cpu,npu,memory' python3 "$train"
equal nor_one_of_which_some_steps_are_recorded "$status $(cmp alone.said steps.said 2>&1)" '0 '
of_steps steps 0

# ---- none ----

traced none '--steps 100' python3 "$train"
equal a_run_that_never_comes_to_its_step_leaves_no_trace "$status $(cmp alone.said none.said 2>&1) $(find none -name '*.rtrace' | wc -l)" '0  0'
on_torch env LD_PRELOAD="$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH="$tmp/imported" RANKTRACE_STEPS=all python3 -c '
import glob, os, torch
print(len(glob.glob(os.environ["RANKTRACE_SESSION_ROOT"] + "-*/*/*")), os.path.exists("imported"))' >imported.said 2>imported.log
equal a_torch_that_is_only_imported_starts_nothing "$(cat imported.said)" '0 False'

# ---- two ranks ----

export SIM_DEVICES=2 TRAIN_ROOT="$tmp/root"
traced ranks '--steps all --level level1 --contents cpu,npu,memory,shapes' python3 -m torch.distributed.run --nproc-per-node 2 --standalone "$train"
equal two_ranks_end_well "$status $(grep -c . ranks.said)" '0 8'
exact each_call_of_two_ranks_is_recorded_once level1
TRAIN_KEEPS=$tmp/ddp.kept traced ddp '--steps 2,3 --level level1 --contents cpu,npu,memory' python3 "$here/tests/helpers/python/two_ranks.py" "$train"
of_steps ddp '0 1'
equal and_their_gradients_are_reduced "$(grep '"name":"ncclAllReduce"' ranks.dump | grep -o '"rank":[01]' | sort | uniq -c | tr -s ' ' | tr '\n' ';')" ' 3 "rank":0; 3 "rank":1;'

# ---- beside torch's own profiler ----

unset SIM_DEVICES
bare profiled python3 "$here/tests/torch_cuda/profiled.py"
traced profiled_by_both '--steps all --level level1 --contents cpu,memory' python3 "$here/tests/torch_cuda/profiled.py"
equal what_torch_s_profiler_tells_is_the_same "$status $(grep -c aten:: profiled.said | sed 's/^0$/nothing/;s/^[0-9]*$/something/') $(cmp profiled.said profiled_by_both.said 2>&1)" '0 something '

# ---- what the real readers make of the two ranks ----

[ "$failures" -eq 0 ] || finish # without readers the rest is left out
readers pytorch
pytorch=$venv
readers ascend
mkdir npu && "$BUILD/tests/programs/two_ranks" npu
"$tool" export --to ascend-text -o npu.text npu 2>said
"$tool" export --to chrome -o chrome/ ranks 2>said
"$tool" export --to chrome --ranks 1 --kinds launch,copy,operator,collective -o ranks.json ranks 2>said # a range would hide operators in it
msprof-analyze compare -d ranks.json -bp "$(dirname npu.text/*/profiler_info_0.json)" -o compared >compare.log 2>&1 &
HTA_DISABLE_NS_ROUNDING=1 holds HTA_and_the_plugin_have_the_report_s_figures "$pytorch/bin/python" "$here/tests/lib/pytorch_readers.py" "$tool" ranks chrome
wait
holds compare_with_an_NPU_has_launches_and_times python "$here/tests/lib/ascend_readers.py" against_torch compared ranks 1
holds and_complains_of_nothing python "$here/tests/lib/ascend_readers.py" no_errors compare.log
finish
