"""How fast traces are exported: by a core, with calls alone and with device times, and two ranks side by side."""
import os, subprocess, time
import harness as h
import export_peers as peers

ROUNDS, STEPS = h.pick(5, 2), h.pick(600, 200)	# of 3,395 events
PEERS_ROUNDS, PEERS_STEPS = h.pick(3, 1), h.pick(60, 15)	# msprof-analyze takes its time

# At least so many M events (recorded calls) a second of a core; with device times a third.
EXPORTS = (("chrome", 3), ("perfetto", 6), ("csv", 3), ("ascend-text", 1), ("ascend-db", 0.7))
SIDE_BY_SIDE = (("chrome", "/"), ("perfetto", "/"), ("ascend-text", "/"), ("ascend-db", "/"), ("chrome", ""), ("perfetto", ""), ("csv", ""))	# "/": a folder


def record(path, *words, steps=STEPS):
    """The made-up run of stream.c: how many calls."""
    subprocess.run([h.STREAM, "-s", str(steps), *words, path], env=h.ENV, stdout=subprocess.DEVNULL, check=True)
    return sum(r["events"]["kept"] for r in h.report(path))


def target():
    """Where exports go: into memory if there is room, as a disk's file system takes its own time of the same process."""
    room = os.path.isdir("/dev/shm") and h.shutil.disk_usage("/dev/shm").free > 4 << 30
    return (h.ROOT if room else h.DIR + "/") + "exports"


