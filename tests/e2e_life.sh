#!/bin/sh
# The ways a process or a thread may begin, change and end: nothing hangs, the program ends as it would
# without us, and kept + dropped + in flight is what the fake library counted, process by process.
# usage: e2e_life.sh [BUILD [CASE...]]
set -eu
export LC_ALL=C

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:-${BUILD:-$root/build}}")
[ $# -gt 0 ] && shift
dir=$(mktemp -d)
cd "$dir"
ulimit -c 0
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_LAUNCH RANKTRACE_RANKS
export RANKTRACE_SESSION_ROOT="/dev/shm/ranktrace-life.$$" RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu
trap 'rm -rf "$dir" "$RANKTRACE_SESSION_ROOT"-*' EXIT
cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$root/tests/kill"

$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$root/tests/kill/fake_opencl_kill.c"
$cc -o life "$root/tests/programs/life.c" ./libOpenCL.so.1 -Wl,-rpath,"$dir" -pthread
$cc -DLIFE_LIBRARY -shared -fPIC -o life-library.so "$root/tests/programs/life.c" ./libOpenCL.so.1 -Wl,-rpath,"$dir"

cat >compare.py <<'END'
import json, struct, sys
name, counts, report = sys.argv[1:]
data = open(counts, "rb").read()
called = {pid: n for pid, _, n in struct.iter_unpack("<IIQ", data) if pid}
ranks = json.loads(open(report).read() or '{"ranks":[]}')["ranks"]
# Calls that may be lost: only where the test forces it. In flight: threads that were in a call at the end.
may_drop = name.startswith("fsize") or name.startswith("signals")
may_fly = 4 if name in ("exit_busy",) else 0
faults, total = [], dict.fromkeys(("called", "kept", "dropped", "in_flight"), 0)
for pid, calls in called.items():
    e = dict.fromkeys(total, 0)
    for r in ranks:
        if r["pid"] == pid:
            e = {k: e[k] + r["events"][k] for k in e}
    total = {k: total[k] + e[k] for k in e}
    beyond = calls - e["called"]	# calls after the gate shut for good
    if beyond and not (name == "exit_busy" and beyond > 0):
        faults.append("process %d made %d calls, the report says %s" % (pid, calls, e))
    if e["kept"] + e["dropped"] + e["in_flight"] != e["called"] or not 0 <= e["in_flight"] <= may_fly:
        faults.append("process %d: %s" % (pid, e))
    if e["dropped"] and not may_drop:
        faults.append("process %d dropped: %s" % (pid, e))
for r in ranks:
    if r["pid"] not in called:
        faults.append("process %d called nothing, and has a trace" % r["pid"])
if not called:
    faults.append("nothing was called")
print("%-18s %7d calls in %2d processes: kept %d, dropped %d, in flight %d%s"
      % (name, sum(called.values()), len(called), total["kept"], total["dropped"], total["in_flight"],
         "".join("\n  FAULT " + f for f in faults[:5])))
sys.exit(bool(faults))
END

# run OUTPUT CASE [NAME=VALUE...]: the program, under a time limit; the status is kept in $status.
run() {
	: >counts
	truncate -s 4096 counts
	output=$1 case=$2
	shift 2
	status=0
	FAKE_COUNTS=counts timeout -k 5 60 env "$@" ./life "$case" >"$output" 2>&1 || status=$?
}

failures=0
for case in ${*:-$(./life)}; do
	# gcc 12's AddressSanitizer does not hold its allocator's lock over fork: a child may wait for ever.
	case $case:${SAN-} in fork_load:*address*) continue ;; esac
	# ThreadSanitizer takes a thread cancelled, or a program left, inside its own interceptors for an error,
	# has nothing to stand on in destructors that run after its own, and does not follow threads over fork.
	case $case:${SAN-} in fork*:*thread* | clone:*thread* | cancel:*thread* | exit_constructor:*thread* | late_*:*thread*) continue ;; esac
	rm -rf out
	run plain "$case"
	want=$status
	run traced "$case" LD_PRELOAD="${SANITIZER-}$build/libranktrace.so" RANKTRACE_SAVE_PATH="$dir/out"
	"$build/ranktrace" recover >recovered 2>&1 || { cat recovered; failures=$((failures + 1)); }
	"$build/ranktrace" report --format json out >report 2>errors || :
	if [ "$status" != "$want" ]; then
		echo "FAIL $case: status $status instead of $want"
		cat traced
		failures=$((failures + 1))
	fi
	if python3 compare.py "$case" counts report; then
		echo "ok every call of $case is kept or counted"
	else
		echo "FAIL $case: calls are missing"
		cat recovered errors
		failures=$((failures + 1))
	fi
	if ls -d "$RANKTRACE_SESSION_ROOT"-*/[0-9]* >left 2>/dev/null; then
		echo "FAIL $case: sessions are left: $(cat left)"
		failures=$((failures + 1))
	fi
done
echo "$failures failures"
[ "$failures" = 0 ]
