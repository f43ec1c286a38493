#!/bin/sh
# `ranktrace ctl`: recording is started and stopped in a job that runs, on the same steps in all its processes.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/asked.sh"


cat >scenario.py <<'END'
from job import *
job = Job(8)
job.to(*range(3, 11))
print(ctl("start", "--steps", "2", "--align", "4"), end="")
job.to(11)
print(ctl("status").count("; will record from step 12;"))
job.to(12)
print(recording())
until(lambda: ctl("status").count("; 2 calls kept, 0 dropped") == 8) # of step 12, in no file yet
job.to(20)
print(ctl("start"), end="")
job.to(*range(24, 32))
print(ctl("stop"), end="")
job.to(40)
print(job.end())
END
job --on-demand true
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
job --steps 2
equal without_on_demand_it_says_what_to_set "$(sed 's/ and traces.*//' said)" 'ranktrace: 2 processes run without on_demand: start the job with --on-demand true, or RANKTRACE_ON_DEMAND=true
status 1
ranktrace: 2 processes run without on_demand: start the job with --on-demand true, or RANKTRACE_ON_DEMAND=true
status 1
ranktrace: no traced process of yours runs here as 1: `ranktrace ctl status` lists those that do
status 1
ranktrace: unknown action '"'strat'"': use start
status 2
ranktrace: unknown --steps '"'0'"': use how many steps, from 1 to 2^52 (the first one is --at STEP)
status 2
2
[0, 0]'
equal one_step_is_no_number_of_steps "$("$tool" ctl start --step 30 2>&1; echo $?)" "ranktrace: unknown option '--step': use --at STEP for where it begins, --steps N for how many
2"
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
print(ctl("start", "--steps", "1", "--at", "70"), end="")
print(ctl("start", "--steps", "1"), end="")
job.to(60)
print(job.end())
END
JOB_FOLDER=$tmp/out job --on-demand true --steps 2-4,9-11,25-
equal each_answer_says_what_will_be "$(cat said)" '3 processes record from step 8, 3 steps
1 process records from step 16, 1 step
ranktrace: no traced process of yours runs here and traces into /nowhere: `ranktrace ctl status` lists those that do
status 1
3 processes record from step 21, 50 steps
3 processes take back the start from step 21: behind step 19 only a later `ranktrace ctl start` records
nothing is recording in 3 processes: behind step 30 only a later `ranktrace ctl start` records
3 processes record from step 70, 1 step
3 processes record from step 52, 1 step
in place of the start from step 70, which was still to come
[0, 0, 0]'
equal windows_of_both_are_whole_and_beside_each_other "$(whole 3)" '[[4, [2, 3, 4, 8, 9, 10, 11, 52]], [5, [2, 3, 4, 8, 9, 10, 11, 16, 52]], [4, [2, 3, 4, 8, 9, 10, 11, 52]]]'
equal nothing_else_was_missing "$("$tool" check out; echo $?)" 'recorded 78 events of ranks 0-2
0'

# A stop records nothing and moves no earlier end, for ranks that are apart: of a start without end, which one has not heard the end of,
# of a start that is still to come, heard or not, and of one with an end, whoever is behind.
cat >scenario.py <<'END'
from job import *
job = Job(2)


def stop(*steps):
    job.to(*steps)
    print(*steps, ctl("stop"), end="")


