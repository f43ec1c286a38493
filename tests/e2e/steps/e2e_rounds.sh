#!/bin/sh
# A trainer whose step numbers go back: each round's steps are steps of their own, and are told by both numbers.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program rounds

# traced OPTIONS... -- N...: how many events each step has
traced() {
	rm -rf out
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	# shellcheck disable=SC2086 # a list of words
	"$run" --save-path out --level level1 $options -- ./rounds "$@" 2>err
	"$tool" dump --format jsonl out | /usr/bin/python3 -c 'import collections, json, sys
steps = collections.Counter(json.loads(line)["step"] for line in sys.stdin)
print(*(f"{step}:{n}" for step, n in sorted(steps.items(), key=lambda s: (s[0] is not None, s[0]))))'
}

equal a_lower_number_begins_another_round "$(traced --steps all -- 1 2 3 1 2 3)" 'None:1 1:10 2:11 3:12 4:13 5:14 6:15'
equal and_is_said_once "$(grep -c 'ranktrace_step' err) $(grep -c 'ranktrace_step(1) after ranktrace_step(3) begins another round: its steps count on from 4' err)" '1 1'
"$tool" report out >report
equal the_report_tells_both_numbers "$(grep 'program.s step' report)" "rank -: step 4 is its program's step 1, and so on (step = n + 3)"
report the_report_as_json_has_the_offset out "[s.get('offset', 0) for s in ranks[0]['steps']] == [0, 0, 0, 3, 3, 3]"
equal a_step_of_a_later_round_is_selected_by_its_place "$(traced --steps 5 -- 1 2 3 1 2 3)" 5:14
equal rounds_add_up "$(traced --steps all -- 5 1 5 1)" 'None:1 5:10 6:11 10:12 11:13'
equal the_same_number_changes_nothing "$(traced --steps all -- 1 1 2 2 2 3)" 'None:1 1:21 2:39 3:15'
equal which_is_said_once "$(grep -c 'ranktrace_step(1) again changes nothing: it is the same step' err)" 1

# Calls are made before its first ranktrace_step() and behind each: a step that begins right behind another is empty.
traced --steps 1,2,3,5 -- 1 2 3 4 >/dev/null
report the_steps_of_a_list_are_told out "[(s['step'], s['events']) for s in ranks[0]['steps']] == [(1, 10), (2, 11), (3, 12)]"
traced --steps 2-4 -- 1 +2 3 4 5 >/dev/null
report a_step_of_a_list_without_a_call_is_told_too out "[(s['step'], s['events']) for s in ranks[0]['steps']] == [(2, 0), (3, 12), (4, 13)]"
traced --steps all -- 1 +2 3 >/dev/null
report and_of_all_steps out "[(s['step'], s['events']) for s in ranks[0]['steps']] == [(1, 10), (2, 0), (3, 12)]"
equal lower_numbers_may_be_ignored "$(traced --steps all --step-back ignore -- 1 2 3 1 2 3 4)" 'None:1 1:10 2:11 3:54 4:16'
equal and_that_is_said_once "$(grep -c 'ranktrace_step(1) after ranktrace_step(3) is ignored' err)" 1

# Two threads tell the same steps, each at its own pace: none of them begins a round.
traced --steps all -- threads 100 >/dev/null
report a_thread_that_is_late_begins_no_round out "[s['step'] for s in ranks[0]['steps']] == list(range(1, 101))"

rm -rf out
"$run" --save-path out --steps all --level level1 -- sh -c 'RANK=0 ./rounds 1 2 1 2; RANK=1 ./rounds 1 2 3' 2>err
equal ranks_that_count_differently_are_named "$("$tool" report out | grep 'rounds differently')" \
	"Ranks count their rounds differently: step 3 is not the same on all; compare the programs' own numbers."
rm -rf out
"$run" --save-path out --steps all --level level1 -- sh -c 'RANK=0 ./rounds 1 2 fork 1 2 1 2 join 3 4; RANK=1 ./rounds 1 2 3 4 fork 2 1 join' 2>err
report children_that_begin_a_round_of_their_own out "sorted((r['rank'], max(s['offset'] if 'offset' in s else 0 for s in r['steps'])) for r in ranks) == [(0, 0), (0, 2), (1, 0), (1, 2)]"
equal are_not_taken_for_another_rank "$("$tool" report out | grep -c 'rounds differently')" 0
rm -rf out
"$run" --save-path out --steps all --level level1 -- sh -c 'RANK=0 ./rounds 1 2 1 2; RANK=1 ./rounds 1 2 1' 2>err
equal those_that_count_alike_are_not "$("$tool" report out | grep -c 'rounds differently')" 0
finish
