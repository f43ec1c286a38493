# torch_cuda.sh - the torch of PyPI, unmodified, on the simulated CUDA: `. tests/lib/torch_cuda.sh`; then in $tmp, and
# `on_torch COMMAND...` runs it.
# shellcheck shell=sh disable=SC2154
. "$here/tests/lib/torch.sh"
sim=$here/tests/sims/cuda
accounts=$sim/accounts.py
cd "$tmp" || exit 1

# torch_cuda VERSION
torch_cuda() {
	world=$(python3 "$here/tests/torch_cuda/world.py" "$1") || { echo "skip: torch $1 could not be had"; exit 77; }
	SIM_NAMES=$world/names "$sim/build.sh" cuda >build.log 2>&1 || {
		fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
		finish
	}
}
on_torch() { "$here/tests/torch_cuda/run" "$world" "$tmp/cuda" "$@"; }
