# verl_jobs.sh - processes of a job in verl's shape, and what they have recorded: `. tests/lib/verl_jobs.sh`, behind told_steps.sh.
# shellcheck shell=sh disable=SC2154
told_python
shape=$here/tests/helpers/python/verl_shape
python=/usr/bin/python3

# by_hand JOB WORD...: job.py without a launcher, for whom each would be a run of its own
by_hand() {
	RANKTRACE_JOB=$1
	shift
	export RANKTRACE_JOB
	RANK=${rank-0} LD_PRELOAD="$SANITIZER${SANITIZER:+ }$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH=$tmp/out RANKTRACE_LEVEL=level1 \
		RANKTRACE_PRESET=${preset-verl-0.8} RANKTRACE_STEPS=${steps-all} exec $python "$shape/job.py" "$@"
}

# places_of RANK: how many of its calls each place has: step, role.occurrence, mini, micro
places_of() {
	find out -path "*/rank$1/*" -name '*.rtrace' | sort -V | while read -r file; do "$tool" dump --format jsonl "$file" 2>/dev/null; done |
		/usr/bin/python3 "$here/tests/helpers/python/watched/places.py"
}

# source_of RANK: what the report says of its steps
source_of() { "$tool" report --ranks "$1" out 2>/dev/null | sed -n '/^Step source/{n;:a;/^$/q;/^(preset /!p;n;ba}'; }
