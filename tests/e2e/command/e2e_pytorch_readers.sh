#!/bin/sh
# export --to chrome into a folder: HTA and TensorBoard's plugin, the real ones, find in it what the report says, of both ranks.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"
. "$here/tests/lib/readers.sh"
readers pytorch

# read_back NAME TRACE OPTION...: exported, and read by both
read_back() {
	name=$1 trace=$2
	shift 2
	"$tool" export --to chrome "$@" -o "$trace.read/" "$trace" >said 2>&1 || fail "$name" "$(cat said)"
	holds "$name" "$venv/bin/python" "$here/tests/lib/pytorch_readers.py" "$tool" "$trace" "$trace.read"
}

mkdir made
"$BUILD/tests/programs/two_ranks" made
read_back a_trace_with_all_that_they_tell_apart made
equal files_are_called_as_pytorch_calls_them "$(find made.read -type f -printf '%f\n' | sort)" 'made_40.1700000000000.pt.trace.json
made_41.1700000000000.pt.trace.json'
read_back the_same_in_packed_files made --compress gz
rm made.read/*.json
holds these_alone "$venv/bin/python" "$here/tests/lib/pytorch_readers.py" "$tool" made made.read

# CUDA's and HIP's calls have the categories that PyTorch gives them: HTA joins launches and kernels, msprof-analyze operators and kernels.
mkdir cuda
"$BUILD/tests/programs/two_ranks" cuda 3 cuda
read_back a_trace_of_CUDA cuda
equal calls_of_CUDA_are_of_its_runtime_or_driver "$(grep -ho '"name":"cu[A-Za-z0-9_]*","cat":"cuda_[a-z]*"' cuda.read/*_40.* | sort -u)" \
	'"name":"cuMemFree_v2","cat":"cuda_driver"
"name":"cudaDeviceSynchronize","cat":"cuda_runtime"
"name":"cudaLaunchKernel","cat":"cuda_runtime"
"name":"cudaMalloc","cat":"cuda_runtime"
"name":"cudaMemcpyAsync","cat":"cuda_runtime"
"name":"cudaMemsetAsync","cat":"cuda_runtime"'

# HTA cuts times to whole microseconds, and stops at kernels that take less: the made-up trace has none.
export HTA_DISABLE_NS_ROUNDING=1

cat >job <<EOF
RANK=0 WORLD_SIZE=2 $lm --quiet --steps 6 &
RANK=1 WORLD_SIZE=2 $lm --quiet --steps 6 && wait \$!
EOF
"$run" --save-path opencl --steps 2-4 --ranks all --level level1 --contents cpu,npu,memory -- sh job >log 2>&1
equal a_training_run_is_recorded $? 0
read_back a_training_run_on_opencl opencl

build_layouts split
export SIM_KERNEL_NS=5300 SIM_COPY_NS=1700 SIM_COPY_KB_NS=90 SIM_CLOCK=1600000000 SIM_DEVICES=2
cat >job <<EOF
for rank in 0 1; do RANK=\$rank WORLD_SIZE=2 TRAIN_ROOT=$tmp/root split/host split/looked.so handle 1 8 & done; wait
EOF
LD_LIBRARY_PATH=$tmp/split "$run" --save-path cann --steps 2-3 --ranks all --level level1 --contents cpu,npu,memory,shapes -- sh job >log 2>&1
read_back a_training_run_on_a_simulated_cann_with_collectives cann
finish
