"""why_look.py - what a trace says of each step, by sums alone: whether a fault that was made is in it, and nothing else."""
import collections
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

USUAL_NS = {"aclnnMatmul": 600000, "fused_norm": 200000, "aclnnRelu": 100000, "aclnnAdd": 100000, "adam_step": 500000,
            "matmul": 600000, "norm": 200000, "relu": 100000, "add": 100000}

# Which sum a fault adds to.
ADDS_TO = {"kernel": "longer", "throttle": "longer", "one_more": "more", "shapes": "shapes", "sleep": "gap", "gc": "gap", "lock": "gap", "late": "gap",
           "neighbour": "gap", "copy": "copy", "alloc": "allocation", "build": "first", "first": "first", "link": "transfer"}


def outer(events):
    """Calls of each thread that stand in no other, in the order of their begin."""
    ends = {}
    for e in sorted(events, key=lambda x: x["begin_ns"]):
        if e["begin_ns"] >= ends.get((e["rank"], e["tid"]), 0):
            ends[e["rank"], e["tid"]] = e["begin_ns"] + e["duration_ns"]
            yield e


def shape_of(e):
    return (e["kernel"], str(e.get("shapes")))


def add_kernel(sums, e, known):
    usual = USUAL_NS.get(e["kernel"])
    if not usual:
        sums["first"] += e["duration_ns"]  # by events a kernel takes from before its launch, if the stream has nothing to do
        return
    sums["longer" if shape_of(e) in known else "shapes"] += e["device_duration_ns"] - usual
    sums["more"] += usual


def add_call(sums, e, known):
    if e["kind"] in ("operator", "launch") and "device_duration_ns" in e:
        add_kernel(sums, e, known)
    elif e["kind"] == "copy":
        sums["copy"] += e["device_duration_ns"]
    elif e["kind"] in ("alloc", "free"):
        sums["allocation"] += e["duration_ns"]
    elif e["kind"] == "module":
        sums["first"] += e["duration_ns"]
    elif e["kind"] == "collective":
        sums["collective"] += e["device_duration_ns"]


def sums_of(events, case):
    """{(rank, step): {what: ns}}"""
    sums, ends, was = collections.defaultdict(collections.Counter), {}, {}
    calls = list(outer(events))
    known = {shape_of(e) for e in calls if e.get("kernel") and e.get("step") != case.step}
    for e in calls:
        here, thread = sums[e["rank"], e.get("step")], (e["rank"], e["tid"])
        gap = e["begin_ns"] - ends.get(thread, e["begin_ns"])
        stormy = gap < 100000 and e["kind"] in ("alloc", "free") and was.get(thread) in ("alloc", "free")
        here["allocation" if stormy else "gap"] += gap
        ends[thread], was[thread] = e["begin_ns"] + e["duration_ns"], e["kind"]
        add_call(here, e, known)
    return sums


def more_than_usual(sums, case, rank):
    """{what: ns that the faulty step has above the others of this rank}"""
    ranks = sorted({r for r, _ in sums})
    for (_, step), its in sums.items():
        its["transfer"] = min(sums[r, step]["collective"] for r in ranks)
    steps = [step for r, step in sums if r == rank and isinstance(step, int) and 0 < step <= case.last and step != case.step]
    return {what: sums[rank, case.step][what] - statistics.median(sums[rank, step][what] for step in steps)
            for what in set(ADDS_TO.values())}


def miss(case, tool, folder, near):
    """None: each fault is there."""
    sums = sums_of(traces.dump(tool, folder), case)
    for rank in sorted({r for r, _ in sums}):
        wanted = collections.Counter()
        for i, (kind, _) in enumerate(case.faults):
            wanted[ADDS_TO[kind]] += case.came[rank][i]
        got, allowed = more_than_usual(sums, case, rank), near * max(*map(sum, case.came), 4e6)
        wrong = [what for what in got if abs(got[what] - wanted[what]) > (near * wanted[what] or allowed)]
        if wrong:
            return f"rank {rank}: {', '.join(f'{what} by {got[what]:.0f} ns, wanted {wanted[what]}' for what in wrong)}"
    return None
