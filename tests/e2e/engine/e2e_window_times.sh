#!/bin/sh
# Each file has the device times of its own calls, however soon the next window begins: also of work that is done long after it.
. "$(dirname "$0")/../../lib/lib.sh"
one_clock
cd "$tmp" || exit 1
unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK
${CC:-gcc} -std=gnu11 -O1 -w -I"$here" -o late_work "$here/tests/programs/late_work.c" -lOpenCL || exit 1

# timed FILE...: calls of the program's in them, and how many of these have a device time
timed() {
	"$tool" dump --format jsonl "$@" | grep '"kind":"fill"' | awk '{ n++ } /"device_begin_ns"/ { timed++ } END { print n + 0, timed + 0 }'
}

# told FOLDER: what the report says of the process's device times
told() { "$tool" report --format json "$1" | grep -o '"device_times":[0-9]*\|"untimed":[0-9][0-9]*' | tr -dc '0-9\n' | paste -sd ' '; }

# runs STEPS FILLS EVERY [kill]: a window for each step
runs() {
	rm -rf out
	"$run" --save-path out --contents cpu,npu --step-source api --steps 1-"$1" --file-per-step true -- ./late_work "$@" >said 2>err
}

# windows STEPS FILLS EVERY: how many files, read without the others, have so many fills and times; then of all files together
windows() {
	runs "$@"
	find out -name '*.rtrace' | while read -r file; do
		timed "$file"
	done | sort | uniq -c | awk '{ printf "%s files of %s %s, ", $1, $2, $3 }'
	echo "all $(timed out), told $(told out)"
}

equal work_that_is_done_in_the_next_step "$(windows 100 20 1)" '100 files of 20 20, all 2000 2000, told 2000 0'
report and_the_files_are_whole out True
equal work_that_is_done_many_steps_later "$(windows 100 20 7)" '100 files of 20 20, all 2000 2000, told 2000 0'

# What the steps between record fills the rings: files are closed without some of the times, and each says of how many.
runs 60 1000 60
equal work_that_is_done_when_much_has_been_recorded "all $(timed out), told $(told out)" 'all 60000 60000, told 60000 0'
equal files_say_what_they_have_not "$(find out -name '*.rtrace' | while read -r file; do
	"$tool" report "$file" | sed -n 's/.*: \([0-9]*\) device times\{0,1\} of these calls came when the next window had begun.*/\1 later /p' | tr -d '\n'
	timed "$file"
done | awk '{ later = $2 == "later" ? $1 : 0; bad += $(NF - 1) - $NF > later; files++ } END { print files, bad + 0 }')" '60 0'
equal nothing_is_said_where_all_are_read "$("$tool" report out | grep -c 'device times of')" 0

runs 20 20 7 kill
equal of_a_killed_program_nothing_is_lost_or_doubled "$(timed out | cut -d' ' -f1) $([ "$(timed out | cut -d' ' -f2)" = "$(told out | cut -d' ' -f1)" ] && echo same)" '400 same'
finish
