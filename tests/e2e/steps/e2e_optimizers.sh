#!/bin/sh
# Trainers with several optimizers: a step ends with the last one of a round, which is learned.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/helpers/python/trained.sh"

# played OUT LETTERS STEPS PROVISIONAL: each letter is an optimizer, and two calls
played() {
	train "$1" "$python" "played $2" --steps all
	counted "$1" "steps(0) == $3"
	provisional "$1" "$4"
}

# provisional OUT STEPS: those that the report marks
provisional() {
	report "$1_has_its_marks" "$1" "[s['step'] for r in ranks for s in r['steps'] if s.get('provisional')] == $2"
}

# ---- rounds ----

played one A\ A\ A '{1: 2, 2: 2, 3: 2}' '[]'
played a_gan 'DG DG DG DG DG' '{1: 2, 2: 4, 3: 6, 4: 4, 5: 4}' '[1, 2, 3]'
played three_critics 'CCCG CCCG CCCG CCCG CCCG' '{1: 2, 2: 2, 3: 2, 4: 4, 5: 2, 6: 2, 7: 10, 8: 8, 9: 8}' 'list(range(1, 8))'
played three_critics_from_the_second_on 'CG CCCG CCCG CCCG' '{1: 2, 2: 4, 3: 2, 4: 2, 5: 10, 6: 8}' 'list(range(1, 6))'
played actor_critic_and_a_third 'ABC ABC ABC ABC' '{1: 2, 2: 6, 3: 10, 4: 6}' '[1, 2, 3]'
played one_is_frozen 'DG DG DG DG D D D D D' '{1: 2, 2: 4, 3: 6, 4: 4, 5: 4, 6: 2, 7: 2, 8: 2}' '[1, 2, 3, 5, 6]'
played the_first_is_frozen 'DG DG DG DG G G G G' '{1: 2, 2: 4, 3: 6, 4: 4, 5: 2, 6: 2, 7: 2, 8: 2}' '[1, 2, 3, 5, 6]'
played one_starts_late 'D D D DG DG DG DG' '{1: 2, 2: 2, 3: 2, 4: 2, 5: 4, 6: 6, 7: 4}' '[5, 6]'
played one_takes_anothers_place 'DG DG DG EG EG EG' '{1: 2, 2: 4, 3: 6, 4: 4, 5: 4, 6: 4}' '[1, 2, 3, 4, 5]'
played nothing_repeats 'ABC BAC CB CAB AC' '{1: 2, 2: 6, 3: 6, 4: 4, 5: 6, 6: 2}' '[1, 2, 3, 4, 5, 6]'

train two_optimizers "$python" two_optimizers --steps all
counted two_optimizers 'steps(0) == {1: 2, 2: 4, 3: 6, 4: 6, 5: 7}'
train a_hundred_optimizers "$python" many_optimizers --steps all
counted a_hundred_optimizers 'steps(0) == {1: 2, 2: 102, 3: 202, 4: 104, 5: 105}'
train the_last_of_a_hundred_optimizers "$python" the_last_of_many_goes_on --steps all
counted the_last_of_a_hundred_optimizers 'steps(0) == {1: 2, 2: 102, 3: 4, 4: 5, 5: 6}'
train one_that_rests "$python" one_of_two_rests --steps all
counted one_that_rests 'steps(0) == {1: 2, 2: 4, 3: 6, 4: 5, 5: 6}'
train accumulated_in_both "$python" accumulated_gan --steps all
counted accumulated_in_both 'steps(0) == {1: 5, 2: 10, 3: 15, 4: 10, 5: 10}'
provisional accumulated_in_both '[1, 2, 3]'
train closures "$python" lbfgs --steps all
counted closures 'steps(0) == {n: 4 for n in range(1, 6)}'
provisional closures '[]'
train closures_of_one_of_two "$python" lbfgs_of_two --steps all
counted closures_of_one_of_two 'steps(0) == {1: 4, 2: 6, 3: 8, 4: 6, 5: 6}'
provisional closures_of_one_of_two '[1, 2, 3]'

# ---- what the report says ----

# said OUT: of several, and of provisional steps
said() { "$tool" report "$1" | sed -n 's/^(\(.*ptimizer.*\))$/\1/p; s/^provisional: .*/provisional/p'; }

