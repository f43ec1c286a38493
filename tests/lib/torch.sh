# torch.sh - what runs of torch on simulated libraries share: sourced by torch_cuda.sh and torch_npu.sh, which say what on_torch and
# $accounts are.
# shellcheck shell=sh disable=SC2154
need python3
[ -z "${SAN-}" ] || { echo "skip: torch does not run under a sanitizer that came too late for it"; exit 77; }
[ "$(uname -m)" = "${WHEELS_ARCH:-x86_64}" ] || { echo "skip: the wheel is taken for x86-64"; exit 77; }
each=.%p     # the end of the names of files of counts: one for each process
uncounted=^$ # events that no simulated library can count, as a pattern over a line of the dump

# bare NAME COMMAND...: says to NAME.said; counts, work and shapes go to NAME.counts$each, .tasks.PID and .shapes.PID; $status: how it ended
bare() {
	out=$1
	shift
	SIM_COUNTS=$tmp/$out.counts$each SIM_TASKS=$tmp/$out.tasks.%p SIM_SHAPES=$tmp/$out.shapes.%p on_torch "$@" >"$out.said" 2>"$out.log"
	status=$?
	[ $status -eq 0 ] || tail -n 5 "$out.log"
}

# traced NAME OPTIONS COMMAND...; OPTIONS as one word. NAME.all is the dump, NAME.dump that of what is counted
traced() {
	out=$1 options=$2
	shift 2
	# shellcheck disable=SC2086 # a list of words
	bare "$out" "$run" --save-path "$out" $options -- "$@"
	"$tool" dump --format jsonl "$out" >"$out.all" 2>>"$out.log"
	grep -v "$uncounted" "$out.all" >"$out.dump"
}

# exact NAME LEVEL: what was counted is what was recorded
exact() { holds "$1" sh -c "python3 $accounts all $out.dump $2 $out.counts.* <hooks"; }
