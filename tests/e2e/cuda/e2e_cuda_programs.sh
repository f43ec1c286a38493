#!/bin/sh
# Programs that we did not write, on the simulated CUDA: tinygrad (ctypes, dlsym; graphs made node by node, two devices) and numba (NVIDIA's
# bindings, cuGetProcAddress, libraries and kernels of the driver). Each call and kernel that the device counts is recorded, once.
# takes: 70 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/cuda_programs.sh"

venv=${RANKTRACE_VENV:-$here/build/venv}
numba=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/numba
{ sh "$here/tests/helpers/python/venv.sh" "$venv" && sh "$here/tests/helpers/python/venv.sh" "$numba" numba; } >venv.log 2>&1 || {
	cat venv.log
	echo "skip: no Python packages"
	exit 77
}
"$sim/build.sh" cuda >build.log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
	finish
}

# tinygrad looks for libraries in its own places, and compiles for itself with CUDA_PTX.
export XDG_CACHE_HOME="$tmp/cache" DEV=CUDA CUDA_PTX=1 CUDA_PATH="$tmp/cuda/libcuda.so.1" LD_LIBRARY_PATH="$tmp/cuda"
export SIM_DEVICES=2
program tinygrad '' "$venv/bin/python" "$programs/of_tinygrad.py" 5
equal graphs_of_tinygrad_have_all_of_a_step "$(grep -c '"name":"cuGraphLaunch"' tinygrad.dump) $(grep '"name":"cuGraphLaunch"' tinygrad.dump | grep -c '"nodes":7,"kernels":\[{"name":"E_')" '3 3'
equal a_copy_to_another_device_is_one "$(grep '"name":"cuMemcpyDtoDAsync_v2"' tinygrad.dump | grep -o '"bytes":[0-9]*,"direction":"[a-z0-9]*"')" '"bytes":1024,"direction":"d2d"'
unset SIM_DEVICES

export NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS=0
program numba '--step-source kernel:3add' "$numba/bin/python" "$programs/of_numba.py" 3
steps_of numba '1 2 3;2 2 1;3 2 3;' # with copies before the first step and after the last
finish
