"""threads.py TOOL SAVE_PATH THREADS: kept + dropped is what the thread called, thread by thread. THREADS has `tid calls` a line;
what was dropped stands in the header of a ring's last chunk (docs/format.md)."""
import collections, glob, os, struct, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

tool, save_path, threads = sys.argv[1:]
called = {int(tid): int(n) for tid, n in (line.split() for line in open(threads))}
kept = collections.Counter(e["tid"] for e in traces.dump(tool, save_path))
rings = {}
for path in glob.glob(save_path + "/**/*.rtrace", recursive=True):
    data = open(path, "rb").read()
    at = 0
    while at < len(data):
        kind, = struct.unpack_from("<H", data, at + 6)
        ring, = struct.unpack_from("<I", data, at + 24)
        length, = struct.unpack_from("<I", data, at + 32)
        if kind == 3:
            rings[ring] = struct.unpack_from("<QQ", data, at + 72)
        at = (at + 128 + length + 63) // 64 * 64
# No two threads call equally often: that tells whose ring it is.
dropped = {tid: [d for e, d in rings.values() if e == n] for tid, n in called.items()}
shown = {tid: (n, kept[tid], dropped[tid]) for tid, n in called.items()}
if not all(d and d[0] and k and k + d[0] == n for n, k, d in shown.values()):
    sys.exit("called, kept, dropped: %s; rings: %s" % (shown, rings))
