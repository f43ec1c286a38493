#!/bin/sh
# A training program on a simulated CANN (tests/sims/ascend): every call that the simulated libraries counted is recorded once,
# as what it was, in the right step, by whichever road the program finds them.
# takes: 70 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

accounts=$sim/accounts.py
build_layouts split monolith forward
"$tool" hooks >hooks

# trained LAYOUT ROAD MODE: the command line; in $bare what it says without us
trained() {
	[ "$2" = linked ] && module=linked.so || module=looked.so
	export LD_LIBRARY_PATH="$tmp/$1" # as set_env.sh of CANN does; a sanitizer's dlopen knows nothing of RUNPATH
	program="$1/host $1/$module $2 $3 3"
	bare=bare.$1
	[ -e "$bare" ] || $program >"$bare" 2>&1
}

# traced NAME LAYOUT ROAD MODE LEVEL [OPTION...]: recorded to $out, counted in $out.counts, said in $out.said
traced() {
	out=$1 level=$5
	trained "$2" "$3" "$4"
	shift 5
	SIM_COUNTS=$out.counts "$run" --save-path "$out" --level "$level" --contents cpu,memory "$@" -- $program >"$out.said" 2>"$out.log"
	status=$?
	"$tool" dump --format jsonl "$out" >"$out.dump" 2>/dev/null
}

# leaves_out NAME: what level0 leaves out is told, each call once
leaves_out() {
	"$tool" report --format json "$out" >"$out.json"
	holds "$1_leaves_out_each_call_once" sh -c "python3 $accounts left $out.json level0+memory $out.counts <hooks"
}

# exact NAME LAYOUT ROAD MODE LEVEL: all three accounts agree, and nobody noticed
exact() {
	traced "$1" "$2" "$3" "$4" "$5" --steps all
	equal "$1_ends_as_without_us" "$status $(cmp "$bare" "$out.said" 2>&1)" '0 '
	holds "$1_is_counted_as_the_program_says" python3 "$accounts" own "$out.said" "$out.counts"
	holds "$1_is_recorded_in_the_right_steps" sh -c "python3 $accounts steps $out.said $out.dump $5 <hooks"
	[ "$5" != level0 ] || leaves_out "$1"
	holds "$1_is_recorded_once_at_$5" sh -c "python3 $accounts all $out.dump $5 $out.counts <hooks"
}

# ---- roads: generations of torch_npu, modes of its queue, generations of CANN ----

exact a_run_by_handles split handle 0 level1
exact a_run_by_handles_with_a_queue split handle 1 level1
exact a_run_by_handles_with_all_in_the_queue split handle 2 level0
exact a_run_by_the_global_scope split default 0 level2
exact a_run_by_the_global_scope_with_a_queue split default 1 level1
exact a_run_by_the_global_scope_with_all_in_the_queue split default 2 level1
exact a_run_on_one_library_over_another monolith handle 1 level2
exact a_run_on_one_library_that_hands_on_to_the_next forward default 1 level2
SIM_LAUNCH=old exact a_run_with_the_old_way_of_launching monolith default 2 level2
SIM_LAUNCH=old exact a_run_with_the_old_way_of_launching_seen_from_above monolith handle 1 level0
exact a_linked_run split linked 0 level1
exact a_linked_run_on_one_library_over_another monolith linked 1 level0
exact a_linked_run_on_one_library_that_hands_on forward linked 2 level2

# ---- steps ----

traced only_two split handle 1 level1 --steps 2,3
holds only_the_steps_of_the_window_are_recorded sh -c \
	"sed -E '/^(-1|1) /d' only_two.said >two && python3 $accounts steps two only_two.dump level1 <hooks"
report nothing_else_is_recorded only_two '({x["step"] for x in e} == {2, 3})'

# ---- calls inside calls ----

if [ -z "${SAN-}" ]; then # whose own looks are counted, too
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -shared -fPIC -o lookers.so "$sim/lookers.c" || exit 1
	trained split handle 0
	for steps in 3 9; do
		LOOKERS=looks.$steps LD_PRELOAD=$tmp/lookers.so:$BUILD/libranktrace.so RANKTRACE_SAVE_PATH=looked.$steps RANKTRACE_STEPS=all \
			RANKTRACE_LEVEL=level2 split/host split/looked.so handle 0 $steps >/dev/null 2>&1
	done
	report steps_are_many_calls_inside_calls looked.9 '(len([x for x in e if x.get("nested") and (x["step"] or 0) > 3]) > 100)'
	# four times a step for what the program itself asks the loader for
	holds and_for_none_of_them_all_libraries_are_looked_at test "$(($(cat looks.9) - $(cat looks.3)))" -le 24
