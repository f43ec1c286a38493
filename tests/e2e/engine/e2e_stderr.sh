#!/bin/sh
# A standard error that takes nothing, be it full or stopped: nobody waits for it, and what was to be said there others say.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit 1
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS
export RANK=0 RANKTRACE_CONTENTS=cpu
. "$here/tests/helpers/storage/lib.sh"
blocked=$here/tests/helpers/storage/blocked.py

# waits_for_nobody NAME WANTED VARIABLE=VALUE COMMAND...: for each kind; WANTED is what check says of it
waits_for_nobody() {
	name=$1 wanted=$2
	shift 2
	for kind in pipe terminal socket; do
		rm -rf out
		bare=$(python3 "$blocked" $kind "$@")
		"$run" --save-path "$tmp/out" --steps all --step-source api -- python3 "$blocked" $kind "$@" >said 2>err
		equal "${name}_ends_as_without_us_with_a_$kind" "$(cat said)" "$bare"
		"$tool" check out >got
		equal "${name}_is_told_by_check_with_a_$kind" "$(sed 's/process [0-9][0-9]*/process P/' got)" "$wanted"
	done
}

waits_for_nobody refused_settings "rank 0: the settings were refused: RANKTRACE_LEVEL: 'x' is not a level: write level_none, level0, level1 or level2
rank 0: this could not be said on its standard error: RANKTRACE_LEVEL: 'x' is not a level: write level_none, level0, level1 or level2; nothing is recorded, the job runs on" \
	RANKTRACE_LEVEL=x ./store few
waits_for_nobody a_folder_that_cannot_be_written "rank 0: /proc/nowhere cannot be written: No such file or directory: 5000 of 5000 calls are lost: give another --save-path
rank 0: this could not be said on its standard error: cannot write /proc/nowhere: no such file or directory (error 2); recording stops, the job runs on: give a writable --save-path" \
	RANKTRACE_SAVE_PATH=/proc/nowhere ./store few
waits_for_nobody a_limit_of_no_descriptor "rank 0: no file can be opened (Too many open files): 3000 of 3000 calls are lost: raise the limit of open files (ulimit -n)
rank 0: this could not be said on its standard error: cannot write $tmp/out: the process has no descriptor left (error 24); recording stops, the job runs on: raise the limit of open files (ulimit -n)" \
	RANKTRACE_STEPS=1 ./store nofile_zero
finish
