# faulty.sh - the training program with faults by wish, as ./faulty on a simulated CANN and as ./faulty_cl on OpenCL: `. tests/lib/faulty.sh`;
# then in $tmp. shellcheck shell=sh disable=SC2154
need python3
cd "$tmp" || exit 1
faulty_build=$here/tests/programs/why/build.sh
{ mkdir cann && "$here/tests/sims/ascend/build.sh" cann split && "$faulty_build" cann faulty && "$faulty_build" opencl faulty_cl; } >log 2>&1 || {
	fail the_programs_are_built "$(grep -E 'error|ld:' log | head -n 3)"
	finish
}

told=	# not empty: a run was judged
# judged NAME PROGRAM OPTION...: the table, and the misses; the machine may have no time for us
judged() {
	name=$1
	shift
	python3 "$here/tests/helpers/python/why_faults.py" "$@" >said 2>&1
	status=$?
	[ $status -eq 77 ] || told=yes
	sed 's/^/# /' said
	case $status in
	0) ok "$name" ;;
	77) echo "# $name: not told" ;;
	*) fail "$name" "$(grep -A 1 '^miss' said || tail -n 3 said)" ;;
	esac
}

# finish_judged: a test that judged nothing shows nothing
finish_judged() {
	[ -n "$told" ] || { echo 'skip: this machine is too busy to tell'; exit 77; }
	finish
}
