"""summary.py: the lines that a report's Summary should have, from its JSON on standard input, by another road than the report's own. Durations as the
report has them are compared as numbers of three decimals."""
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces


def shown_bytes(n):
    for unit, size in (("PiB", 2**50), ("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if n >= size:
            return "%.2f %s" % (n / size, unit)
    return "%d B" % n


def missed(rank):
    """Calls that waited for a rank, in vain, are not lost."""
    return rank["events"]["dropped"] - int(rank["facts"].get("unselected", 0))


def is_whole(rank, step):
    facts = rank["facts"]
    parts = step.get("unrecorded_ns") or facts.get("discrete") == "true" or "counter=" in facts.get("schedule", "")
    to_the_exit = facts.get("reason") == "exit" and facts.get("last_step") == str(step["step"])
    lost = any((d["first_step"] is None or d["first_step"] <= step["step"]) and d["last_step"] is not None and step["step"] <= d["last_step"]
               for d in rank["dropped_in"])
    elsewhere = missed(rank) > sum(d["calls"] for d in rank["dropped_in"])
    if elsewhere and not (rank["max_size_reached"] and any(s["step"] > step["step"] for s in rank["steps"])):
        return False
    return step["ended"] and not (parts or to_the_exit or lost or step.get("provisional"))


ranks = json.load(sys.stdin)["ranks"]
steps = [(s["duration_ns"], r["rank"], s) for r in ranks for s in r["steps"] if is_whole(r, s)]
others = sum(len(r["steps"]) for r in ranks) - len(steps)
if steps:
    of = {rank for _, rank, _ in steps}
    lengths = sorted(d for d, _, _ in steps)
    p95 = next(d for d in lengths if sum(x <= d for x in lengths) >= 0.95 * len(lengths))
    print("%d whole step%s of %d rank%s: median %s, p95 %s" % (len(steps), "s" * (len(steps) > 1), len(of), "s" * (len(of) > 1),
                                                              traces.shown(int(statistics.median(lengths))), traces.shown(p95)))
    print("slowest: " + ", ".join("step %d%s %s" % (s["step"], " of rank %d" % rank if len(of) > 1 else "", traces.shown(d))
                                  for d, rank, s in sorted(steps, key=lambda x: -x[0])[:5]))
    by_device = [x for x in steps if x[2]["times"] == "device"]
    counted = by_device or steps
    whole = sum(d for d, _, _ in counted)
    share = {key: 100 * sum(s[key + "_ns"] for _, _, s in counted) / whole for key in ("compute", "copy", "communication_not_overlapped", "idle")}
    print("of their time %s: compute %.1f %%, copies %.1f %%, communication not overlapped %.1f %%, idle %.1f %%%s" % (
        "on the device" if by_device else "in the calls", *share.values(),
        " (of the %d that have such times)" % len(by_device) if by_device and len(by_device) < len(steps) else ""))
    bytes_of = {r["rank"]: r["trace_bytes"] / r["events"]["kept"] for r in ranks}
    size = sum(bytes_of[rank] * s["events"] for _, rank, s in steps) / len(steps)
    world = max([len(ranks), *(int(r["facts"].get("world", 0)) for r in ranks)])
    print("trace: %s a step of a rank; 1000 steps of %d rank%s would take %s" % (shown_bytes(int(size)), world, "s" * (world > 1),
                                                                               shown_bytes(int(size * 1000 * world))))
called, dropped = sum(r["events"]["called"] for r in ranks), sum(map(missed, ranks))
if steps or others:
    print("lost: %d of %d calls (%.2g %%); see Lost and not seen" % (dropped, called, 100 * dropped / called) if dropped else "nothing was lost", end="")
    print("; %s%d step%s without a whole length: see Steps" % ("left out: " if steps else "", others, "s" * (others > 1)) if others else "")
