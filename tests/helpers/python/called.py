"""called.py TOOL OUT COUNTS [FLYING]: what the fake library counted, process by process, is what the report says.

COUNTS is a file of tests/helpers/kill/fake_counts.h. Every call is kept, dropped or, FLYING of them in a process
at most, in flight: those may not have come to the library. Prints the totals.
"""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

KEYS = ("called", "kept", "dropped", "in_flight")


def main():
    tool, out, counts = sys.argv[1:4]
    flying = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    called, ranks = traces.counted(counts), traces.report(tool, out)
    said = traces.run.said
    seen = collections.defaultdict(collections.Counter)
    for rank in ranks:
        for key in KEYS:
            seen[rank["pid"]][key] += rank["events"][key]
    if not called:
        sys.exit("the fake library counted no call")
    faults = traces.damage(ranks)
    for pid in sorted(set(called) | set(seen)):
        e = seen[pid]
        told = e["kept"] + e["dropped"] + e["in_flight"]
        came = 0 <= e["called"] - called.get(pid, 0) <= e["in_flight"] <= flying
        if e["called"] != told or not came:
            faults.append(f"process {pid} made {called.get(pid, 0)} calls, the report says {dict(e)}")
    total = sum(seen.values(), collections.Counter())
    print(f"{sum(called.values())} calls in {len(called)} processes: "
          + ", ".join(f"{key} {total[key]}" for key in KEYS[1:]))
    if faults:
        sys.exit(f"{len(faults)} faults, of them: " + "; ".join(faults[:4]) + " " + said[-300:])


main()
