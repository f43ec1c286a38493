#!/bin/sh
# Device times by CUPTI, where the settings ask for it, on a simulated CUDA: kernels, copies and fills are as long as the device says,
# on every road; it is left behind a window and left to others, and where it fails events tell.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts symbolic
export LD_LIBRARY_PATH="$tmp/symbolic:$tmp/symbolic/libcupti"
"$tool" hooks >hooks

# traced NAME FORM [OPTION...]: recorded to $1, counted in $1.counts, said in $1.said
traced() {
	name=$1 form=$2
	shift 2
	[ -e "bare.$form" ] || "symbolic/train-$form" 3 >"bare.$form" 2>&1
	SIM_COUNTS=$name.counts SIM_TASKS=$name.tasks "$run" --save-path "$name" --level level1 --contents cpu,memory,device --device-source cupti "$@" -- \
		"symbolic/train-$form" 3 >"$name.said" 2>"$name.log"
	status=$?
	"$tool" dump --format jsonl "$name" >"$name.dump" 2>/dev/null
	equal "${name}_ends_as_without_us" "$status $(cmp "bare.$form" "$name.said" 2>&1)" '0 '
}
# told NAME: how many times were had how
told() { grep -o '"device_source":"[a-z]*"' "$1.dump" | cut -d'"' -f4 | sort | uniq -c | xargs; }
# asked NAME FUNCTION: how often CUPTI was
asked() { python3 "$here/tests/sims/lib/counts.py" "$1.counts" | awk -v symbol="cuptiActivity$2" '$1 == symbol { print $2 }'; }

for form in shared13 thread12 jax linked dlsym resolver; do
	traced $form $form --steps all
	holds "each_call_of_${form}_is_recorded_once" sh -c "python3 $accounts all $form.dump level1 $form.counts <hooks"
	holds "${form}_is_as_long_as_the_device_says" python3 "$accounts" times $form.dump $form.tasks
	equal "and_CUPTI_says_so_of_${form}_but_for_graphs_and_functions_of_the_host" "$(told $form)" '63 cupti 12 events'
done
# What a runtime gives that nobody sees has the number that was pushed before it was called: the first call of a window has none.
traced static static --steps all
holds each_call_of_static_is_recorded_once sh -c "python3 $accounts all static.dump level1 static.counts <hooks"
equal static_is_as_long_as_the_device_says_but_for_its_first_call "$(python3 "$accounts" times static.dump static.tasks 2>&1) $(told static)" \
	'copy 1000: 16 wanted, 15 there; copy None: 0 wanted, 1 there 62 cupti 12 events'
traced operators operators13 --steps all
holds operators_are_as_long_as_the_device_says python3 "$accounts" times operators.dump operators.tasks
python3 - operators.dump >compared <<'P'
import collections, json, sys
found = collections.Counter((e["kind"], e.get("device_source")) for e in map(json.loads, open(sys.argv[1])) if e["kind"] == "operator" or e["kind"] == "launch" and "operator" in e)
print(*(f"{kind} {source} {n}" for (kind, source), n in sorted(found.items(), key=str)))
P
equal and_so_is_what_they_launch "$(cat compared)" 'launch cupti 18 operator cupti 18 operator None 3'
equal the_report_tells_by_whom "$("$tool" report --only steps shared13 | grep -c "^TIMES device: from records of NVIDIA's CUPTI (63 device times), two events of ours")" 1

# ---- a window ----

traced one_step shared13 --steps 2
python3 - one_step.dump shared13.dump >compared <<'P'
import json, sys
times = [sorted((e["name"], e["device_duration_ns"]) for e in map(json.loads, open(path)) if e["step"] == 2 and "device_duration_ns" in e) for path in sys.argv[1:]]
print(times[0] == times[1], len(times[0]))
P
equal a_step_has_the_times_that_it_has_among_others "$(cat compared)" 'True 22'
equal behind_it_nothing_is_listened_to "$(asked one_step Enable) $(asked one_step Disable) $(asked one_step PushExternalCorrelationId) $(asked one_step PopExternalCorrelationId)" '7 7 24 23'
traced two_steps shared13 --steps 1,3
python3 - two_steps.dump shared13.dump >compared <<'P'
import json, sys
times = [sorted((e["name"], e["step"], e["device_duration_ns"]) for e in map(json.loads, open(path)) if e["step"] in (1, 3) and "device_duration_ns" in e)
         for path in sys.argv[1:]]
print(times[0] == times[1])
P
equal and_its_calls_have_their_times "$(cat compared)" True
equal with_the_next_window_it_begins_again "$(asked two_steps Enable) $(asked two_steps RegisterCallbacks)" '14 2'
"$run" --save-path unasked --steps all --level level1 --contents cpu,device -- symbolic/train-shared13 3 >unasked.said 2>&1
"$tool" dump --format jsonl unasked >unasked.dump
equal who_does_not_ask_for_it_has_events "$(told unasked)" '75 events'

# ---- threads ----

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isymbolic/rows -DDECLARED='"libcudart.so.13.def"' -o threads "$here/tests/programs/cuda_threads.c" \
	-Lsymbolic -l:libcudart.so.13 -pthread
