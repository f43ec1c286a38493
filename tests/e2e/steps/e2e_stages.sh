#!/bin/sh
# Stages, mini- and micro-batches that a program tells: each call is told with the place where it was made.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages

# places OPTIONS... -- WORDS...
places() {
	rm -rf out
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	# shellcheck disable=SC2086 # a list of words
	"$run" --save-path out --level level1 --step-source api $options -- ./stages "$@" 2>err
	told_places
}

equal each_call_is_told_with_its_stage "$(places --steps all -- 1 step:1 2 begin:rollout 3 end 4 begin:actor 5 end begin:actor 6 end step:2 begin:actor 7 end 8)" \
	'- - - -: 1
1 - - -: 6
1 rollout.0 - -: 3
1 actor.0 - -: 5
1 actor.1 - -: 6
2 actor.0 - -: 7
2 - - -: 8'
equal batches_count_from_0_and_again_in_each_stage "$(places --steps all -- step:1 begin:a 1 mini 2 micro 3 micro 4 mini 5 micro-end 6 mini-end 7 end begin:b micro 8 end step:2 micro 9 step:3 micro 10)" \
	'1 a.0 - -: 8
1 a.0 0 -: 2
1 a.0 0 0: 3
1 a.0 0 1: 4
1 a.0 1 1: 5
1 a.0 1 -: 6
1 b.0 - 0: 8
2 - - 0: 9
3 - - 0: 10'
equal what_a_stage_enters_belongs_to_it "$(places --steps all -- step:1 begin:ref begin:actor 1 end 2 end 3 begin:actor 4 end)" \
	'1 ref.0 - -: 3
1 - - -: 3
1 actor.0 - -: 4'
equal calls_of_other_threads_belong_to_it_too "$(places --steps all -- step:1 begin:actor thread:5 end thread:2)" \
	'1 actor.0 - -: 5
1 - - -: 2'
equal stages_that_overlap_each_have_their_calls "$(places --steps all -- step:1 begin:a 1 thread-begin:b 2 end:0 3 end:1 4)" \
	'1 a.0 - -: 1
1 b.0 - -: 5
1 - - -: 4'
equal an_outer_one_that_ends_last_goes_on "$(places --steps all -- step:1 begin:a 1 thread-begin:b micro 2 end:1 3 end:0 4)" \
	'1 a.0 - -: 4
1 b.0 - 0: 2
1 - - -: 4'
equal a_stage_that_began_before_the_window_is_known_in_it "$(places --steps 2 -- step:1 begin:a mini micro 1 step:2 2 micro 3 end 4 step:3 5)" \
	'2 a.0 0 0: 2
2 a.0 0 1: 3
2 - - -: 4'
equal one_that_goes_on_through_two_windows_in_both "$(places --steps 1,3 -- step:1 begin:a 1 step:2 2 step:3 3 end 4)" \
	'1 a.0 - -: 1
3 a.0 - -: 3
3 - - -: 4'
equal each_file_says_so_alone "$(find out -name "*.rtrace" | sort | while read -r f; do "$tool" dump "$f" | grep -c 'role=a occurrence=0'; done | tr '\n' ' ')" '1 3 '
equal a_forked_child_is_in_none "$(places --steps all --ranks all -- step:1 begin:a 1 fork 2 begin:b 3 end 4 end:0 5 join 6 end 7 | sort)" \
	'- - - -: 11
- b.0 - -: 3
1 - - -: 7
1 a.0 - -: 7'
equal a_child_that_ends_its_parents_stage_first_of_all_has_its_own_calls \
	"$(places --steps all --ranks all -- step:1 begin:a 1 fork end:0 2 join 2 | sort)" '- - - -: 2
1 a.0 - -: 3'
report and_the_stage_goes_on out '[s["ended"] for s in one(None)["stages"]] == [False]'
equal what_ends_nothing_shifts_nothing "$(places --steps all -- step:1 begin:a 1 end:7 2 end end:0 3)" \
	'1 a.0 - -: 3
