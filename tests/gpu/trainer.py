"""trainer.py - checks by a training loop of PyTorch (train.py): results, kernels beside torch.profiler's, what a step costs."""
import collections
import ctypes
import json
import os
import re
import statistics
import subprocess

import accounts
from place import NO_GPU, TOP, Differs, Missing, compare, in_turn, kernels_said

SCRIPT = TOP + "/tests/gpu/train.py"
STEPS, FIRST, LAST = 6, 3, 5
TIMED_STEPS, ROUNDS = 100, 3
DETERMINISTIC = {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"}
WAYS = {  # of running it: None is without us
    "bare": None,
    "dormant": "--steps 1000000",
    "level0": "--steps all --level level0 --contents cpu",
    "level1": "--steps all --level level1 --contents cpu",
    "device-times": "--steps all --level level1 --contents cpu,device",
    "cupti": "--steps all --level level1 --contents cpu,device --device-source cupti",
}


def need_torch(place):
    code = "import torch; print(torch.__version__, torch.version.cuda); raise SystemExit(not torch.cuda.is_available())"
    done = subprocess.run([place.python, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=place.work)
    if done.returncode:
        raise Missing(f"no PyTorch with CUDA in {place.python} (--python names another)")
    return done.stdout.strip()


SOURCES = {"auto": "events", "cupti": "cupti"}  # of --device-source: what the times are told by


def timed(first, by):
    return f"--steps {first}-{LAST} --step-source api --level level1 --contents cpu,device --device-source {by}"


def untimed():
    return f"--steps {FIRST}-{LAST} --step-source api --level level1 --contents cpu"


def run(place, name, options, *arguments):
    command = [place.python, SCRIPT, *map(str, arguments)]
    return place.traced(name, options, *command, env=DETERMINISTIC) if options else place.run(*command, env=DETERMINISTIC)


def trained(text):
    """What a training came to."""
    return [line for line in text.splitlines() if line.startswith(("loss ", "weights "))]


def results(place):
    version = need_torch(place)
    texts = {way: trained(run(place, "torch-" + way, options, STEPS)) for way, options in WAYS.items()}
    if trained(run(place, "torch-bare", None, STEPS)) != texts["bare"]:
        raise Differs("two runs without ranktrace differ, so nothing can be compared")
    wrong = [way for way, lines in texts.items() if lines != texts["bare"]]
    if wrong or len(texts["bare"]) != STEPS + 1:
        raise Differs(f"{', '.join(wrong) or 'bare'}: {len(texts['bare'])} lines without ranktrace")
    return f"torch {version}: {STEPS} losses and the weights ({texts['bare'][-1].split()[1]}), {', '.join(list(texts)[1:])}"


def demangled(name):
    """As torch.profiler has it, by the same function."""
    library, status = ctypes.CDLL("libstdc++.so.6"), ctypes.c_int()
    library.__cxa_demangle.restype = ctypes.c_char_p
    return (library.__cxa_demangle(name.encode(), None, None, ctypes.byref(status)) or name.encode()).decode()


def recorded(place, name):
    found = collections.Counter()
    for kernel, n in accounts.ran(place.events(name)).items():
        if kernel:  # a function of the host has none
            found[demangled(kernel)] += n
    return found


def listened(place, name, options):
    return kernels_said(run(place, name, options, STEPS, FIRST, LAST, place.path(name + ".json")))


def need_kineto(place):
    need_torch(place)
    if place.simulated:
        raise Missing("CUPTI speaks to no simulated driver")


def kernels(place):
    """The same steps in two runs: torch.profiler's in one, ours in the other."""
    need_kineto(place)
    run(place, "torch-kernels", untimed(), STEPS)
    wanted = listened(place, "torch-kineto", None)
    n = compare(wanted, recorded(place, "torch-kernels"), "by torch.profiler")
    return f"{n} kernels of {len(wanted)} names in steps {FIRST}-{LAST}"


def together(place):
    """torch.profiler in one process with us tells what it tells alone, and so do we; where we listen to CUPTI it is left to it."""
    need_kineto(place)
    alone = listened(place, "torch-kineto", None)
    for by in SOURCES:
        both = listened(place, "torch-both", timed(FIRST - 1, by))
        compare(alone, both, "by torch.profiler alone")
    sources = collections.Counter((event["step"] >= FIRST, event["device_source"]) for event in place.events("torch-both") if event.get("device_source"))
    if sources[False, "events"] or sources[True, "cupti"] or not sources[False, "cupti"] or not sources[True, "events"]:
        raise Differs(f"times by {dict(sources)}")
    run(place, "torch-kernels", untimed(), STEPS)
    return f"{compare(alone, recorded(place, 'torch-kernels'), 'by torch.profiler')} kernels in each; of CUPTI's times {sources[False, 'cupti']}, none while it listens"


def times(place):
    """Device times beside those of torch.profiler: of the n-th kernel of a name in the same steps of other runs."""
    need_kineto(place)
    listened(place, "torch-kineto", None)
    wanted = collections.defaultdict(list)
    with open(place.path("torch-kineto.json")) as file:
        for event in sorted((e for e in json.load(file)["traceEvents"] if e.get("cat") == "kernel"), key=lambda e: e["ts"]):
            wanted[event["name"]].append(1000 * event["dur"])
    theirs = sum(map(sum, wanted.values()))
    return f"{sum(map(len, wanted.values()))} kernels of {theirs / 1000:.0f} us by torch.profiler; " + "; ".join(_times(place, wanted, by) for by in SOURCES)


def _times(place, wanted, by):
    name, got, more = "torch-times-" + by, collections.defaultdict(list), []
    run(place, name, timed(FIRST, by), STEPS)
    for event in place.events(name):
        if event["kind"] == "launch" and event.get("kernel"):
            got[demangled(event["kernel"])].append((event.get("device_duration_ns"), event.get("device_source")))
    for kernel, durations in wanted.items():
        more += [ours - its for its, (ours, source) in zip(durations, got[kernel]) if source == SOURCES[by]]
    if not more:
        raise Differs(f"{by}: no kernel has a time in both")
    more.sort()
    return (f"{len(more)} of them by {SOURCES[by]}, {(sum(ours or 0 for its in got.values() for ours, _ in its)) / 1000:.0f} us, "
            f"each longer by {statistics.median(more):.0f} ns (5th and 95th percentile {more[len(more) // 20]:.0f} and {more[-1 - len(more) // 20]:.0f})")


def steps(place):
    """Nobody tells the steps: those of the optimizers are found, between kernels like theirs that clip gradients."""
    need_torch(place)
    run(place, "torch-steps", "--steps all --level level0 --contents cpu", STEPS, "untold")
    events = place.events("torch-steps")
    launches = collections.Counter(event["step"] for event in events if event["kind"] == "launch")
    whole = [launches[step] for step in range(3, STEPS + 1)]  # the first ones build, and the last one's end is the program's
    if len(set(whole)) != 1 or launches[STEPS + 2]:
        raise Differs(f"launches in steps 1 to {max(s for s in launches if s)}: {[launches[s] for s in sorted(filter(None, launches))]}")
    return f"{STEPS} steps of an optimizer, {whole[0]} launches in each from the third on"


def cost(place):
    need_torch(place)
    times = collections.defaultdict(list)
    for way in in_turn(WAYS, ROUNDS):
        text = run(place, "torch-cost", WAYS[way], TIMED_STEPS)
        times[way].append(int(re.search(r"^median (\d+)$", text, re.M)[1]))
    bare = statistics.median(times["bare"])
    return f"bare {bare / 1000:.0f} us a step; " + ", ".join(
        f"{way} x{statistics.median(its) / bare:.3f} ({min(its) / bare:.3f} to {max(its) / bare:.3f})" for way, its in times.items() if way != "bare")


# ---- loops as people write them ----

JOBS = {"plain": 10, "fused": 10, "sgd": 10, "compiled": 10, "ddp": 10, "fsdp": 10, "graph": None, "trainer": 10, "generate": None}  # steps of an optimizer


def job(place, name):
    """The same losses without us and recorded, and as many steps found as it makes."""
    need_torch(place)
    command = [place.python, TOP + "/tests/gpu/jobs.py", name]
    found = subprocess.run(command, env=dict(os.environ, **DETERMINISTIC), cwd=place.work, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if found.returncode == NO_GPU:
        raise Missing(f"a package that {name} wants is not in {place.python}")
    losses = trained(found.stdout)
    folder = "job-" + name
    text = place.traced(folder, "--steps all --level level1 --contents cpu,device,memory,shapes,module", *command, env=DETERMINISTIC)
    if not losses or trained(text) != losses:
        raise Differs(f"ended with {found.returncode} and {len(losses)} losses without ranktrace, and with others recorded")
    events = place.events(folder)
    steps = {event["step"] for event in events if event["step"] and event["kind"] == "launch"}
    if JOBS[name] and not JOBS[name] <= len(steps) <= JOBS[name] + 1:  # what is launched behind the last one is in one more
        raise Differs(f"{len(steps)} steps where the optimizer stepped {JOBS[name]} times")
    return f"{len(losses)} losses, {len(events)} events" + (f", {JOBS[name]} steps" if JOBS[name] else "")


# ---- other packages ----

PACKAGES = {
    "cupy": "import cupy; a = cupy.arange(4096, dtype='f4').reshape(64, 64); print(float((a @ a.T).sum()).hex())",
    "jax": "import jax, jax.numpy as np; assert jax.devices()[0].platform == 'gpu'; a = np.arange(4096.0).reshape(64, 64) / 4096; "
           "print(float(jax.jit(lambda a: (a @ a.T).sum())(a)).hex())",
}


def package(place, name):
    found = subprocess.run([place.python, "-c", f"import {name}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place.work)
    if found.returncode:
        raise Missing(f"no {name} in {place.python}")
    bare = place.run(place.python, "-c", PACKAGES[name])
    text = place.traced("package-" + name, "--steps all --level level1", place.python, "-c", PACKAGES[name])
    launches = sum(event["kind"] == "launch" for event in place.events("package-" + name))
    if text != bare or not launches:
        raise Differs(f"{bare.strip()} without ranktrace, {text.strip()} with it, {launches} launches recorded")
    return f"the same result, {launches} launches recorded"
