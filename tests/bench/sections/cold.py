"""What a call costs a program that has better things in its caches: one call per about 2 us of cache-missing loads."""
import harness as h
import peers
from sections.calls import LABELS, there

ROUNDS, CALLS = h.pick(9, 4), h.pick(90000, 60000)


def variant(name):
    words = [h.DIR + "/cold", str(CALLS)]
    if name.startswith("lttng"):
        return lambda: peers.run_lttng(words, active=name == "lttng_on")
    if name == "uftrace":
        return lambda: peers.run_uftrace(words)
    agent = dict(dormant=h.DORMANT, armed=h.ARMED, cpu=h.recording("cpu"), npu=h.recording("cpu,npu")).get(name)
    return lambda: h.run(words, preload=h.DIR + "/wrap_floor.so" if name == "floor" else None, agent=agent)


def run():
    h.title("Cold caches: one call per about 2 us of cache-missing loads, ns")
    h.say("%d rounds of %d calls, each timed on its own; best: the round with the lowest p50" % (ROUNDS, CALLS))
    names = filter(there, "bare floor dormant armed cpu npu lttng_off lttng_on uftrace".split())
    m = h.rotate(ROUNDS, "cold", {n: variant(n) for n in names})
    p50 = {n: h.best(rs, "p50") for n, rs in m.items()}
    added = {n: p50[n] - p50["bare"] for n in m}
    pair = max(added.get("lttng_on", 0), 0.1)
    h.table(["", "p50 med", "p50 best", "added", "/pair", "p99 med", "p99 best", "p99.9"],
            [[LABELS[n], "%.1f" % h.median(rs, "p50"), "%.1f" % p50[n], "%.1f" % added[n],
              "%.3f" % (added[n] / pair) if "lttng_on" in m else None, "%.0f" % h.median(rs, "p99"), "%.0f" % h.best(rs, "p99"),
              "%.0f" % h.median(rs, "p999")] for n, rs in m.items()])
    h.say()
    h.bar("cold, recording: added ns, p50", added["cpu"], 45)
    h.bar("cold, recording: ns, p99", h.best(m["cpu"], "p99"), 250, 0)
    if "lttng_on" in m:
        h.bar("cold, recording / active LTTng pair: added, p50", added["cpu"] / pair, 0.12)
