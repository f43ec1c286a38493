"""device.py - calls of a library that stands in for OpenCL (LIBRARY_OF_TEST), and how many there were, as the job itself counts them."""
import ctypes
import os

library = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"])
made = 0


def call(times=1):
    global made
    made += times
    for _ in range(times):
        library.clFinish(None)


call()  # the first one has ranktrace look for Python's functions


class Counted:
    """Says how many calls were made in each step, and in what is measured besides."""

    def __init__(self):
        self.before, self.steps = 0, []  # what was called before is of step 1

    def step_ended(self):
        self.steps.append(made - self.before)
        self.before = made

    def say(self, *more):
        print(*self.steps, *(("/",) + more if more else ()), flush=True)
