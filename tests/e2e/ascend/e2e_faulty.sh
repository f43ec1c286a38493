#!/bin/sh
# A training program with faults by wish, of four ranks on a simulated CANN and of one on OpenCL: what was made slow is in the trace, by as much
# as it was, and nothing else is.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
cd "$tmp" || exit 1
build=$here/tests/programs/why/build.sh
{ mkdir cann && "$here/tests/sims/ascend/build.sh" cann split && "$build" cann faulty && "$build" opencl faulty_cl; } >log 2>&1 || {
	fail the_programs_are_built "$(grep -E 'error|ld:' log | head -n 3)"
	finish
}
# looked NAME PROGRAM OPTION...: the misses; the machine may have no time for us
looked() {
	name=$1
	shift
	python3 "$here/tests/helpers/python/why_faults.py" "$@" --look >said 2>&1
	case $? in
	0) ok "$name" ;;
	77) echo "# $name: $(tail -n 1 said)" ;;
	*) fail "$name" "$(grep -A 1 '^miss' said || tail -n 3 said)" ;;
	esac
}
looked each_fault_is_in_the_trace_and_nothing_else ./faulty --seed 0 --runs 15
looked no_fault_is_where_none_was_made ./faulty --seed 0 --runs 2 --none
[ "$(uname -m)" != x86_64 ] || looked faults_on_opencl_are_in_the_trace ./faulty_cl --opencl --seed 0 --runs 5
equal a_program_whose_device_does_not_go_on_by_itself_says_so "$(./faulty 1 1 2>&1)" 'faulty: SIM_ASYNC answered 1'

# compare: two runs of it are the same, and one with longer shapes in every step differs by these.
traced() {
	SIM_ASYNC=1 SIM_COPY_NS=1000 SIM_COPY_KB_NS=100 SIM_HCCL_TIMEOUT=10 "$run" --save-path "$1" --contents cpu,npu,memory,shapes --level level1 --steps all \
		--step-source api -- ./faulty 2 12 ${2+"$2"} >/dev/null 2>&1
}
traced one
for try in 1 2 3; do # the machine may have no time for us
	traced "same$try"
	"$tool" compare one "same$try" >said && ! grep -q '^\*' said && break
done
equal two_runs_compare_as_equal "$(grep '^\*' said; sed -n '1s/.*; the same within .*/the same/p' said)" 'the same'
traced longer shapes:-1:-1:2000000
equal and_one_with_other_shapes_by_these "$("$tool" compare --format json one longer | python3 -c 'import json, sys
r = json.load(sys.stdin)
assert sum(c["change_ns"] for c in r["changes"]) == r["b"]["median_ns"] - r["a"]["median_ns"] == r["change_ns"]
print(*((c["name"], c["b_name"], c["joined_by"], c["a_count"], c["b_count"], abs(c["change_ns"] - 2000000) < 300000) for c in r["changes"] if c["kind"] == "kernel_time" and c["beyond_noise"]))')" \
	"('aclnnMatmul', 'aclnnMatmul', 'name', 5, 5, True)"
finish
