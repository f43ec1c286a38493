"""report_parts.py TOOL PATH: reports of one step and of one rank at a time add up to the report of all."""
import json
import os
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

tool, path = sys.argv[1:]


def report(*arguments):
    return json.loads(traces.run(tool, "report", "--format", "json", *arguments, path))["ranks"]


def sums(ranks):
    """Everything that belongs to steps, by rank."""
    total = Counter()
    for r in ranks:
        for k in r["kernels"]:
            for key in ("count", "host_ns", "device_ns", "timed"):
                total[r["rank"], "kernel", k["name"], key] += k[key]
        for direction, c in [*r["copies"].items(), ("fill", r["fills"])]:
            for key in ("count", "bytes", "host_ns", "device_ns"):
                total[r["rank"], "copy", direction, key] += c[key]
        for name, count in r["entry_points"].items():
            total[r["rank"], "entry", name] += count
        for s in r["steps"]:
            total[r["rank"], "step", json.dumps(s)] += 1
        total[r["rank"], "timed"] += r["device_times"]
    return +total


whole = report()
steps = sorted({s["step"] for r in whole for s in r["steps"]})
ranks = sorted(r["rank"] for r in whole)
assert len(steps) > 1 and len(ranks) > 1 and not any(r["outside_steps"] for r in whole), (steps, ranks)
assert sum((sums(report("--steps", str(n))) for n in steps), Counter()) == sums(whole), "steps do not add up"
assert [r for n in ranks for r in report("--ranks", str(n))] == whole, "ranks do not add up"
assert [s["step"] for r in report("--steps", f"{steps[0]},{steps[-1]}-", "--ranks", str(ranks[-1])) for s in r["steps"]] \
    == [steps[0], steps[-1]], "a list of steps"
for r, w in zip(report("--steps", str(steps[-1])), whole):
    assert r["memory"] == w["memory"] and r["events"] == w["events"], "memory and counts are of the whole"
