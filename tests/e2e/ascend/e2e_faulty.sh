#!/bin/sh
# A training program with faults by wish, of four ranks on a simulated CANN: what was made slow is in the trace, by as much as it was, and
# nothing else is.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
cd "$tmp" || exit 1
{ mkdir cann && "$here/tests/sims/ascend/build.sh" cann split && "$here/tests/programs/why/build.sh" cann faulty; } >log 2>&1 || {
	fail the_program_is_built "$(grep -E 'error|ld:' log | head -n 3)"
	finish
}
# looked NAME OPTION...: the last line of what was said; the machine may have no time for us
looked() {
	name=$1
	shift
	python3 "$here/tests/helpers/python/why_faults.py" ./faulty --look "$@" >said 2>&1
	status=$?
	[ $status -ne 77 ] || { tail -n 1 said; exit 77; }
	if [ $status -eq 0 ]; then ok "$name"; else fail "$name" "$(grep -A 1 '^miss' said || tail -n 3 said)"; fi
}
looked each_fault_is_in_the_trace_and_nothing_else --seed 0 --runs 15
looked no_fault_is_where_none_was_made --seed 0 --runs 2 --none
equal a_program_whose_device_does_not_go_on_by_itself_says_so "$(LD_LIBRARY_PATH=cann ./faulty 1 1 2>&1)" 'faulty: SIM_ASYNC answered 1'
finish
