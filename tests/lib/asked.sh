# asked.sh - what tests of `ranktrace ctl` share: `. tests/lib/asked.sh`, in $tmp. shellcheck shell=sh disable=SC2154
cd "$tmp" || exit 1
unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK
${CC:-gcc} -std=gnu11 -O1 -w -I"$here" -o asked "$here/tests/programs/asked.c" -lOpenCL || exit 1
export PYTHONPATH="$here/tests/helpers/asked" PYTHONDONTWRITEBYTECODE=1

# job OPTIONS... : runs scenario.py, which begins a job of ./asked; what it prints goes to said
job() {
	rm -rf out counts.*
	"$run" --save-path out --step-source api "$@" -- /usr/bin/python3 scenario.py >said 2>err
}

# whole RANKS [KILLED]: how many windows each rank has, and which steps, where all of these are whole
whole() { /usr/bin/python3 "$here/tests/helpers/asked/whole_steps.py" "$tool" out "$@"; }
