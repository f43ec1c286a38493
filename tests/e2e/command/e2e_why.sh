#!/bin/sh
# `ranktrace why` of training programs whose steps were made slow on purpose: it names step, rank, cause and amount. RUNS, NONE: how many, SEED.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
cd "$tmp" || exit 1
build=$here/tests/programs/why/build.sh
{ mkdir cann && "$here/tests/sims/ascend/build.sh" cann split && "$build" cann faulty && "$build" opencl faulty_cl; } >log 2>&1 || {
	fail the_programs_are_built "$(grep -E 'error|ld:' log | head -n 3)"
	finish
}
# judged NAME PROGRAM OPTION...: the table, and the misses; the machine may have no time for us
judged() {
	name=$1
	shift
	python3 "$here/tests/helpers/python/why_faults.py" "$@" >said 2>&1
	status=$?
	sed 's/^/# /' said
	case $status in
	0) ok "$name" ;;
	77) echo "# $name: not told" ;;
	*) fail "$name" "$(tail -n 1 said)" ;;
	esac
}
seed=${SEED:-20}
judged faults_are_named ./faulty --seed "$seed" --runs "${RUNS:-40}"
judged and_none_where_none_was_made ./faulty --seed "$seed" --runs "${NONE:-10}" --none
[ "$(uname -m)" != x86_64 ] || judged faults_on_opencl_are_named ./faulty_cl --opencl --seed "$seed" --runs $((${RUNS:-40} / 8))
finish