def start(to, output, *words):
    h.shutil.rmtree(output, ignore_errors=True)
    return subprocess.Popen([h.TOOL, "export", "--to", to, "-o", output, *words], env=h.ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ended(process):
    _, process.returncode, used = os.wait4(process.pid, 0)
    if process.returncode:
        raise RuntimeError("%s ended with %d" % (process.args, process.returncode))
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def timed(to, trace, events, output):
    begin = time.monotonic()
    cpu, kib = ended(start(to, output, "--jobs", "1", trace))
    return dict(wall=events / (time.monotonic() - begin) / 1e6, cpu=events / cpu / 1e6, mib=kib / 1024)


def together(*commands):
    """Seconds that these exports take when they begin at once."""
    for _, output, *_ in commands:
        h.shutil.rmtree(output, ignore_errors=True)
    begin = time.monotonic()
    for process in [start(*words) for words in commands]:
        ended(process)
    return dict(seconds=time.monotonic() - begin)


def run():
    h.title("Exports: millions of events a second")
    exports = target()
    traces = {"": h.DIR + "/calls", ", device times": h.DIR + "/timed"}
    kept = {"": record(traces[""]), ", device times": record(traces[", device times"], "-d")}
    pair = h.DIR + "/pair"
    for rank in "01":
        record(pair + "/" + rank)
    os.makedirs(exports, exist_ok=True)
    try:
        measure(exports, traces, kept)
        side_by_side(exports, pair)
        one_alone(exports, traces[", device times"])
        beside_peers(exports)
    finally:
        for path in (exports, pair, *traces.values()):
            h.shutil.rmtree(path, ignore_errors=True)


def measure(exports, traces, kept):
    v = {to + what: lambda to=to, what=what: timed(to, traces[what], kept[what], exports + "/" + to) for what in traces for to, _ in EXPORTS}
    m = h.rotate(ROUNDS, "exports", v)
    h.table(["%d k events; output into memory" % (kept[""] / 1000), "wall med", "wall best", "a core", "MiB"],
            [[n, "%.2f" % h.median(rs, "wall"), "%.2f" % max(r["wall"] for r in rs), "%.2f" % max(r["cpu"] for r in rs),
              "%.0f" % max(r["mib"] for r in rs)] for n, rs in m.items()])
    h.say()
    for what, share in (("", 1), (", device times", 3)):
        for to, least in EXPORTS:
            h.bar_least("export --to %s%s: M events/s of a core" % (to, what), max(r["cpu"] for r in m[to + what]), least / share, 2)
    h.bar("export: MiB of memory, the most", max(r["mib"] for rs in m.values() for r in rs), 128, 0)


def beside_peers(exports):
    """As many events: a call each, or an operator of PyTorch's."""
    trace, calls, here = h.DIR + "/peers", h.DIR + "/peers.calls", {}
    events = record(trace, "-d", steps=PEERS_STEPS)
    record(calls, steps=PEERS_STEPS)
    torch = peers.torch()
    if torch:
        here["torch.profiler stops and writes its JSON"] = lambda: peers.writes(torch, events, exports + "/torch.json")
    plain = exports + "/peers.calls"
    here["ranktrace export --to chrome, calls alone"] = lambda: dict(timed("chrome", calls, events, plain), bytes=h.size_of(plain) / events)
    analyzed = peers.is_here()
    for to in ("chrome", "ascend-text", "ascend-db"):
        path = "%s/peers.%s" % (exports, to)
        here["ranktrace export --to " + to] = lambda to=to, path=path: dict(timed(to, trace, events, path), bytes=h.size_of(path) / events)
        if to != "chrome" and analyzed:
            here["msprof-analyze reads this " + to] = lambda to=to, path=path: peers.reads(processor_time, events, path, exports + "/compared")
    for to in ("ascend-text", "ascend-db"):	# for who reads it before it is this one's turn
        ended(start(to, "%s/peers.%s" % (exports, to), "--jobs", "1", trace))
    m = h.rotate(PEERS_ROUNDS, "exports beside others", here)
    h.say()
    h.table(["%d k events with device times; M events/s of a core" % (events / 1000), "median", "best", "B/event"],
            [[n, "%.3f" % h.median(rs, "cpu"), "%.3f" % max(r["cpu"] for r in rs), "%.0f" % rs[0]["bytes"]] for n, rs in m.items()])
    h.say()
    if torch:
        rs = m["torch.profiler stops and writes its JSON"]
        h.note("torch.profiler's export_chrome_trace() alone: %.3f" % max(r["write"] for r in rs))
    for path in (trace, calls):
        h.shutil.rmtree(path, ignore_errors=True)


def processor_time(words):
    return ended(subprocess.Popen(words, env=h.ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))[0]


def side_by_side(exports, pair):
    """The same files by both; where one file holds all ranks (no bar) what the second writes is copied behind the first, and two exports need not do so."""
    v = {}
    for to, end in SIDE_BY_SIDE:
        kind = to + ("-folder" if end else "-file")  # neither where the other was
        both, each = "%s/both.%s" % (exports, kind), "%s/each.%s" % (exports, kind)
        v[to + end, 2] = lambda to=to, end=end, both=both: together((to, both + end, "--jobs", "2", pair))
        v[to + end, 1] = lambda to=to, end=end, each=each: together(*[(to, each + rank + end, "--jobs", "1", pair + "/" + rank) for rank in "01"])
    m = h.rotate(ROUNDS, "exports side by side", v)
    h.table(["two ranks, seconds", "--jobs 2", "two exports", "ratio"],
            [["%s -o FILE%s" % (to, end), "%.2f" % h.best(m[to + end, 2], "seconds"), "%.2f" % h.best(m[to + end, 1], "seconds"),
              "%.2f" % ratio(m, to + end)] for to, end in SIDE_BY_SIDE])
    h.say()
    for to, end in SIDE_BY_SIDE:
        if end:
            h.bar_least("export --to %s -o FOLDER/ --jobs 2 / two exports at once" % to, ratio(m, to + end), 0.9, 2)


def one_alone(exports, trace):
    """Stretches of one process's file: each job reads all of it."""
    v = {(to, jobs): lambda to=to, jobs=jobs: together((to, "%s/alone.%s" % (exports, to), "--jobs", str(jobs), trace))
         for to in ("chrome", "perfetto", "csv") for jobs in (1, 2)}
    m = h.rotate(ROUNDS, "exports of one rank", v)
    h.table(["one rank, device times, seconds", "--jobs 1", "--jobs 2", "ratio"],
            [[to, "%.2f" % h.best(m[to, 1], "seconds"), "%.2f" % h.best(m[to, 2], "seconds"), "%.2f" % ratio(m, to)] for to in ("chrome", "perfetto", "csv")])
    h.say()


def ratio(m, what):
    return h.best(m[what, 1], "seconds") / h.best(m[what, 2], "seconds")
