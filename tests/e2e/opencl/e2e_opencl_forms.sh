#!/bin/sh
# A program that uses every form of call that a real OpenCL runtime (PoCL) has: it observes what it
# observes without us, and every call is recorded with exact bytes, direction, sizes, names and times.
set -eu
export LC_ALL=C
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp"
if ! echo '#include <CL/cl.h>' | ${CC:-gcc} -fsyntax-only -x c - 2>/dev/null; then
	echo 'skip: CL/cl.h is not there (Debian: ocl-icd-opencl-dev, opencl-headers)'
	exit 77
fi
${CC:-gcc} -std=gnu11 -O1 -g -w -I"$here" -o forms "$here"/tests/programs/forms/*.c -lOpenCL || exit 1
status=0
FORMS_EXPECT=$tmp/ignored ./forms >plain 2>errors || status=$?
if [ "$status" = 77 ]; then
	echo 'skip: there is no OpenCL runtime on the CPU (Debian: pocl-opencl-icd)'
	exit 77
fi
[ "$status" = 0 ] && ok the_program_runs_by_itself || fail the_program_runs_by_itself "exit status $status: $(tail -n1 errors)"

# traced CONTENTS LEVEL: output in got, traces in out, what should be recorded in expected.
traced() {
	rm -rf out
	status=0
	FORMS_EXPECT=$tmp/expected "$run" --save-path "$tmp/out" --steps all --level "$2" --contents "$1" -- ./forms \
		>got 2>errors || status=$?
	"$tool" report --format json out >report.json 2>>errors || :
	"$tool" dump --format jsonl out >dump.jsonl 2>>errors || :
}

# The same program on the same data: whatever it prints must be the same.
same_for_the_program() {
	if [ "$status" != 0 ]; then
		fail "$1" "exit status $status: $(tail -n1 errors)"
	elif ! diff plain got >difference; then
		fail "$1" "$(grep '^[<>]' difference | head -n4 | tr '\n' '|')"
	else
		ok "$1"
	fi
}

cat >judge.py <<'P'
"""judge.py WHAT: compares expected with dump.jsonl and report.json; prints what is wrong first."""
import json, sys

what = sys.argv[1]
expected = [json.loads(line) for line in open("expected")]
end = expected.pop()
events = sorted((json.loads(line) for line in open("dump.jsonl")), key=lambda e: e["begin_ns"])
rank, = json.load(open("report.json"))["ranks"]


def fail(text):
    sys.exit(text)


def calls():
    for want, got in zip(expected, events):
        for key, value in want.items():
            if key != "timed" and got.get(key, 0 if key == "bytes" else None) != value:
                fail(f"{key} of {json.dumps(want)} is {got.get(key)}: {json.dumps(got)}")
    if len(expected) != len(events):
        fail(f"{len(expected)} calls, {len(events)} events")
    if rank["events"]["dropped"] or rank["events"]["called"] != len(expected):
        fail(f"{len(expected)} calls: {rank['events']}")


def times():
    timed = 0
    for want, got in zip(expected, events):
        if want.get("timed") and not want["result"]:
            timed += 1
            if "device_begin_ns" not in got:
                fail(f"no device time: {got}")
            begin, duration = got["device_begin_ns"], got["device_duration_ns"]
            if duration <= 0 or begin < end["born"] or begin + duration > end["died"]:
                fail(f"device time outside {end['born']}..{end['died']}: {got}")
        elif "device_begin_ns" in got:
            fail(f"a device time that nobody can know: {got}")
    if timed < 50 or rank["device_times"] != timed or rank["untimed"]:
        fail(f"{timed} commands, {rank['device_times']} device times, {rank['untimed']} untimed")


def no_times():
    timed = [e for e in events if "device_begin_ns" in e]
    if timed or rank["device_times"] or rank["untimed"]:
        fail(f"{len(timed)} device times, {rank['untimed']} untimed")


def memory():
    good = [e for e in expected if not e["result"]]
    allocations = [e for e in good if e["kind"] == "alloc"]
    got = rank["memory"]
    want = dict(end, allocations=len(allocations), bytes=sum(e["bytes"] for e in allocations))
    for key in ("allocations", "bytes", "peak_bytes", "unfreed", "unfreed_bytes"):
        if got[key] != want[key]:
            fail(f"{key} should be {want[key]}: {got}")


def copies():
    want = {}
    for e in expected:
        if e["kind"] == "copy" and not e["result"]:
            one = want.setdefault(e["direction"], [0, 0])
            one[0] += 1
            one[1] += e["bytes"]
    for direction, (count, total) in want.items():
        got = rank["copies"].get(direction, {})
        if got.get("bytes") != total:
            fail(f"{direction}: {count} copies of {total} bytes, reported {got}")


def level0():
    """What level0 without memory leaves: the same calls, fewer of them."""
    kinds = {"launch", "copy", "fill", "map"}
    want = [e["name"] for e in expected if e["kind"] in kinds]
    got = [e["name"] for e in events]
    if want != got:
        fail(f"wanted {len(want)} events, got {len(got)}")


globals()[what]()
P
judged() {
	if why=$(python3 judge.py "$2" 2>&1); then
		ok "$1"
	else
		fail "$1" "$(echo "$why" | tail -n1)"
	fi
}

traced cpu,npu,memory level2
same_for_the_program the_program_sees_no_difference_with_device_times
judged every_call_is_recorded_as_it_was_made calls
judged every_command_has_a_device_time times
judged memory_peak_and_leaks_are_exact memory
judged copied_bytes_are_exact copies
traced cpu,memory level2
same_for_the_program the_program_sees_no_difference_without_device_times
judged every_call_is_recorded_without_device_times calls
judged no_device_times_unless_asked no_times
judged memory_is_exact_without_device_times memory
traced cpu,npu level0
same_for_the_program the_program_sees_no_difference_at_level0
judged level0_holds_launches_copies_fills_and_maps level0

# Nothing is forced where no window can open.
rm -rf out
status=0
FORMS_EXPECT=$tmp/expected RANKTRACE_RANK=1 "$run" --save-path "$tmp/out" --steps all --ranks 0 --level level2 \
	--contents cpu,npu,memory -- ./forms >got 2>errors || status=$?
same_for_the_program the_program_sees_no_difference_on_a_rank_that_is_not_selected

finish
