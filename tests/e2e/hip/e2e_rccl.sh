#!/bin/sh
# Two ranks on a simulated RCCL, which has NCCL's names: collectives are recorded once, joined over ranks, and have the times of HIP's
# streams; also where NCCL and CUDA are in the process, too.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=hip
. "$here/tests/lib/sim.sh"
. "$here/tests/lib/collectives.sh"
build_layouts symbolic
"$tool" hooks >hooks
export LD_LIBRARY_PATH="$tmp/symbolic"

collectives_are_told 2 group6
report a_collective_is_on_the_stream_of_its_kernel out 'Counter(x["stream"] for x in e if x["kind"] == "collective" and "device_duration_ns" in x) == Counter(x["stream"] for x in e if x.get("kernel") == "_Z19ncclDevKernel_Generic")'

# ---- NCCL on a stream of CUDA and RCCL on one of HIP, in turns ----

export LD_LIBRARY_PATH="$tmp/cuda:$tmp/symbolic"
{ "$here/tests/sims/cuda/build.sh" cuda symbolic && ${CC:-gcc} -std=gnu11 -O1 -g -Wall -o both "$here/tests/programs/two_collectives.c" -ldl; } >log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 log)"
	finish
}
both="./both cuda cuda/libcudart.so.13 cuda/libnccl.so.2 1000 hip symbolic/libamdhip64.so.6 symbolic/librccl.so.1 2000"
equal both_work_without_us "$($both | xargs)" 'cuda 0 hip 0 cuda 0 hip 0'
equal and_with_us "$("$run" --save-path both.out --steps all --level level1 --contents cpu,device -- $both 2>log | xargs)" 'cuda 0 hip 0 cuda 0 hip 0'
report each_collective_is_on_its_vendor_s_stream both.out '([(x["name"], x.get("count"), x["stream"], x["device_duration_ns"]) for x in e if x["kind"] == "collective" or x.get("kernel")] ==
	2 * [("ncclAllReduce", 1000, 1, 10000), ("cuLaunchKernelEx", None, 1, 10000), ("ncclAllReduce", 2000, 2, 10000), ("hipLaunchKernel", None, 2, 10000)])'
report and_of_its_vendor_s_communicator both.out '(lambda of: of("collective") == 2 * of("communicator") and len(set(of("communicator"))) == 2)(lambda kind: [x["communicator_group"] for x in e if x["kind"] == kind])'
finish
