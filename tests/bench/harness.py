"""What all sections stand on: the settings of this run, the programs built for it, one measured process, statistics, tables, bars."""
import json, math, os, re, shutil, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.realpath(HERE + "/../..")
BUILD = os.path.realpath(os.environ.get("BUILD") or TOP + "/build")
AGENT, TOOL = BUILD + "/libranktrace.so", BUILD + "/ranktrace"
STREAM, READ = BUILD + "/tests/bench/stream", BUILD + "/tests/bench/read"
QUICK = os.environ.get("QUICK", "") not in ("", "0")
CC = os.environ.get("CC", "gcc").split()
DIR = tempfile.mkdtemp(prefix="ranktrace-bench.")
OUT = DIR + "/out"
ROOT = "/dev/shm/ranktrace-bench.%d" % os.getpid()
ENV = {k: v for k, v in os.environ.items() if not k.startswith(("RANKTRACE_", "LD_", "OPENCL_LAYERS"))}
ENV.update(HOME=DIR, LTTNG_HOME=DIR, LC_ALL="C", RANKTRACE_SESSION_ROOT=ROOT)
DORMANT = dict(STEPS="1000000", STEP_SOURCE="api")
ARMED = dict(STEPS="1000000", STEP_SOURCE="kernel:adam")
CALLEES = (("fake0", "callee returns at once"), ("fake50", "callee works about 50 ns"))


def recording(contents="cpu"):
    return dict(STEPS="all", CONTENTS=contents)


def pick(full, quick):
    return quick if QUICK else full


# ---- what is printed ----

lines = []
verdicts = {"PASS": 0, "FAIL": 0, "CANNOT TELL": 0}
started = time.monotonic()


def say(text=""):
    """A line of the table of figures; at most 110 columns."""
    lines.append(text)
    print(text, flush=True)


def progress(text):
    print("[%4d s] %s" % (time.monotonic() - started, text), file=sys.stderr, flush=True)


def title(text):
    say()
    say("== " + text)


def table(heads, rows, wide=49):
    """First column to the left, the others to the right; a cell is text or None."""
    width = [max(len(h), 7) for h in heads]
    for row in rows:
        width = [max(w, len(c or "")) for w, c in zip(width, row)]
    width[0] = max(width[0], wide)
    for row in [heads] + rows:
        cells = [(c or "").ljust(w) if i == 0 else (c or "").rjust(w) for i, (c, w) in enumerate(zip(row, width))]
        say(" ".join(cells).rstrip())


def verdict(word, text, value, limit, digits=3):
    verdicts[word] += 1
    say("%-11s %-50s %9.*f  (%s)" % (word, text, digits, value, limit))


def bar(text, value, limit, digits=3, more=""):
    """At most `limit` is a pass."""
    verdict("PASS" if value <= limit else "FAIL", text, value, "at most %g" % limit + more, digits)


def bar_least(text, value, limit, digits=3):
    verdict("PASS" if value >= limit else "FAIL", text, value, "at least %g" % limit, digits)


def note(text):
    say("            " + text)


# ---- statistics ----

def best(results, key):
    return min(r[key] for r in results)


def median(results, key):
    return statistics.median(r[key] for r in results)


def interval(values):
    """The median, and its 95 % confidence interval by order statistics: nothing is assumed of how values are spread.
    Fewer than six values have none; then it is their range."""
    v, n = sorted(values), len(values)
    below, low = 0, -1	# ways in which at most `low` of n values lie below the median, of 2^n
    while low + 1 < n // 2 and (below + math.comb(n, low + 1)) / 2 ** n <= 0.025:
        low += 1
        below += math.comb(n, low)
    low = max(low, 0)
    return statistics.median(v), v[low], v[n - 1 - low]


def rotate(rounds, what, variants):
    """Every variant once a round, each round beginning with another one: noise and order hit all alike.
    variants: name -> function that measures and returns a dictionary. Returns name -> list of them."""
    results, names = {n: [] for n in variants}, list(variants)
    for r in range(rounds):
        progress("%s: round %d of %d" % (what, r + 1, rounds))
        for i in range(len(names)):
            name = names[(i + r) % len(names)]
            results[name].append(variants[name]())
    return results


# ---- programs ----

