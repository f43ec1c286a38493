"""threads.py TOOL SAVE_PATH THREADS: kept + dropped is what the thread called, thread by thread, as dump tells it. THREADS has
`tid calls` a line."""
import collections, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

tool, save_path, threads = sys.argv[1:]
called = {int(tid): int(n) for tid, n in (line.split() for line in open(threads))}
kept, dropped = collections.Counter(), collections.Counter()
for line in traces.lines(tool, save_path):
    if line["kind"] == "dropped":
        dropped[line["tid"]] += line["calls"]
    else:
        kept[line["tid"]] += 1
shown = {tid: (n, kept[tid], dropped[tid]) for tid, n in called.items()}
if not all(d and k and k + d == n for n, k, d in shown.values()):
    sys.exit("called, kept, dropped: %s" % shown)
