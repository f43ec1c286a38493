#!/bin/sh
# End-to-end tests of CUDA and HIP as they are, with agent and programs for aarch64 under qemu-user. README.md has those that are
# not here, and why.
# takes: 230 s
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/aarch64.sh"
prepared
each_emulated cuda cuda cuda_contexts cuda_faults cuda_given cuda_graphs cuda_majors cuda_modules cuda_resolver cuda_sim cuda_threads cupti nccl
each_emulated hip hip hip_majors rccl roctx
finish
