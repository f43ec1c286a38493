# limits.sh - what the tests of full tables share: `. tests/lib/limits.sh`. shellcheck shell=sh

# traced PROGRAM [ARGUMENT...] [VARIABLE=VALUE...]: with everything recorded; its output goes to `said`, its trace to `out`
traced() {
	command='' settings=''
	for word; do
		case $word in RANKTRACE_*=*) settings="$settings $word" ;; *) command="$command $word" ;; esac
	done
	rm -rf out
	status=0
	# shellcheck disable=SC2086
	env RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_LEVEL=level2 RANKTRACE_SAVE_PATH="$tmp/out" $settings \
		LD_PRELOAD="${SANITIZER-}${so:-$BUILD/libranktrace.so}" $command >said 2>errors || status=$?
}

# told KEY TEXT NUMBER: report and check have a line with the number in front of the text, and the trace has it under the key
told() {
	"$tool" report out >report.txt
	ends=$?
	"$tool" check out >check.txt 2>&1
	ends=$ends$?
	n=$("$tool" report --format json out |
		python3 -c "import json, sys; print(json.load(sys.stdin)['ranks'][0]['facts'].get('$1', 0))")
	[ "$n" = "$3" ] || { echo "$1 is $n, not $3"; return 1; }
	[ "$ends" = 11 ] || { echo "report and check end with $ends"; return 1; }
	for text in report.txt check.txt; do
		grep -q "$n $2" $text || { echo "'$n $2' is not in: $(tail -n 5 $text)"; return 1; }
	done
}
