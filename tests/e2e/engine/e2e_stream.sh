#!/bin/sh
# A made-up training run of known content through the real flush path (tests/bench/stream.c): how large its file
# is does not depend on the machine, and what is read back is counted.
. "$(dirname "$0")/../../lib/lib.sh"

stream=$BUILD/tests/bench/stream
calls=3395 # in a step

# made NAME OPTIONS...: the run $tmp/NAME
made() {
	name=$1
	shift
	"$stream" "$@" "$tmp/$name" >"$tmp/$name.said" || fail made "stream ends with $?"
}

# said NAME KEY
said() { sed -n "s/.*$2=\([0-9]*\).*/\1/p" "$tmp/$1.said"; }

# at_most NAME RUN BYTES EVENTS: the run's file has at most BYTES / 100 bytes an event
at_most() { holds "$1" test $((100 * $(said "$2" bytes))) -le $(($3 * $4)); }

made hundred -s 100
made one -s 1
made coarse -s 100 -t 10
at_most a_hundred_steps_take_three_bytes_a_call hundred 300 $((100 * calls))
at_most a_single_step_takes_five_bytes_a_call_with_its_definitions one 500 $calls
at_most a_clock_of_10_ns_saves_what_it_does_not_tell coarse 230 $((100 * calls))

# totals RUN: what the report says was called, kept and timed
totals() { "$tool" report --format json "$tmp/$1" | python3 -c 'import json, sys
r = json.load(sys.stdin)["ranks"][0]["events"]
print(r["called"], r["kept"], r["dropped"])'; }

equal every_call_of_the_run_is_read_back "$(totals hundred)" "$((100 * calls)) $((100 * calls)) 0"

# Launches of a step, each with its device time, whatever ring that stands in.
made timed -s 20 -d
equal every_launch_has_its_device_time \
	"$("$tool" dump --format jsonl "$tmp/timed" | grep -c '"kind":"launch".*"device_duration_ns"')" 40000

# peak RUN COMMAND...: KiB
peak() { python3 - "$tool" "$@" <<'PY'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
}

# does_not_grow COMMAND SHORT LONG: two runs, both longer than what the command looks at at once
does_not_grow() {
	# shellcheck disable=SC2086 # a command and its options
	holds "the_memory_of_${1%%_*}_does_not_grow_with_the_device_times" \
		test "$(peak $1 "$tmp/$3")" -le $(($(peak $1 "$tmp/$2") + 4000))
}

# A sanitizer keeps what was freed for a while: the peak tells nothing under it.
[ -z "${SAN-}" ] || finish
made timed60 -s 60 -d
made timed160 -s 160 -d
made timed400 -s 400 -d
made timed600 -s 600 -d
made timed1200 -s 1200 -d
does_not_grow dump timed60 timed160
does_not_grow "export --to chrome" timed160 timed400
does_not_grow report timed600 timed1200 # calls are kept until a step is over: a million events after its last one

# Calls, device times and spans of a million events: 80 MB, where calls twice as large took 111.
holds the_report_of_a_step_that_is_not_over_keeps_few_bytes_an_event test "$(peak report "$tmp/timed600")" -le 92000
finish
