# real_verl.sh - verl as PyPI has it, imported over the real PyTorch and Ray, on no device: `. tests/lib/real_verl.sh`, behind told_steps.sh.
# shellcheck shell=sh disable=SC2154
need python3
venv=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/ray
torch=$(python3 "$here/tests/torch_npu/world.py" 2.14.0) || { echo "skip: torch 2.14.0 could not be had"; exit 77; }
"$here/tests/helpers/python/ray.sh" "$venv" || { echo "skip: Ray could not be had"; exit 77; }
told_python
export PYTHONDONTWRITEBYTECODE= # what was unpacked has not been compiled yet
export LD_LIBRARY_PATH="$torch/torch/cuda"
real=$here/tests/helpers/python/verl_real

# packages REQUIREMENT...: what PYTHONPATH takes
packages() { "$torch/venv/bin/python" "$real/world.py" "$@"; }

# workers VERSION "KIND..." OPTION...: three steps of verl's own workers
workers() {
	version=$1 kind=$2
	shift 2
	rm -rf out
	verl=$(packages "verl==$version" tensordict==0.10.0 pydantic+==2.12.5) || { echo "skip: verl $version could not be had"; exit 77; }
	# shellcheck disable=SC2086 # a list of words
	PYTHONPATH="$verl:$torch/torch/site${others:+:$others}:$(echo "$venv"/lib/python3*/site-packages)" RANK=0 timeout 120 "$run" --save-path out --level level1 "$@" -- \
		"$torch/venv/bin/python" "$real/workers.py" $kind >said 2>err || tail -n 20 err
}

# told RANK: which functions told something, and how often; of a batch or a step, whatever it begins
told() {
	"$tool" check --sources out | awk -v rank="$1" '
		/^rank / { on = $2 == rank "," } /^process / { on = rank == "-" }
		on && / called [0-9]* times*$/ { sub(/^ */, ""); sub(/ times*$/, ""); sub(/: called /, " "); sub(/python:/, ""); print }'
}

# batches STEP ROLE MINIS MICROS CALLS LAST: each micro-batch has so many calls, the last one of a mini-batch so many more
batches() {
	for i in $(seq 0 $(($3 * $4 - 1))); do
		echo "$1 $2.0 $((i / $4)) $i: $(($5 + ((i + 1) % $4 ? 0 : $6)))"
	done
}
