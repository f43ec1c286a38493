"""recorded.py TOOL OUT COUNTS: what the counting layer saw, entry point by entry point, is what was recorded.

The layer lies below us: the calls that we make for device times are in COUNTS, too.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

FOR_DEVICE_TIMES = ("clGetEventInfo", "clGetEventProfilingInfo", "clRetainEvent", "clReleaseEvent")


def main():
    tool, out, counts = sys.argv[1:4]
    rows = {line.split()[0] for line in traces.run(tool, "hooks").splitlines() if line.startswith("cl")}
    counted = {name: int(n) for name, n in (line.split() for line in open(counts)) if name in rows}
    rank, = traces.report(tool, out)
    seen, events = rank["entry_points"], rank["events"]
    different = [f"{name}: counted {counted.get(name, 0)}, recorded {seen.get(name, 0)}"
                 for name in sorted(set(counted) | set(seen))
                 if counted.get(name, 0) != seen.get(name, 0) and name not in FOR_DEVICE_TIMES
                 or counted.get(name, 0) < seen.get(name, 0)]
    print(f"{events['kept']} events of {len(seen)} entry points, {rank['device_times']} device times")
    if different or not seen or events["called"] != events["kept"]:
        sys.exit(f"{events}; {'; '.join(different[:5])}")


main()