1 - - -: 3'
places --steps 1 -- step:1 1 begin:a micro 2 micro 3 end begin:b end thread-begin:c 4 begin:d 5 end:3 end:2 step:2 6 >told
report the_report_has_a_row_for_each_stage out '[(s["step"], s["role"], s["occurrence"], s["events"], s["ended"]) for s in one(None)["stages"]] == \
	[(1, "a", 0, 5, True), (1, "b", 0, 0, True), (1, "c", 0, 4, True), (1, "d", 0, 5, True)]'
report and_its_step_is_one out '[(s["step"], s["events"]) for s in one(None)["steps"]] == [(1, 15)]'
equal the_table_names_them "$("$tool" report out | awk '/^Stages/ { on = 1 } /^$/ { on = 0 } on && $1 == "-" { print $4, $NF }' | grep -o '[a-d]\.0' | tr '\n' ' ')" 'a.0 b.0 c.0 d.0 '
"$tool" export --to chrome -o made.json out
equal the_time_line_has_them_each_once "$(/usr/bin/python3 -c '
import json
made = json.load(open("made.json"))["traceEvents"]
print(*sorted(e["name"] for e in made if e.get("cat") == "user_annotation" and "role" in e["args"]), "/", *(e["name"] for e in made if e["name"].startswith("ProfilerStep#")))
steps = [e for e in made if e["name"].startswith("ProfilerStep#")]
stages = [e for e in made if e.get("cat") == "user_annotation" and "role" in e["args"]]
inside = all(steps[0]["ts"] <= e["ts"] and e["ts"] + e["dur"] <= steps[0]["ts"] + steps[0]["dur"] + .001 for e in stages)
print(inside, sum(e.get("args", {}).get("role") == "a" and e["args"].get("micro") == 1 for e in made))')" 'a.0 b.0 c.0 d.0 / ProfilerStep#1
True 3'
many=$(i=0; while [ $i -lt 20 ]; do echo thread-begin:r$i; i=$((i + 1)); done)
# shellcheck disable=SC2086 # a list of words
places --steps all -- step:1 $many 3 >told
"$tool" report out >report
equal stages_without_room_are_counted "$(grep -c ': 4 stages are not told, because there is room for 64 roles and 16 stages at a time$' report) $(cat told)" \
	'1 1 r15.0 - -: 3'
told_program told_on_top
rm -rf out
RANKTRACE_CLOCK=ns "$run" --save-path out --level level1 --step-source api --steps all -- ./told_on_top 2>err
equal a_step_that_could_not_be_noted_is_counted "$("$tool" report out | grep -c ': 1 change of step or stage could not be noted, and the calls behind it ') $(told_places)" \
	'1 1 - - -: 5'
equal a_process_without_them_has_no_such_keys "$(places --steps all -- step:1 3; "$tool" dump --format jsonl out | grep -c '"role"')" '1 - - -: 3
0'
equal dump_as_text_tells_what_is_known "$(places --steps all -- step:1 begin:a micro 1 >/dev/null; "$tool" dump out | grep -o 'role=.*')" \
	'role=a occurrence=0 micro=0'
cat >told.py <<'E2'
import ctypes
agent = ctypes.CDLL(None)
agent.ranktrace_stage_begin.restype = ctypes.c_uint64
agent.ranktrace_stage_end.argtypes = [ctypes.c_uint64]
call = ctypes.CDLL("./libOpenCL.so.1").clFinish
agent.ranktrace_step(ctypes.c_int64(1))
stage = agent.ranktrace_stage_begin(b"rollout")
for micro in range(3):
    agent.ranktrace_micro_begin()
    for _ in range(micro + 1):
        call(None)
agent.ranktrace_stage_end(stage)
call(None)
E2
rm -rf out
"$run" --save-path out --level level1 --step-source api --steps all -- "$python" told.py 2>err
equal python_tells_them_by_ctypes "$("$tool" dump --format jsonl out | grep -o '"role":[^,]*\|"micro":[^,]*' | paste - - | sort | uniq -c | awk '{ print $1, $2, $3 }')" \
	'1 "role":"rollout" "micro":0
2 "role":"rollout" "micro":1
3 "role":"rollout" "micro":2
1 "role":null "micro":null'
./stages step:1 begin:a mini micro 5 micro-end mini-end end
equal without_ranktrace_they_are_not_there $? 0
finish
