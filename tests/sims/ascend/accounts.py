"""accounts.py COMMAND ...: accounts of the calls of one run side by side. Of `ranktrace hooks` on stdin: HOOKS.

own OUTPUT COUNTS...      what the training program says it called is what the simulated libraries counted
steps OUTPUT DUMP LEVEL   ... and what was recorded in each step; HOOKS
all DUMP LEVEL COUNTS...  what the simulated libraries counted is what was recorded at this level; HOOKS
windows LEVEL INTERVALS TRACE...   what was counted between the boundaries of each trace's window (named as its file) is what it
                          holds; INTERVALS: of tests/torch_npu/verl_loop/loop.py; HOOKS
left REPORT LEVEL COUNTS...  what they counted and the level leaves out is what the report (JSON) says so of; HOOKS
step N DUMP LEVEL BEFORE AFTER [OTHERS]   ... in step N, of which the counts at its begin and end were kept, but for what this pattern fits; HOOKS
unchanged PLAIN TRACED    with and without ranktrace a program makes the same calls; two patterns of counts' paths
"""
import collections
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import counts  # noqa: E402

Counter = collections.Counter
LEVELS = {"level_none": 0, "level0": 0, "level0+memory": 0, "level1": 1, "level2": 2, "never": 3}


class Hooks:
    """Kind and level of entry points; families of names are told as patterns, the longest of which counts."""

    def __init__(self, level):
        rows = [line.split() for line in sys.stdin if not line.startswith("ENTRY")]
        rows = [row for row in rows if row[1] not in ("tensor", "question")]  # those without events of their own
        self.kinds = {row[0]: row[1] if LEVELS[row[2]] <= LEVELS[level] else None for row in rows}
        self.others = {row[0]: row[1] for row in rows if not self.kinds[row[0]] and row[2] != "never"}

    def name(self, symbol):
        if symbol in ("aclnnInit", "aclnnFinalize"):
            return None
        patterns = [p for p in self.kinds if "*" in p and fnmatch.fnmatchcase(symbol, p)]
        return symbol if symbol in self.kinds else max(patterns, key=len, default=None)

    def kind(self, symbol):
        return self.kinds.get(self.name(symbol))

    def left(self, symbol):
        """Its kind, if the level leaves it out."""
        return self.others.get(self.name(symbol))


def own(path):
    """{step: Counter of symbols} of the program's last lines."""
    steps = collections.defaultdict(Counter)
    for line in open(path):
        match = re.fullmatch(r"(-?\d+) (\w+) (\d+)\n", line)
        if match:
            steps[int(match[1])][match[2]] = int(match[3])
    return steps


def expected(files, hooks, nested):
    """Calls that are to be recorded, as (symbol, nested) -> count: of calls within calls of their kind the outermost one.

    A library that finds a function of its own name in the next one below calls it where nobody can look in. Markers
    reach whoever listens through a table: a call within the call, but of no library.
    """
    wanted = Counter()
    for file in files:
        for _, path, calls in counts.entries(file, "program"):
            add_expected(wanted, path, calls, hooks, nested)
    return +wanted


def add_expected(wanted, path, calls, hooks, nested):
    kinds = [hooks.kind(symbol) for symbol in path]
    inner = kinds[-1] in kinds[:-1]
    if kinds[-1] and path[-1] not in path[:-1] and (nested or not inner):
        wanted[path[-1], inner] += calls
    if nested and len(path) == 1 and kinds[-1] == "marker":
        wanted[path[-1], True] += calls


def recorded(path):
    """(step, symbol, nested) -> events"""
    events = Counter()
    for line in open(path):
        event = json.loads(line)
        events[event.get("step"), event["name"], event.get("nested", False)] += 1
    return events


def differ(wanted, got):
    lines = [f"{k}: {wanted[k]} wanted, {got[k]} there" for k in sorted(wanted.keys() | got.keys(), key=str) if wanted[k] != got[k]]
    if lines or not wanted:
        sys.exit("; ".join(lines) or "nothing was called")


def check_own(output, *files):
    outer = Counter()
    for file in files:
        for _, path, calls in counts.entries(file, "program"):
            outer[path[-1]] += calls if len(path) == 1 else 0
    differ(sum(own(output).values(), Counter()), +outer)


