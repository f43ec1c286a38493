"""How fast traces are exported: by a core, with calls alone and with device times, and two ranks side by side."""
import os, subprocess, time
import harness as h

ROUNDS, STEPS = h.pick(5, 2), h.pick(600, 200)	# of 3,395 events

# At least so many M events (recorded calls) a second of a core; with device times a third.
EXPORTS = (("chrome", 3), ("perfetto", 6), ("csv", 3), ("ascend-text", 1), ("ascend-db", 0.7))
SIDE_BY_SIDE = (("chrome", "/"), ("perfetto", "/"), ("ascend-text", "/"), ("ascend-db", "/"), ("chrome", ""), ("perfetto", ""), ("csv", ""))	# "/": a folder


def record(path, *words):
    """The made-up run of stream.c: how many calls."""
    subprocess.run([h.STREAM, "-s", str(STEPS), *words, path], env=h.ENV, stdout=subprocess.DEVNULL, check=True)
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
    side_by_side(exports, pair)
    for path in (exports, pair, *traces.values()):
        h.shutil.rmtree(path, ignore_errors=True)


def side_by_side(exports, pair):
    """The same files by both; where one file holds all ranks (no bar) what the second writes is copied behind the first, and two exports need not do so."""
    v = {}
    for to, end in SIDE_BY_SIDE:
        both, each = "%s/both.%s" % (exports, to), "%s/each.%s" % (exports, to)
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


def ratio(m, what):
    return h.best(m[what, 1], "seconds") / h.best(m[what, 2], "seconds")
