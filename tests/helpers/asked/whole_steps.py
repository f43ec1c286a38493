"""whole_steps.py TOOL FOLDER RANKS [KILLED]: every step that a file has is whole, in one file, and named; prints windows and steps by rank.
Of a rank that was killed the last step may end in the call that it was in."""
import collections, json, os, subprocess, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from job import counts

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
    for line in subprocess.run([tool, "dump", "--format", "jsonl", *paths], capture_output=True, text=True).stdout.splitlines():
        e = json.loads(line)
        if e["kind"] != "launch":
            continue
        if e["kernel"] != "named_before":
            sys.exit("a launch of %r" % e["kernel"])
        seen[e["rank"]][e["step"]] += 1
        windows[e["rank"]].add(name)
        if home[e["rank"]].setdefault(e["step"], name) != name:
            sys.exit("step %s of rank %d is in %s and in %s" % (e["step"], e["rank"], home[e["rank"]][e["step"]], name))
for rank in range(ranks):
    own = counts(rank)
    for step, n in seen[rank].items():
        begun, done = own.get(step, (0, 0))
        if not (done <= n <= begun if rank == killed and step == max(own) else n == done == begun):
            sys.exit("step %d of rank %d made %d launches (%d begun), %d are recorded" % (step, rank, done, begun, n))
if "-v" in os.environ.get("SAY", ""):
    print({r: sorted(w) for r, w in enumerate(windows)})
print(json.dumps([[len(windows[r]), sorted(seen[r])] for r in range(ranks)]))
