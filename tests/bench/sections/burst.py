"""More than any ring holds: 10 M calls a second. What cannot be kept must be counted, to the last call."""
import statistics
import harness as h
import peers

ROUNDS, MS = h.pick(3, 1), 2000


def run():
    words = [h.DIR + "/pace", "10000000", str(MS)]
    h.title("A burst of 10 M calls a second for %d s" % (MS // 1000))
    v = {"cpu": lambda: h.run(words, agent=h.recording("cpu"))}
    if peers.lttng:
        v["lttng"] = lambda: peers.run_lttng(words)
    m = h.rotate(ROUNDS, "burst", v)
    rows = []
    for r in m["cpu"]:
        rows.append(["ranktrace", "%.2f" % (r["calls"] / r["seconds"] / 1e6), "%d" % r["calls"], "%d" % r["kept"], "%d" % r["dropped"],
                     "%d" % r["in_flight"], "%.3f %%" % (100 * r["dropped"] / r["calls"])])
    for r in m.get("lttng", ()):	# two events a call
        rows.append(["LTTng-UST entry+exit", "%.2f" % (r["calls"] / r["seconds"] / 1e6), "%d" % r["calls"], None, "%d" % (r["lost"] / 2), None,
                     "%.3f %%" % (50 * r["lost"] / r["calls"])])
    h.table(["", "M calls/s", "called", "kept", "dropped", "in flight", "dropped"], rows, wide=24)
    h.say()
    h.bar("burst: calls neither kept nor counted as dropped",
          sum(abs(r["calls"] - r["kept"] - r["dropped"] - r["in_flight"]) for r in m["cpu"]), 0, 0)
    h.note("dropped: %.2f %% of the calls (median)" % statistics.median(100 * r["dropped"] / r["calls"] for r in m["cpu"]))
