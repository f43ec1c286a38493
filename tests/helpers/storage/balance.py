"""balance.py TOOL COUNTS SAVE_PATH STDERR OUTSIDE CONDITION: the fake library's own count, less OUTSIDE calls that were made
outside of windows, against what was kept and what was dropped, by run.json, report, dump and the launcher's words.

In the condition: called, kept, dropped; text (what was said on stderr); files (of traces)."""
import glob, json, os, re, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

tool, counts, save_path, stderr, outside, condition = sys.argv[1:]
called = sum(traces.counted(counts).values()) - int(outside)
text = open(stderr).read()
runs = glob.glob(save_path + "/*/run*.json")
files = glob.glob(save_path + "/**/*.rtrace*", recursive=True)
told = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) of (\d+) calls are lost", text)]
processes = [p for run in runs for p in json.load(open(run))["processes"]]
if processes or not told:
    entered, kept, dropped = (sum(p[k] for p in processes) for k in ("entered", "kept", "dropped"))
    events = len(traces.dump(tool, save_path)) if files else 0
else:	# nothing could be written: the launcher's words are all there is
    dropped, entered = (sum(pair[i] for pair in told) for i in (0, 1))
    kept = events = entered - dropped
faults = []
if entered != called or kept + dropped != called or events != kept:
    faults.append("called %d, entered %d, kept %d, dropped %d, in the files %d" % (called, entered, kept, dropped, events))
if sum(d for d, _ in told) != dropped:
    faults.append("dropped %d, but told were %s" % (dropped, told))
if files:
    ranks = traces.report(tool, save_path)
    faults += traces.damage(ranks)
    sums = {k: sum(r["events"][k] for r in ranks) for k in ("called", "kept", "dropped", "in_flight")}
    # Without one readable chunk there is nothing to report, and run.json is all there is.
    if (ranks or kept) and sums != {"called": called, "kept": kept, "dropped": dropped, "in_flight": 0}:
        faults.append("the report says %s" % sums)
if not eval(condition):
    faults.append("not so: %s" % condition)
if faults:
    sys.exit("; ".join(faults) + "; called %d, kept %d, dropped %d; said: %s" % (called, kept, dropped, text))
print("  called %d, kept %d, dropped %d" % (called, kept, dropped))
