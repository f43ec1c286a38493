#!/bin/sh
# Device times on a simulated CANN (tests/sims/ascend): what the events of ours between the program's calls say is what the
# simulated streams took; nobody notices; what cannot be had is counted, and never wrong.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

times=$sim/times.py
beside=	# what is preloaded too
build_layouts split monolith forward

# recorded NAME OPTION...: $program with device times, to $out and $out.*
recorded() {
	out=$1
	shift
	SIM_COUNTS=$out.counts SIM_TASKS=$out.tasks env ${beside:+"LD_PRELOAD=$beside"} "$run" --save-path "$out" --contents cpu,npu "$@" -- $program >"$out.said" 2>"$out.log"
	status=$?
	"$tool" dump --format jsonl "$out" >"$out.dump" 2>/dev/null
	"$tool" report --format json "$out" >"$out.json" 2>/dev/null
	untimed=$(grep -o '"untimed":[0-9]*' "$out.json" | head -n 1 | cut -d: -f2)
}

# trains LAYOUT ROAD MODE: the program; what it says and calls without us
trains() {
	[ "$2" = linked ] && module=linked.so || module=looked.so
	export LD_LIBRARY_PATH="$tmp/$1"
	program="$1/host $1/$module $2 $3 3"
	bare=bare.$1.$2.$3.${SIM_LAUNCH-}
	[ -e "$bare" ] || SIM_COUNTS=$bare.counts $program >"$bare" 2>&1
}

# unnoticed: the program said and called the same
unnoticed() {
	equal "$1_ends_as_without_us" "$status $(cmp "$bare" "$1.said" 2>&1)" '0 '
	holds "$1_calls_what_it_did_without_us" python3 "$times" own "$bare.counts" "$1.counts"
}

# exact NAME LAYOUT ROAD MODE
exact() {
	trains "$2" "$3" "$4"
	recorded "$1" --steps all --level level1
	unnoticed "$1"
	holds "$1_has_the_times_of_the_simulated_streams" python3 "$times" same "$1.dump" "$1.tasks" 0 events
	equal "$1_misses_no_time" "$untimed" 0
}

# ---- roads ----

export SIM_KERNEL_NS=5300 SIM_COPY_NS=1700 SIM_COPY_KB_NS=90
exact a_run_by_handles split handle 0
exact a_run_by_handles_with_a_queue split handle 1
exact a_run_by_handles_with_all_in_the_queue split handle 2
exact a_run_by_the_global_scope split default 0
exact a_run_by_the_global_scope_with_a_queue split default 1
exact a_run_by_the_global_scope_with_all_in_the_queue monolith default 2
exact a_linked_run split linked 0
exact a_linked_run_with_a_queue monolith linked 1
exact a_run_on_one_library_that_hands_on_to_the_next forward default 1
SIM_LAUNCH=old exact a_run_with_the_old_way_of_launching monolith handle 1
SIM_EVENT_QUERIES=3 exact a_run_whose_events_take_their_time split handle 1

# A copy that blocks is no work of a stream: it takes as long as its call.
report steps_are_computing_copying_and_communicating_for_so_long a_run_by_handles_with_a_queue \
	'([(s["compute_ns"], s["copy_ns"] - sum(x["duration_ns"] for x in e if x["step"] == s["step"] and x["kind"] in ("copy", "fill") and not x.get("stream") and not x["result"]),
	    s["communication_ns"], s["times"]) for s in ranks[0]["steps"]][:3] == [(114700, 13780, 21200, "device")] * 3)'
# Durations are the device's, begins are converted: neighbours of a stream may overlap by rounding.
report and_free_for_the_rest a_run_by_handles_with_a_queue \
	'all(18000 <= s["communication_not_overlapped_ns"] <= 21200 and s["e2e_ns"] == s["duration_ns"] and
	     s["free_ns"] == s["e2e_ns"] - 114700 - s["communication_not_overlapped_ns"] for s in ranks[0]["steps"][:3])'

# ---- windows ----

trains split handle 1
recorded one_step --steps 2
unnoticed one_step
report only_its_work_has_times one_step '({x["step"] for x in e} == {2} and
	ranks[0]["time_sources"] == {"events": len([x for x in e if x.get("stream") and not x["result"] and x["kind"] != "marker"])})'
equal events_are_given_back_behind_the_window "$(python3 "$times" own "$bare.counts" one_step.counts |
	awk '{ print ($6 > 0), $6 == $8 }')" '1 1'

equal where_the_newest_work_is_done_what_came_before_is_not_asked "$(python3 "$times" own "$bare.counts" one_step.counts |
	awk '{ print ($10 > 80), $12 * 8 < $10 }')" '1 1'

# ---- device_every ----

