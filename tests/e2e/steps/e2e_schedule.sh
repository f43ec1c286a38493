#!/bin/sh
# Steps that a schedule chooses: as many calls in each as the program made there, a file for each stretch, and in words what
# it is waited for. Which numbers a schedule means: check_schedule.c, and e2e_schedule_torch.sh beside torch's own.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program rounds

# recorded OPTIONS...: of a program with 20 steps, of 10, 11, 12... calls, how many events each step has, and the files
recorded() {
	numbers=${numbers:-$(seq 20)}
	rm -rf out
	# shellcheck disable=SC2086 # a list of words
	RANKTRACE_RANK=0 "$run" --save-path out --level level1 --step-source api "$@" -- ./rounds $numbers 2>err
	"$tool" dump --format jsonl out 2>/dev/null | /usr/bin/python3 -c 'import collections, json, sys
steps = collections.Counter(json.loads(line)["step"] for line in sys.stdin)
print(*(f"{step}:{n}" for step, n in sorted(steps.items())))'
	(cd out/*/*/rank0 2>/dev/null && ls) | sed 's/\..*//' | sort -t- -k2n | tr '\n' ' '
}

equal stretches_of_steps_are_recorded_each_in_a_file "$(recorded --schedule wait=1,warmup=1,active=3,repeat=2)" \
	'3:12 4:13 5:14 8:17 9:18 10:19
steps-3-5 steps-8-10 '
equal check_finds_nothing_missing "$("$tool" check out; echo "status $?")" 'recorded 93 events of rank 0
status 0'
equal without_repeat_it_goes_on_to_the_end "$(recorded --schedule skip_first=4,wait=4,active=1)" '9:18 14:23 19:28
step-9 step-14 step-19 '
equal and_is_complete_whenever_that_is "$("$tool" check out; echo "status $?")" 'recorded 69 events of rank 0
status 0'
equal the_first_wait_may_be_left_out "$(recorded --schedule skip_first=4,skip_first_wait=1,wait=4,active=1,repeat=2)" '5:14 10:19
step-5 step-10 '
equal stretches_that_touch_are_files_of_their_own "$(recorded --schedule active=2,repeat=2)" '1:10 2:11 3:12 4:13
steps-1-2 steps-3-4 '
equal a_list_of_steps_is_the_outer_choice "$(recorded --steps 6-11,20 --schedule wait=4,active=3)" '6:15 7:16 20:29
steps-6-7 step-20 '
equal a_program_that_counts_from_0_is_counted_from_there "$(numbers=$(seq 0 9) recorded --schedule wait=1,warmup=1,active=3,repeat=1)" \
	'2:12 3:13 4:14
steps-2-4 '
equal ranks_are_an_outer_choice_too "$(recorded --ranks 1 --schedule active=2)" ''

cat >profile.yaml <<'E2'
schedule: {wait: 1, warmup: 1, active: 3, repeat: 1, skip_first: null}
E2
equal a_file_has_it_as_a_mapping "$(recorded --config profile.yaml)" '3:12 4:13 5:14
steps-3-5 '
equal an_option_replaces_it "$(recorded --config profile.yaml --schedule active=1,repeat=1)" '1:10
step-1 '
equal a_variable_has_it_too "$(RANKTRACE_SCHEDULE='wait=2 active=1 repeat=1' recorded)" '3:12
step-3 '
echo 'schedule: {wait: [1], active: 2}' >profile.yaml
recorded --config profile.yaml >/dev/null
equal what_is_no_number_is_told_with_its_line "$(cat err)" \
	'ranktrace: profile.yaml:1: a mapping holds plain values here, like {wait: 1, active: 3}'
printf 'steps: 2\nschedule: [1, 2]\n' >profile.yaml
recorded --config profile.yaml >/dev/null
equal a_list_is_told_with_its_line "$(cat err)" 'ranktrace: profile.yaml:2: schedule: a list is not allowed here: write a mapping like {a: 1}'

recorded --steps 3- --schedule wait=30,active=2 >/dev/null
equal a_schedule_that_was_never_active_is_told "$("$tool" check out; echo "status $?")" \
	'rank 0: steps 3- by the schedule wait=30,active=2 were selected, the last step seen was 20 (counted by api): run longer, or select steps up to 20
status 1'
equal by_the_launcher_too "$(sed -n 's/^ranktrace: nothing was recorded: //p' err | cut -c1-66)" 'rank 0: steps 3- by the schedule wait=30,active=2 were selected, t'
recorded --schedule wait=9,active=1,repeat=4 >/dev/null
equal nor_one_that_is_not_over "$("$tool" check out; echo "status $?")" 'recorded 48 events of rank 0
rank 0: steps by the schedule wait=9,active=1,repeat=4 were selected, the last step seen was 20 (counted by api): run longer, or select steps up to 20
status 1'

# What the first window needs is made in the step before it: it opens, and is recorded, without a file more in the session's folder.
cat >warm.py <<'E2'
import ctypes, glob, os, time
library, agent = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"]), ctypes.CDLL(None)
def made():
    return sorted(os.path.basename(path) for path in glob.glob("%s-%d/%d-*/definitions.*" % (os.environ["RANKTRACE_SESSION_ROOT"], os.getuid(), os.getpid())))
def prepared():  # by a thread that sleeps when it is done; a file of its own and one of this thread may be of the same kind
    states = [open(path).read().rpartition(")")[2].split()[0] for path in glob.glob("/proc/self/task/*/stat") if path.split("/")[4] != str(os.getpid())]
    return len(made()) >= 2 and set(states) == {"S"}
for step in range(1, 5):
    agent.ranktrace_step(ctypes.c_int64(step))
    until = time.monotonic() + 20
    while step == 3 and not prepared() and time.monotonic() < until:
        pass
    if step == 3:
        before = made()
    library.clFinish(None)
print(before == made(), len(made()) >= 2)
E2
rm -rf out
LIBRARY_OF_TEST=$tmp/libOpenCL.so.1 RANK=0 "$run" --save-path out --level level1 --step-source api --steps 4 -- "$python" warm.py >said 2>err
equal the_first_window_opens_without_a_file_more "$(cat said)" 'True True'
finish
