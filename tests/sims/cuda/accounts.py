"""accounts.py COMMAND ...: accounts of the calls of one run of the training program side by side.

own OUTPUT COUNTS...   what the program says it called is what the simulated libraries counted
other OUTPUT COUNTS... and whatever it was told by cuGetProcAddress was not what the library exports: how many calls went there
launches COUNTS...   what was launched, and by which chains: `caller>symbol count`
steps OUTPUT DUMP LEVEL   what the program says it called in each step is what was recorded in it; `ranktrace hooks` on stdin
all DUMP LEVEL COUNTS...  what the simulated libraries counted is what was recorded at this level; `ranktrace hooks` on stdin
kernels DUMP TASKS   each kernel, also of graphs, was recorded as often as the device ran it (SIM_TASKS)
times DUMP TASKS     launches, copies and fills of a run that was recorded whole have the times of the simulated clock, all of them (SIM_TASKS, SIM_CLOCK=0)

What a shared runtime calls in turn is part of the program's call; what the one in a program calls is the program's.
"""
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import counts  # noqa: E402

Counter = collections.Counter
MARK = ".other"  # front.c
OWN = "libcudart_own.a"  # the copy of the runtime in a library of the vendor's: what its constructors call is nobody's call


def own(path):
    """symbols -> calls, of the program's last lines."""
    said = Counter()
    for line in open(path):
        match = re.fullmatch(r"-?\d+ (\w+) (\d+)\n", line)
        if match:
            said[match[1]] += int(match[2])
    return said


def outer(files):
    """(symbol, is it the twin) -> calls from outside of the simulated libraries."""
    found = Counter()
    for file in files:
        for library, path, calls in counts.entries(file, "program"):
            if len(path) == 1 and library != OWN:
                found[path[0].removesuffix(MARK), path[0].endswith(MARK)] += calls
    return found


def differences(wanted, got, whose="wanted", ours="there"):
    """A line for each count that is another; nothing to compare is no agreement."""
    lines = [f"{' '.join(map(str, k)) if isinstance(k, tuple) else k}: {wanted[k]} {whose}, {got[k]} {ours}"
             for k in sorted(wanted.keys() | got.keys(), key=str) if wanted[k] != got[k]]
    return lines or ([] if any(wanted.values()) else ["nothing was called"])


def differ(*counts_and_words):
    lines = differences(*counts_and_words)
    if lines:
        sys.exit("; ".join(lines))


def check_own(output, *files):
    wanted, got = own(output), Counter()
    for (symbol, _), calls in outer(files).items():
        got[symbol] += calls
    differ(wanted, got, "said", "counted")


def check_other(output, *files):
    check_own(output, *files)
    found = outer(files)
    plain = sorted(symbol for symbol, other in found if not other)
    print(" ".join(plain), sum(calls for (_, other), calls in found.items() if other))


def launches(*files):
    found = Counter()
    for file in files:
        for _, path, calls in counts.entries(file):
            if "Launch" in path[-1]:
                found[">".join(path)] += calls
    for name in sorted(found):
        print(name, found[name])


# ---- what was recorded ----

LEVELS = {"level_none": 0, "level0": 0, "level0+memory": 0, "level1": 1, "level2": 2, "never": 3}


def kinds(level, hooks=sys.stdin):
    """{entry point: kind} of those that this level records."""
    rows = [line.split() for line in hooks if not line.startswith("ENTRY")]
    return {row[0]: row[1] for row in rows if row[1] not in ("tensor", "question") and LEVELS[row[2]] <= LEVELS[level]}




def recorded(path):
    return [json.loads(line) for line in open(path)]


def did_run(event):
    return not event.get("captured") and not event.get("result")


def ran(events):
    """{kernel: how often}, of graphs too, which may have none; another launch of no known kernel is None's."""
    found = Counter()
    for event in filter(did_run, events):
        if event["kind"] == "launch":
            alone = [] if "GraphLaunch" in event["name"] else [{"name": event.get("kernel"), "nodes": 1}]
            for kernel in event.get("kernels") or alone:
                found[kernel["name"]] += kernel["nodes"]
    return found


def check_steps(output, dump, level):
    known, wanted, got = kinds(level), Counter(), Counter()
    for line in open(output):
        match = re.fullmatch(r"(\d+) (\w+) (\d+)\n", line)
        if match and match[2] in known:
            wanted[int(match[1]), match[2]] += int(match[3])
    names, steps = {name for _, name in wanted}, {step for step, _ in wanted}
    for event in recorded(dump):
        if event["name"] in names and event["step"] in steps:
            got[event["step"], event["name"]] += 1
    differ(+wanted, got)


def is_seen(path):
    """Is the last of these calls to be recorded? Nobody looks into archives, nor into what a shared runtime or a call of this kind does."""
    inside = any(caller.library.startswith("libcudart.so") or caller.library == path[-1].library for caller in path[:-1])
    return not inside and not path[-1].library.endswith(".a")


def counted(known, files):
    """symbols -> calls of those that are known, as far as they are to be recorded."""
    found = Counter()
    for file in files:
        for _, path, calls in counts.entries(file, "program"):
            symbol = path[-1].removesuffix(MARK)
            if symbol in known and is_seen(path):
                found[symbol] += calls
    return found


def check_all(dump, level, *files):
    wanted, got = counted(kinds(level), files), Counter()
    for event in recorded(dump):
        got[event["name"]] += 1
    differ(+wanted, got)


def check_nested(dump, level, *files):
    known, wanted, got = kinds(level), Counter(), Counter()
    for file in files:
        for _, path, calls in counts.entries(file, "program"):
            if len(path) > 1 and known.get(path[-1]) == known.get(path[-2]) == "launch":
                wanted[path[-1]] += calls
    for event in recorded(dump):
        got[event["name"]] += event["kind"] == "launch" and event.get("nested", False)
    differ(wanted, +got, "counted", "marked")


WORK = {"memcpy": "copy", "memset": "fill", "host": "launch"}  # what is no kernel: the kind of its event
POOLS = ("alloc", "free")  # allocations in the order of a stream have no times


def work(tasks):
    """(kernel, or kind of event, or "graph", how long it took) of all that ran; a graph's is one."""
    graphs = collections.defaultdict(list)
    for line in open(tasks):
        thread, _, begin, end, name, *calls = line.split()
        graph = next((call for call in calls if "GraphLaunch" in call), None)
        if begin != "-" and graph:
            graphs[thread, graph] += int(begin), int(end)
        elif begin != "-" and name not in POOLS:
            yield WORK.get(name, name), int(end) - int(begin)
    for times in graphs.values():
        yield "graph", max(times) - min(times)


def check_times(dump, tasks):
    """What is recorded, neither captured nor failed, has a time: that of its work."""
    got = Counter()
    for event in recorded(dump):
        what = "graph" if "GraphLaunch" in event["name"] else event.get("kernel") or event["kind"]
        time = event.get("device_duration_ns")
        if event["kind"] in ("launch", "copy", "fill") and (did_run(event) or time is not None):
            got[what, time] += 1
    differ(Counter(work(tasks)), got)


def check_kernels(dump, tasks):
    wanted = Counter()
    for line in open(tasks):
        _, _, begin, _, name, *_ = line.split()
        wanted[name] += begin != "-" and name not in WORK and name not in POOLS
    differ(+wanted, ran(recorded(dump)))


COMMANDS = {"own": check_own, "other": check_other, "launches": launches, "steps": check_steps, "all": check_all, "nested": check_nested, "kernels": check_kernels,
            "times": check_times}
if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
