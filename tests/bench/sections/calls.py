"""What a call costs: beside the same call bare, under LTTng-UST, under uftrace, and with two clock readings around it."""
import harness as h
import peers

ROUNDS, BATCHES, PAUSE = h.pick(6, 3), h.pick(30, 10), "40"
BEHIND = dict(STEPS="0", STEP_SOURCE="api")	# the last step that is selected is over: nothing is kept for a later window, unless it may be asked for
QUIET = ("armed", "timed", "asked", "behind", "behind_asked")
LABELS = {
    "bare": "no interposition, call through the PLT",
    "bare50": "the same, callee works about 50 ns",
    "floor": "two clock readings, nothing kept",
    "dormant": "ranktrace, dormant: step not reached",
    "asked": "ranktrace, dormant, on_demand",
    "behind": "ranktrace, behind the last step",
    "behind_asked": "ranktrace, behind the last step, on_demand",
    "dormant_npu": "ranktrace, dormant, contents cpu,npu",
    "dormant_shapes": "ranktrace, dormant, contents cpu,shapes",
    "armed": "ranktrace, dormant, a kernel: clock armed",
    "timed": "ranktrace, dormant, a time: clock armed",
    "cpu": "ranktrace, recording cpu",
    "timed_cpu": "ranktrace, recording cpu by a time: clock",
    "slow_clock": "ranktrace, recording cpu by clock_gettime()",
    "memory": "ranktrace, recording cpu,memory",
    "plans": "ranktrace, recording cpu at level1",
    "shapes": "ranktrace, recording cpu,shapes",
    "npu": "ranktrace, recording cpu,npu",
    "lttng_off": "LTTng-UST entry+exit, session inactive",
    "lttng_on": "LTTng-UST entry+exit, written by consumerd",
    "uftrace": "uftrace record --force",
}
TABLES = (	# name, title, library, what the driver does, rows
    ("at once", "launches, callee returns at once", "fake0", "launch",
     "bare floor dormant asked behind behind_asked armed timed cpu timed_cpu memory npu slow_clock lttng_off lttng_on uftrace"),
    ("50 ns", "launches, callee works about 50 ns", "fake50", "launch",
     "bare floor dormant armed cpu lttng_off lttng_on uftrace"),
    ("waits", "launches, clFinish() after every 500", "fake0", "finish", "bare dormant cpu npu lttng_on"),
    ("memory", "clCreateBuffer(), clReleaseMemObject(), half each", "fake0", "memory",
     "bare dormant asked behind behind_asked cpu memory lttng_on"),
)


def variant(name, fake, work):
    """Whoever writes events away needs the pauses between batches; the others do without."""
    def driver(pause):
        return [h.DIR + "/driver", str(BATCHES), pause, "1", work] + (["1"] if name.startswith("behind") else [])
    if name == "lttng_on":
        return lambda: peers.run_lttng(driver(PAUSE), fake=fake)
    if name == "lttng_off":
        return lambda: peers.run_lttng(driver("5"), active=False, fake=fake)
    if name == "uftrace":
        return lambda: peers.run_uftrace(driver("5"), fake=fake)
    if name in ("bare", "floor"):
        return lambda: h.run(driver("5"), preload=h.DIR + "/wrap_floor.so" if name == "floor" else None, fake=fake)
    agent = dict(dormant=h.DORMANT, asked=dict(h.DORMANT, ON_DEMAND="true"), behind=BEHIND, behind_asked=dict(BEHIND, ON_DEMAND="true"),
                 dormant_npu=dict(h.DORMANT, CONTENTS="cpu,npu"), dormant_shapes=dict(h.DORMANT, CONTENTS="cpu,shapes"), armed=h.ARMED, cpu=h.recording("cpu"),
                 timed=dict(h.DORMANT, STEP_SOURCE="time:1h"), timed_cpu=dict(h.recording("cpu"), STEP_SOURCE="time:1h"), memory=h.recording("cpu,memory"),
                 npu=h.recording("cpu,npu"), plans=dict(h.recording("cpu"), LEVEL="level1"), shapes=h.recording("cpu,shapes"),
                 slow_clock=dict(h.recording("cpu"), CLOCK="ns"))[name]
    return lambda: h.run(driver("5" if name in QUIET or name.startswith("dormant") else PAUSE), agent=agent, fake=fake,
                         counted=(work != "memory" or name == "memory") and name != "plans")


def there(name):
    return not (name.startswith("lttng") and not peers.lttng or name == "uftrace" and not peers.uftrace)


