"""What a process pays for having ranktrace loaded: its start, its end, its memory."""
import os, statistics, subprocess, time
import harness as h

STARTS, EXITS, MEMORIES = h.pick(150, 40), h.pick(40, 15), h.pick(5, 2)


def timed_start(words, agent):
    """(wall, CPU) in us of a process that says nothing."""
    env = h.environment(agent=agent)
    null = os.open(os.devnull, os.O_RDWR)
    begin = time.monotonic_ns()
    pid = os.posix_spawn(words[0], words, env, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic_ns() - begin
    os.close(null)
    if status:
        raise RuntimeError("%s ended with %d" % (words, status))
    return dict(wall=wall / 1e3, cpu=(usage.ru_utime + usage.ru_stime) * 1e6)


def added_text(m, key):
    """Median of the pairs' differences with its interval; both sides of a pair ran one after the other."""
    return h.interval([a[key] - b[key] for a, b in zip(m["with"], m["without"])])


def start():
    agent = h.recording("cpu,npu,memory")
    rows = []
    for text, words in (("ls", ["/bin/ls", "/"]), ("python3 -c pass", ["/usr/bin/python3", "-c", "pass"])):
        if not os.path.exists(words[0]):
            continue
        v = {"without": lambda: timed_start(words, None), "with": lambda: timed_start(words, agent)}
        for f in v.values():
            f()
        m = quietly(STARTS, "process start, " + text, v)
        wall, cpu = added_text(m, "wall"), added_text(m, "cpu")
        rows.append([text, "%.2f" % (h.median(m["without"], "wall") / 1e3), "%+.3f (%+.3f %+.3f)" % tuple(x / 1e3 for x in wall),
                     "%+.3f" % (statistics.mean(r["cpu"] for r in m["with"]) / 1e3 - statistics.mean(r["cpu"] for r in m["without"]) / 1e3)])
    h.table(["process start, %d pairs: ms" % STARTS, "without", "added: median (95 % interval)", "CPU added: mean"], rows)


def quietly(rounds, what, variants):
    """As rotate(), without a line a round."""
    h.progress("%s: %d pairs" % (what, rounds))
    results, names = {n: [] for n in variants}, list(variants)
    for r in range(rounds):
        for i in range(len(names)):
            name = names[(i + r) % len(names)]
            results[name].append(variants[name]())
    return results


FEW, FULL = ("10000000", "2"), ("10000000", "1500", "threads=4")	# 20,000 calls in the last 2 ms; more than the flush thread can take


def timed_exit(agent, paced=FEW):
    """us from the last line of main() until the process is gone."""
    with open(h.DIR + "/exit", "w+") as out:
        p = subprocess.Popen([h.DIR + "/pace", *paced], env=h.environment(agent=agent, fake="fake0"), stdout=out)
        status = p.wait()
        end = time.monotonic_ns()
        out.seek(0)
        r = h.figures(out.read())
    if status:
        raise RuntimeError("pace ended with %d" % status)
    result = dict(wall=(end - r["leaving"]) / 1e3)
    if agent and os.path.isdir(h.OUT):
        result.update(h.what_was_written(r["calls"]))
        h.shutil.rmtree(h.OUT)
    return result


def leave():
    m = quietly(EXITS, "process end", {"without": lambda: timed_exit(None), "dormant": lambda: timed_exit(h.DORMANT),
                                       "with": lambda: timed_exit(h.recording("cpu"))})
    x = added_text(m, "wall")
    idle = added_text(dict(m, **{"with": m["dormant"]}), "wall")
    h.say()
    h.table(["process end, %d rounds: ms" % EXITS, "without", "added: median (95 % interval)", "worst"],
            [[text, "%.2f" % (h.median(m["without"], "wall") / 1e3), "%+.2f (%+.2f %+.2f)" % tuple(v / 1e3 for v in values),
              "%.2f" % (max(r["wall"] for r in m[name]) / 1e3)] for text, name, values in
             (("dormant", "dormant", idle), ("recording, with unwritten events", "with", x))])
    return m, x


def leave_full():
    """Four threads fill their rings and the pool: what is not written by then stays in memory, for recover."""
    runs = [timed_exit(h.recording("cpu"), FULL) for _ in range(h.pick(8, 3))]
    h.say("            with full pools: of %.1f M calls at most %.1f M were dropped before the end" %
          (max(r["called"] for r in runs) / 1e6, max(r["dropped"] for r in runs) / 1e6))
    return runs


def memory_of(agent, threads):
    """KiB of this process, and of its shared memory in /dev/shm, while it waits after its calls."""
    p = subprocess.Popen([h.DIR + "/pace", "50000", "700", "hold", "threads=%d" % threads], env=h.environment(agent=agent, fake="fake0"),
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    text = ""
    while "settled_calls" not in text:
        part = os.read(p.stdout.fileno(), 4096).decode()
        if not part:
            raise RuntimeError("pace ended early")
        text += part
    rollup = open("/proc/%d/smaps_rollup" % p.pid).read()
    value = {k: int(n) for k, n in h.re.findall(r"^(\w+):\s+(\d+) kB", rollup, h.re.M)}
    root = "%s-%d" % (h.ROOT, os.geteuid())
    shm = sum(os.stat(os.path.join(d, f)).st_blocks for d, _, names in os.walk(root) for f in names) // 2
    p.stdin.close()
    p.stdout.read()
    p.wait()
    h.shutil.rmtree(h.OUT, ignore_errors=True)
    return dict(pss=value["Pss"], private=value["Private_Clean"] + value["Private_Dirty"], shm=shm)


def memory():
    cases = {"without": (None, 1), "dormant": (h.DORMANT, 1), "recording cpu, 1 thread": (h.recording("cpu"), 1),
             "recording cpu,npu,memory, 1 thread": (h.recording("cpu,npu,memory"), 1), "without, 8 threads": (None, 8),
             "recording cpu, 8 threads": (h.recording("cpu"), 8)}
    m = h.rotate(MEMORIES, "memory", {n: lambda a=a: memory_of(*a) for n, a in cases.items()})
    rows = []
    for n in cases:
        base = m["without, 8 threads" if "8" in n else "without"]
        rows.append([n] + ["%.0f" % h.median(m[n], "pss")] + ["%+.0f" % (h.median(m[n], k) - h.median(base, k)) for k in ("pss", "private", "shm")])
    h.say()
    h.table(["memory, KiB", "PSS", "PSS added", "private added", "/dev/shm"], rows)


def run():
    h.title("What a process pays: start, end, memory")
    start()
    m, x = leave()
    full = leave_full()
    memory()
    h.say()
    h.bar("process end: added ms (median)", x[0] / 1e3, 2, 1)
    h.bar("process end: worst of all, ms", max(r["wall"] for r in m["with"]) / 1e3, 1000, 1)
    h.bar("process end: processes with calls unaccounted for", sum(r.get("miscounted", 0) for r in m["with"] + full), 0, 0)
    h.bar("process end, with full pools: worst of all, ms", max(r["wall"] for r in full) / 1e3, 200, 1)
