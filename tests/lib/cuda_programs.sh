# cuda_programs.sh - somebody else's programs on the simulated CUDA, without us and recorded: `. tests/lib/cuda_programs.sh`; then in $tmp.
# shellcheck shell=sh disable=SC2034,SC2154
need python3
[ -z "${SAN-}" ] || { echo "skip: these programs do not run under a sanitizer that came too late for them"; exit 77; }
sim=$here/tests/sims/cuda
accounts=$sim/accounts.py
programs=$here/tests/helpers/python/cuda_programs
export SIM_CLOCK=0 # times are to be those of the work alone
"$tool" hooks >"$tmp/hooks"
cd "$tmp" || exit 1

# program NAME OPTIONS COMMAND...; OPTIONS as one word. NVTX and torch's allocator are in no library that could count.
program() {
	its=$1 options=$2
	shift 2
	"$@" >"$its.bare" 2>"$its.log"
	equal "${its}_runs" "$? $(grep -c True "$its.bare")" '0 1'
	# shellcheck disable=SC2086 # a list of words
	SIM_COUNTS=$tmp/$its.counts SIM_TASKS=$tmp/$its.tasks "$run" --save-path "$its" --steps all --level level2 --contents cpu,npu,memory $options -- \
		"$@" >"$its.said" 2>>"$its.log"
	equal "${its}_comes_to_the_same_when_recorded" "$? $(cmp "$its.bare" "$its.said" 2>&1)" '0 '
	"$tool" dump --format jsonl "$its" 2>>"$its.log" | grep -v '"name":"nvtx\|"name":"_ZN3c10' >"$its.dump"
	holds "each_call_of_${its}_is_recorded_once" sh -c "python3 $accounts all $its.dump level2 $its.counts <hooks"
	holds "kernels_of_${its}_have_their_names" python3 "$accounts" kernels "$its.dump" "$its.tasks"
	holds "and_the_device_s_times_in_$its" python3 "$accounts" times "$its.dump" "$its.tasks"
	[ "$failures" -eq 0 ] || tail -n 5 "$its.log"
}
# steps_of NAME WANTED: step, launches, copies; by step
steps_of() {
	report "steps_of_$1" "$1" "''.join('%d %d %d;' % (n, *[sum(x['kind'] == k and x['step'] == n for x in e) for k in ('launch', 'copy')]) for n in (1, 2, 3)) == '$2'"
}