stop(3, 3)
print(ctl("start"), end="")
stop(12, 9)
stop(14, 9)
stop(15, 10)
stop(20, 17)
stop(21, 18)
job.to(24)
print(ctl("start", "--at", "100"), end="")
stop(24, 24)
print(ctl("start", "--at", "100"), end="")
stop(26, 25)
stop(110, 105)
job.to(112)
print(ctl("start", "--steps", "10"), end="")
stop(118, 115)
stop(119, 116)
stop(130, 125)
job.to(132)
print(ctl("start", "--steps", "3"), end="")
stop(135, 142)
stop(143, 150)
job.to(160)
print(job.end())
END
job --on-demand true
nothing='nothing is recording in 2 processes: behind step'
only="only a later \`ranktrace ctl start\` records"
equal a_stop_says_what_is_recorded_behind_it "$(cat said)" "3 3 $nothing 3 $only
2 processes record from step 5 on, until \`ranktrace ctl stop\`
12 9 2 processes stop behind step 12
14 9 2 processes stop behind step 12
15 10 2 processes stop behind step 12
20 17 $nothing 20 $only
21 18 $nothing 21 $only
2 processes record from step 100 on, until \`ranktrace ctl stop\`
24 24 2 processes take back the start from step 100: behind step 24 $only
2 processes record from step 100 on, until \`ranktrace ctl stop\`
26 25 2 processes take back the start from step 100: behind step 26 $only
110 105 $nothing 110 $only
2 processes record from step 114, 10 steps
118 115 2 processes stop behind step 118
119 116 2 processes stop behind step 118
130 125 $nothing 130 $only
2 processes record from step 134, 3 steps
135 142 2 processes stop behind step 136
143 150 $nothing 150 $only
[0, 0]"
equal and_another_stop_records_nothing "$(whole 2)" "$(/usr/bin/python3 -c 'print([[3, [*range(5, 13), *range(114, 119), *range(134, 137)]]] * 2)')"

# The same of the settings' steps: of a window that is open, and of one that has not come yet.
cat >scenario.py <<'END'
import json
from job import *
job = Job(2)
for steps in json.loads(os.environ["STOPS"]):
    job.to(*steps)
    print(*steps, ctl("stop"), end="")
job.to(60)
job.end()
END
STOPS='[[10, 8], [12, 8], [13, 9], [20, 14]]' job --on-demand true --steps 6-
equal a_window_of_the_settings_ends_once "$(cat said; whole 2)" "10 8 2 processes stop behind step 10
12 8 2 processes stop behind step 10
13 9 2 processes stop behind step 10
20 14 $nothing 20 $only
$(/usr/bin/python3 -c 'print([[1, [*range(6, 11)]]] * 2)')"
STOPS='[[7, 5], [11, 9], [40, 35]]' job --on-demand true --steps 10-12,30-
equal and_none_begins_behind_a_stop "$(cat said; whole 2)" "7 5 $nothing 7 $only
11 9 $nothing 11 $only
40 35 $nothing 40 $only
[[0, []], [0, []]]"

# Where nobody can be asked, and where a word is missing, what to do is said.
equal what_to_do_where_nobody_is_there "$("$tool" ctl status 2>&1)" 'ranktrace: no traced process of yours runs here that has made a call: `ranktrace-run -- COMMAND` starts one; in a container, or on another host, ask there'
equal to_whoever_would_start_something "$("$tool" ctl start 2>&1)" "$("$tool" ctl status 2>&1)"
equal who_asks_of_one_is_told_of_the_list "$("$tool" ctl status --pid 1 2>&1)" 'ranktrace: no traced process of yours runs here as 1: `ranktrace ctl status` lists those that do'
equal a_mark_wants_a_text "$("$tool" ctl mark 2>&1 | head -n 2)" "ranktrace: no TEXT given: ranktrace ctl mark 'learning rate halved'
Usage: ranktrace ctl ACTION [OPTION]... [PATH]"
equal and_no_word_more_than_a_path "$("$tool" ctl mark learning rate halved 2>&1 | head -n 1)" "ranktrace: 'halved' is one word too many: quote a TEXT, and give one PATH"

cat >scenario.py <<'END'
from job import *
job = Job(1)
job.to(9)
print(job.end())
END
job --on-demand true
equal who_was_never_recorded_says_so "$(grep -o 'no start that was asked for' err; "$tool" check out | grep -c 'ranktrace ctl start')" 'no start that was asked for
1'

cat >scenario.py <<'END'
from job import *
job = Job(1)
job.to(9)
print(job.end())
END
job --on-demand true --step-source kernel:nothing_of_that_name
equal a_clock_that_never_fired_is_told "$("$tool" check out | grep -o 'steps that .ranktrace ctl. asks for were selected, but --step-source kernel:nothing_of_that_name never fired')" \
	'steps that `ranktrace ctl` asks for were selected, but --step-source kernel:nothing_of_that_name never fired'
job --on-demand true --steps 2-3
equal steps_that_were_all_there_are_not_said_to_be_missing "$("$tool" check out | grep -c 'were selected') $(whole 1)" '0 [[1, [2, 3]]]'
job --on-demand true --steps 2,40
equal but_those_that_are_missing_are "$("$tool" check out | grep -o 'the last step seen was 9')" 'the last step seen was 9'

# What is made behind the last selected step has its name, too.
cat >scenario.py <<'END'
from job import *
job = Job(1)
job.to(22)
print(ctl("start", "--steps", "2"), end="")
job.to(30)
print(job.end())
END
job --on-demand true --steps 2
equal what_was_made_behind_the_last_step_is_named "$(cat said; whole 1)" '1 process records from step 24, 2 steps
[0]
[[2, [2, 24, 25]]]'

# What kept an earlier window from its file is not in the way of one that is asked for, nor its cause.
cat >scenario.py <<'END'
from job import *
blocked = os.environ["FOLDER"] + "/ranks-0-255"
job = Job(1)
open(blocked, "w").close()
job.to(4)
until(lambda: "(save-path)" in ctl("status"))
os.unlink(blocked)
print(ctl("start", "--steps", "2"), end="")
job.to(7)
until(lambda: "save-path" not in ctl("status"))
job.to(12)
print(job.end())
END
FOLDER=$tmp/out/blocked job --on-demand true --steps 2-3 --job blocked
equal a_window_that_had_no_file_is_over "$(cat said)" '1 process records from step 6, 2 steps
[0]'
equal the_next_one_has_its_own "$(whole 1)" '[[1, [6, 7]]]'

# Who hears too late begins with the next multiple, and is named.
cat >scenario.py <<'END'
import re
from job import *
job = Job(3)
job.to(9, 14, 6)
said = ctl("start", "--steps", "2", "--at", "7", "--align", "4")
for rank, process in enumerate(job.processes):
    said = said.replace("process %d on" % process.pid, "process P%d on" % rank)
print(re.sub(" on [^:]*:", " on H:", said), end="")
job.to(20)
print(job.end())
END
job --on-demand true
equal who_is_too_late_is_named "$(cat said)" '3 processes record from step 8, 2 steps
ranktrace: rank 0, process P0 on H: was in step 9 before it heard, and begins later than the others
ranktrace: rank 1, process P1 on H: was in step 14 before it heard, and begins later than the others
status 1
[0, 0, 0]'
equal and_begins_with_the_next_multiple "$(whole 3)" '[[1, [12, 13]], [1, [16, 17]], [1, [8, 9]]]'

# Where all are too late nobody is asked; a stop is one at once.
cat >scenario.py <<'END'
from job import *
job = Job(2)
job.to(14, 12)
print(ctl("start", "--at", "11"), end="")
print(ctl("start", "--at", "30"), end="")
job.to(32, 31)
print(ctl("stop", "--at", "20"), end="")
job.to(36)
print(job.end())
END
job --on-demand true
equal a_start_that_is_over_for_all_is_refused_and_a_stop_is_one_at_once "$(cat said)" \
	'ranktrace: step 11 is over in all of them, of which one is in step 14: give a later --at STEP, or none
status 1
2 processes record from step 30 on, until `ranktrace ctl stop`
2 processes stop behind step 32
[0, 0]'
equal and_all_end_with_the_same_step "$(whole 2)" '[[1, [30, 31, 32]], [1, [30, 31, 32]]]'

# A mark: at the next boundary of a window, or where the next one begins; it takes the place of no start that was not heard yet.
cat >scenario.py <<'END'
from job import *
job = Job(2)
job.to(3)
print(ctl("start", "--steps", "4"), ctl("mark", "before it"), sep="", end="")
job.to(6)
print(ctl("mark", "lr halved"), ctl("mark", "", "."), ctl("mark", "x" * 56), sep="", end="")
job.to(12)
print(job.end())
END
job --on-demand true
equal marks_are_asked_for "$(cat said)" "2 processes record from step 5, 4 steps
2 processes mark it
2 processes mark it
ranktrace: unknown TEXT '': use a text of 1 to 55 bytes
status 2
ranktrace: unknown TEXT '$(printf '%056d' 0 | tr 0 x)': use a text of 1 to 55 bytes
status 2
[0, 0]"
report they_stand_in_the_report out 'all([(s["step"], s["role"], s["events"]) for s in rank["stages"]] == [(5, "before it", 0), (6, "lr halved", 0)] for rank in ranks)'
equal and_no_call_is_part_of_them "$(whole 2) $("$tool" dump out | grep -c 'role=')" '[[1, [5, 6, 7, 8]], [1, [5, 6, 7, 8]]] 0'
"$tool" export --to chrome -o made.json out
equal and_in_the_time_line "$(grep -o '"name":"\(before it\|lr halved\)[^"]*"' made.json | sort | uniq -c | awk '{ $1 = $1; print }')" '2 "name":"before it.0"
2 "name":"lr halved.0"'

# Two hosts, which see each other's files only: whose sessions are elsewhere hears by a file in the job's folder.
cat >scenario.py <<'END'
from job import *
here, there = os.environ["RANKTRACE_SESSION_ROOT"], os.environ["RANKTRACE_SESSION_ROOT"] + "-there"
job = Job(1)
os.environ["RANKTRACE_SESSION_ROOT"] = there
job.processes += Job(1, 1).processes
folder, at = os.environ["FOLDER"], 0


def on(root, *words):
    return ctl(*words, env=dict(PLAIN, RANKTRACE_SESSION_ROOT=root))


def both_say(words):
    global at
    at += 1
    job.to(at)
    time.sleep(.01)
    return words in on(here, "status") and words in on(there, "status")


until(lambda: both_say("step 30 "))
print(on(here, "start", "--shared", "--steps", "3", "--at", "9999", "--align", "5000", folder).replace(folder, "F"), end="")
until(lambda: both_say("will record from step 10000"))
job.to(10010)
at = 10010
print(on(there, "stop", "--shared", "--at", "20000", folder).replace(folder, "F"), end="")
print(on(here, "start", "--shared"), on("/nowhere", "start", "--shared", folder), sep="", end="")
print(job.end())
END
FOLDER=$tmp/out/shared job --on-demand true --on-demand-shared true --job shared
equal a_file_in_the_jobs_folder_is_for_other_hosts "$(cat said)" 'asked in F/ctl: processes record from step 10000, 3 steps
asked in F/ctl: processes that record stop behind step 20000
ranktrace: --shared wants the folder of a job: PATH, a folder below the save_path
status 1
ranktrace: no process on this host tells how far the job is: give a step that none has come to, --at STEP
status 1
[0, 0]'
equal and_both_record_the_same_steps "$(whole 2)" '[[1, [10000, 10001, 10002]], [1, [10000, 10001, 10002]]]'
rm -rf "$RANKTRACE_SESSION_ROOT-there"*

# The same where a step takes longer than the files are left alone, for a process whose first step comes late, and by two who ask at once.
cat >scenario.py <<'END'
from job import *
folder, at = os.environ["FOLDER"], 1
job = Job(2)
job.tell(0, "to 2")
job.heard(0)
until(lambda: os.path.isdir(folder))
asking = [subprocess.Popen([tool, "ctl", *words, folder], env=PLAIN, stdout=subprocess.PIPE)
          for words in (("start", "--shared", "--steps", "2", "--at", "1000"), ("mark", "--shared", "told at once"))]
print([p.wait() for p in asking])
at = 2


def slow_step():
    global at
    at += 1
    job.to(at)
    time.sleep(1.1)  # what a step takes
    return ctl("status").count("will record from step 1000") == 2


until(slow_step)
print(ctl("start", "--shared", "--at", "2000", os.path.dirname(folder)).replace(folder, "F").replace(os.path.dirname(folder), "S"), end="")
job.to(1010)
print(job.end())
END
FOLDER=$tmp/out/slow job --on-demand true --on-demand-shared true --job slow
equal slow_steps_and_late_ones_hear_it_too "$(cat said)" '[0, 0]
ranktrace: S is not the folder of a job: F is
status 1
[0, 0]'
equal and_record_the_same_steps_and_the_mark "$(whole 2) $("$tool" report out | grep -c 'told at once')" '[[1, [1000, 1001]], [1, [1000, 1001]]] 2'

# Stages: with files of their own a role's alone are recorded, else the steps of the processes that have entered one.
. "$here/tests/lib/told_steps.sh"
told_program stages
cat >scenario.py <<'END'
from job import *
started = []
for rank, role in enumerate(["actor_update", "critic_update"]):
    words = " ".join("%s step:%d begin:%s micro 1 micro 2 end begin:ref 3 end 4" % ("wait" if n == 4 else "", n, role) for n in range(1, 9)).split()
    started.append(subprocess.Popen(["./stages", *words], env=dict(os.environ, RANK=str(rank)), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
[p.stdout.readline() for p in started]
print(ctl("start", "--steps", "2", "--role", os.environ["ROLE"]), end="")
print(*["in stage" in line or line.split("; ")[0].split(": ")[1] for line in ctl("status").splitlines()], sep="\n")
[p.communicate("\n") for p in started]
END
staged() {
	role=$1
	shift
	ROLE=$role job --on-demand true --level level1 "$@"
	cat said
	windows_in out
}
equal a_roles_processes_record_their_whole_steps "$(staged actor)" '1 process records from step 5, 2 steps
step 3 (api), 0 mini- and 6 micro-batches
step 3 (api), 0 mini- and 6 micro-batches
steps-5-6 20'
equal and_its_stages_alone_where_these_have_files "$(staged actor --discrete true | tail -n 2)" 'step-5.actor_update.0 3
step-6.actor_update.0 3'
equal a_role_of_both "$(staged ref --discrete true | tail -n 4 | sort | uniq -c | awk '{ print $1, $2, $3 }')" '2 step-5.ref.0 3
2 step-6.ref.0 3'
equal a_schedule_of_batches_holds_there "$(staged critic --schedule counter=micro,wait=1,active=1,repeat=1 | tail -n 2)" 'step-5.critic_update.0.micro-1 2
step-6.critic_update.0.micro-1 2'
equal a_role_that_nobody_has "$(staged rollout | head -n 2)" 'ranktrace: no traced process of yours runs here and has entered a stage of role rollout: `ranktrace ctl status` lists those that do
status 1'

# A process looks at each boundary, of whatever it counts.
cat >scenario.py <<'END'
from job import *
moves = ["begin:ref", "mini", "micro", "micro", "mini-end", "end", "begin:ref", "step:2"]
process = subprocess.Popen(["./stages", "step:1", "1", *("wait " + " wait ".join(moves) + " wait").split()], env=dict(os.environ, RANK="0"), text=True, bufsize=1,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
process.stdout.readline()
for n, move in enumerate(moves):
    ctl("start", "--steps", "1", "--at", str(50 + n))
    before = ctl("status")
    process.stdin.write("\n")
    process.stdout.readline()
    print(move, "not at a boundary since" in before, "will record from step %d;" % (50 + n) in ctl("status"))
process.communicate("\n")
END
job --on-demand true
equal each_boundary_looks_at_what_is_asked "$(cat said)" "$(for move in begin:ref mini micro micro mini-end end begin:ref step:2; do echo "$move True True"; done)"

# All that the status says of a process; of the call that it hangs in, e2e_hang.sh.
cat >scenario.py <<'END'
import re
from job import *
words = "step:7 begin:actor_update mini micro 3 micro 2 wait 20000 step:8 wait"
process = subprocess.Popen(["./stages", *words.split()], env=dict(os.environ, RANK="4"), text=True, bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def said():
    line = ctl("status").replace(" %d on %s:" % (process.pid, os.uname().nodename), " P on H:")
    return re.sub("step-7[.][^ ]*-%d-[0-9a-f]*[.]rtrace[.]part;" % process.pid, "step-7;", line)


process.stdout.readline()
until(lambda: "recording into" in said())
print(said(), end="")
process.stdin.write("\n")
process.stdout.readline()
until(lambda: "recording nothing (" in said())
place, kept, dropped = re.fullmatch("(.*); ([0-9]+) calls kept, ([0-9]+) dropped\n", said()).groups()
print(place, int(kept) + int(dropped), int(dropped) > 0)
process.communicate("\n")
END
job --on-demand true --level level1 --steps 7 --max-size 2K
equal all_that_is_known_of_a_process_is_told "$(cat said)" 'rank 4, process P on H: step 7 (api), in stage actor_update, 1 mini- and 2 micro-batches; recording into step-7; 5 calls kept, 0 dropped
rank 4, process P on H: step 8 (api), in stage actor_update, 1 mini- and 2 micro-batches; recording nothing (max-size-reached) 20005 True'

# What can never be recorded is not asked, and says why.
cat >scenario.py <<'END'
from job import *
job = Job(2)
job.to(3)
print(ctl("start", "--steps", "1"), ctl("start", "--pid", str(job.processes[1].pid)), ctl("status").count("recording nothing (rank-not-selected)"), sep="")
job.to(9)
print(job.end())
END
job --on-demand true --ranks 0
equal who_is_not_selected_is_not_asked "$(cat said; whole 2)" '1 process records from step 5, 1 step
ranktrace: nothing of these processes can be recorded: `ranktrace ctl status` says why
status 1
1
[0, 0]
[[1, [5]], [0, []]]'

# A process that leaves: what is asked of it before our end is kept, whoever makes the steps, and behind our end nobody is there.
cat >behind.c <<'END'
#include <unistd.h>
__attribute__((destructor)) static void behind(void)
{
	char word[8];

	if (write(1, "at 0\n", 5) == 5)
		(void)!read(0, word, sizeof(word));
}
END
${CC:-gcc} -shared -fPIC -o behind.so behind.c || exit 1
cat >scenario.py <<'END'
import json
from job import *
os.environ["LD_PRELOAD"] += os.environ["BEHIND"] # our destructor comes before its
job = Job(1)
job.to(5)
job.tell(0, "leave")
print("at the exit of step", job.heard(0))
print(ctl("start", "--steps", "2"), ctl("mark", "leaves"), sep="", end="")
job.to(*json.loads(os.environ["MORE"]))
if os.environ["BEHIND"]:
    job.tell(0, "end")
    print("behind us", job.heard(0))
    print(ctl("start"), ctl("stop"), sep="", end="")
print(job.end())
END
nobody='ranktrace: no traced process of yours runs here that has made a call: `ranktrace-run -- COMMAND` starts one; in a container, or on another host, ask there
status 1'
BEHIND='' MORE='[12]' job --on-demand true
equal what_is_asked_while_a_process_leaves_is_recorded "$(cat said; whole 1) $("$tool" report out | grep -c leaves)" 'at the exit of step 5
1 process records from step 7, 2 steps
1 process marks it
[0]
[[1, [7, 8]]] 1'
BEHIND='' MORE='[]' job --on-demand true
equal or_said_to_be_missing "$(sed -n 2p said; whole 1; "$tool" check out | grep -o 'no start that was asked for came to its step')" '1 process records from step 7, 2 steps
[[0, []]]
no start that was asked for came to its step'
BEHIND=:$tmp/behind.so MORE='[12]' job --on-demand true
equal behind_our_end_nobody_is_asked "$(sed -n '4,$p' said; whole 1)" "behind us 0
$nobody
$nobody
[0]
[[1, [7, 8]]]"

# A file for other hosts is looked at once a second at most, however many boundaries there are.
need strace
cat >scenario.py <<'END'
from job import *
began = time.monotonic()
process = subprocess.Popen(["strace", "-f", "-qq", "-e", "trace=openat", "-o", "opened", "-E", "LD_PRELOAD=" + os.environ["LD_PRELOAD"], "./asked", "counts.0"],
                           env=dict(PLAIN, RANK="0"), text=True, bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
process.stdin.write("to 1000\nfree\n")
process.stdout.readline()
looks = lambda: open("opened").read().count('"ctl", ')
until(lambda: looks() >= 2)
process.communicate("to 0\n")
print(2 <= looks() <= time.monotonic() - began + 1)
END
mkdir -p out
job --on-demand true --on-demand-shared true --job shared --steps 2
equal a_file_for_other_hosts_is_looked_at_once_a_second "$(cat said)" True

# A start that takes the place of a stop which nobody has heard of yet.
cat >scenario.py <<'END'
from job import *
job = Job(2)
job.to(3)
print(ctl("start"), end="")
job.to(8)
print(ctl("stop"), ctl("start", "--at", "100", "--steps", "1"), sep="", end="")
job.to(9)
job.to(101)
print(job.end())
END
job --on-demand true
equal who_has_not_heard_of_the_stop_before_is_named "$(sed 's/process [0-9]* on [^:]*/process P on HOST/' said)" '2 processes record from step 5 on, until `ranktrace ctl stop`
2 processes stop behind step 8
2 processes record from step 100, 1 step
ranktrace: rank 0, process P on HOST: was at no boundary since the stop, whose place this takes: until it is it may record what the others do not
ranktrace: rank 1, process P on HOST: was at no boundary since the stop, whose place this takes: until it is it may record what the others do not
status 1
[0, 0]'

# What was asked in the file stands there until processes whose steps are short have heard it.
cat >scenario.py <<'END'
from job import *
folder, at, heard = os.environ["FOLDER"], 1, False
job = Job(2)
job.to(1)
until(lambda: os.path.isdir(folder))
ctl("start", "--shared", "--steps", "1", "--at", "100000", folder)
second = subprocess.Popen([tool, "ctl", "start", "--shared", "--steps", "1", "--at", "200000", folder], env=PLAIN, stdout=subprocess.DEVNULL)
while second.poll() is None:
    at += 1
    job.to(at)
    heard |= ctl("status").count("will record from step 100000") == 2
print(heard, second.wait(), job.end())
END
FOLDER=$tmp/out/stands job --on-demand true --on-demand-shared true --job stands
equal a_shared_request_stands_until_it_is_heard "$(cat said)" 'True 0 [0, 0]'
finish
