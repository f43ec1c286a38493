"""whole_steps.py TOOL FOLDER RANKS [KILLED]: every step that a file has is whole, in one file, and named; prints windows and steps by rank.
Of a rank that was killed the last step may end in the call that it was in."""
import collections, json, os, subprocess, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import Counts

tool, folder, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
killed = int(sys.argv[4]) if len(sys.argv) > 4 else -1
files = collections.defaultdict(list)
for where, _, names in os.walk(folder):
    for name in names:
        if name.endswith(".part"):
            sys.exit("%s is not whole" % name)
        if name.endswith(".rtrace"):
            files[name].append(os.path.join(where, name))
seen = [collections.Counter() for _ in range(ranks)]
home = [{} for _ in range(ranks)]
windows = [set() for _ in range(ranks)]
for name, paths in files.items():
    for line in subprocess.Popen([tool, "dump", "--format", "jsonl", *paths], stdout=subprocess.PIPE, text=True).stdout:
        e = json.loads(line)
        if e["kind"] != "launch":
            continue
        if e["kernel"] != ("named_before" if e["step"] < 20 else "named_behind") or not e["stream"]:
            sys.exit("step %s launches %r on stream %s" % (e["step"], e["kernel"], e["stream"]))
        seen[e["rank"]][e["step"]] += 1
        windows[e["rank"]].add(name)
        if home[e["rank"]].setdefault(e["step"], name) != name:
            sys.exit("step %s of rank %d is in %s and in %s" % (e["step"], e["rank"], home[e["rank"]][e["step"]], name))
for rank in range(ranks):
    own = Counts(rank)
    for step, n in seen[rank].items():
        begun, done = own.of(step)
        if not (done <= n <= begun if rank == killed and step == own.last else n == done == begun):
            sys.exit("step %d of rank %d made %d launches (%d begun), %d are recorded" % (step, rank, done, begun, n))
print(json.dumps([[len(windows[r]), sorted(seen[r])] for r in range(ranks)]))
