"""More than a ring holds: a burst, many threads, a host that is busy. What cannot be kept must be counted, to the last call."""
import contextlib, statistics, subprocess
import harness as h
import peers

ROUNDS = h.pick(3, 1)
LONG_MS = h.pick(10000, 3000)
LOOPS = 4  # endless ones beside the program, where the host is busy

# name, words of pace, busy, the least part that is to be kept
KINDS = (("10 M calls a second, 1 s", ["10000000", "1000"], False, 0.99),
         ("300,000 calls at once", ["1000000000", "0", "most=300000"], False, 1),
         ("16 threads, 40,000 calls each at once", ["1000000000", "0", "most=40000", "threads=16"], True, 1),
         ("500 k calls a second", ["500000", str(LONG_MS)], True, 1),
         ("8 threads, 50 k calls a second each", ["50000", str(LONG_MS), "threads=8"], True, 1))


@contextlib.contextmanager
def endless_loops(n):
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(n)]
    try:
        yield
    finally:
        for p in loops:
            p.kill()
            p.wait()


def measure(words, busy, run):
    with endless_loops(LOOPS if busy else 0):
        return run([h.DIR + "/pace"] + words)


def ranktrace(words):
    return h.run(words, agent=h.recording("cpu"))


def kept(r):
    return r["kept"] / r["calls"]


def rows_of(name, busy, ours, theirs):
    where = ", %d endless loops beside" % LOOPS if busy else ""
    r = max(ours, key=kept)
    yield [name + where, "%d" % r["calls"], "%d" % r["kept"], "%d" % r["dropped"], "%.3f %%" % (100 - 100 * kept(r))]
    for r in theirs:  # two events a call
        yield ["  LTTng-UST entry+exit", "%d" % r["calls"], None, "%d" % (r["lost"] / 2), "%.3f %%" % (50 * r["lost"] / r["calls"])]


def run():
    h.title("Bursts and busy hosts: calls that are kept, best of %d" % ROUNDS)
    results = {}
    for name, words, busy, _ in KINDS:
        v = {"ours": lambda words=words, busy=busy: measure(words, busy, ranktrace)}
        if peers.lttng and name == KINDS[0][0]:
            v["lttng"] = lambda words=words, busy=busy: measure(words, busy, peers.run_lttng)
        results[name] = h.rotate(ROUNDS, name, v)
    h.table(["", "called", "kept", "dropped", "dropped"],
            [row for name, _, busy, _ in KINDS for row in rows_of(name, busy, results[name]["ours"], results[name].get("lttng", ()))], wide=60)
    h.say()
    for name, _, busy, least in KINDS:
        h.bar_least("kept of " + name, max(kept(r) for r in results[name]["ours"]), least, 5)
    h.bar("bursts: calls neither kept nor counted as dropped",
          sum(abs(r["calls"] - r["kept"] - r["dropped"] - r["in_flight"]) for m in results.values() for r in m["ours"]), 0, 0)
    h.note("10 M calls a second: %.1f M were made (median)" %
           statistics.median(r["calls"] / r["seconds"] / 1e6 for r in results[KINDS[0][0]]["ours"]))
