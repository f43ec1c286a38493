"""schedules.py PROGRAM WORLD - 1,000 schedules at random: what PROGRAM (schedule_states) makes of them beside what the torch and
the torch_npu in the folder WORLD (tests/torch_npu/world.py) make of them, whose functions are taken out of their modules as they stand."""
import ast
import enum
import pathlib
import random
import subprocess
import sys
import warnings

PROGRAM, WORLD = sys.argv[1], pathlib.Path(sys.argv[2])
NUMBERS, SCHEDULES = 400, 1000
KEYS = ("skip_first", "skip_first_wait", "wait", "warmup", "active", "repeat")


class ProfilerAction(enum.Enum):
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def taken(module, name):
    """The function or class of this name, without what its module imports."""
    tree = ast.parse((WORLD / module).read_text())
    node, = [n for n in tree.body if getattr(n, "name", "") == name]
    names = {"ProfilerAction": ProfilerAction, "warn": warnings.warn, "Callable": object, "print_warn_msg": lambda text: None}
    exec(compile(ast.Module([node], []), module, "exec"), names)
    return names[name]


warnings.simplefilter("ignore")
random.seed(20261123)
schedules = [dict(zip(KEYS, (random.choice((0, 0, random.randrange(30))), random.choice((0, 0, 1)), random.randrange(12), random.randrange(4),
                             random.randrange(1, 9), random.choice((0, 0, 1, 2, 5))))) for _ in range(SCHEDULES)]
lines = [",".join(f"{k}={v}" for k, v in s.items() if v) for s in schedules]
ours = subprocess.run([PROGRAM, str(NUMBERS)], input="\n".join(lines), capture_output=True, text=True, check=True).stdout.split()
differ = 0
for kind in (taken("torch/site/torch/profiler/profiler.py", "schedule"), taken("site/torch_npu/profiler/scheduler.py", "Schedule")):
    for line, s, states in zip(lines, schedules, ours):
        theirs = kind(**s)
        if "".join(str(theirs(i).value) for i in range(NUMBERS)) != states:
            differ += 1
            print("differs:", line)
recorded = sum(states.count("3") for states in ours)
print(len(ours), "schedules,", differ, "differ,", "some" if recorded else "no", "windows")
