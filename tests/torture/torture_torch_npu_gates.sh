#!/bin/sh
# The gates of torch_npu's markers and allocator, with the wheels of PyPI on the simulated CANN: the oldest generation and the
# newest (tests/e2e/ascend/e2e_markers.sh and e2e_markers_default.sh have all of them, imitated).
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/torch_npu.sh"

export ASCEND_HOME_PATH="$tmp/cann" # torch_npu/run says the same; ranktrace-run looks before it

# marked VERSION GATE MARKS: with the default options; how many marks reach the library in three steps, that of step 2 is recorded
marked() {
	out=$1-default
	SIM_COUNTS=$out.counts "$here/tests/torch_npu/run" "$world" cann "$run" --save-path "$out" --steps 2 -- \
		python3 "$here/tests/torch_npu/markers.py" >said 2>log || tail -n 5 log
	equal "torch_npu_$1_makes_no_more_marks_than_it_must_by_default" "$(python3 "$here/tests/sims/lib/counts.py" "$out.counts" | grep '^mstxMarkA ')" "mstxMarkA $3"
	report "torch_npu_$1_tells_of_every_marker_of_the_window_by_default" "$out" "(ranks[0]['facts']['ascend_gate'] == '$2' and
		sorted((x['domain'] or '', x['name'].split()[0], x['count']) for x in ranks[0]['ranges']) == $all and
		[(x['name'], x['count']) for x in ranks[0]['marks']] == [('hello', 1)])"
	equal "torch_npu_$1_is_traced_well_by_default" "$("$tool" check "$out" | grep -v '^recorded')" ''
}

# told VERSION GATE RANGES POOLS: names of ranges, and of allocators with pieces handed out, in step 2
told() {
	out=$1-$2
	"$here/tests/torch_npu/run" "$world" cann "$run" --save-path "$out" --steps 2 --contents cpu,memory --torch-npu-markers "$2" -- \
		python3 "$here/tests/torch_npu/markers.py" >said 2>log || tail -n 5 log
	report "torch_npu_$1_with_gate_$2_tells_what_it_may" "$out" "(sorted((x['domain'] or '', x['name'].split()[0], x['count']) for x in ranks[0]['ranges']) == $3 and
		[(x['name'], x['count']) for x in ranks[0]['marks']] == ($3 and [('hello', 1)]) and
		[(x['name'], x['allocations'], x['frees']) for x in ranks[0]['pools']] == $4)"
}

all="[('', 'step', 1), ('communication', 'HcclAllreduce', 1)]"
for version in 2.1.0.post17 2.7.1.post11 2.14.0; do
	torch_npu $version
	case $version in
	2.1.*) marked $version markers 3 && told $version ask '[]' '[]' ;;
	*) marked $version ask 1 && told $version ask "$all" '[]' ;;
	esac
	[ $version = 2.14.0 ] || told $version allocator '[]' "[('ptaCaching', 1, 1)]"
done
finish
