"""How long `ranktrace why` takes to name the step and the rank that were slow in a large run, and in a long one; the traces are made up."""
import os, subprocess
import harness as h

MADE = h.BUILD + "/tests/programs/made_run"
LAUNCHES = ["kinds:50", "more:matmul:400", "more:norm:400", "more:relu:400", "more:add:355"]  # of 50 sizes each: 3,124 calls a step, waits included
RUNS = {
    "64 ranks x 100 steps": (["ranks:64", "steps:100", "meet", *LAUNCHES, "in:50:17", "pause:200000000"], "Step 50 of rank 17 "),
    "1 rank x 40,000 steps": (["ranks:1", "steps:40000", "in:20000:0", "pause:2000000"], "Step 20000 of rank 0 "),
}


def timed(folder, wanted):
    begin = h.time.monotonic()
    p = subprocess.Popen([h.TOOL, "why", folder], env=h.ENV, stdout=subprocess.PIPE, text=True)
    first = p.stdout.readline()
    p.stdout.read()
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = status
    if status or not first.startswith(wanted):
        raise RuntimeError("why %s ended with %d: %s" % (folder, status, first))
    return dict(wall=h.time.monotonic() - begin, cpu=used.ru_utime + used.ru_stime, memory=used.ru_maxrss / 1024)


def made(name, words):
    folder = h.DIR + "/" + name.replace(" ", "")
    os.mkdir(folder)
    subprocess.run([MADE, folder, "1", *words], env=h.ENV, check=True)
    return folder


def calls_of(folder):
    p = subprocess.run([h.TOOL, "report", "--only", "summary", folder], env=h.ENV, stdout=subprocess.PIPE, text=True, check=True)
    return int(next(line for line in p.stdout.splitlines() if line.endswith(" events")).split()[-2])


def run():
    h.title("why: a slow step named")
    folders = {name: made(name, words) for name, (words, _) in RUNS.items()}
    m = h.rotate(h.pick(3, 1), "why", {name: lambda name=name: timed(folders[name], RUNS[name][1]) for name in RUNS})
    h.table(["", "M calls", "wall s", "best", "CPU s", "MiB"],
            [[name, "%.1f" % (calls_of(folders[name]) / 1e6), "%.1f" % h.median(rs, "wall"), "%.1f" % min(r["wall"] for r in rs),
              "%.1f" % h.median(rs, "cpu"), "%.0f" % h.median(rs, "memory")] for name, rs in m.items()])
    h.say()
    h.bar("64 ranks x 100 steps: s", min(r["wall"] for r in m["64 ranks x 100 steps"]), 10, 1)
    for folder in folders.values():
        h.shutil.rmtree(folder)
