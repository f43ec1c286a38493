#!/bin/sh
# Windows inside steps: a file for each stage, or for stretches of mini- or micro-batches, which hold exactly the calls that the
# program made there, and nothing of what lies between.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages

ppo='step:1 1 begin:rollout micro 2 micro 3 micro 4 end 5 begin:reward end begin:actor mini micro 6 micro 7 mini micro 8 end
	begin:actor 9 end step:2 1 begin:actor micro 10 end step:3 begin:actor 11 end'
# shellcheck disable=SC2086 # a list of words
{
	equal each_stage_of_the_selected_steps_is_a_file "$(files --steps 1,2 --discrete true -- $ppo)" \
		'step-1.actor.0 21
step-1.actor.1 9
step-1.reward.0 0
step-1.rollout.0 9
step-2.actor.0 10'
	equal of_all_calls_in_them_none_is_lost "$("$tool" report --format json out | /usr/bin/python3 -c '
import json, sys
e = json.load(sys.stdin)["ranks"][0]["events"]
print(*(e[k] for k in ("called", "kept", "dropped", "in_flight")))') $("$tool" check out; echo "status $?")" '49 49 0 0 recorded 49 events of rank 0
status 0'
	report what_lies_between_them_is_not_idle out \
		'(lambda s: [x["events"] for x in s] == [39, 10] and s[0]["unrecorded_ns"] > 0 and s[0]["idle_ns"] <= s[0]["duration_ns"] - s[0]["unrecorded_ns"])(one(0)["steps"])'
	equal the_table_says_in_parts "$("$tool" report out | sed -n '/^Steps/,/^$/p' | grep -c 'host, in parts$')" 2
	equal the_first_micro_batch_of_each_stage "$(files --steps 1,2 --schedule counter=micro,active=1,repeat=1 -- $ppo)" \
		'step-1.actor.0.micro-0 6
step-1.rollout.0.micro-0 2
step-2.actor.0.micro-0 10'
	equal a_stretch_of_micro_batches "$(files --schedule counter=micro,wait=1,active=2,repeat=1 -- $ppo)" \
		'step-1.actor.0.micro-1-2 15
step-1.rollout.0.micro-1-2 7'
	equal the_table_says_so_of_steps_and_stages "$("$tool" report out | grep -c 'in parts$')" 3
	equal mini_batches "$(files --schedule counter=mini,wait=1,active=1,repeat=1 -- $ppo)" 'step-1.actor.0.mini-1 8'
	equal batches_that_never_begin_again "$(files --reset never --schedule counter=micro,wait=2,active=2,repeat=1 -- $ppo)" 'micro-2-3 15' # the last one of a stage goes on behind it
	equal within_listed_steps_too "$(files --steps 2 --reset never --schedule counter=micro,wait=2,active=9 -- $ppo)" 'step-2.micro-2-10 11'
	equal discrete_and_a_schedule_of_steps "$(files --discrete true --schedule wait=1,active=1,repeat=1 -- $ppo)" 'step-2.actor.0 10'
}

decode=$(i=0; while [ $i -lt 100 ]; do echo "micro $((i % 7 + 1))"; i=$((i + 1)); done)
# shellcheck disable=SC2086 # a list of words
equal decode_steps_of_an_engine_without_steps "$(files --schedule counter=micro,wait=29,warmup=1,active=30,repeat=1 -- 5 $decode)" 'micro-30-59 119'
equal of_them_each_has_its_calls "$("$tool" dump --format jsonl out | grep -o '"micro":[0-9]*' | sort | uniq -c | awk '{ sub(/.*:/, "", $2); if ($1 != $2 % 7 + 1) bad++; n++ } END { print n, bad + 0 }')" '30 0'
equal a_stage_belongs_to_the_step_in_which_it_began "$(files --steps 1 --discrete true -- step:1 begin:a 1 step:2 2 end 3 begin:b 4 end)" 'step-1.a.0 3'
equal calls_of_other_threads_are_in_it "$(files --discrete true -- step:1 thread:1 begin:a thread:2 3 end thread:4)" 'step-1.a.0 5'
equal stages_that_overlap_share_no_call "$(files --discrete true -- step:1 begin:a 1 thread-begin:b 2 end:0 3 end:1 4)" 'step-1.a.0 1
step-1.b.0 5'
equal a_stage_that_goes_on_behind_another_has_a_second_file "$(files --discrete true -- step:1 begin:a 1 thread-begin:b 2 end:1 3 thread-begin:c 4 end:2 5 end:0 6)" \
	'step-1.a.0 1
step-1.a.0.2 3
step-1.a.0.3 5
step-1.b.0 2
step-1.c.0 4'
equal that_is_no_error "$("$tool" check out; echo "status $?")" 'recorded 15 events of rank 0
status 0'
equal however_many_there_are_in_between "$(files --discrete true -- step:1 begin:a 1 $(i=0; while [ $i -lt 300 ]; do echo "thread-begin:b end:$((i + 1)) 1"; i=$((i + 1)); done) end:0 | awk '{ n += $2 } END { print n }') $("$tool" check out | grep -c 'File exists')" '301 0'
equal a_stage_of_the_last_step_goes_on_behind_it "$(files --steps 1 --discrete true -- step:1 begin:a 1 thread-begin:b 2 step:2 4 end:1 8 end:0 16)" \
	'step-1.a.0 1