SIM_TASKS=threads.tasks "$run" --save-path threads.out --steps all --step-source api --level level1 --contents cpu,device --device-source cupti -- \
	./threads launches 300 >threads.said 2>threads.log
"$tool" dump --format jsonl threads.out >threads.dump
holds launches_of_threads_are_as_long_as_the_device_says python3 "$accounts" times threads.dump threads.tasks
# While the first of them starts CUPTI the others are timed by events.
equal and_each_has_a_time "$(grep '"kind":"launch"' threads.dump | grep -c '"device_source":"\(cupti\|events\)"')" 2700
equal and_CUPTI_says_so_of_some "$(grep -c '"device_source":"cupti"' threads.dump | sed 's/^0$/none/; s/^[0-9]*$/some/')" some

# ---- whose time it is ----

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isymbolic/rows -DDECLARED='"libcudart.so.13.def"' -o strays "$here/tests/programs/cuda_strays.c" \
	-Lsymbolic -l:libcudart.so.13 -ldl -pthread
# strays WHAT STEPS: times, and who told them, of the long kernel, or graph, or of the short ones
strays() {
	SIM_RECORDS_ENDED=1 "$run" --save-path "strays.$1" --steps "$2" --step-source api --level level1 --contents cpu,device --device-source cupti -- \
		./strays "$1" >"strays.$1.said" 2>"strays.$1.log"
	"$tool" dump --format jsonl "strays.$1" | python3 -c 'import collections, json, sys
found = collections.Counter()
for e in map(json.loads, sys.stdin):
    if e.get("kernel") in sys.argv[1:] and not e.get("captured"):
        found[e["kernel"], e.get("device_source"), e.get("device_duration_ns")] += 1
    if e["name"] == "cudaGraphLaunch":
        found["graph", e.get("device_source"), (e.get("device_duration_ns") or 0) >= 30000000] += 1
print(*(" ".join(map(str, (n,) + what)) for what, n in sorted(found.items(), key=str)), sep="; ")' long ${3-}
}
equal a_kernel_has_not_the_time_of_one_between_two_windows "$(strays between 1,3)" '1 long cupti 30000000'
equal nor_that_of_one_that_was_not_told "$(strays captured all)" '1 long cupti 30000000'
equal a_graph_has_not_that_of_its_first_kernel "$(strays graph all)" '1 graph events True'
equal threads_that_succeed_one_another_have_times "$(strays threads all short)" '61 short cupti 10000'

# ---- where it fails ----

for fault in cuptiActivityRegisterCallbacks:1:999 cuptiActivityEnable:1:15 cuptiActivityEnable:4:999; do
	of=$(echo $fault | tr ':' '_')
	SIM_FAIL=$fault traced "$of" shared13 --steps all
	holds "of_${of}_events_tell" python3 "$accounts" times "$of.dump" "$of.tasks"
	equal "and_${of}_is_said" "$(told "$of") $(grep -c 'CUPTI refuses (its result [0-9]*): device times are taken by events' "$of.log")" '75 events 1'
done
equal what_was_begun_is_ended "$(asked cuptiActivityEnable_4_999 Enable) $(asked cuptiActivityEnable_4_999 Disable)" '4 3'
SIM_FAIL=cuptiActivityPushExternalCorrelationId:3:999 traced unpushed shared13 --steps all
holds a_number_that_is_refused_is_replaced_by_events python3 "$accounts" times unpushed.dump unpushed.tasks
SIM_FAIL=cuptiActivityPopExternalCorrelationId:3:999 traced unpopped shared13 --steps all
python3 - unpopped.dump shared13.dump >compared <<'P'
import json, sys
bad, good = ([(e["name"], e.get("device_duration_ns")) for e in map(json.loads, open(path)) if e["kind"] in ("launch", "copy", "fill")] for path in sys.argv[1:])
print(sum(b != g and b[1] is not None for b, g in zip(bad, good)), any(b[1] is None and g[1] is not None for b, g in zip(bad, good)))
P
equal a_number_that_stays_makes_no_time_wrong "$(cat compared)" '0 True'
SIM_CUPTI_TASKS=0 traced silent shared13 --steps all
equal times_that_it_does_not_tell_are_missed "$(told silent) $("$tool" report silent | grep -c ': 63 calls lack the device time that was asked for')" '12 events 1'

# ---- others ----

${CC:-gcc} -std=gnu11 -O1 -g -Wall -o listener "$here/tests/programs/cupti_listener.c" -Lsymbolic -Lsymbolic/libcupti -l:libcudart.so.13 -l:libcupti.so.13
"$run" --save-path others --steps all --contents cpu,device --device-source cupti -- ./listener >others.said 2>others.log
status=$?
"$tool" dump --format jsonl others >others.dump
equal who_listens_himself_is_told_all "$status $(cat others.said) $(./listener)" '0 told of 5 told of 5'
equal and_what_was_ours_before_we_have "$(told others) $(grep -c 'somebody else listens to CUPTI (torch.profiler does): device times are taken by events from now on' others.log)" '5 cupti 5 events 1'
finish