def added(m, name):
    return h.best(m[name], "best") - h.best(m["bare"], "best")


def ratio(m, name, anchor):
    return max(added(m, name), 0) / max(added(m, anchor), 0.1)


def show(text, m):
    rows = []
    for name, rs in m.items():
        of_pair = "%.3f" % ratio(m, name, "lttng_on") if "lttng_on" in m else None
        written = [None] * 3
        if "flush_ns" in rs[0]:	# LTTng's consumer
            written = [sum(r["lost"] for r in rs), sum(r["bytes"] for r in rs), sum(r["flush_ns"] for r in rs)]
        elif "kept" in rs[0]:
            written = [sum(r["lost"] for r in rs), sum(r["bytes"] for r in rs), sum(r["others_ns"] for r in rs)]
        calls = sum(r["calls"] for r in rs)
        rows.append([LABELS[name], "%.1f" % h.median(rs, "median"), "%.1f" % h.best(rs, "best"), "%.1f" % added(m, name), of_pair] +
                    (["%d" % written[0], "%.2f" % (written[1] / calls), "%.1f" % (written[2] / calls)] if written[0] is not None else
                     [None] * 3))
    h.say()
    h.table([text, "median", "best", "added", "/pair", "lost", "B/call", "flush ns"], rows)


def bar(x, text, value, limit):
    """Where a call costs less with somebody in between than bare, the bare one was disturbed in every round."""
    if min(added(x, n) for n in x) < -1:
        h.verdict("CANNOT TELL", text, value, "at most %g; bare was disturbed" % limit)
    else:
        h.bar(text, value, limit)


def bars(m):
    at_once, work = m["at once"], m["50 ns"]
    h.say()
    bar(at_once, "dormant: added ns a call", added(at_once, "dormant"), 2.5)
    bar(at_once, "dormant, on_demand: added ns a call", max(added(at_once, name) for name in ("asked", "behind_asked")), 2.5)
    bar(at_once, "recording: added ns a call", added(at_once, "cpu"), 30)
    bar(work, "recording, callee works 50 ns: added ns a call", added(work, "cpu"), 30)
    bar(at_once, "recording: percent of a core at 50 k calls/s", added(at_once, "cpu") * 50000 / 1e7, 0.25)
    bar(at_once, "recording by clock_gettime(): added ns a call", added(at_once, "slow_clock"), 65)
    for text, x in (("returns at once", at_once), ("works 50 ns", work)):
        if "lttng_off" in x:
            bar(x, "dormant / inactive LTTng pair; " + text, ratio(x, "dormant", "lttng_off"), 0.25)
            bar(x, "recording / active LTTng pair; " + text, ratio(x, "cpu", "lttng_on"), 0.12)
        if "uftrace" in x:
            bar(x, "recording / uftrace; " + text, ratio(x, "cpu", "uftrace"), 0.22)
    bar(m["memory"], "a buffer behind the last step, on_demand: added ns", added(m["memory"], "behind_asked"), 30)
    if "lttng_on" in m["memory"]:
        for name in ("cpu", "memory"):
            bar(m["memory"], "alloc and free, %s / active LTTng pair" % LABELS[name].split(", ")[1], ratio(m["memory"], name, "lttng_on"), 0.25)
    h.note("recording is %.1f ns above two clock readings alone (%.1f where the callee works 50 ns)" % (
        added(at_once, "cpu") - added(at_once, "floor"), added(work, "cpu") - added(work, "floor")))
    wrong = sum(r.get("miscounted", 0) for x in m.values() for rs in x.values() for r in rs)
    h.bar("recording: processes with calls unaccounted for", wrong, 0, 0)
    h.bar("recording cpu: calls dropped at this pace", sum(r["lost"] for x in m.values() for r in x["cpu"]), 0, 0)


def run():
    h.title("Cost of a call, in ns of the calling thread's CPU time")
    h.say("%d rounds of %d batches of 10,000 calls. added: best above the bare call's best; /pair: that over the active" % (ROUNDS, BATCHES))
    h.say("LTTng-UST pair's; lost: calls not kept, of all rounds; flush ns: CPU of whoever writes them away, by call.")
    h.say("Pauses between batches are not timed: a tight loop calls fifty times as often as the busiest trainer.")
    results = {}
    for name, text, fake, work, names in TABLES:
        results[name] = h.rotate(ROUNDS, "calls, " + name, {n: variant(n, fake, work) for n in filter(there, names.split())})
        show(text, results[name])
    bars(results)