equal of_one_the_report_tells_the_rule "$(said one)" '1 optimizer: a step ends when it has stepped'
equal what_they_fired_is_listed "$(listened one | tail -n 1)" "step api: had not fired when $source did; step $source: fired 3 times; step kernel:(well-known optimizers): had not fired when $source did"
equal of_several_it_tells_how_many_there_are "$(said a_gan)" "provisional
2 optimizers: a step ends when the last one of a round has stepped"
equal of_several_without_a_round_too "$(said nothing_repeats)" "provisional
3 optimizers so far, whose round has not repeated: a step ends when one of them steps again"
played one_comes_back 'DG DG DG DG D D D D DG DG' '{1: 2, 2: 4, 3: 6, 4: 4, 5: 4, 6: 2, 7: 2, 8: 2, 9: 6}' '[1, 2, 3, 5, 6, 9]'
equal one_that_comes_back_is_counted_again "$(said one_comes_back | tail -n 1)" "2 optimizers: a step ends when the last one of a round has stepped"
equal a_row_that_is_provisional_says_so "$("$tool" report a_gan | grep -c '^ .*, provisional$')" 3

# selected OUT LETTERS LIST PROVISIONAL: what the report says of these steps only
selected() {
	train "$1" "$python" "played $2" --steps "$3"
	report "$1_has_its_steps" "$1" "list(steps(0)) == [${3%,50}]"
	provisional "$1" "$4"
	equal "$1_says_so_if_one_is_provisional" "$(said "$1" | grep -c '^provisional$')" "$5"
}
selected the_first_of_a_gan 'DG DG DG DG DG' 1 '[1]' 1
selected one_before_the_round_is_known 'DG DG DG DG DG' 2 '[2]' 1
selected one_behind 'DG DG DG DG DG' 4 '[]' 0
selected those_of_a_critic 'CCCG CCCG CCCG CCCG CCCG' 2,4,8 '[2, 4]' 1
selected the_second_of_a_critic_alone 'CCCG CCCG CCCG CCCG' 2 '[2]' 1
selected two_of_a_critic_alone 'CCCG CCCG CCCG CCCG' 1,3 '[1, 3]' 1
selected one_of_a_critic_and_one_that_never_comes 'CCCG CCCG CCCG' '2,50' '[2]' 1
selected one_of_a_critic_before_the_first_generator_is_the_end 'CCCG' 3 '[3]' 1
selected the_second_of_one 'A A A A A' 2 '[]' 0
selected the_first_two_of_one 'A A A A A' 1,2 '[]' 0
selected one_before_another_starts 'D D D DG DG DG DG' 3 '[]' 0
selected one_in_which_another_starts 'D D D DG DG DG DG' 5,7 '[5]' 1

train killed "$python" "played_and_killed DG DG DG DG DG" --steps all
report a_process_that_is_killed_tells_as_much killed "[(s['events'], s.get('provisional', False)) for s in ranks[0]['steps']] == \
	[(2, True), (4, True), (6, True), (4, False), (4, False)]"
equal and_how_many_there_were "$(said killed)" "$(said a_gan)"
both="$python $trainer $tmp/cann $standin played"
"$run" --save-path ranks --steps all -- sh -c "RANK=0 $both DGDGDG; RANK=1 $both AAA" 2>ranks.log
equal ranks_that_differ_are_told_apart "$("$tool" report ranks | sed -n '/^Step source/,/^$/p' | grep -c 'python:') $("$tool" report ranks | grep -o '[12] optimizers\{0,1\}:' | paste -sd' ')" \
	'2 2 optimizers: 1 optimizer:'

# ---- other sources, and who tells nothing ----

train accumulated_gradients "$python" accumulation --steps all
counted accumulated_gradients 'steps(0) == {n: 5 for n in range(1, 6)}'
train with_kernels_that_tell_of_more "$python" two_kernels --steps all
report pytorch_is_believed_before_kernels with_kernels_that_tell_of_more "steps(0) == {n: n + 3 for n in range(1, 6)} and $clock"
train with_kernels_wanted_first "$python" two_kernels --steps all --step-source "kernel:my_adam;$source"
report a_kernel_that_is_named_before_it_goes_first with_kernels_wanted_first 'ranks[0]["step_source"] == "kernel:my_adam"'
train seen_by_a_compiler "$python" compiled --steps all
counted seen_by_a_compiler 'steps(0) == {1: 2, 2: 3, 3: 5, 4: 5, 5: 6}'
finish
