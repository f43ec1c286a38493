#!/bin/sh
# The Triton of PyPI, unmodified, on memory of the torch of PyPI and the simulated CUDA: a launcher that is compiled when it is first used,
# against libcuda.so.1, and kernels whose code is made by the wheel's own assembler. Each call and kernel that the device counts is
# recorded, once.
# takes: 50 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/cuda_programs.sh"
. "$here/tests/lib/torch_cuda.sh"
need gcc

torch_cuda 2.14.0
triton=$(python3 "$here/tests/torch_cuda/with_triton.py" 3.8.0) || { echo "skip: triton could not be had"; exit 77; }
export PYTHONPATH="$triton" TRITON_LIBCUDA_PATH="$tmp/cuda" TRITON_CACHE_DIR="$tmp/compiled"
program triton '--step-source kernel:^add$' "$here/tests/torch_cuda/run" "$world" "$tmp/cuda" python3 "$programs/of_triton.py" 3
steps_of triton '1 2 2;2 2 0;3 2 1;' # with copies before the first step and after the last
finish
