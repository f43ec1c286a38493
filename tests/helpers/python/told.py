"""told.py OUTPUT DUMP COUNTS HOOKS: what npu_gate says that it called in step 2 is what was recorded, and nothing else; and
what it called at all is what the simulated libraries counted. HOOKS: what `ranktrace hooks` lists."""
import collections
import json
import pathlib
import subprocess
import sys

output, dump, counted, hooks = sys.argv[1:5]
kinds = {line.split()[0]: line.split()[1] for line in open(hooks)} | {"aclInit": "none"}
inside, all_calls = collections.Counter(), collections.Counter()
for line in open(output):
    phase, symbol, calls = line.split()
    all_calls[symbol] += int(calls)
    if phase == "inside" and kinds[symbol] not in ("question", "none"):
        inside[symbol] += int(calls)
recorded = collections.Counter(json.loads(line)["name"] for line in open(dump))
if recorded != inside:
    sys.exit(f"in step 2 it called {dict(inside)}, recorded is {dict(recorded)}")
asked = {"aclrtGetDevice", "aclrtGetSocName"}  # by the agent, to name a stream's device
here = pathlib.Path(__file__).parents[2] / "sims/lib/counts.py"
said = subprocess.run([sys.executable, here, counted], capture_output=True, text=True, check=True).stdout
vendor = collections.Counter({line.split()[0]: int(line.split()[1]) for line in said.splitlines()})
# In a window we answer the question, and the library is not asked.
beside = asked | {symbol for symbol, kind in kinds.items() if kind == "question"}
if {s: n for s, n in vendor.items() if s not in beside} != {s: n for s, n in all_calls.items() if s not in beside}:
    sys.exit(f"it called {dict(all_calls)}, the libraries saw {dict(vendor)}")
if not all_calls:
    sys.exit("nothing was called")
