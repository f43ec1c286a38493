#!/bin/sh
# Launches that are like the one before, and unlike it in every way: each is recorded as what it was.
. "$(dirname "$0")/../../lib/lib.sh"

cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra"
cd "$tmp" || exit 1
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/programs/launches_cl.c" || exit 1
$cc -o launches "$here/tests/programs/launches.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread || exit 1

cat >compare.py <<'END'
"""compare.py EXPECTED DUMP REPORT HANDLER'S: every launch, thread by thread, in order."""
import collections, json, sys
expected, got, handler = collections.defaultdict(list), collections.defaultdict(list), 0
for line in open(sys.argv[1]):
    pid, tid, *rest = line.split()
    expected[int(pid), int(tid)].append(rest)
sizes = lambda a: "x".join(map(str, a)) if a else "-"
for line in open(sys.argv[2]):
    e = json.loads(line)
    if e.get("kernel", "handler_0") == "handler_0":	# one not seen before has no name in a handler
        handler += e["global"] == e["local"] == [77]
        continue
    got[e["pid"], e["tid"]].append([str(e["step"]), e["kernel"], sizes(e.get("global")), sizes(e.get("local")),
                                    str(e["stream"]), str(e["result"])])
for key, want in expected.items():
    have = got.pop(key, [])
    for i, (w, h) in enumerate(zip(want, have)):
        if w != h:
            sys.exit("launch %d of %s: recorded %s, made %s" % (i, key, h, w))
    if len(want) != len(have):
        sys.exit("%s made %d launches, %d are recorded" % (key, len(want), len(have)))
if got:
    sys.exit("nobody made the launches of %s" % list(got))
events = [r["events"] for r in json.load(open(sys.argv[3]))["ranks"]]
dropped = sum(e["dropped"] for e in events)
if handler + dropped != int(sys.argv[4]):
    sys.exit("the handler made %s launches, %d are recorded, %d dropped" % (sys.argv[4], handler, dropped))
if sum(e["kept"] for e in events) != sum(map(len, expected.values())) + handler:
    sys.exit("kept is not what was made")
END

# traced NAME [VARIABLE=VALUE...]
traced() {
	name=$1
	shift
	rm -rf out list dump report
	env RANKTRACE_STEPS=all RANKTRACE_STEP_SOURCE=kernel:^adam_ RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH="$tmp/out" \
		"$@" LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" ./launches list 5 >handler 2>errors ||
		fail "$name" "the program ended with $?: $(tail -n 1 errors)"
	"$tool" dump --format jsonl out >dump
	"$tool" report --format json out >report
	holds "$name" python3 compare.py list dump report "$(cat handler)"
}

traced every_launch_is_recorded_as_what_it_was
traced every_launch_is_recorded_as_what_it_was_by_the_slow_clock RANKTRACE_CLOCK=ns
traced every_launch_is_recorded_as_what_it_was_where_the_counter_costs_too_much RANKTRACE_CLOCK=costs=1234
"$tool" report out >text
holds the_report_says_what_a_reading_would_cost grep -q "CLOCK_MONOTONIC, as each reading of the processor's counter takes 1234 ns here\$" text
traced every_launch_is_recorded_as_what_it_was_when_device_times_are_wanted RANKTRACE_CONTENTS=cpu,npu
holds launches_like_the_one_before_and_unlike_it_were_made test "$(wc -l <list)" -gt 5000
finish