fi

# ---- not us ----

RANK=0 traced other split handle 1 level1 --steps all --ranks 1
equal a_rank_that_is_not_selected_runs_as_without_us "$status $(cmp "$bare" other.said 2>&1)" '0 '
equal nothing_of_it_is_recorded "$(wc -l <other.dump)" 0
equal and_the_vendor_is_asked_nothing "$(python3 "$here/tests/sims/lib/counts.py" other.counts)" "$(SIM_COUNTS=alone.counts $program >/dev/null 2>&1; python3 "$here/tests/sims/lib/counts.py" alone.counts)"

# ---- as what it was ----

traced facts split handle 1 level1 --steps all
one='[x for x in e if x["step"] == 1 and x["name"] == "%s"]'
# fact NAME SYMBOL EXPRESSION over its events of step 1, s
fact() { report "$1" facts "(lambda s: $3)($(printf "$one" "$2"))"; }

fact kernels_have_names_and_blocks aclrtLaunchKernel \
	'by("kernel", s) == {"user_kernel_a": 2, "user_kernel_b": 4, None: 1} and
	 [x["global"] for x in s if x["result"] == 0] == [[4], [8], [4], [1], [1], [1]]'
fact a_stub_has_the_name_that_it_was_registered_under rtKernelLaunch '[(x["kernel"], x["global"]) for x in s] == [("user_stub", [16])]'
fact an_operator_that_the_call_names_has_that_name aclopCompileAndExecute '[(x["kind"], x["kernel"]) for x in s] == [("operator", "Cast")]'
# of_kind NAME KIND EXPRESSION over its events of step 1, s
of_kind() { report "$1" facts "(lambda s: $3)([x for x in e if x['step'] == 1 and x['kind'] == '$2' and x['name'].startswith('aclnn')])"; }
of_kind operators_go_by_their_own_names operator \
	'by("name", s) == {"aclnnMatmul": 2, "aclnnSub": 2, "aclnnMul": 1, "aclnnMuls": 1, "aclnnReduceSum": 1, "aclnnInplaceCopy": 1}'
of_kind first_phases_run_where_the_program_is prepare 'len(s) == 8 and all(x["tid"] == x["pid"] for x in s)'
of_kind and_go_by_their_own_names prepare 'by("name", s) == {n + "GetWorkspaceSize": c for n, c in by("name", [
	x for x in e if x["step"] == 1 and x["kind"] == "operator" and x["name"].startswith("aclnn")]).items()}'
of_kind second_phases_run_on_the_thread_of_the_queue operator 'len({x["tid"] for x in s}) == 1 and all(x["tid"] != x["pid"] for x in s)'
report no_entry_point_is_a_pattern facts 'all("*" not in n for r in ranks for n in r["entry_points"]) and all("*" not in x["name"] for x in e)'
report entry_points_are_counted_by_their_own_names facts '(Counter(ranks[0]["entry_points"]) == by("name", e))'
fact copies_have_bytes_direction_and_result aclrtMemcpy \
	'[(x["bytes"], x["direction"], x["result"]) for x in s] ==
	 [(100, "h2d", 0), (200, "d2h", 0), (0, "h2d", 107000), (4, "d2h", 0), (4, "d2h", 0)]'
fact copies_of_a_stream_have_it aclrtMemcpyAsync \
	'[(x["bytes"], x["direction"], x["stream"]) for x in s] == [(128, "h2d", 1), (32, "h2d", 1), (4, "d2h", 1)]'
fact copies_of_rows_have_the_bytes_of_all_rows aclrtMemcpy2dAsync '[(x["bytes"], x["direction"]) for x in s] == [(128, "h2d")]'
fact many_copies_at_once_have_the_bytes_of_all aclrtMemcpyBatchAsync '[x["bytes"] for x in s] == [96]'
fact fills_have_bytes aclrtMemsetAsync '[(x["bytes"], x["stream"]) for x in s] == [(2048, 1)]'
fact memory_has_bytes aclrtMallocAlign32 '[x["bytes"] for x in s] == [8192]'
fact memory_that_is_freed_has_them_too aclrtFree '[x["bytes"] for x in s] == [8192]'
fact physical_memory_has_bytes aclrtMallocPhysical '[x["bytes"] for x in s] == [2 << 20]'
fact every_run_of_a_graph_is_one_launch aclmdlRIExecuteAsync '[(x["kind"], x["stream"]) for x in s] == [("launch", 1)] * 2'
fact waiting_for_a_stream_has_the_stream aclrtSynchronizeStream '[x["stream"] for x in s] == [1]'
fact collectives_have_what_they_were_given HcclAllReduce \
	'[(x["kind"], x["count"], x["type"], x["reduction"], x["bytes"], x["stream"]) for x in s] ==
	 [("collective", 40000, "fp32", "sum", 160000, 1)]'