def compile_c(output, sources, *flags):
    """"" or the compiler's complaint."""
    os.makedirs(os.path.dirname(output), exist_ok=True)
    p = subprocess.run(CC + ["-O2", "-g", "-std=gnu11", "-D_GNU_SOURCE", "-I" + HERE, "-I" + TOP, "-o", output] +
                       [os.path.join(HERE, s) for s in sources] + list(flags), stderr=subprocess.PIPE, text=True, cwd=TOP)
    return p.stderr if p.returncode else ""


def must_compile(*arguments):
    why = compile_c(*arguments)
    if why:
        sys.exit("bench: " + why)


def build():
    library = ("-shared", "-fPIC", "-Wl,-soname,libOpenCL.so.1")
    must_compile(DIR + "/fake0/libOpenCL.so.1", ["fake_opencl.c"], *library)
    must_compile(DIR + "/fake50/libOpenCL.so.1", ["fake_opencl.c"], "-DWORK", *library)
    must_compile(DIR + "/timed/libOpenCL.so.1", ["fake_opencl.c"], "-DTIMED", *library)
    operators = ("-shared", "-fPIC", "-Wl,-soname,libopapi.so")
    must_compile(DIR + "/fake0/libopapi.so", ["fake_opapi.c"], *operators)
    must_compile(DIR + "/fake50/libopapi.so", ["fake_opapi.c"], "-DWORK", *operators)
    must_compile(DIR + "/replay", ["replay.c", "bench.c"], "-fno-pie", "-no-pie", DIR + "/timed/libOpenCL.so.1", "-ldl", "-lm")
    for name in ("driver", "cold", "pace"):
        must_compile(DIR + "/" + name, [name + ".c", "bench.c"], "-fno-pie", "-no-pie", "-Wl,-z,lazy", "-pthread", "-ldl",
                     DIR + "/fake0/libOpenCL.so.1")
    must_compile(DIR + "/wrap_floor.so", ["wrap_floor.c"], "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,now", "-ldl")


def environment(preload=None, agent=None, fake=None, **more):
    """agent: RANKTRACE_* settings without their prefix, and our library is preloaded; fake: which libOpenCL.so.1."""
    env = dict(ENV, **more)
    if fake:
        env["LD_LIBRARY_PATH"] = DIR + "/" + fake
    if agent is not None:
        preload = (preload + ":" if preload else "") + AGENT
        env["RANKTRACE_SAVE_PATH"] = OUT
        env.update({"RANKTRACE_" + k: v for k, v in agent.items()})
    if preload:
        env["LD_PRELOAD"] = preload
    return env


def figures(text):
    return {k: float(v) for k, v in re.findall(r"(\w+)=(-?[\d.]+)", text)}


def measured(command, env):
    """The figures that a program prints as key=value."""
    p = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, timeout=300)
    if p.returncode:
        raise RuntimeError("%s ended with %d" % (command, p.returncode))
    return figures(p.stdout)


def run(command, preload=None, agent=None, fake="fake0", keep=False, counted=True):
    """One process; of a recording agent also what its file says. counted: every call that the program made is in it."""
    result = measured(command, environment(preload, agent, fake))
    if agent and os.path.isdir(OUT):
        result.update(what_was_written(result["calls"] if counted else None))
    if not keep:
        shutil.rmtree(OUT, ignore_errors=True)
    return result


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(path) for f in names)


def report(path=OUT):
    text = subprocess.run([TOOL, "report", "--format", "json", path], stdout=subprocess.PIPE, text=True, env=ENV).stdout
    return json.loads(text)["ranks"]


def what_was_written(called=None):
    """Totals over the processes in OUT; what a process left in memory at its end is recovered first. called: calls that the program counted itself, of which none may be missing."""
    subprocess.run([TOOL, "recover"], stdout=subprocess.DEVNULL, env=ENV)
    sums = {k: sum(r["events"][k] for r in report()) for k in ("called", "kept", "dropped", "in_flight")}
    if called is not None and (sums["called"] != called or sums["kept"] + sums["dropped"] + sums["in_flight"] != called):
        progress("! the program made %d calls, the report says %s" % (called, sums))
        sums["miscounted"] = 1
    return dict(sums, lost=sums["dropped"], bytes=size_of(OUT))


def clean():
    shutil.rmtree(DIR, ignore_errors=True)
    shutil.rmtree("%s-%d" % (ROOT, os.geteuid()), ignore_errors=True)
