#!/bin/sh
# Ranges and marks of mstx as the clock of steps: marker:. What each window holds is what the program called between its markers.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK
build_layouts cann:cann
# build NAME OPTION...
build() {
	name=$1
	shift
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -w -I"$here" -o "$name" "$here/tests/programs/npu_marks.c" -Lcann -Wl,--no-as-needed -lascendcl -lacl_rt \
		-lms_tools_ext -lmsprofiler "$@" -Wl,--allow-shlib-undefined -Wl,-rpath,"$tmp/cann" || exit 1
}
build npu_marks
build beside_a_tool -lprofapi # the vendor's, which takes markers, too

# steps SOURCE WORD...: step:calls of each
steps() {
	source=$1
	shift
	rm -rf out
	RANKTRACE_RANK=0 "$run" --save-path out --steps "${selected-all}" --level level1 --step-source "$source" -- "./${program-npu_marks}" "$@" >said 2>&1 || fail "$source" "$(cat said)"
	"$tool" dump --format jsonl out | python3 -c 'import collections, json, sys
count = collections.Counter(e["step"] for e in map(json.loads, sys.stdin) if e["name"] == "aclrtSynchronizeDevice")
print(*(f"{step}:{n}" for step, n in sorted(count.items(), key=lambda x: (x[0] is not None, x[0] or 0))))'
}

rounds='2 start:step 3 end 4 start:step 5 end 6'
# shellcheck disable=SC2086 # a list of words
{
	equal a_range_s_end_ends_a_step "$(steps 'marker:^step$' $rounds)" '1:5 2:9 3:6'
	equal or_its_begin_begins_one "$(steps 'marker:^step$@entry' $rounds)" 'None:2 1:7 2:11'
	equal others_do_not "$(steps 'marker:^steps$;marker:^step$' $rounds mark:other start:other 7 end 8)" '1:5 2:9 3:21'
	equal and_each_is_listed "$(listened out)" 'step marker:^steps$=0; step marker:^step$=2
step marker:^steps$: had not fired when marker:^step$ did; step marker:^step$: fired 2 times'
	equal a_mark_ends_one "$(steps 'marker:^tick$' 2 mark:tick 3 mark:tock 4 mark:tick 5)" '1:2 2:7 3:5'
	equal in_letters_of_any_script "$(steps 'marker:^训练$' 2 mark:训练 3 mark:测试 4 mark:训练 5)" '1:2 2:7 3:5'
	equal or_begins_one "$(steps 'marker:^tick$@entry' 2 mark:tick 3 mark:tock 4 mark:tick 5)" 'None:2 1:7 2:5'
	equal so_does_one_by_the_profiler "$(steps 'marker:^tick$' 2 answered:tick 3 answered:tock 4 answered:tick 5)" '1:2 2:7 3:5'
	equal ranges_within_and_across_are_their_own "$(steps 'marker:^step$' start:step 1 start:step 2 start:other 3 end 4 end 5 end 6)" '1:10 2:5 3:6'
	equal a_number_is_the_step_s "$(steps 'marker:^ProfilerStep#([0-9]+)$@entry' 1 start:ProfilerStep#7 2 end start:ProfilerStep#8 3 end start:ProfilerStep#x 4 end)" \
		'None:1 7:2 8:7'
	equal collectives_are_left_out "$(steps 'marker:.' domain:communication start:one 1 end domain:mine start:two 2 end 3)" '1:3 2:3'
	equal unless_they_are_asked_for "$(steps 'marker:.{domain=communication}' domain:communication start:one 1 end domain:mine start:two 2 end domain: start:three 3 end 4)" \
		'1:1 2:9'
	equal with_a_stream_too "$(steps 'marker:^step$' stream:1 $rounds)" '1:5 2:9 3:6'
	equal a_forked_child_has_its_own "$(steps 'marker:^step$' $rounds fork start:step 20 end 30 join)" '1:25 2:39 3:6'
	equal and_ends_what_its_parent_began "$(steps 'marker:^step$' 1 start:step 2 fork 10 end 20 start:step 30 end 40 join end 3)" '1:13 2:53 3:40'
	equal no_call_changes_errno "$(steps 'marker:^n#([0-9]+)$@entry' $(for n in 1 9999999999999999999 99999999999999999999 x; do echo start:n#$n 1 end mark:n#$n answered:n#$n; done) >/dev/null; grep errno said)" ''
	equal a_number_that_is_none_is_no_step "$(steps 'marker:^n#([0-9]+)$@entry' start:n#999999999999999999 1 end start:n#9999999999999999999 2 end)" '999999999999999999:3'
	equal all_that_may_be_named_are_heard "$(steps "$(for n in $(seq 11); do printf 'marker:^no%s$;' $n; done)marker:^step$" $rounds)" '1:5 2:9 3:6'
	equal ranges_that_never_end_do_not_grow_for_ever "$(steps 'marker:^step$' $(for n in $(seq 4100); do echo left:step; done) 1 start:step 2 end 3) $("$tool" report out | grep -o '[0-9]* handles and names found no room')" \
		'1:6 5 handles and names found no room'
	equal who_only_begins_steps_keeps_none "$(steps 'marker:^step$@entry' $(for n in $(seq 4100); do echo left:step; done) 1; grep -c 'found no room' said) $("$tool" report out | grep -c 'found no room')" '4100:1
0 0'
}

