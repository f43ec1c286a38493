"""Whether threads stand in each other's way: CPU ns a call, and calls a second of all together."""
import harness as h
import peers
from sections.calls import LABELS

ROUNDS, BATCHES, COUNTS = h.pick(5, 2), h.pick(15, 12), (1, 2, 8)


def variant(name, count):
    words = [h.DIR + "/driver", str(BATCHES), "5" if name == "bare" else "60", str(count)]
    if name == "lttng_on":
        return lambda: peers.run_lttng(words)
    return lambda: h.run(words, agent=h.recording("cpu") if name == "cpu" else None)


def run():
    h.title("Threads: CPU ns a call (median | best), and millions of calls a second of all threads together")
    h.say("%d rounds of %d batches that all threads begin together" % (ROUNDS, BATCHES))
    names = ["bare", "cpu"] + (["lttng_on"] if peers.lttng else [])
    m = h.rotate(ROUNDS, "threads", {(n, c): variant(n, c) for c in COUNTS for n in names})
    rate = {k: max(r["best_rate"] for r in rs) for k, rs in m.items()}
    h.table([""] + [head for c in COUNTS for head in ("%d thread%s" % (c, "s"[:c > 1]), "M/s")],
            [[LABELS[n]] + [cell for c in COUNTS for cell in ("%.1f | %.1f" % (h.median(m[n, c], "median"), h.best(m[n, c], "best")),
                                                              "%.1f" % rate[n, c])] for n in names], wide=42)
    lost = sum(r["lost"] for (n, c), rs in m.items() if n == "cpu" for r in rs)
    h.say()
    h.bar_least("2 threads: calls a second / those of 1 thread", rate["cpu", 2] / rate["cpu", 1], 1.5)
    h.bar("2 threads: CPU ns a call / that of 1 thread", h.best(m["cpu", 2], "best") / h.best(m["cpu", 1], "best"), 1.25)
    h.bar("processes with calls unaccounted for", sum(r.get("miscounted", 0) for rs in m.values() for r in rs), 0, 0)
    h.note("bare, 2 threads: %.2f x; recording lost %d of %d calls at this pace" % (
        rate["bare", 2] / rate["bare", 1], lost, sum(r["calls"] for (n, c), rs in m.items() if n == "cpu" for r in rs)))
