"""phases.py BARE TRACED LIST: system calls that strace saw of the traced program and not of the bare one, by phase of phases.c, and
of threads of ours; `not listed` are those that the table of LIST (docs/reliability.md) does not have."""
import re
import sys

PHASES = ("start", "first call", "dormant", "before the window", "window", "behind it", "exit")
LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed)")


def read(path):
    """[{call: times}] of the first thread, by phase; and a set, of all others."""
    phases, others, first = [{}], set(), None
    for line in open(path):
        m = LINE.match(line)
        if not m or "resumed" in line:
            continue
        thread, call = m.groups()
        first = first or thread
        if thread != first:
            others.add(call)
        elif call == "getppid":
            phases.append({})
        else:
            phases[-1][call] = phases[-1].get(call, 0) + 1
    return phases, others


def listed(path):
    rows = {}
    for line in open(path):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 2 and cells[0] in PHASES + ("ranktrace's threads",):
            rows[cells[0]] = set(re.findall(r"`(\w+)`", cells[1]))
    return rows


bare, _ = read(sys.argv[1])
traced, others = read(sys.argv[2])
rows = listed(sys.argv[3])
if len(bare) != len(PHASES) or len(traced) != len(PHASES):
    sys.exit("phases: %d and %d of %d" % (len(bare), len(traced), len(PHASES)))
found = {p: {c for c, n in t.items() if n > b.get(c, 0)} for p, b, t in zip(PHASES, bare, traced)}
found["ranktrace's threads"] = others
for phase, calls in found.items():
    if phase != "start":  # the loader's, and those three of the constructor
        print("%s: %s" % (phase, " ".join(sorted(calls)) or "none"))
        more = calls - rows.get(phase, set())
        if more:
            print("not listed: %s: %s" % (phase, " ".join(sorted(more))))
