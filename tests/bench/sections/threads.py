"""Whether threads stand in each other's way: CPU ns a call, and calls a second of all together.

What two threads can be asked for is what the machine gives two threads that share nothing: bare calls in the same
rotation, with a callee that works, so that a batch is no shorter than ours and as easily disturbed. Where they do not
reach the bar themselves, ours cannot be judged by it; beside theirs it still can."""
import harness as h
import peers
from sections.calls import LABELS

ROUNDS, BATCHES, COUNTS = h.pick(5, 2), h.pick(15, 12), (1, 2, 8)
WORKING = "bare50"
SCALING = 1.5	# of 2, which two threads would reach that never meet


def variant(name, count):
    words = [h.DIR + "/driver", str(BATCHES), "5" if name in ("bare", WORKING) else "60", str(count)]
    if name == "lttng_on":
        return lambda: peers.run_lttng(words)
    return lambda: h.run(words, agent=h.recording("cpu") if name == "cpu" else None, fake="fake50" if name == WORKING else "fake0")


def judge_scaling(rate):
    """rate: (variant, threads) -> calls a second"""
    bare, ours = (rate[n, 2] / rate[n, 1] for n in (WORKING, "cpu"))
    text = "2 threads: calls a second / those of 1 thread"
    if ours < SCALING and bare < SCALING:
        h.verdict("CANNOT TELL", text, ours, "at least %g, which bare calls miss: %.2f" % (SCALING, bare))
    else:
        h.bar_least(text, ours, SCALING)
    h.bar_least("2 threads: that ratio / bare calls'", ours / bare, SCALING / 2)


def run():
    h.title("Threads: CPU ns a call (median | best), and millions of calls a second of all threads together")
    h.say("%d rounds of %d batches that all threads begin together" % (ROUNDS, BATCHES))
    names = ["bare", WORKING, "cpu"] + (["lttng_on"] if peers.lttng else [])
    m = h.rotate(ROUNDS, "threads", {(n, c): variant(n, c) for c in COUNTS for n in names})
    rate = {k: max(r["best_rate"] for r in rs) for k, rs in m.items()}
    h.table([""] + [head for c in COUNTS for head in ("%d thread%s" % (c, "s"[:c > 1]), "M/s")],
            [[LABELS[n]] + [cell for c in COUNTS for cell in ("%.1f | %.1f" % (h.median(m[n, c], "median"), h.best(m[n, c], "best")),
                                                              "%.1f" % rate[n, c])] for n in names], wide=42)
    lost = sum(r["lost"] for (n, c), rs in m.items() if n == "cpu" for r in rs)
    h.say()
    judge_scaling(rate)
    h.bar("2 threads: CPU ns a call / that of 1 thread", h.best(m["cpu", 2], "best") / h.best(m["cpu", 1], "best"), 1.25)
    h.bar("processes with calls unaccounted for", sum(r.get("miscounted", 0) for rs in m.values() for r in rs), 0, 0)
    h.note("bare calls, 2 threads: %.2f x; recording lost %d of %d calls at this pace" % (
        rate[WORKING, 2] / rate[WORKING, 1], lost, sum(r["calls"] for (n, c), rs in m.items() if n == "cpu" for r in rs)))
