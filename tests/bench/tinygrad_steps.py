"""tinygrad_steps.py STEPS - trains as tests/helpers/python/tinygrad_train.py does; prints wall and CPU ns of every step but the first."""
import os, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../helpers/python"))
import tinygrad_train

stamps = []


def at_the_end_of_a_step(text, **_):
    if text.startswith("step "):
        stamps.append((time.monotonic_ns(), time.process_time_ns()))


tinygrad_train.print = at_the_end_of_a_step
tinygrad_train.main()
with open(os.environ["SWITCH_OUT"], "w") as f:
    for (w0, c0), (w1, c1) in zip(stamps, stamps[1:]):
        f.write("%d %d\n" % (w1 - w0, c1 - c0))