# libprofapi has no number for a range, and no handle for a domain, while nobody profiles; and is not told of ours.
# shellcheck disable=SC2086 # a list of words
for SIM_PROFILER in 0 1; do
	export SIM_PROFILER
	tool_is=idle program=beside_a_tool
	[ $SIM_PROFILER = 0 ] || tool_is=busy
	rm -f counts.*
	equal "where_the_vendor_s_tool_is_${tool_is}_ranges_are_told_apart" "$(SIM_COUNTS=counts.%p steps 'marker:^step$' 2 start:step 3 start:other 1 end 4 end 5 domain:mine start:step 6 end mark:tick 7)" '1:10 2:11 3:7'
	report "and_recorded_with_the_tool_$tool_is" out "sorted((x['domain'] or '', x['name'], x['count'], x['not_ended']) for x in ranks[0]['ranges']) == [('', 'other', 1, 0), ('', 'step', 1, 0), ('mine', 'step', 1, 0)]"
	equal "the_tool_that_is_${tool_is}_hears_what_it_did" "$(cat counts.* | python3 "$here/tests/sims/lib/counts.py" -t /dev/stdin | sed -n 's/.*>prof_//p' | sort | paste -sd' ')" \
		'domain_create 1 domain_mark 1 domain_range_end 1 domain_range_start 1 range_end 2 range_start 2'
	equal "collectives_of_a_tool_that_is_${tool_is}_are_left_out" "$(steps 'marker:.' domain:communication start:one 1 end domain:mine start:two 2 end 3)" '1:3 2:3'
	equal "a_handle_that_comes_again_while_the_tool_is_$tool_is" "$(steps 'marker:.' domain:communication start:one 1 end destroy domain:mine start:two 2 end destroy domain:communication start:three 3 end)" '1:3 2:3'
	equal "or_for_one_that_is_named_while_it_is_$tool_is" "$(steps 'marker:.{domain=mine}' domain:mine start:one 1 end destroy domain:other start:two 2 end 3)" '1:1 2:5'
done
unset SIM_PROFILER program

# Of what a domain that is left out says no expression is tried; of others' each new message once.
build own_regexec -DOWN_REGEXEC -Wl,-E -ldl
equal of_collectives_no_expression_is_tried "$(program=own_regexec steps 'marker:^[ab]*c$;marker:.' domain:communication start:one 1 end start:two end mark:three tried \
	domain:mine start:one 2 end mark:one tried domain:communication start:four 3 end tried >/dev/null; grep tried said | paste -sd' ')" 'tried 0 tried 2 tried 0'

