"""A report of many ranks on two cores: how long it takes, what all of its processes hold, the same once more from sums; and why a step was slow."""
import os, subprocess, time

import harness as h

RANKS, KIB = h.pick(10000, 1000), 200
CORES = 2
MOST_SECONDS, MOST_MIB = 60, 512
MADE = ["steps:20", "meet", "kinds:20", *("more:%s:20" % kernel for kernel in ("matmul", "norm", "relu", "add")), "in:7:17", "pause:20000000"]


def proportional(pid):
    """KiB of it and its children, pages that they share counted once: Pss."""
    kib = 0
    try:
        children = open("/proc/%d/task/%d/children" % (pid, pid)).read().split()
    except OSError:
        return 0
    for p in [str(pid)] + children:
        try:
            kib += next(int(line.split()[1]) for line in open("/proc/%s/smaps_rollup" % p) if line.startswith("Pss:"))
        except (OSError, StopIteration):
            pass
    return kib


def measure(command, run):
    """Of one answer: seconds, seconds of processors' time, MiB."""
    before, most = os.times(), 0
    begin = time.monotonic()
    p = subprocess.Popen([h.TOOL, command, "--jobs", str(CORES), run], stdout=subprocess.DEVNULL, env=h.ENV,
                         preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES]))
    while p.poll() is None:
        most = max(most, proportional(p.pid))
        time.sleep(0.05)
    if p.returncode:
        raise subprocess.CalledProcessError(p.returncode, p.args)
    now = os.times()
    return time.monotonic() - begin, now.children_user + now.children_system - before.children_user - before.children_system, most / 1024


def run():
    h.title("a report of %d ranks, %.1f GB of files, %d cores" % (RANKS, RANKS * KIB * 1024 / 1e9, CORES))
    folder = h.DIR + "/ranks"
    h.progress("ranks: making the files")
    subprocess.run([h.BUILD + "/tests/programs/many_ranks", folder, str(RANKS), str(KIB)], check=True)
    rows = []
    for what in ("all files are read", "from sums, no file is opened"):
        h.progress("ranks: " + what)
        rows.append((what, measure("report", folder)))
    h.shutil.rmtree(folder)
    h.progress("ranks: making those that meet")
    os.mkdir(folder)
    subprocess.run([h.BUILD + "/tests/programs/made_run", folder, "1", "ranks:%d" % RANKS, *MADE], check=True)
    h.progress("ranks: why")
    rows.append(("why, of 20 steps each", measure("why", folder)))
    h.shutil.rmtree(folder)
    h.table(["", "seconds", "processors' seconds", "MiB (Pss of all)"], [[what] + ["%.1f" % v for v in values] for what, values in rows])
    seconds, worked, limit = rows[0][1][0], rows[0][1][1], MOST_SECONDS * RANKS / 10000
    if seconds > limit > worked / CORES * 1.25:
        h.verdict("CANNOT TELL", "seconds of the first report", seconds, "at most %g, but the cores had other work" % limit, 1)
    else:
        h.bar("seconds of the first report", seconds, limit, 1)
    h.bar("MiB of its processes", rows[0][1][2], MOST_MIB, 0)
    h.bar("MiB of the second", rows[1][1][2], MOST_MIB, 0)
    h.bar("MiB of why", rows[2][1][2], MOST_MIB, 0)
    h.bar("seconds of the second, to those of the first", rows[1][1][0] / rows[0][1][0], 0.25, 3)
