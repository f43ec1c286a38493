#!/bin/sh
# `ranktrace ctl`: recording is started and stopped in a job that runs, on the same steps in all its processes.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit 1
unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK
${CC:-gcc} -std=gnu11 -O1 -w -I"$here" -o asked "$here/tests/programs/asked.c" -lOpenCL || exit 1
export PYTHONPATH="$here/tests/helpers/asked" PYTHONDONTWRITEBYTECODE=1

# job OPTIONS... : runs the scenario that stands in job_run.py; what it prints goes to said
job() {
	rm -rf out counts.*
	"$run" --save-path out "$@" -- /usr/bin/python3 scenario.py >said 2>err
}

# whole RANKS [KILLED]: windows and steps of each rank, where all of them are whole
whole() { /usr/bin/python3 "$here/tests/helpers/asked/whole_steps.py" "$tool" out "$@"; }

cat >scenario.py <<'END'
from job import *
job = Job(8)
job.to(*range(3, 11))
print(ctl("start", "--steps", "2", "--align", "4"), end="")
job.to(11)
print(ctl("status").count("; will record from step 12;"))
job.to(12)
print(sum("; recording" in line and "; recording nothing" not in line for line in ctl("status").splitlines()))
job.to(20)
print(ctl("start"), end="")
job.to(*range(24, 32))
print(ctl("stop"), end="")
job.to(40)
print(job.end())
END
job --on-demand true --step-source api
equal all_processes_open_at_the_same_step "$(cat said)" '8 processes record from step 12, 2 steps
8
8
8 processes record from step 22 on, until `ranktrace ctl stop`
8 processes stop behind step 31
[0, 0, 0, 0, 0, 0, 0, 0]'
equal what_they_recorded_is_whole_and_named "$(whole 8)" "$(/usr/bin/python3 -c 'import json; print(json.dumps([[2, [12, 13, *range(22, 32)]]] * 8))')"
equal nothing_is_missing "$("$tool" check out; echo $?)" 'recorded 280 events of ranks 0-7
0'

# Without on_demand it says what to set; words that are none are answered with the right one.
cat >scenario.py <<'END'
from job import *
job = Job(2)
job.to(3)
print(ctl("start", "--steps", "2"), ctl("stop"), ctl("start", "--pid", "1"), ctl("strat"), ctl("start", "--steps", "0"), sep="", end="")
print(ctl("status").count("(no on_demand)"))
job.to(9)
print(job.end())
END
job --step-source api --steps 2
equal without_on_demand_it_says_what_to_set "$(sed 's/ and traces.*//' said)" 'ranktrace: 2 processes run without on_demand: start the job with --on-demand true, or RANKTRACE_ON_DEMAND=true
status 1
ranktrace: 2 processes run without on_demand: start the job with --on-demand true, or RANKTRACE_ON_DEMAND=true
status 1
ranktrace: no traced process of yours runs here as 1: `ranktrace ctl status` lists those that do
status 1
ranktrace: unknown action '"'strat'"': use start
status 2
ranktrace: unknown --steps '"'0'"': use a number from 1
status 2
2
[0, 0]'
equal and_nothing_changes "$(whole 2)" '[[1, [2]], [1, [2]]]'

# Steps of the settings and those that are asked for; a stop ends both; a process, a folder of a job.
cat >scenario.py <<'END'
from job import *
job = Job(3)
job.to(6)
print(ctl("start", "--steps", "3", os.environ["JOB_FOLDER"]), end="")
job.to(14)
print(ctl("start", "--steps", "1", "--pid", str(job.processes[1].pid)), end="")
job.to(19)
print(ctl("start", "/nowhere"), end="")
print(ctl("start", "--steps", "50"), end="")
print(ctl("stop"), end="")
job.to(30)
print(ctl("stop"), end="")
job.to(50)
print(ctl("start", "--steps", "1"), end="")
job.to(60)
print(job.end())
END
JOB_FOLDER=$tmp/out job --on-demand true --step-source api --steps 2-4,9-11,25-
equal each_answer_says_what_will_be "$(cat said)" '3 processes record from step 8, 3 steps
1 process records from step 16, 1 step
ranktrace: no traced process of yours runs here and traces into /nowhere: `ranktrace ctl status` lists those that do
status 1
3 processes record from step 21, 50 steps
3 processes stop behind step 19
3 processes stop behind step 30
3 processes record from step 52, 1 step
[0, 0, 0]'
equal windows_of_both_are_whole_and_beside_each_other "$(whole 3)" '[[4, [2, 3, 4, 8, 9, 10, 11, 52]], [5, [2, 3, 4, 8, 9, 10, 11, 16, 52]], [4, [2, 3, 4, 8, 9, 10, 11, 52]]]'
equal nothing_else_was_missing "$("$tool" check out; echo $?)" 'recorded 78 events of ranks 0-2
0'
cat >scenario.py <<'END'
from job import *
job = Job(1)
job.to(9)
print(job.end())
END
job --on-demand true --step-source api
equal who_was_never_asked_says_so "$(grep -o 'nobody asked for any' err; "$tool" check out | grep -c 'ranktrace ctl start')" 'nobody asked for any
1'
finish
