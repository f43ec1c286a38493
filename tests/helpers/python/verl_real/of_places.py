"""of_places.py HOOKS LEVEL DUMP COUNTS LAST [part]: what the simulated libraries counted in each place (on_cuda.py) is what was recorded there; LAST is
the place at the end. Events of CUDA count anywhere, as a thread of torch's asks for those of collectives when it likes. part: of places of which
nothing was recorded nothing is wanted. Says how many places there are.
"""
import collections
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../../../sims/cuda")
import accounts  # noqa: E402

hooks, level, dump, counts, last = sys.argv[1:6]
known, before = accounts.kinds(level, open(hooks)), collections.Counter()
wanted, got = collections.Counter(), collections.Counter()


def put(to, name, place, n):
    to["anywhere" if known.get(name) == "event" else place, name] += n


for path in sorted(glob.glob(counts + ".[0-9]*")) + [counts]:
    now = accounts.counted(known, [path])
    for name in now:
        put(wanted, name, ".".join(path.rsplit(".", 5)[1:]) if path != counts else last, now[name] - before[name])
    before = now
for event in accounts.recorded(dump):
    place = [event.get(key) for key in ("step", "role", "occurrence", "mini", "micro")]
    put(got, event["name"], ".".join("-" if value is None else str(value) for value in place), 1)
if sys.argv[6:] == ["part"]:
    recorded = {place for place, _ in got} - {"anywhere"}
    wanted, got = (collections.Counter({key: n for key, n in of.items() if key[0] in recorded}) for of in (wanted, got))
accounts.differ(+wanted, got)
print(len({place for place, _ in got}))
