"""phases.py BARE TRACED LIST: system calls that strace saw of the traced program and not of the bare one, by phase of phases.c, and
of threads of ours in it; `not listed` are those that the table of LIST (docs/reliability.md) does not have."""
import re
import sys

PHASES = ("start", "first call", "dormant", "before the window", "window", "behind it", "exit")
LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed)")


def read(path):
    """[{call: times}] of the first thread, by phase; and [{call}] of all others, while it is in that phase."""
    phases, others, first = [{}], [set()], None
    for line in open(path):
        m = LINE.match(line)
        if not m or "resumed" in line:
            continue
        thread, call = m.groups()
        first = first or thread
        if thread != first:
            others[-1].add(call)
        elif call == "getppid":
            phases.append({})
            others.append(set())
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
for phase, ours, before, threads in zip(PHASES, traced, bare, others):
    calls = {c for c, n in ours.items() if n > before.get(c, 0)}
    if phase != "start":  # the loader's, and those three of the constructor
        print("%s: %s%s" % (phase, " ".join(sorted(calls)) or "none", "; threads: " + " ".join(sorted(threads)) if threads else ""))
        for who, more in (phase, calls - rows.get(phase, set())), ("ranktrace's threads", threads - rows.get("ranktrace's threads", set())):
            if more:
                print("not listed: %s: %s" % (who, " ".join(sorted(more))))