recorded one_of_two --steps all --device-every 2
unnoticed one_of_two
report launches_of_steps_between_have_no_device_times one_of_two \
	'([s["times"] for s in ranks[0]["steps"]][:3], {x["step"] for x in e if x["kind"] in ("launch", "operator") and "device_begin_ns" in x} - {None}, ranks[0]["untimed"]) == (["device", "host", "device"], {1, 3}, 0)'
report copies_and_collectives_have_them_in_each_step one_of_two \
	'(n := [len([x for x in e if x["step"] == s and x["kind"] in ("copy", "collective") and x.get("stream") and not x["result"]]) for s in (1, 2, 3)],
	  n == [len([x for x in e if x["step"] == s and x["kind"] in ("copy", "collective") and "device_begin_ns" in x]) for s in (1, 2, 3)] and min(n) > 3)[1]'
report those_that_have_some_have_all_and_all_are_counted one_of_two \
	'(len({len([x for x in e if x["step"] == n]) for n in (1, 2, 3)}) == 1 and ranks[0]["facts"]["device_every"] == "2" and
	 all(("device_begin_ns" in x) == bool(x.get("stream") and not x["result"] and x["kind"] != "marker") for x in e if x["step"] in (1, 3)))'
equal tables_say_of_how_many_calls_a_device_time_is "$("$tool" report one_of_two | grep -c ' TIMED  *DEVICE ')" 3

