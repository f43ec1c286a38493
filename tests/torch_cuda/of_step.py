"""of_step.py HOOKS LEVEL DUMP BEFORE AFTER: what the simulated libraries counted between two moments is what was recorded at this level."""
import collections
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../sims/cuda")
import accounts  # noqa: E402

hooks, level, dump, before, after = sys.argv[1:]
known = accounts.kinds(level, open(hooks))
wanted = accounts.counted(known, [after])
wanted.subtract(accounts.counted(known, [before]))
accounts.differ(+wanted, collections.Counter(json.loads(line)["name"] for line in open(dump)))
