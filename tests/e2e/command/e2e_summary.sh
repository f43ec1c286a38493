#!/bin/sh
# The first lines of a report: what its steps have in common, and which stand out.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages

# summary: the section; told: what the report's JSON comes to
summary() { "$tool" report "$@" | sed -n '/^Summary$/,/^$/{/^Summary$/d;/^$/d;p;}'; }
told() { "$tool" report --format json "$@" | python3 "$here/tests/helpers/python/summary.py"; }
steps=$(for n in $(seq 24); do echo "step:$n $((n * 7 % 24 * 40 + 1))"; done)
# shellcheck disable=SC2086 # lists of words
{
	for rank in 0 3; do RANK=$rank recorded many --job one --steps all -- $steps; done
	equal of_two_ranks "$(summary many)" "$(told many)"
	equal the_first_ten_lines_say_it_all "$("$tool" report many | head -n 10 | tail -n 5)" "$(told many)"
	equal steps_of_one_are_said_without_it "$(summary --ranks 3 many)" "$(told --ranks 3 many)"
	equal the_last_ones_are_not_whole "$(summary many | grep -o '^[0-9]* whole steps of 2 ranks\|left out: .*' | paste -sd' ')" '46 whole steps of 2 ranks left out: 2 steps without a whole length: see Steps'
	recorded one --steps 2 -- step:1 1 step:2 5 step:3 1
	equal one_step_is_one "$(summary one | head -n 2 | sed 's/[0-9.]* .s/T/g' | paste -sd' ')" '1 whole step of 1 rank: median T, p95 T slowest: step 2 T'
	recorded parts --steps 1,2 --discrete true -- step:1 1 begin:a 5 end step:2 2 begin:a 3 end step:3
	equal steps_in_parts_have_no_whole_length "$(summary parts)" 'nothing was lost; 2 steps without a whole length: see Steps'
	recorded lossy --steps 1-3 --max-size 64K -- step:1 10 step:2 300000 step:3 10 step:4 1
	equal nor_those_that_lost_calls "$(summary lossy)" "$(told lossy)"
	equal and_these_are_counted "$(summary lossy | grep -c '^lost: [1-9].*; left out: 1 step\|^1 whole step of')" 2
	RANKTRACE_STEP_SOURCE=api "$run" --save-path late --steps 1,2 --roles 'a{ranks=1};b{ranks=0}' -- ./stages step:1 begin:b 1 end 2 begin:a 4 end rank:1 8 step:2 16 \
		begin:b 32 end step:3 1 >said 2>log
	equal calls_that_waited_for_another_rank_are_not_lost "$(summary late | grep -c '^2 whole steps of 1 rank\|^nothing was lost')" 2
	RANKTRACE_STEP_SOURCE=api "$run" --save-path failed --steps 1 -- sh -c './stages step:1 1 step:2; exit 3' >said 2>log
	equal a_command_that_failed_is_told "$("$tool" report failed | sed -n '1s/.*; exit 3//p') $("$tool" report --format json failed | grep -o '"run_exit_status":[^,]*,"run_signal":[^,]*')" \
		', which ended with status 3 "run_exit_status":3,"run_signal":null'
	RANKTRACE_STEP_SOURCE=api "$run" --save-path killed --steps 1 -- sh -c './stages step:1 1 step:2; kill -9 $$' >said 2>log
	equal and_one_that_a_signal_ended "$("$tool" report killed | sed -n "1s/.*kill -9 [$]*'*//p") $("$tool" report --format json killed | grep -o '"run_exit_status":[^,]*,"run_signal":[^,]*')" \
		', which was ended by signal 9 (Killed) "run_exit_status":null,"run_signal":9'
	file=$(find one -name '*.rtrace')
	: >"$(dirname "$file")/step-9.${file#*/step-*.}.part" && touch -d '1 minute ago' "$(dirname "$file")"/*.part
	equal a_file_that_nothing_could_be_written_to_is_lost "$("$tool" report one 2>said | grep -c 'not all is there\|1 file is empty: what was to be written to it is lost, as on a full disk'; grep -c ': empty: what was to be' said; "$tool" check one >checked 2>&1 || echo $?; grep -c ': empty: ' checked)" \
		"$(printf '2\n1\n1\n1')"
	recorded none --steps all -- 5
	equal without_steps_there_is_none "$(summary none)" ''
}
finish
