"""pace.py STEPS [TRACE]: trains a small transformer; prints `median=ns` of a step behind the first tenth. TRACE: torch's own profiler records
all steps but these, and writes its trace there: `export=seconds`.
"""
import statistics
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile

STEPS, TRACE = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
WARM = STEPS // 10

torch.manual_seed(1)
net = torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True).cuda()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
points = torch.zeros(4, 16, 64).cuda()


def step():
    began = time.perf_counter_ns()
    optimizer.zero_grad()
    net(points).square().mean().backward()
    optimizer.step()
    torch.cuda.synchronize()
    return time.perf_counter_ns() - began


for _ in range(WARM):
    step()
profiler = profile(activities=[ProfilerActivity.CPU]) if TRACE else None
if profiler:
    profiler.start()
times = [step() for _ in range(STEPS - WARM)]
if profiler:
    began = time.perf_counter()
    profiler.stop()
    profiler.export_chrome_trace(TRACE)
    print(f"export={time.perf_counter() - began:.6f}")
print(f"median={statistics.median(times):.0f}")
