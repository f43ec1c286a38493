"""accounts.py COMMAND ...: three accounts of the calls of one run against each other.

own OUTPUT COUNTS...      what the training program says it called, and what the simulated libraries counted
steps OUTPUT DUMP         the same, and what was recorded, step by step; HOOKS of `ranktrace hooks` on stdin
all COUNTS DUMP LEVEL     what the simulated libraries counted, and what was recorded at this level; HOOKS on stdin
"""
import collections
import json
import re
import sys

import counts

LEVELS = {"level0": 0, "level0+memory": 0, "level1": 1, "level2": 2}
# The agent asks these for itself, to name devices, kernels and communicators.
ASKED = {"aclrtGetDevice", "aclrtGetSocName", "aclrtGetFunctionName", "HcclGetCommName", "HcclGetRankId", "HcclGetRankSize"}


def own(path):
    """{step: Counter of symbols} of the program's last lines."""
    steps = collections.defaultdict(collections.Counter)
    for line in open(path):
        match = re.fullmatch(r"(-?\d+) (\w+) (\d+)\n", line)
        if match:
            steps[int(match[1])][match[2]] = int(match[3])
    return steps


def counted(paths):
    outer, every = collections.Counter(), collections.Counter()
    for path in paths:
        for _, symbol, calls, with_inner in counts.entries(path):
            outer[symbol] += calls
            every[symbol] += with_inner
    return +outer, +every


def hooked(level):
    """Which symbols are recorded at this level, by the lines of `ranktrace hooks`."""
    rows = [line.split() for line in sys.stdin if not line.startswith("ENTRY")]
    names = {row[0] for row in rows if LEVELS[row[2]] <= LEVELS[level]}
    phases = {first: first in names for first in ("aclnn", "aclnnGetWorkspaceSize")}

    def is_hooked(symbol):
        if re.match("aclnn[A-Z]", symbol) and symbol not in ("aclnnInit", "aclnnFinalize"):
            return phases["aclnnGetWorkspaceSize" if symbol.endswith("GetWorkspaceSize") else "aclnn"]
        return symbol in names

    return is_hooked


def name(event):
    """The entry point: operators are found by prefix and bear their names."""
    return event["kernel"] if event["name"] in ("aclnn", "aclnnGetWorkspaceSize") else event["name"]


def recorded(path):
    steps = collections.defaultdict(collections.Counter)
    for line in open(path):
        event = json.loads(line)
        steps[event.get("step")][name(event)] += 1
    return steps


def differ(what, wanted, got):
    lines = [f"{what}{s}: {wanted[s]} wanted, {got[s]} there" for s in sorted(wanted.keys() | got.keys()) if wanted[s] != got[s]]
    if lines:
        sys.exit("; ".join(lines))


def main(command, *rest):
    if command == "own":
        calls = sum(own(rest[0]).values(), collections.Counter())
        outer = collections.Counter({s: n for s, n in counted(rest[1:])[0].items() if s not in ASKED and not s.startswith("prof_")})
        differ("", calls, outer)
    if command == "steps":
        is_hooked, got = hooked("level1"), recorded(rest[1])
        for step, calls in own(rest[0]).items():
            wanted = collections.Counter({s: n for s, n in calls.items() if step > 0 and is_hooked(s)})
            differ(f"step {step}: ", wanted, got[step])
    if command == "all":
        is_hooked = hooked(rest[2])
        outer, every = counted(rest[:1])
        wanted = {s: n for s, n in (every if rest[2] == "level2" else outer).items() if s not in ASKED and is_hooked(s)}
        differ("", collections.Counter(wanted), sum(recorded(rest[1]).values(), collections.Counter()))


main(*sys.argv[1:])