# step_times RUN: of which steps the export has step times, and what it says of the others
step_times() {
	"$tool" export --to ascend-text -o "$1.text" "$1" 2>said
	cut -d, -f2 "$1.text"/*/ASCEND_PROFILER_OUTPUT/step_trace_time.csv | xargs
	sed -n 's/^ranktrace: no step times of //p' said
}
left_out='1 step, of whose launches no device times were taken (--device-every)'
equal steps_between_have_no_step_times "$(step_times one_of_two)" "Step 1 3 4
$left_out"
equal the_report_says_why "$("$tool" report one_of_two | grep -c '^--device-every: launches have device times in other steps')" 1

# ---- the host's time ----

unset SIM_CLOCK	# it goes with the host's
recorded one_of_two_placed --steps all --device-every 2
equal nor_where_work_of_other_steps_is_done_in_their_time "$(step_times one_of_two_placed)" "Step 1 3 4
$left_out"
recorded placed --steps all --level level1
# A device that qemu-user simulates is late by milliseconds: there times are right, and where they stand is not told.
[ -n "${EMULATED-}" ] || holds work_stands_where_it_was_on_the_hosts_clock python3 "$times" within placed.dump placed.tasks 1600000000000000000
report and_begins_behind_the_call_that_gave_it placed \
	'all(x["device_begin_ns"] + 200000 > x["begin_ns"] for x in e if "device_begin_ns" in x)'
boot=$(($(date +%s) - 1000000))
SIM_CLOCK=$boot recorded started_later --steps all --level level1
[ -n "${EMULATED-}" ] || holds so_it_does_on_devices_that_were_started_later python3 "$times" within started_later.dump started_later.tasks ${boot}000000000
export SIM_CLOCK=0

# ---- what fails ----

# fails NAME FAULTS UNTIMED
fails() {
	SIM_FAIL=$2 recorded "$1" --steps all --level level1
	equal "$1_is_not_noticed" "$status $(cmp "$bare" "$1.said" 2>&1)" '0 '
	equal "$1_is_counted" "$untimed" "$3"
	"$tool" report "$1" >/dev/null
	ends=$?
	"$tool" check "$1" >/dev/null
	equal "$1_ends_report_and_check_alike" "$ends $?" '1 1'
	holds "$1_leaves_all_other_times_right" python3 "$times" same "$1.dump" "$1.tasks" "$untimed"
}

all=$(grep -o '"device_times":[0-9]*' a_run_by_handles_with_a_queue.json | cut -d: -f2)
fails an_event_that_cannot_be_made aclrtCreateEventExWithFlag:1:207007 "$all"
fails a_second_event_that_cannot_be_made aclrtCreateEventExWithFlag:2:207007 "$all"
fails an_event_that_cannot_be_put_in_front aclrtRecordEvent:1:107003 1
fails an_event_that_cannot_be_put_behind aclrtRecordEvent:2:107003 1
fails an_event_that_cannot_be_asked aclrtQueryEventStatus:2:507000,aclrtQueryEventStatus:3:507000 1
fails times_that_run_backwards aclrtEventElapsedTime:1:107007 1
fails a_time_that_is_none aclrtEventGetTimestamp:2:107006 1
fails work_that_is_not_done_after_all aclrtEventElapsedTime:2:507006 1

# ---- msPTI ----

# told NAME: how many times were had how, as `events N mspti N`
told() { grep -o '"time_sources":{[^}]*}' "$1.json" | tr -dc 'a-z0-9:,\n' | cut -d: -f2- | tr ':,' '  '; }

recorded without --steps all --level level1
SIM=$tmp/split/libmspti.so
LD_PRELOAD=$SIM recorded with --steps all --level level1
unnoticed with
holds kernels_take_as_long_by_mspti python3 "$times" same with.dump with.tasks 0
holds and_as_long_as_by_events python3 "$times" agree with.dump without.dump
report kernels_operators_and_collectives_are_told_by_mspti with \
	'all((x["device_source"] == "mspti") == (x["kind"] in ("launch", "operator", "collective") and
	     x["name"] not in ("aclrtLaunchCallback", "aclmdlRIExecuteAsync", "HcclBarrier")) for x in e if "device_source" in x)'
LD_PRELOAD=$SIM SIM_MSPTI_QUIET=2 recorded quiet --steps all --level level1
holds what_mspti_does_not_tell_of_a_collective_events_do python3 "$times" same quiet.dump quiet.tasks 0
report and_of_no_other quiet '[x["device_source"] for x in e if x["kind"] == "collective" and x["name"] != "HcclBarrier"].count("events") == 1'
LD_PRELOAD=$SIM SIM_FAIL=msptiActivityEnable:3:1 recorded older --steps all --level level1
unnoticed older
holds an_older_mspti_leads_to_no_other_times python3 "$times" same older.dump older.tasks 0
report and_tells_of_kernels_and_operators_alone older '({x["kind"] for x in e if x.get("device_source") == "mspti"} == {"launch", "operator"} and
	{x["device_source"] for x in e if x["kind"] == "collective" and x.get("stream")} == {"events"})'
LD_PRELOAD=$SIM recorded one_step_of_mspti --steps 2
unnoticed one_step_of_mspti
holds mspti_is_left_behind_the_window sh -c \
	"python3 $times own $bare.counts one_step_of_mspti.counts | grep -q '^subscribed 1 unsubscribed 1 '"
holds and_nothing_of_the_step_is_missed python3 "$times" agree one_step_of_mspti.dump one_step.dump
LD_PRELOAD=$SIM SIM_FAIL=msptiSubscribe:1:2 recorded taken --steps all --level level1
unnoticed taken
holds where_mspti_is_taken_events_tell python3 "$times" same taken.dump taken.tasks 0 events
for fault in msptiActivityRegisterCallbacks:1:999 msptiActivityEnable:1:999 msptiActivityEnable:2:6; do
	LD_PRELOAD=$SIM SIM_FAIL=$fault recorded "fault.$fault" --steps all --level level1
	holds "$(echo "$fault" | tr ':' '_')_leads_to_events" python3 "$times" same "fault.$fault.dump" "fault.$fault.tasks" 0 events
done
LD_PRELOAD=$SIM SIM_FAIL=msptiActivityPushExternalCorrelationId:3:999 recorded unpushed --steps all --level level1
holds a_number_that_is_refused_is_replaced_by_events python3 "$times" same unpushed.dump unpushed.tasks 0
LD_PRELOAD=$SIM SIM_FAIL=msptiActivityPopExternalCorrelationId:3:999 recorded unpopped --steps all --level level1
holds a_number_that_stays_makes_no_time_wrong python3 "$times" same unpopped.dump unpopped.tasks "$untimed"

# ---- what befalls a device ----

# befalls NAME WHAT
befalls() {
	program="$python $sim/times_ctypes.py $tmp/split $2"
	bare=bare.$2
	[ -e "$bare" ] || LD_PRELOAD='' SIM_COUNTS=$bare.counts $program >"$bare" 2>&1
	recorded "$1" --steps 1
	unnoticed "$1"
	holds "$1_and_every_time_is_right" python3 "$times" first "$1.dump" "$1.tasks" "$untimed"
}

befalls a_device_that_is_reset reset
equal a_reset_takes_no_times_that_can_be_read "$untimed" 0
befalls two_contexts contexts
equal each_context_has_its_own_times "$untimed" 0
SIM_EVENTS=80 SIM_EVENT_QUERIES=1000000 befalls more_work_than_events many
equal the_rest_is_counted "$untimed" 30
holds and_more_events_are_never_made sh -c "python3 $times own bare.many.counts more_work_than_events.counts | grep -q ' created 20 '"
befalls a_window_that_ended_before_its_work behind
equal its_times_come_with_the_next_waiting "$untimed" 0
equal and_its_file_is_whole "$(find a_window_that_ended_before_its_work -name '*.part' | wc -l)" 0

befalls collectives_of_all_kinds collectives
equal no_collective_misses_its_time "$untimed" 0

# ---- ranges ----

program="$python $sim/times_ctypes.py $tmp/split ranges" bare=bare.ranges
LD_PRELOAD='' SIM_COUNTS=$bare.counts $program >"$bare" 2>&1
recorded ranges --steps 1,3
unnoticed ranges
# of_ranges NAME EXPRESSION: over starts of ranges by step, `of`, and what a fill takes
of_ranges() {
	report "$1" ranges "(lambda of, fill: $2)(
		lambda step: [(x['message'], x.get('device_duration_ns')) for x in e if x['name'] == 'mstxRangeStartA' and x['step'] == step],
		next(x['device_duration_ns'] for x in e if x['name'] == 'aclrtMemsetAsync'))"
}
of_ranges a_range_takes_from_its_begin_to_its_end_in_its_stream \
	"of(1) == [('outer', 6 * fill), ('host', None), ('inner', 2 * fill), ('on a stream that ends', None), ('left open', None)]"
of_ranges of_many_at_once_sixty_four_have_a_time "Counter(of(3)) == {('many', fill): 64, ('many', None): 6}"
of_ranges and_no_range_is_work_of_a_step \
	"[(s['compute_ns'], s['copy_ns'], s['communication_ns']) for s in ranks[0]['steps']] == [(0, 7 * fill, 0), (0, fill, 0)]" # two more beside them, in the other stream
equal what_has_none_is_counted "$untimed" 8

# ---- others who measure ----

befalls a_profiler_that_runs profiler
equal nothing_is_timed_meanwhile "$untimed" 7
holds not_one_call_of_ours_is_made_meanwhile test "$(python3 "$times" own $bare.counts a_profiler_that_runs.counts | awk '{ print $10 }')" -le 38
equal the_user_is_told_once "$(grep -c 'no device times until that one ends' a_profiler_that_runs.log)" 1
report and_so_is_the_file a_profiler_that_runs '(ranks[0]["facts"]["device_times_off"] == "another profiler ran")'
beside=$SIM
befalls a_profiler_beside_mspti profiler
equal it_times_nothing_meanwhile_either "$untimed $(told a_profiler_beside_mspti)" '7 mspti 5 events 11'
befalls a_subscriber_beside_us subscriber
equal its_subscription_is_not_ours "$(tr '\n' ' ' <a_subscriber_beside_us.said)" 'subscribe 0 once more 2 done '
equal what_it_takes_from_us_events_tell "$untimed $(told a_subscriber_beside_us)" '0 mspti 3 events 4'
SIM_LATENCY_NS=20000 befalls threads_at_once threads
befalls collectives_of_all_kinds_by_mspti collectives
report of_which_it_tells_hccls collectives_of_all_kinds_by_mspti \
	'{(x["name"][:4], x["device_source"]) for x in e if x["kind"] == "collective"} == {("Hccl", "mspti"), ("Lccl", "events")}'
report of_threads_at_once_each_call_has_a_time_or_is_counted threads_at_once \
	'(len([x for x in e if x["kind"] == "launch"]) == 800 and ranks[0]["untimed"] + sum(ranks[0]["time_sources"].values()) == 800)'
SIM_FAIL=aclrtLaunchKernel:1:107000 befalls a_launch_that_fails failing
equal msptis_numbers_are_left_as_they_were "$untimed $(told a_launch_that_fails)" '0 mspti 5'
beside=

# ---- several devices ----

SIM_DEVICES=2 befalls two_devices_and_their_default_streams devices
equal no_device_misses_a_time "$untimed" 0
SIM_DEVICES=2 SIM_CLOCK=$boot SIM_CLOCK_APART=5000 recorded devices_placed --steps 1
[ -n "${EMULATED-}" ] || holds each_device_has_its_own_stream_and_clock python3 "$times" devices devices_placed.dump devices_placed.tasks \
	${boot}000000000 5000000000000

# ---- a runtime without time stamps ----

SIM_WITHOUT=aclrtEventGetTimestamp build_layouts without:split
program="$python $sim/times_ctypes.py $tmp/without minutes" LD_LIBRARY_PATH=$tmp/without
SIM_KERNEL_NS=650000000 recorded no_time_stamps --steps 1
holds without_time_stamps_work_takes_as_long_as_it_did python3 "$times" same no_time_stamps.dump no_time_stamps.tasks 0 events
equal nor_is_one_missed "$untimed" 0
"$BUILD/tests/programs/device_clock" no_time_stamps >no_time_stamps.clock
holds and_begins_where_it_did_for_more_than_a_minute python3 "$times" moments no_time_stamps.clock no_time_stamps.tasks 60
finish
