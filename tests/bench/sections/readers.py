"""How fast traces are read: alone, by dump and report, beside babeltrace2 on LTTng's CTF of as many events."""
import os, subprocess
import harness as h
import peers

ROUNDS, STEPS = h.pick(5, 2), h.pick(600, 200)	# of 3,395 events



def record():
    """The made-up run of stream.c."""
    subprocess.run([h.STREAM, "-s", str(STEPS), h.OUT], env=h.ENV, stdout=subprocess.DEVNULL, check=True)
    return h.what_was_written()["kept"]


def record_lttng(events):
    """Launches, two events each."""
    r = peers.run_lttng([h.DIR + "/driver", str(max(events // 20000 - 3, 1)), "40"], keep=True)
    return 2 * r["calls"] - r["lost"]


def timed(words, events):
    """Events a second: of wall time, and of CPU time, which is what a core does."""
    begin = h.time.monotonic()
    p = subprocess.Popen(words, env=h.ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    wall = h.time.monotonic() - begin
    p.returncode = status
    if status:
        raise RuntimeError("%s ended with %d" % (words, status))
    return dict(wall=events / wall / 1e6, cpu=events / (used.ru_utime + used.ru_stime) / 1e6)


def run():
    h.title("Readers: millions of events a second")
    kept = record()
    v = {
        "reading alone": lambda: timed([h.READ, h.OUT], kept),
        "ranktrace report": lambda: timed([h.TOOL, "report", "--no-sums", "--jobs", "1", h.OUT], kept),
        "ranktrace dump": lambda: timed([h.TOOL, "dump", h.OUT], kept),
        "ranktrace dump --format jsonl": lambda: timed([h.TOOL, "dump", "--format", "jsonl", h.OUT], kept),
    }
    if peers.lttng and peers.babeltrace:
        events = record_lttng(kept)
        out = peers.lttng.out
        v["babeltrace2, text"] = lambda: timed([peers.babeltrace, out], events)
        v["babeltrace2, nothing printed"] = lambda: timed([peers.babeltrace, "-o", "dummy", out], events)
    m = h.rotate(ROUNDS, "readers", v)
    top = {n: max(r["cpu"] for r in rs) for n, rs in m.items()}
    h.table(["%d k events; output to /dev/null" % (kept / 1000), "wall med", "wall best", "a core"],
            [[n, "%.2f" % h.median(rs, "wall"), "%.2f" % max(r["wall"] for r in rs), "%.2f" % top[n]] for n, rs in m.items()])
    h.say()
    h.bar_least("reading alone: M events a second of a core", top["reading alone"], 20, 2)
    h.bar_least("report, every table: M events a second of a core", top["ranktrace report"], 20, 2)
    if "babeltrace2, text" in top:
        h.note("dump is %.1f x babeltrace2's text, report %.1f x babeltrace2 without output" % (
            top["ranktrace dump"] / top["babeltrace2, text"], top["ranktrace report"] / top["babeltrace2, nothing printed"]))
        peers.lttng.forget()
    h.shutil.rmtree(h.OUT, ignore_errors=True)
