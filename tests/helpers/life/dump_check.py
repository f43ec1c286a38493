"""dump_check.py TOOL OUT WORD...: what holds for the events of a dump.

steady: no duration is negative, each thread's calls come one after another, and all lie within a minute
once:   no call is there twice
flat:   no call is marked nested"""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

events = traces.dump(*sys.argv[1:3])
faults = ["there are no events"] if not events else []
by_thread = collections.defaultdict(list)
for e in events:
    by_thread[e["pid"], e["tid"]].append(e)


def steady():
    faults.extend(f"a duration of {e['duration_ns']} ns" for e in events if e["duration_ns"] < 0)
    for thread, calls in by_thread.items():
        for a, b in zip(calls, calls[1:]):
            if b["begin_ns"] < a["begin_ns"] + a["duration_ns"] - 1000:
                faults.append(f"thread {thread}: a call begins {a['begin_ns'] - b['begin_ns']} ns before the one before it")
    span = max(e["begin_ns"] for e in events) - min(e["begin_ns"] for e in events)
    if span > 60e9:
        faults.append(f"the calls of a few milliseconds are spread over {span / 1e9} s")


def once():
    seen = collections.Counter((e["pid"], e["tid"], e["begin_ns"], e["duration_ns"]) for e in events)
    faults.extend(f"{n} times the call {call}" for call, n in seen.items() if n > 1)


def flat():
    faults.extend(f"nested: {e}" for e in events if e.get("nested"))


for word in sys.argv[3:] if events else []:
    {"steady": steady, "once": once, "flat": flat}[word]()
for fault in faults[:5]:
    print("FAULT " + fault)
sys.exit(bool(faults))