# What interrupted malloc takes no memory, and waits for no lock.
if [ -z "${SAN-}" ]; then
	build own_malloc -DOWN_MALLOC
	equal a_signal_handler_s_marker_takes_no_memory "$(program=own_malloc selected=1000 steps 'marker:^s#([0-9]+)$@entry' start:s#1 1 end signal:s#1 signal:s#2 2 >/dev/null 2>&1; grep -c memory said)" 0
fi

# The window that is asked for, whole, with the range that it is; outside of it the gate of torch_npu is open as long as one may come.
# shellcheck disable=SC2086 # a list of words
{
	rm -rf out
	RANKTRACE_RANK=0 "$run" --save-path out --steps 2 --level level1 --step-source 'marker:^step$@entry' -- ./npu_marks $rounds start:step 7 end >said 2>&1
	equal a_window_begins_with_its_range "$("$tool" dump --format jsonl out | python3 -c 'import json, sys
print(*("%s:%s" % (e["name"], e.get("message", "")) for e in map(json.loads, sys.stdin) if e["step"] == 2))')" \
		'mstxRangeStartA:step aclrtSynchronizeDevice: aclrtSynchronizeDevice: aclrtSynchronizeDevice: aclrtSynchronizeDevice: aclrtSynchronizeDevice: mstxRangeEnd: aclrtSynchronizeDevice: aclrtSynchronizeDevice: aclrtSynchronizeDevice: aclrtSynchronizeDevice: aclrtSynchronizeDevice: aclrtSynchronizeDevice:'
	RANKTRACE_RANK=0 "$run" --save-path never --steps 2 --step-source 'marker:^stop$' -- ./npu_marks $rounds >said 2>&1
	equal one_that_never_matches_is_told "$("$tool" check never | grep -c "marker:^stop\$ never fired: no range or mark has a message that matches it")" 1
}

# A message that is no UTF-8 makes no text of ours such.
steps 'marker:^tick$' 1 "mark:$(printf 'caf\351')" mark:tick 2 >/dev/null
equal a_message_that_is_no_utf8_is_shown_as_far_as_it_is "$({ "$tool" report out; "$tool" dump out; } | python3 -c 'import sys
print(sys.stdin.buffer.read().decode().count("caf?"))')" 3 # the command, a row of the report, a line of the dump