report a_launch_without_a_name_goes_by_its_function facts \
	'(lambda nameless: len(nameless) > 1 and nameless == {k["name"]: k["count"] for k in ranks[0]["kernels"] if k["name"] in nameless})(
	 by("name", [x for x in e if x["kind"] == "launch" and not x.get("kernel") and not x.get("nested") and not x["result"]]))'
fact a_root_is_named HcclBroadcast '[x["peer"] for x in s] == [0]'
fact marks_have_text_and_stream mstxMarkA '[(x["message"], x["stream"]) for x in s] == [("mark", 1)]'
report a_range_ends_as_what_it_began facts \
	'(lambda r: len(r) == 6 and all(a["range"] == b["range"] and a["message"] == "step" for a, b in zip(r[::2], r[1::2])))(
	 [x for x in e if x["name"].startswith("mstxRange")])'
report all_memory_was_given_back facts '(ranks[0]["memory"]["unfreed"] == 0 and ranks[0]["memory"]["unfreed_bytes"] == 0)'
report a_refused_launch_has_its_result facts \
	'(by("result", [x for x in e if x["name"] == "aclrtLaunchKernel" and x["step"]]) == {0: 18, 107000: 3})'

# ---- what fails ----

SIM_FAIL=aclrtMemcpyBatchAsync:2:507000 traced refused split handle 1 level1 --steps all
equal an_error_reaches_the_program "$status $(grep -c 'aclrtMemcpyBatchAsync answered 507000' refused.log)" '1 1'
report and_is_recorded refused '([x["result"] for x in e if x["name"] == "aclrtMemcpyBatchAsync"] == [0, 507000])'
SIM_OOM=20 traced full split default 1 level0 --steps all
equal a_lack_of_memory_reaches_the_program "$status $(grep -c 'answered 207001' full.log)" '1 1'
report and_is_recorded_as_such full \
	'([(x["result"], x.get("bytes", 0)) for x in e if x["kind"] == "alloc"][-1] == (207001, 0))'

# What failed is told apart: the program's own account is 3 launches of no kernel, one a step, and as many copies of nothing.
report failed_calls_are_told_with_code_name_count_and_first_step facts \
	'([(f["name"], f["result"], f["meaning"], f["count"], f["first_step"]) for f in ranks[0]["failures"] if "L" in f["name"] or "Memcpy" in f["name"]] ==
	 [("aclrtLaunchKernel", 107000, "ACL_ERROR_RT_PARAM_INVALID", 3, 1), ("aclrtMemcpy", 107000, "ACL_ERROR_RT_PARAM_INVALID", 3, 1)])'
report no_other_call_is_said_to_have_failed facts \
	'(ranks[0]["failed"] == sum(f["count"] for f in ranks[0]["failures"]) == len([x for x in e if x["result"]]))'
report failed_launches_are_no_kernels facts \
	'(sum(k["count"] for k in ranks[0]["kernels"] if k["kind"] == "launch") ==
	  len([x for x in e if x["kind"] == "launch" and not x.get("nested")]) - 3)'
report failed_copies_are_no_copies facts \
	'({d: (c["count"], c["bytes"]) for d, c in ranks[0]["copies"].items()} ==
	  {d: (len(s), sum(x["bytes"] for x in s)) for d in ("h2d", "d2h", "d2d", "h2h", "other", "unknown")
	   for s in [[x for x in e if x["kind"] == "copy" and x.get("direction", "unknown") == d and not x["result"] and not x.get("nested")]] if s})'
report fills_have_a_row_of_their_own facts \
	'(lambda s: (ranks[0]["fills"]["count"], ranks[0]["fills"]["bytes"]) == (len(s), sum(x["bytes"] for x in s)) and len(s) > 0)(
		[x for x in e if x["kind"] == "fill" and not x["result"] and not x.get("nested")])'
equal in_the_table_of_copies_too "$("$tool" report facts | awk '$1 == "fill" { print $2 }')" \
	"$("$tool" report --format json facts | python3 -c 'import json, sys; print(json.load(sys.stdin)["ranks"][0]["fills"]["count"])')"