step-1.a.0.2 8
step-1.b.0 6'
equal so_do_its_batches "$(files --steps 1 --schedule counter=micro,wait=1,active=1 -- step:1 begin:a micro 1 step:2 micro 20 end begin:c micro micro 5 end)" 'step-1.a.0.micro-1 20'
equal what_lies_between_batches_of_a_stretch_is_in_it "$(files --schedule counter=micro,active=3,repeat=1 -- step:1 begin:a 1 micro 2 micro-end 3 micro 4 micro-end 5 micro 6 micro-end 7 micro 8 end)" \
	'step-1.a.0.micro-0-2 20'
equal without_a_step_or_a_stage_too "$(files --schedule counter=micro,wait=1,active=2 -- micro 1 micro-end 2 micro 3 micro-end 4 micro 5 micro-end 6 micro 7 micro-end 8 micro 9 micro-end 10)" \
	'micro-1-2 12
micro-4-5 19'
rm -rf out
"$run" --save-path out --level level1 --step-source api --ranks 1 --steps all --discrete true -- ./stages begin:a 1 end rank:1 begin:a 2 end begin:a 3 end 2>err
equal a_rank_that_is_set_late_is_read_at_a_stage "$("$tool" dump --format jsonl --ranks 1 out | grep -o '"occurrence":[12]' | sort | uniq -c | awk '{ print $1, $2 }')" \
	'2 "occurrence":1
3 "occurrence":2'
equal whose_rank_comes_late_has_all_its_calls "$(late --steps 1 --ranks 1 --discrete true)" '9 0 9 1
3 9 0 9 1'
equal however_late_its_whole_steps_too "$(late --steps 1 --ranks 1)" '9 0 9 1
3 9 0 9 1'
equal of_another_rank_each_is_counted_and_none_kept "$(late --steps 1 --ranks 0 --discrete true)" '0 0 0 0
3 0 9 9 0'
rm -rf out
equal while_it_waits_that_is_told "$({ until "$tool" check out 2>&1 | grep -q 'the rank is unknown and ranks 1 are selected'; do :; done; echo; } |
	rank='' files --steps 1 --ranks 1 --discrete true -- step:1 begin:a 9 end wait rank:1 step:2; "$tool" check out)" 'here
step-1.a.0 9
recorded 9 events of rank 1'
rank='' files --steps 1 --ranks 1 --discrete true --shm-size 4M -- step:1 begin:a 200000 end rank:1 begin:a 3 end >/dev/null
equal what_finds_no_room_until_then_is_counted_and_told "$(accounted | awk '{ print ($1 + $2 == $3), ($2 > 0), $3, $4 }') $(grep -c '^ranktrace: rank 1: [0-9]* of 200003 calls are lost because buffers were full: raise --shm-size' err)" \
	'1 1 200003 2 1'
equal a_role_may_be_called_anything "$(files --discrete true -- step:1 begin:../a/B.c 1 end begin:$(printf 'long%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17) 2 end)" \
	'step-1.longlonglonglonglonglonglonglonglonglonglonglonglong.0 2
step-1.___a_B_c.0 1'
equal a_forked_child_has_its_own "$(files --discrete true -- step:1 begin:a 1 fork begin:b 2 end join 3 end)" 'b.0 2
step-1.a.0 4'

# shellcheck disable=SC2086 # a list of words
equal batches_that_the_schedule_does_not_reach_are_counted "$(files --steps 1 --schedule counter=micro,wait=500,active=1 -- $ppo; grep -c 'rank 0: 2 mini- and 6 micro-batches were met in all, and none' err)" 1
equal steps_that_began_behind_the_list_are_told "$(files --steps 2,3 -- step:41 1 step:42 1; grep -c "rank 0: steps 2,3 were selected, but this process's steps began behind them (the last one seen was 4[12], told by api)" err)" 1

cat >profile.yaml <<'E2'
discrete: true
steps: [2]
schedule: {counter: micro, active: 1, repeat: 1}
E2
# shellcheck disable=SC2086 # a list of words
equal a_file_says_the_same "$(files --config profile.yaml -- $ppo)" 'step-2.actor.0.micro-0 10'

files --steps 2 --discrete true -- step:1 begin:a 1 end step:2 3 >/dev/null
equal that_no_stage_was_met_is_told "$("$tool" check out; echo "status $?")" \
	'rank 0: recording inside steps 2 was asked for, but no stage, mini- or micro-batch of them was met that it is for: the program tells them by ranktrace_stage_begin() and its like; else leave out --discrete, or give a schedule of steps
status 1'
# shellcheck disable=SC2086 # a list of words
files --schedule counter=micro,active=1 -- $(i=0; while [ $i -lt 1000 ]; do echo "micro 3"; i=$((i + 1)); done) >many
merged=$("$tool" report out | sed -n 's/.*: \([0-9]*\) windows* ha[sv]e* .* events in the file of the one before.*/\1/p')
windows=$(($(wc -l <many) + ${merged:-0}))
# What a busy disk leaves at the exit the launcher collects, into one file.
"$tool" report out | grep -q 'recorded calls were recovered from memory' && [ $windows -lt 1000 ] && windows=1000
equal windows_in_quick_succession_lose_nothing "$windows $(awk '{ n += $2 } END { print n }' many)" '1000 3000'
# shellcheck disable=SC2086 # a list of words
rank='' files --ranks 0 --schedule counter=micro,active=1 -- $(i=0; while [ $i -lt 600 ]; do echo "micro 3"; i=$((i + 1)); done) >many
equal of_windows_that_are_not_written_none_is_in_the_file_of_another "$(wc -l <many) $("$tool" check out | grep -c 'the rank is unknown') $("$tool" check out | grep -c 'in the file of the one before')" '0 1 0'
equal what_reset_may_say_is_told "$("$run" --reset stages -- true 2>&1 | head -n 1)" "ranktrace: --reset: 'stages' is unknown: write auto, stage or never"
finish
