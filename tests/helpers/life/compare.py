"""compare.py WORD COUNTS REPORT [MAY]: is what the fake library counted what the report says, process by process?

MAY holds what the case says of itself (life.h, life_may())."""
import collections
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

word, counts, report = sys.argv[1:4]
may = collections.Counter()
if len(sys.argv) > 4 and os.path.exists(sys.argv[4]):
    for line in open(sys.argv[4]):
        name, n = line.split()
        may[name] = max(may[name], int(n), 1)

called = traces.counted(counts)
words = ("called", "kept", "dropped", "in_flight")
ranks = json.loads(open(report).read() or '{"ranks":[]}')["ranks"]
traced, total, faults = {}, dict.fromkeys(words, 0), traces.damage(ranks)
for rank in ranks:
    e = traced.setdefault(rank["pid"], dict.fromkeys(words, 0))
    for k in words:
        e[k] += rank["events"][k]
        total[k] += rank["events"][k]
    if rank["events"]["kept"] + rank["events"]["dropped"] + rank["events"]["in_flight"] != rank["events"]["called"]:
        faults.append("process %d: the sum is wrong: %s" % (rank["pid"], rank["events"]))


def judge(who, calls, said):
    """Calls that the report lacks, or has too many of."""
    missing = calls - may["inner"] - said
    if missing > 0 and (not may["shut"] or said < may["shut"]) or -missing > may["cut"]:
        faults.append("%s made %d calls, the report says %d" % (who, calls, said))


if may["together"]:
    judge("all processes", sum(called.values()), total["called"])
else:
    for pid, calls in called.items():
        judge("process %d" % pid, calls, traced.get(pid, dict.fromkeys(words, 0))["called"])
    faults += ["process %d called nothing, and has a trace" % pid for pid in traced if pid not in called]
if may["absent"] in traced:
    faults.append("process %d has a trace" % may["absent"])
if total["dropped"] > may["drop"]:
    faults.append("%d calls were dropped" % total["dropped"])
if not 0 <= total["in_flight"] <= may["fly"]:
    faults.append("%d calls are in flight" % total["in_flight"])
if not called:
    faults.append("nothing was called")
print("%-18s %7d calls in %2d processes: kept %d, dropped %d, in flight %d"
      % (word, sum(called.values()), len(called), total["kept"], total["dropped"], total["in_flight"]))
for fault in faults[:5]:
    print("  FAULT " + fault)
sys.exit(bool(faults))