def check_steps(output, dump, level):
    hooks, said = Hooks(level), own(output)
    wanted = Counter({(step, s): n for step, calls in said.items() if step > 0 for s, n in calls.items() if hooks.kind(s)})
    called, steps = {s for _, s in wanted}, {step for step, _ in wanted}
    got = Counter()
    for (step, name, nested), n in recorded(dump).items():
        if name in called and step in steps and not nested:
            got[step, name] += n
    differ(wanted, got)


def check_all(dump, level, *files):
    got = Counter()
    for (_, name, nested), n in recorded(dump).items():
        got[name, nested] += n
    differ(expected(files, Hooks(level), level == "level2"), got)


def check_left(report, level, *files):
    hooks, wanted, got = Hooks(level), Counter(), Counter()
    for file in files:
        for _, path, calls in counts.entries(file, "program"):
            kinds = [hooks.left(symbol) for symbol in path]
            if kinds[-1] and kinds[-1] not in kinds[:-1]:
                wanted[hooks.name(path[-1])] += calls
    for rank in json.load(open(report))["ranks"]:
        got.update(rank["unrecorded"])
    differ(wanted, got)


def check_step(step, dump, level, before, after, others="^$"):
    hooks, wanted = Hooks(level), Counter()
    for counted, sign in ((before, -1), (after, 1)):
        for call, n in expected([counted], hooks, level == "level2").items():
            wanted[call] += sign * n
    got = Counter({(name, nested): n for (its, name, nested), n in recorded(dump).items() if its == int(step)})
    differ(*(Counter({call: n for call, n in calls.items() if n and not re.search(others, call[0])}) for calls in (wanted, got)))


WINDOW = re.compile(r"step-(?P<step>\d+)(\.(?P<role>[a-z_]+)\.(?P<occurrence>\d+))?(\.(?P<counter>mini|micro)-(?P<first>\d+)(-(?P<last>\d+))?)?\.")


def is_in(interval, window):
    """Is the interval part of the window of this name?"""
    if interval["step"] != int(window["step"]):
        return False
    if window["role"] and (interval["role"], interval["occurrence"]) != (window["role"], int(window["occurrence"])):
        return False
    if not window["counter"]:
        return True
    batch = interval[window["counter"]]
    return batch is not None and int(window["first"]) <= batch <= int(window["last"] or window["first"])


def is_of_time(symbol):
    """Also what PyTorch's allocator and watchdog do: they look at events as their time allows, on threads of their own."""
    return WHENEVER.match(symbol) or "Event" in symbol or symbol in ("aclrtSetCurrentContext", "aclrtSetDevice")


def check_windows(level, path, *traces):
    hooks, intervals = Hooks(level), [json.loads(line) for line in open(path)]
    for trace in traces:
        window = WINDOW.match(os.path.basename(trace))
        wanted = Counter()
        for interval in intervals:
            for symbols, calls in interval["calls"] if is_in(interval, window) else ():
                if not is_of_time(symbols[-1]):
                    add_expected(wanted, symbols, calls, hooks, level == "level2")
        dump = subprocess.run([os.path.join(os.environ["BUILD"], "ranktrace"), "dump", "--format", "jsonl", trace], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        got = Counter((event["name"], event.get("nested", False)) for event in map(json.loads, dump.splitlines()))
        try:
            differ(+wanted, Counter({call: n for call, n in got.items() if not is_of_time(call[0])}))
        except SystemExit as error:
            sys.exit(f"{window[0][:-1]}: {error}")
        print(window[0][:-1], sum(wanted.values()))


# What a program asks, or makes, as often as time has it; and what it does because markers are wanted.
WHENEVER = re.compile("HcclGetCommAsyncError|aclrtQueryEvent|aclrt(Create|Destroy|Synchronize)Event|mstx|mspti|HcclGetCommName")


def check_unchanged(plain, traced):
    made = []
    for pattern in (plain, traced):
        made.append(Counter())
        for file in glob.glob(pattern):
            for _, path, calls in counts.entries(file, "program"):
                made[-1][path[-1]] += calls if len(path) == 1 and not WHENEVER.match(path[-1]) else 0
    differ(+made[0], +made[1])


{"own": check_own, "steps": check_steps, "all": check_all, "left": check_left, "windows": check_windows, "step": check_step, "unchanged": check_unchanged}[sys.argv[1]](*sys.argv[2:])
