#!/usr/bin/env python3
"""run.py BUILD - what a call costs with the shipped library preloaded, beside the same call bare and under LTTng-UST.
All variants run once a round, in rotation, so that noise hits each alike: read ratios from the `best` column.
QUICK=1 for a short pass; ROUNDS, BATCHES change it; ONLY=name,name picks variants."""
import json, os, re, shutil, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else HERE + "/../../build")
QUICK = os.environ.get("QUICK", "") not in ("", "0")
ROUNDS = int(os.environ.get("ROUNDS", 3 if QUICK else 7))
BATCHES = int(os.environ.get("BATCHES", 20 if QUICK else 60))
ONLY = [v for v in os.environ.get("ONLY", "").split(",") if v]
PAUSE_MS = 40
CC = os.environ.get("CC", "gcc").split()
DIR = tempfile.mkdtemp(prefix="ranktrace-bench.")
ENV = {k: v for k, v in os.environ.items() if not k.startswith(("RANKTRACE_", "LD_"))}
ENV.update(HOME=DIR, LTTNG_HOME=DIR, LC_ALL="C")
ROOT = "/dev/shm/ranktrace-bench.%d" % os.getpid()
CALLEES = (("fake0", "callee returns at once"), ("fake50", "callee works about 50 ns"))

VARIANTS = {	# name: (label, settings of the agent; None: none)
    "bare": ("no interposition, call through the PLT", None),
    "dormant": ("ranktrace, dormant: step not reached", dict(STEPS="1000000", STEP_SOURCE="api")),
    "armed": ("ranktrace, dormant, a kernel: step source armed", dict(STEPS="1000000", STEP_SOURCE="kernel:adam")),
    "recorded": ("ranktrace, recording (cpu), written to a file", dict(STEPS="all", CONTENTS="cpu")),
    "floor": ("two clock readings around the call, nothing kept", None),
    "lttng_off": ("LTTng-UST entry+exit, session inactive", None),
    "lttng_on": ("LTTng-UST entry+exit, consumerd writing to disk", None),
}


def compile(output, sources, *flags):
    os.makedirs(os.path.dirname(output), exist_ok=True)
    p = subprocess.run(CC + ["-O2", "-g", "-std=gnu11", "-D_GNU_SOURCE", "-I" + HERE, "-o", output] +
                       [os.path.join(HERE, s) for s in sources] + list(flags), stderr=subprocess.PIPE, text=True)
    return p.returncode == 0, p.stderr


def build():
    """True if there is an LTTng to compare with."""
    shared = ("-shared", "-fPIC", "-Wl,-soname,libOpenCL.so.1")
    for name, work in (("fake0", ()), ("fake50", ("-DWORK",))):
        ok, why = compile(DIR + "/%s/libOpenCL.so.1" % name, ["fake_opencl.c"], *shared, *work)
        if not ok:
            sys.exit(why)
    ok, why = compile(DIR + "/driver", ["driver.c"], "-fno-pie", "-no-pie", "-Wl,-z,lazy", DIR + "/fake0/libOpenCL.so.1")
    if not ok:
        sys.exit(why)
    ok, why = compile(DIR + "/wrap_floor.so", ["wrap_floor.c"], "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,now", "-ldl")
    if not ok:
        sys.exit(why)
    ok, why = compile(DIR + "/wrap_lttng.so", ["wrap_lttng.c"], "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,now",
                      "-llttng-ust", "-ldl")
    return ok and shutil.which("lttng") and shutil.which("lttng-sessiond")


