"""places.py - where a job is, by what it does itself, without ranktrace; and what the simulated CANN has counted in each place."""
import json
import os
import pathlib
import sys

import torch

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "sims/lib"))
import counts  # noqa: E402

PLACES = ("role", "occurrence", "mini", "micro")


class Places:
    def __init__(self, output):
        self.output, self.counted, self.entered = output, {}, {}
        self.now, self.frame = dict.fromkeys(("step",) + PLACES), None

    def keep(self):
        """What was called since the last time belongs to where we were."""
        torch.npu.current_stream().npu_stream
        counted = {path: n for _, path, n in counts.entries(os.environ["SIM_COUNTS"].replace("%p", str(os.getpid())), "program")}
        calls = [[path, n - self.counted.get(path, 0)] for path, n in counted.items() if n != self.counted.get(path, 0)]
        self.counted = counted
        self.output.write(json.dumps({**self.now, "calls": calls}) + "\n")

    def begin(self, role, frame):
        if self.now["role"]:
            return
        self.keep()
        times = self.entered.get(role, 0)
        self.entered[role] = times + 1
        self.now.update(role=role, occurrence=times)
        self.frame = frame

    def end(self):
        self.keep()
        self.now.update(dict.fromkeys(PLACES))

    def batch(self, counter):
        self.keep()
        self.now[counter] = 0 if self.now[counter] is None else self.now[counter] + 1

    def step(self, n):
        self.end()
        self.now["step"], self.entered = n, {}
