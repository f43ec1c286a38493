"""stacks_of.py LINES KERNEL: the stacks of its launches, each once, as lines of dump have them: functions and lines, modules and offsets."""
import json
import sys


def frame(f):
    return f"{f['function']}:{f['line']}" if "function" in f else f"{f['module']}+{f['offset']}"


def stack(event):
    return " ".join(map(frame, event["stack"])) if "stack" in event else " ".join(k for k in ("stack_of", "stack_lost") if k in event)


with open(sys.argv[1]) as lines:
    print(*sorted({stack(e) for e in map(json.loads, lines) if e.get("kernel") == sys.argv[2]}), sep=";")