def say(*command):
    return subprocess.run(command, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


class Lttng:
    """A session daemon of our own for the whole run, a session for each active variant."""
    def __init__(self):
        say("lttng-sessiond", "--daemonize", "--no-kernel", "--pidfile=%s/sessiond.pid" % DIR)
        time.sleep(0.5)
        self.count = 0

    def start(self):
        self.count += 1
        self.name, self.out = "bench%d" % self.count, "%s/lttng%d" % (DIR, self.count)
        say("lttng", "create", self.name, "--output=" + self.out)
        say("lttng", "enable-channel", "-u", "-s", self.name, "--subbuf-size=1M", "--num-subbuf=16", "ch")
        say("lttng", "enable-event", "-u", "-s", self.name, "-c", "ch", "ranktrace_bench:*")
        say("lttng", "start", self.name)
        self.cpu = self.consumer()

    def stop(self):
        """(discarded events, bytes written, the consumer's CPU ns)"""
        say("lttng", "stop", self.name)
        cpu = self.consumer() - self.cpu
        lost = sum(map(int, re.findall(r"Discarded events: (\d+)", say("lttng", "list", self.name))))
        say("lttng", "destroy", self.name)
        size = sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(self.out) for f in names)
        shutil.rmtree(self.out, ignore_errors=True)
        return lost, size, cpu

    def consumer(self):
        total = 0
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if open("/proc/%s/comm" % pid).read().startswith("lttng-consumerd") and \
                   DIR in open("/proc/%s/environ" % pid).read():
                    for t in os.listdir("/proc/%s/task" % pid):
                        total += int(open("/proc/%s/task/%s/schedstat" % (pid, t)).read().split()[0])
            except OSError:
                pass
        return total

    def end(self):
        try:
            os.kill(int(open(DIR + "/sessiond.pid").read()), 15)
        except (OSError, ValueError):
            pass


def drive(fake, preload=None, settings=None):
    env = dict(ENV, LD_LIBRARY_PATH="%s/%s" % (DIR, fake))
    if preload:
        env["LD_PRELOAD"] = preload
    for k, v in (settings or {}).items():
        env["RANKTRACE_" + k] = v
    p = subprocess.run([DIR + "/driver", str(BATCHES), str(PAUSE_MS)], env=env, stdout=subprocess.PIPE, text=True)
    if p.returncode:
        sys.exit("the driver failed: %s" % p.returncode)
    return {k: float(v) for k, v in re.findall(r"(\w+)=([\d.]+)", p.stdout)}


def run_ranktrace(fake, settings):
    out = DIR + "/out"
    r = drive(fake, BUILD + "/libranktrace.so", dict(settings, SAVE_PATH=out, SESSION_ROOT=ROOT))
    if settings["STEPS"] == "all":
        text = subprocess.run([BUILD + "/ranktrace", "report", "--format", "json", out], stdout=subprocess.PIPE, text=True,
                              env=dict(ENV, RANKTRACE_SESSION_ROOT=ROOT)).stdout
        e = json.loads(text)["ranks"][0]["events"]
        size = sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(out) for f in names)
        r.update(lost=e["dropped"], recorded=e["kept"], bytes=size, flush_ns=r["others_ns"])
        if e["called"] != r["calls"]:
            print("  ! called %d, the report says %d" % (r["calls"], e["called"]))
    shutil.rmtree(out, ignore_errors=True)
    return r


def run_lttng(fake, lttng, active):
    if not active:
        return drive(fake, DIR + "/wrap_lttng.so")
    lttng.start()
    r = drive(fake, DIR + "/wrap_lttng.so")
    lost, size, cpu = lttng.stop()
    r.update(lost=lost, recorded=2 * r["calls"] - lost, bytes=size, flush_ns=cpu)
    return r


def one(name, fake, lttng):
    settings = VARIANTS[name][1]
    if settings:
        return run_ranktrace(fake, settings)
    if name.startswith("lttng"):
        return run_lttng(fake, lttng, name == "lttng_on")
    return drive(fake, DIR + "/wrap_floor.so" if name == "floor" else None)


