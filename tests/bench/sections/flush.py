"""What writing events away costs the other cores at a trainer's pace, and that nothing happens where nothing is recorded."""
import statistics
import harness as h
import peers

ROUNDS, MS = h.pick(4, 2), h.pick(3000, 1500)
PACES = (("50 k calls a second", 50000), ("500 k calls a second", 500000))
CONTENTS = ("cpu", "cpu,npu")


def paced(pace, *more):
    return [h.DIR + "/pace", str(pace), str(MS), *more]


def between():
    r = h.run(paced(50000, "idle"), agent=dict(STEPS="1,1000000", STEP_SOURCE="api"), counted=False)
    if r.get("kept") != 1000:
        raise RuntimeError("step 1 has 1000 calls, recorded were %s" % r.get("kept"))
    return r


def variants():
    v = {}
    for _, pace in PACES:
        for contents in CONTENTS:
            v[contents, pace] = lambda pace=pace, contents=contents: h.run(paced(pace), agent=h.recording(contents))
        if peers.lttng:
            v["lttng", pace] = lambda pace=pace: peers.run_lttng(paced(pace))
    v["made up"] = made_up
    v["before"] = lambda: h.run(paced(50000), agent=h.DORMANT)
    # Step 1 is over, 1000000 is to come.
    v["between"] = between
    return v


def made_up():
    """The flush path alone, on the made-up run of stream.c."""
    r = h.measured([h.STREAM, h.OUT], dict(h.ENV))
    h.shutil.rmtree(h.OUT)
    return r


def per_call(name, rs):
    """LTTng's consumer is another process, of which the whole run counts; ours is looked at when it has settled."""
    if name == "lttng":
        return statistics.median(r["flush_ns"] / r["calls"] for r in rs)
    return statistics.median(r["others_ns"] / r["settled_calls"] for r in rs)


def share(name, pace, rs):
    """Percent of a core."""
    return per_call(name, rs) * statistics.median(r["calls"] / r["seconds"] for r in rs) / 1e7


def wakes(rs):
    return statistics.median(r["switches"] / (r["seconds"] - 0.5) for r in rs)


def run():
    h.title("Writing events away: CPU of the flush thread, or of lttng-consumerd")
    h.say("%d rounds of %.1f s, one thread calling at a steady pace; medians" % (ROUNDS, MS / 1000))
    m = h.rotate(ROUNDS, "flush", variants())
    rows = []
    for text, pace in PACES:
        for name, label in (("cpu", "ranktrace, cpu"), ("cpu,npu", "ranktrace, cpu,npu"), ("lttng", "LTTng-UST entry+exit")):
            if (name, pace) in m:
                rs = m[name, pace]
                rows.append(["%s; %s" % (label, text), "%.1f" % per_call(name, rs), "%.3f %%" % share(name, pace, rs),
                             "%.1f" % wakes(rs) if name != "lttng" else None, "%d" % sum(r["lost"] for r in rs),
                             "%.2f" % statistics.median(r["bytes"] / r["calls"] for r in rs)])
    rows.append(["ranktrace, the made-up run, flush path alone", "%.1f" % h.best(m["made up"], "flush_ns"), None, None, None,
                 "%.2f" % (m["made up"][0]["bytes"] / m["made up"][0]["events"])])
    for name, text in (("before", "ranktrace, dormant before the first window"), ("between", "ranktrace, dormant between two windows")):
        rs = m[name]
        rows.append([text, None, "%.3f %%" % (statistics.median(r["others_ns"] / (r["seconds"] - 0.5) for r in rs) / 1e7),
                     "%.1f" % wakes(rs), None, None])
    h.table(["", "CPU ns a call", "of a core", "wakes/s", "lost", "B/call"], rows)
    bars(m)


def bars(m):
    h.say()
    h.bar("flush: CPU ns a call of the made-up run", h.best(m["made up"], "flush_ns"), 60, 1)
    h.bar("flush: CPU ns a call at 500 k calls a second", per_call("cpu", m["cpu", 500000]), 60, 1)
    if ("lttng", 500000) in m:
        h.bar("flush / lttng-consumerd, CPU a call at 500 k/s",
              per_call("cpu", m["cpu", 500000]) / per_call("lttng", m["lttng", 500000]), 0.6)
    h.bar("flush: percent of a core at 50 k calls a second", share("cpu", 50000, m["cpu", 50000]), 0.5)
    h.bar("events lost at 50 k and 500 k calls a second", sum(r["lost"] for k, rs in m.items() if k[0] == "cpu" for r in rs), 0, 0)
    h.bar("before the first window: threads of ours", max(r["others"] for r in m["before"]), 0, 0)
    h.bar("between two windows: wakes of the flush thread", max(r["switches"] for r in m["between"]), 0, 0)
    h.note("between two windows the flush thread %s" % ("sleeps" if max(r["others"] for r in m["between"]) else "is gone"))
