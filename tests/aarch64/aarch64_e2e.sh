#!/bin/sh
# End-to-end tests as they are, with agent and programs for aarch64 under qemu-user. SCRIPTS="ascend/e2e_shapes ..." runs these.
#
# Not here, and why:
# * roads and symbol_source, which check_cross.sh has: they start programs by themselves.
# * what forks and records in both (marker_steps, collective_steps, time_steps, cuda_faults, launches, ascend_groups): qemu-user answers
#   MADV_WIPEONFORK as if it did so, and does not, so that a child goes on in its parent's rings. On a real kernel see torture_pages.sh.
# * what the launcher does (sources, selection, markers, ascend_time, life, kill, ...): its test of who is alive asks /proc, where qemu-user
#   shows a start of its own making.
# * what runs PoCL (forms, roads by pyopencl, window_times, programs): there is none for aarch64 here; by a stand-in check_cross.sh has roads.
# * what runs Python, PyTorch or torch_npu: those of this machine are not aarch64's.
# * what a second LD_PRELOAD or a handler's timer has to reach (cuda_modules, cuda_majors, cuda_resolver, cuda_allocator, nvtx).
. "$(dirname "$0")/../lib/lib.sh"

need aarch64-linux-gnu-g++
need qemu-aarch64
. "$here/tests/lib/aarch64.sh"
holds the_agent_cross_compiles for_arm -O2 build/arm64/libranktrace.so
holds and_the_command for_arm -O1 build/arm64/ranktrace
[ "$failures" -eq 0 ] || finish

for script in ${SCRIPTS:-ascend/e2e_ascend ascend/e2e_shapes ascend/e2e_ascend_names ascend/e2e_ascend_devices ascend/e2e_first_phases cuda/e2e_cuda cuda/e2e_cuda_sim
	cuda/e2e_cuda_threads cuda/e2e_cuda_contexts cuda/e2e_cuda_graphs cuda/e2e_cuda_given cuda/e2e_nccl hip/e2e_hip hip/e2e_hip_majors hip/e2e_rccl
	hip/e2e_roctx opencl/e2e_limits_opencl engine/e2e_definitions}; do
	status=0
	emulated "$here/tests/e2e/$script.sh" >"$tmp/output" 2>&1 || status=$?
	name=${script##*/}
	sed -n "s/^ok /ok ${name#e2e_}_/p; s/^FAIL /FAIL ${name#e2e_}_/p" "$tmp/output"
	equal "${name}_passes_on_aarch64" "$status" 0
done
finish