def measure(fake, names, lttng):
    rounds = {n: [] for n in names}
    for _ in range(ROUNDS):
        for n in names:
            rounds[n].append(one(n, fake, lttng))
    return {n: dict(median=statistics.median(r["median"] for r in rs), best=min(r["best"] for r in rs),
                    lost=sum(r.get("lost", 0) for r in rs), calls=sum(r["calls"] for r in rs),
                    bytes=sum(r.get("bytes", 0) for r in rs), flush=sum(r.get("flush_ns", 0) for r in rs),
                    recorded=sum(r.get("recorded", 0) for r in rs)) for n, rs in rounds.items()}


def table(title, m):
    pair = m["lttng_on"]["best"] - m["bare"]["best"] if "lttng_on" in m else 0
    print("\n%s\n%-50s %8s %7s %7s %7s %9s %7s %9s" % (title, "ns a call (this thread's CPU time)", "median", "best",
          "added", "/pair", "lost", "B/call", "flush ns"))
    for n, r in m.items():
        added = r["best"] - m["bare"]["best"]
        ratio = "%.3f" % (added / pair) if pair else "-"
        more = ("%9d %7.2f %9.1f" % (r["lost"], r["bytes"] / r["calls"], r["flush"] / r["calls"])) if r["recorded"] else ""
        print("%-50s %8.1f %7.1f %7.1f %7s %s" % (VARIANTS[n][0], r["median"], r["best"], added, ratio, more))
    return pair


def bar(text, value, limit):
    print("%s  %-62s %8.3f  (at most %g)" % ("PASS" if value <= limit else "FAIL", text, value, limit))


def bars(results):
    m = results["fake0"]
    added = {n: r["best"] - m["bare"]["best"] for n, r in m.items()}
    print()
    if "dormant" in added:
        bar("dormant: added ns a call", added["dormant"], 2.5)
        for fake, title in CALLEES if "lttng_off" in added else ():
            x = {n: results[fake][n]["best"] - results[fake]["bare"]["best"] for n in ("dormant", "lttng_off")}
            bar("dormant: / inactive LTTng-UST pair, " + title, max(x["dormant"], 0) / max(x["lttng_off"], 0.1), 0.25)
    if "recorded" in added:
        bar("recorded: added ns a call", added["recorded"], 30)
        for fake, title in CALLEES if "lttng_on" in added else ():
            x = results[fake]
            bar("recorded: / active LTTng-UST pair, " + title, (x["recorded"]["best"] - x["bare"]["best"]) /
                (x["lttng_on"]["best"] - x["bare"]["best"]), 0.12)
        bar("recorded: bytes a call on disk", m["recorded"]["bytes"] / m["recorded"]["calls"], 6)
        bar("recorded: flush thread's CPU ns a call", m["recorded"]["flush"] / m["recorded"]["calls"], 60)
        bar("recorded: calls dropped at this pace", sum(r["recorded"]["lost"] for r in results.values()), 0)


def main():
    have = build()
    names = [n for n in VARIANTS if (have or not n.startswith("lttng")) and (not ONLY or n in ONLY or n == "bare")]
    print("%d rounds of %d batches of 20,000 calls, pauses of %d ms between batches (not timed: a tight loop makes 20 M calls\n"
          "a second, which no 1 MiB ring holds; with the pauses the flush thread keeps up and nothing need be lost); %s"
          % (ROUNDS, BATCHES, PAUSE_MS, time.strftime("%F %T load ") + open("/proc/loadavg").read().split()[0]))
    if not have:
        print("LTTng-UST is not installed (liblttng-ust-dev, lttng-tools): its rows are left out, and the bars against it")
    lttng = Lttng() if have else None
    results = {}
    try:
        for fake, title in CALLEES:
            results[fake] = measure(fake, names, lttng)
            table(title, results[fake])
        bars(results)
    finally:
        if lttng:
            lttng.end()
        shutil.rmtree(DIR, ignore_errors=True)
        subprocess.run(["rm", "-rf", "%s-%d" % (ROOT, os.geteuid())])


main()
