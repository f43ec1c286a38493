#!/bin/sh
# A training program on a simulated CUDA (tests/sims/cuda), on every road that leads to a launch: every call that the simulated
# libraries counted is recorded once, as what it was, in the right step, and nobody notices. FORMS="shared12 ...": of these alone.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts symbolic
[ -n "${FORMS-}" ] || build_layouts plain
"$tool" hooks >hooks

# traced NAME LAYOUT FORM LEVEL [OPTION...]: recorded to $out, counted in $out.counts, said in $out.said
traced() {
	out=$1 layout=$2 form=$3 level=$4
	shift 4
	export LD_LIBRARY_PATH="$tmp/$layout"
	[ -e "bare.$form" ] || "$layout/train-$form" 3 >"bare.$form" 2>&1
	SIM_COUNTS=$out.counts SIM_TASKS=$out.tasks "$run" --save-path "$out" --level "$level" --contents cpu,memory --steps all "$@" -- \
		"$layout/train-$form" 3 >"$out.said" 2>"$out.log"
	status=$?
	"$tool" dump --format jsonl "$out" >"$out.dump" 2>/dev/null
}

# exact NAME LAYOUT FORM LEVEL [OPTION...]: all accounts agree, and nobody noticed
exact() {
	traced "$@"
	equal "$1_ends_as_without_us" "$status $(cmp "bare.$3" "$1.said" 2>&1)" '0 '
	holds "$1_is_recorded_once_at_$4" sh -c "python3 $accounts all $1.dump $4 $1.counts <hooks"
	case $3 in static) ;; *) holds "$1_is_recorded_in_the_right_steps" sh -c "python3 $accounts steps $1.said $1.dump $4 <hooks" ;; esac
}

if [ -n "${FORMS-}" ]; then
	for form in $FORMS; do
		exact "$form" symbolic "$form" level1 --contents cpu,memory,device
		[ "$form" = resolver ] || holds "${form}_is_as_long_as_the_device_says" python3 "$accounts" times "$form.dump" "$form.tasks"
	done
	finish
fi
equal all_forms_are_built "$(grep -c . symbolic/forms)" 10
for form in $(cat symbolic/forms); do
	exact "$form" symbolic $form level1
done
exact shared_of_more symbolic shared13 level2
exact static_of_more symbolic static level2
exact shared_of_less symbolic shared13 level0
exact static_of_less symbolic static level0
exact shared_whose_functions_may_be_taken_from_it plain shared13 level1
traced inner plain shared13 level2
holds launches_inside_launches_are_marked_at_level2 sh -c "python3 $accounts nested inner.dump level2 inner.counts <hooks"
exact static_whose_driver_s_functions_may_be_taken_from_it plain static level1
exact resolver_whose_driver_s_functions_may_be_taken_from_it plain resolver level1

# A resolver need not answer what the library exports: what is reached is what was answered.
export SIM_RESOLVER=other
for form in static resolver; do
	exact "${form}_with_other_answers" symbolic $form level1
	holds "${form}_with_other_answers_reaches_these" python3 "$accounts" other "${form}_with_other_answers.said" "${form}_with_other_answers.counts"
done
unset SIM_RESOLVER

# ---- device times ----

exact shared_one_of_two symbolic shared13 level1 --contents cpu,memory,device --device-every 2
equal launches_of_every_second_step_have_times_and_copies_of_each "$(python3 - shared_one_of_two.dump <<'P'
import collections, json, sys
timed = collections.defaultdict(set)
for e in map(json.loads, open(sys.argv[1])):
    if e["kind"] in ("launch", "copy") and e["step"] in (1, 2, 3) and e.get("stream") and not e.get("captured") and not e["result"]:
        timed[e["kind"], e["step"]].add("device_begin_ns" in e)
print(*(f"{kind} {step} {sorted(values)}" for (kind, step), values in sorted(timed.items())), sep="; ")
P
)" 'copy 1 [True]; copy 2 [True]; copy 3 [True]; launch 1 [True]; launch 2 [False]; launch 3 [True]'

for form in shared13 thread13 static linked triton; do
	exact "${form}_timed" symbolic $form level1 --contents cpu,memory,device
	holds "${form}_timed_is_as_long_as_the_device_says" python3 "$accounts" times "${form}_timed.dump" "${form}_timed.tasks"
done
finish
