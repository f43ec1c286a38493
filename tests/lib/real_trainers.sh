# real_trainers.sh - trainers as PyPI has them, over the real PyTorch, on the CPU: `. tests/lib/real_trainers.sh`, behind told_steps.sh.
# shellcheck shell=sh disable=SC2154
need python3
[ -z "${SAN-}" ] || { echo "skip: torch does not run under a sanitizer that came too late for it"; exit 77; }
world=$(python3 "$here/tests/torch_npu/world.py" 2.14.0) || { echo "skip: torch 2.14.0 could not be had"; exit 77; }
venv=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/trainers
"$here/tests/helpers/python/trainers.sh" "$venv" || { echo "skip: the trainers could not be had"; exit 77; }
told_python
export PYTHONDONTWRITEBYTECODE= # what was unpacked has not been compiled yet
export PYTHONPATH="$world/torch/site" LD_LIBRARY_PATH="$world/torch/cuda" HF_HUB_OFFLINE=1
trainers=$here/tests/helpers/python/trainers
python=$venv/bin/python

# trained "SCRIPT WORD..." OPTION...: what it says is in `said`
trained() {
	script=${1%% *} words=${1#"${1%% *}"}
	shift
	rm -rf out
	# shellcheck disable=SC2086 # lists of words
	timeout 300 "$run" --save-path out --level level1 "$@" -- $python "$trainers/$script.py" $words 2>err | tail -n 1 >said
	cut -d/ -f1 said | tr -s ' ' '\n' | grep . >steps # of the trainer, a line each
}
# recorded: the calls of each step that has a number, a line each
recorded() { "$tool" report --format json out | python3 -c 'import json, sys; [print(s["events"]) for r in json.load(sys.stdin)["ranks"] for s in r["steps"] if s["step"]]'; }
# heard KEY...: what run.json tells of the trainer's process
heard() { cat out/*/run.json | python3 -c 'import json, sys
for p in json.load(sys.stdin)["processes"]:
	if p["windows"]: print(*(p[key] for key in sys.argv[1:]))' "$@"; }