# Ranges are stages, too: each has a file of its own, of the calls made in it.
# stages STAGES WORD...: the windows, and the calls of each
stages() {
	source=$1
	shift
	rm -rf out
	RANKTRACE_RANK=0 "$run" --save-path out --steps all --discrete true --level level1 --step-source 'marker:^step$@entry' --stage-source "$source" -- \
		./npu_marks "$@" >said 2>&1 || fail "$source" "$(cat said)"
	find out -name '*.rtrace' | sort | while read -r file; do
		window=${file##*/}
		echo "${window%%".$(hostname)"-*}:$("$tool" dump --format jsonl "$file" | grep -c aclrtSynchronizeDevice)"
	done | paste -sd' '
}
iteration='2 start:gen 3 end 4 start:update 5 end 6 end'
# shellcheck disable=SC2086 # a list of words
{
	equal a_range_is_a_stage_of_the_role_that_it_is_called "$(stages 'marker:^(gen|update)$' 1 start:step $iteration start:step 7 start:gen 8 start:other 9 end end 10 end)" \
		'step-1.gen.0:3 step-1.update.0:5 step-2.gen.0:17'
	equal or_of_one_that_is_given "$(stages 'marker:^gen{role=rollout};marker:^up{role=actor_update}' 1 start:step $iteration)" 'step-1.actor_update.0:5 step-1.rollout.0:3'
	equal which_is_listed_beside_the_step_s "$(listened out)" 'step marker:^step$@entry=1; stage marker:^gen{role=rollout}=1; stage marker:^up{role=actor_update}=1
stage rollout: entered 1 time; stage actor_update: entered 1 time; step marker:^step$@entry: fired 1 time; stage marker:^gen{role=rollout}: fired 1 time; stage marker:^up{role=actor_update}: fired 1 time'
	equal or_of_all_its_message "$(stages 'marker:^g.n$' start:step $iteration)" 'step-1.gen.0:3'
	equal or_where_its_group_has_nothing "$(stages 'marker:^(gen)$|^update$' start:step $iteration)" 'step-1.gen.0:3 step-1.update.0:5'
	equal each_time_anew "$(stages 'marker:^gen$' start:step start:gen 1 end start:gen 2 end end start:step start:gen 3 end end)" 'step-1.gen.0:1 step-1.gen.1:2 step-2.gen.0:3'
	equal what_is_inside_one_belongs_to_it "$(stages 'marker:^(gen|update)$' start:step start:gen 1 start:update 2 end 3 end 4 end)" 'step-1.gen.0:6'
	equal only_of_the_domain_that_is_named "$(stages 'marker:^gen${domain=mine}' start:step start:gen 1 end domain:mine start:gen 2 end domain: end)" 'step-1.gen.0:2'
}

# MindSpeed-RL's own ranges, its profiler off: steps and stages by its preset, by its settings, and in its light mode.
iteration='start:ActorHybridWorkerBase.generate_sequences 2 end start:ReferenceWorkerBase.compute_ref_log_prob 3 start:Reference.compute_log_prob 1 end end
	start:ActorHybridWorkerBase.update 4 start:ActorRolloutHybrid.update_actor 5 start:Actor.update_actor 6 end end end'
# marked OPTION...: windows, and what is in them
marked() {
	rm -rf out
	# shellcheck disable=SC2086 # a list of words
	RANKTRACE_RANK=0 "$run" --save-path out --preset mindspeed-rl-markers "$@" -- ./npu_marks 1 $iteration 7 $iteration 8 >said 2>&1 || fail marked "$(cat said)"
	find out -name '*.rtrace' | sort | while read -r file; do
		window=${file##*/}
		echo "${window%%".$(hostname)"-*}:$("$tool" dump --format jsonl "$file" | grep -c aclrtSynchronizeDevice)"
	done | paste -sd' '
}
printf 'profiler_config:\n  integrated: {profile: true, profile_level: level1}\n' >rl.yaml
printf 'profiler_config:\n  integrated: {profile: true, profile_level: level1, stage: actor_update}\n' >stage.yaml
printf 'profile: true\nmstx: true\nprofile_level: level_none\nprofile_with_cpu: false\nprofile_with_npu: true\n' >light.yaml
equal a_worker_s_ranges_are_steps_and_stages "$(marked --steps 2 --level level1 --discrete true)" \
	'step-2.actor_generate.0:2 step-2.actor_update.0:15 step-2.reference_compute_log_prob.0:4'
equal its_settings_say_the_first_iteration "$(marked --config rl.yaml)" 'step-1:22'
equal or_a_stage_of_it "$(marked --config stage.yaml)" 'step-1.actor_update.0:15'
marked --config light.yaml >windows
equal its_light_mode_records_markers "$(cat windows) $("$tool" dump --format jsonl out | python3 -c 'import collections, json, sys
print(*sorted(collections.Counter(e["name"] for e in map(json.loads, sys.stdin)).items()))')" "step-1:0 ('mstxRangeEnd', 6) ('mstxRangeStartA', 6)"

# The training program marks its steps: the windows are those that its own word of them makes.
build_layouts split
trained() {
	LD_LIBRARY_PATH=$tmp/split "$run" --save-path "$1" --steps 2-3 --level level1 --step-source "$2" -- split/host split/looked.so handle 1 5 >said 2>&1
	"$tool" dump --format jsonl "$1" | python3 -c 'import collections, json, sys
count = collections.Counter((e["step"], e["name"]) for e in map(json.loads, sys.stdin) if e["kind"] in ("launch", "copy", "fill", "collective"))
print(sorted(count.items()))'
}
equal a_training_program_s_steps_are_those_of_its_markers "$(trained marked 'marker:^step$')" "$(trained told api)"
finish
