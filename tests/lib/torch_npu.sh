# torch_npu.sh - the torch_npu of PyPI, unmodified, on the simulated CANN: `. tests/lib/torch_npu.sh`; then in $tmp, and
# `on_torch COMMAND...` runs it.
# shellcheck shell=sh disable=SC2154
. "$here/tests/lib/torch.sh"
need g++
sim=$here/tests/sims/ascend
accounts=$sim/accounts.py
cd "$tmp" || exit 1

# torch_npu VERSION: the commands of tests/torch_npu/run are "$world" cann
torch_npu() {
	world=$(python3 "$here/tests/torch_npu/world.py" "$1") || { echo "skip: torch_npu $1 could not be had"; exit 77; }
	rm -rf cann
	SIM_NAMES=$world/names "$sim/build.sh" cann/lib64 split >build.log 2>&1 || {
		fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
		finish
	}
}
on_torch() { "$here/tests/torch_npu/run" "$world" "$tmp/cann" "$@"; }
