"""of_step.py HOOKS LEVEL DUMP RANK STEP KEPT: what the simulated libraries counted from the end of the step before to that of this one (KEPT.rank.n, as
train.py keeps it) is what was recorded of it. Events of CUDA count in none, as a thread of torch's asks for those of collectives when it likes; nor
does its cudaSetDevice() before, where there are collectives.
"""
import collections
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../sims/cuda")
import accounts  # noqa: E402

hooks, level, dump, rank, step, kept = sys.argv[1:]
events = [event for event in map(json.loads, open(dump)) if event["step"] == int(step) and event["rank"] in (int(rank), None)]
watched = {"cudaSetDevice"} if any(event["kind"] == "collective" for event in events) else set()
known = {name: kind for name, kind in accounts.kinds(level, open(hooks)).items() if kind != "event" and name not in watched}
wanted = accounts.counted(known, [f"{kept}.{rank}.{step}"])
wanted.subtract(accounts.counted(known, [f"{kept}.{rank}.{int(step) - 1}"]))
accounts.differ(+wanted, collections.Counter(event["name"] for event in events if event["kind"] != "event" and event["name"] not in watched))
