"""torch_writer.py EVENTS FILE: torch.profiler records so many operators, and writes them as JSON. Says how many there are, their bytes, and the
seconds of the processor that writing took; and stopping and writing, as what was recorded is looked through when the profiler stops."""
import os
import sys
import time

import torch

events, path = int(sys.argv[1]), sys.argv[2]
x = torch.zeros(1)
profile = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU])
profile.start()
for _ in range(events):
    x.neg_()
began = time.process_time()
profile.stop()
stopped = time.process_time()
profile.export_chrome_trace(path)
written = time.process_time()
with open(path) as f:
    slices = sum(line.count('"ph": "X"') for line in f)
print("events=%d bytes=%d write=%.6f all=%.6f" % (slices, os.path.getsize(path), written - stopped, written - began))
