#!/bin/sh
# A training program with faults by wish, of four ranks on a simulated CANN and of one on OpenCL: what was made slow is in the trace, by as much
# as it was, and nothing else is.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/faulty.sh"

judged each_fault_is_in_the_trace_and_nothing_else ./faulty --look --seed 0 --runs 15
judged no_fault_is_where_none_was_made ./faulty --look --seed 0 --runs 2 --none --keep none
[ "$(uname -m)" != x86_64 ] || judged faults_on_opencl_are_in_the_trace ./faulty_cl --look --opencl --seed 0 --runs 5
equal a_program_whose_device_does_not_go_on_by_itself_says_so "$(./faulty 1 1 2>&1)" 'faulty: SIM_ASYNC answered 1'

# compare: two runs of it are the same, and one with longer shapes in every step differs by these.
# Two that nothing disturbed: more are made where the machine had no time for those.
for seed in 2 3 4 5 6 7; do
	[ "$(find none -mindepth 1 -maxdepth 1 | wc -l)" -lt 2 ] || break
	python3 "$here/tests/helpers/python/why_faults.py" ./faulty --look --seed $seed --runs 1 --none --keep none >said 2>&1
done
# shellcheck disable=SC2046 # a list of words
set -- $(find none -mindepth 1 -maxdepth 1 | sort | head -n 2)
[ $# -eq 2 ] || { echo '# two_runs_compare_as_equal: not told: this machine is too busy'; finish; }
first_in_line=$(chrt --rr 1 true 2>&1 && echo chrt --rr 1) || first_in_line=
traced() {
	SIM_ASYNC=1 SIM_COPY_NS=1000 SIM_COPY_KB_NS=100 SIM_HCCL_TIMEOUT=10 $first_in_line "$run" --save-path "$1" --contents cpu,npu,memory,shapes --level level1 --steps all \
		--step-source api -- ./faulty 4 12 "$2" >/dev/null 2>&1
}
equal two_runs_compare_as_equal "$("$tool" compare "$1" "$2" | sed -n '/^\*/p; 1s/.*; the same within .*/the same/p')" 'the same'
traced longer shapes:-1:-1:2000000
equal and_one_with_other_shapes_by_these "$("$tool" compare --format json "$1" longer | python3 -c 'import json, sys
r = json.load(sys.stdin)
assert sum(c["change_ns"] for c in r["changes"]) == r["b"]["median_ns"] - r["a"]["median_ns"] == r["change_ns"]
print(*((c["name"], c["b_name"], c["joined_by"], c["a_count"], c["b_count"], abs(c["change_ns"] - 2000000) < 300000) for c in r["changes"] if c["kind"] == "kernel_time" and c["beyond_noise"]))')" \
	"('aclnnMatmul', 'aclnnMatmul', 'name', 5, 5, True)"
finish
