"""many.py TOOL OUT WHAT N: what the report and the dump say of a run of many.c, in one line: `all` is there; or what is missing is
`told`, for definitions that found no room are counted; or else what is wrong."""
import collections, json, subprocess, sys

tool, out, what, n = sys.argv[1:4] + [int(sys.argv[4])]
ranks = json.loads(subprocess.run([tool, "report", "--format", "json", out], stdout=subprocess.PIPE).stdout)["ranks"]
sums = {key: sum(p["events"][key] for p in ranks) for key in ("called", "kept", "dropped", "in_flight")}
lost = sum(int(p["facts"].get("lost_definitions", 0)) for p in ranks)
seen, calls = collections.Counter(), 0
dump = subprocess.Popen([tool, "dump", "--format", "jsonl", out], stdout=subprocess.PIPE)
for line in dump.stdout:
    e = json.loads(line)
    if e["kind"] == "launch":
        calls += 1
        key = {"steps": e["step"], "sizes": tuple(e.get("global", ())), "names": (e.get("kernel") or "_").split("_")[0], "markers": None}[what]
    elif e["kind"] in ("mark", "marker") or "mstxMarkA" == e.get("name"):
        calls += 1
        key = (e.get("message") or e.get("text") or "_").split("_")[0]
    else:
        continue
    seen[key] += 1
for nothing in (None, (), ""):
    seen.pop(nothing, None)
wanted = {"steps": range(1, n + 1), "sizes": ((i + 1,) for i in range(n)), "names": map(str, range(n)), "markers": map(str, range(n))}[what]
missing = sum(seen[key] != 1 for key in wanted)
wrong = sums["kept"] != calls or sums["called"] != sums["kept"] + sums["dropped"] + sums["in_flight"] or sum(seen.values()) + missing > n
print("wrong: %s, %d calls, %d missing, %d lost" % (sums, calls, missing, lost) if wrong or sums["kept"] + sums["dropped"] < n or missing > lost + sums["dropped"]
      else "told" if missing else "all")