report but_they_were_called facts 'total("called") == total("kept") == sum(ranks[0]["entry_points"].values())'
equal and_are_counted_by_entry_point "$("$tool" report --format json facts | python3 -c 'import json, sys
n = json.load(sys.stdin)["ranks"][0]["entry_points"]
print(*(s + " " + str(n[s]) for s in ("aclrtLaunchKernel", "aclrtMemcpy", "aclnnMatmul")))')" \
	"$(python3 "$here/tests/sims/lib/counts.py" facts.counts | awk '{ n[$1] = $2 } END { for (i = split("aclrtLaunchKernel aclrtMemcpy aclnnMatmul", s); i; i--) l = s[i] " " n[s[i]] (l ? " " l : ""); print l }')"
"$tool" report full | sed -n '/^Failed calls/,/^$/p' >failed
equal the_table_names_result_and_entry_point "$(awk '$4 == 207001 { print $1, $2, $3, $5, $6 }' failed)" \
	'1 - 3 aclrtMallocAlign32 ACL_ERROR_RT_MEMORY_ALLOCATION'

equal check_tells_of_failed_calls_and_finds_no_cause "$("$tool" check full | grep failed; "$tool" check full >/dev/null; echo $?)" \
	"process $(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' full.dump | head -n 1): 7 calls failed, most often aclrtLaunchKernel with 107000 ACL_ERROR_RT_PARAM_INVALID: \`ranktrace report\` lists them
0"

# ---- markers: 16 threads of 40,000 ----

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -I"$here" -o marks "$sim/marks.c" -Lsplit -lms_tools_ext -Wl,-rpath,"$tmp/split" -pthread -ldl || exit 1
for way in exported inline; do
	SIM_COUNTS=$way.counts "$run" --save-path marks.$way --steps all --level level0 --shm-size 512M -- ./marks 16 40000 $way >said 2>log
	equal "no_mark_is_lost_and_none_is_double_$way" "$("$tool" report --format json marks.$way | python3 -c 'import json, sys
[process] = json.load(sys.stdin)["ranks"]
print(process["events"]["called"], process["entry_points"])')" "640000 {'mstxMarkA': 640000}"
	equal "every_thread_has_its_own_$way" "$("$tool" dump --format jsonl marks.$way | grep -o '"tid":[0-9]*' | sort | uniq -c | awk '{ print $1 }' |
		sort | uniq -c | xargs)" '16 40000'
done
equal the_libraries_counted_as_many "$(python3 "$here/tests/sims/lib/counts.py" exported.counts)" 'mstxMarkA 640000'

# ---- ranks ----

trained split default 1
for rank in 0 1; do
	RANK=$rank WORLD_SIZE=2 TRAIN_ROOT=$tmp/root SIM_COUNTS=rank$rank.counts "$run" --save-path ranks.$rank --steps all --level level1 \
		--contents cpu,memory -- $program >rank$rank.said 2>rank$rank.log &
done
wait
for rank in 0 1; do
	"$tool" dump --format jsonl ranks.$rank >rank$rank.dump
	equal "rank_${rank}_gets_what_both_sent" "$(grep collectives rank$rank.said | tr '\n' ';')" 'collectives 1 3 5;collectives 2 5 7;collectives 3 7 9;'
	holds "rank_${rank}_is_recorded_in_the_right_steps" sh -c "python3 $accounts steps rank$rank.said rank$rank.dump level1 <hooks"
	report "rank_${rank}_knows_its_communicator" ranks.$rank \
		"({(x['communicator_rank'], x['communicator_size']) for x in e if x['kind'] == 'collective'} == {($rank, 2)})"
	holds "rank_${rank}_is_recorded_once" sh -c "python3 $accounts all rank$rank.dump level1 rank$rank.counts <hooks"
done
equal both_call_it_by_one_name "$(cat rank?.dump | grep -o '"communicator":"[^"]*"' | sort -u | wc -l)" 1

# ---- ctypes ----

"$python" "$sim/by_ctypes.py" split >bare.ctypes 2>&1
SIM_COUNTS=ctypes.counts "$run" --save-path ctypes --steps all --level level1 --contents cpu -- "$python" "$sim/by_ctypes.py" split >said 2>log
equal ctypes_finds_what_is_there_and_nothing_else "$(cat said)" "$(cat bare.ctypes)"
equal and_gets_its_sums "$(sed -n 2,3p said | tr '\n' ' ')" '0 [1.0, 2.0, 3.0, 4.0] 0 [1.0, 2.0, 3.0, 4.0] '
"$tool" dump --format jsonl ctypes >ctypes.dump
holds calls_by_ctypes_are_recorded_once sh -c "python3 $accounts all ctypes.dump level1 ctypes.counts <hooks"
finish
