#!/bin/sh
# What operators are given, on a simulated CANN: types, formats and dimensions of every operator's tensors, on whatever road and
# thread, from torch_npu's cache of plans too; and which first phase, which operator and which launch belong together.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

build_layouts split
shapes() { python3 "$sim/shapes.py" "$@"; }
export LD_LIBRARY_PATH="$tmp/split"

# traced NAME LEVEL CONTENTS COMMAND...: $steps recorded to NAME, dumped to NAME.dump, said in NAME.said, counted in NAME.counts
steps=all
traced() {
	out=$1 level=$2 contents=$3
	shift 3
	SIM_COUNTS=$out.counts "$run" --save-path "$out" --level "$level" --contents "$contents" --steps "$steps" -- "$@" \
		>"$out.said" 2>"$out.log"
	equal "${out}_ends_well" "$?" 0
	"$tool" dump --format jsonl "$out" >"$out.dump" 2>>"$out.log"
}

# ---- roads and modes ----

# trained NAME ROAD MODE LEVEL
trained() {
	[ "$2" = linked ] && module=linked.so || module=looked.so
	traced "$1" "$4" cpu,shapes split/host split/$module "$2" "$3" 3
	holds "$1_has_every_operator_s_shapes" shapes operators "$1.said" "$1.dump"
}
first_phases() { python3 "$here/tests/sims/lib/counts.py" "$1.counts" | awk '$1 ~ /GetWorkspaceSize$/ { n += $2 } END { print n }'; }

for mode in 0 1 2; do
	trained by_handle_$mode handle $mode level0
	trained by_scope_$mode default $mode level1
	trained linked_$mode linked $mode level1
	holds first_phases_lead_to_their_operators_$mode shapes joined by_scope_$mode.dump "$(first_phases by_scope_$mode)"
	holds launches_belong_to_operators_$mode shapes inside by_scope_$mode.dump
done
"$tool" export --to chrome -o chrome.json by_scope_1 2>/dev/null
holds arrows_lead_from_first_phases_to_operators shapes arrows chrome.json "$(first_phases by_scope_1)"
equal some_plans_came_from_the_cache "$(($(grep -c '^shapes' by_scope_1.said) > $(first_phases by_scope_1)))" 1
holds the_report_sums_operators_by_shapes sh -c '"$1" report --format json by_scope_1 >report.json && python3 "$2" sums by_scope_1.said report.json' \
	- "$tool" "$sim/shapes.py"
"$tool" report --top 100 by_scope_1 >report.txt
equal the_report_shows_operators_by_shapes "$(sed -n '/^Operators by shapes/,/^$/p' report.txt | grep -c 'aclnnMatmul fp32\[8,4\];fp32\[4,1\];fp32\[8,1\]$')" 1
SIM_PTA=0 trained without_the_cache handle 1 level1
steps=3
traced behind_the_misses level0 cpu,shapes split/host split/looked.so handle 1 3
grep '^shapes 3 ' behind_the_misses.said >only.said
holds a_window_behind_the_misses_has_every_operator_s_shapes shapes operators only.said behind_the_misses.dump
steps=all

# ---- tensors made, given, left and destroyed in all ways ----

cxx="${CXX:-g++} -std=c++17 -g -I$here -Isplit/rows -Wl,-rpath,$tmp/split,-rpath-link,split"
for opt in -O0 -O2; do
	# shellcheck disable=SC2086
	{ $cxx $opt -shared -fPIC -fvisibility=hidden -o libcust_opapi.so "$sim/custom.cc" -Lsplit -lnnopbase -Wl,-soname,libcust_opapi.so &&
		$cxx $opt -o shapes "$sim/shapes.cc" -Lsplit -lopapi -lnnopbase -pthread -ldl; } >build.log 2>&1 || {
		fail the_program_is_built "$(tail -n 3 build.log)"
		finish
	}
	./shapes ./libcust_opapi.so >bare 2>&1
	for level in level0 level1; do
		name=ways$opt.$level
		traced "$name" $level cpu,shapes ./shapes ./libcust_opapi.so
		equal "${name}_gets_all_arguments_and_results" "$(cmp bare "$name.said" 2>&1)" ''
		holds "${name}_has_every_operator_s_shapes" shapes operators "$name.said" "$name.dump"
	done
	report "what_an_exception_leaves_is_in_flight_$opt" "ways$opt.level1" '((total("called"), total("in_flight")) == (len(e) + 1, 1))'
	report "a_plan_that_is_refused_has_its_result_and_shapes_$opt" "ways$opt.level1" \
		'([(x["result"], [t["dims"] for t in x["shapes"]], x.get("plan")) for x in e if x.get("kernel") == "aclnnRefusesGetWorkspaceSize"] ==
		 [(561002, [[3, 1]], None)])'
done

# ---- what is not wanted is not there ----

traced without level1 cpu split/host split/looked.so handle 1 3
equal nothing_is_told_of_shapes_unless_asked "$(grep -c '"shapes"' without.dump) $(cmp without.said by_handle_1.said)" '0 '

# whose function torch_npu gets, which asks for each by dlsym: ours has no use where nobody asks for shapes
${CC:-gcc} -std=gnu11 -O1 -Wall -Wextra -o npu_who_answers "$here/tests/programs/npu_who_answers.c" -ldl ||
	fail a_program_that_asks_by_name_is_built
answers() { # NAME CONTENTS OPTION...: what became of each name when ranktrace had started
	out=$1 contents=$2
	shift 2
	"$run" --save-path "$out" --contents "$contents" --steps 5 "$@" -- ./npu_who_answers >"$out.said" 2>"$out.log"
	awk '$2 == "after" { printf "%s %s ", $1, $3 }' "$out.said"
}
tensors="aclCreateTensor theirs aclDestroyTensorList theirs SetPTAHashKey theirs PTAFindExecCache"
equal without_shapes_tensors_are_the_vendors_own "$(answers nobodys cpu,npu,memory)" "$tensors ours aclnnAdd ours "
equal until_the_settings_are_known_each_is_ours "$(grep -c 'before ours' nobodys.said)" 5
equal where_no_level_is_recorded_neither_are_shapes "$(answers no_level cpu,shapes --level level_none)" "$tensors ours aclnnAdd ours "
equal with_shapes_each_is_ours "$(answers everybodys cpu,shapes)" "$(echo "$tensors" | sed s/theirs/ours/g) ours aclnnAdd ours "
equal a_function_that_is_watched_is_ours_all_the_same \
	"$(answers watched cpu --step-source symbol:libnnopbase.so:aclCreateTensor@entry | cut -d' ' -f1,2)" 'aclCreateTensor ours'
finish
