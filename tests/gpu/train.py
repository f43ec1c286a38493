"""train.py STEPS [untold | FIRST LAST TRACE]: trains a transformer and a perceptron on CUDA with fixed seeds, and prints `loss BITS` of each
step, `weights HASH` of the end and `median NS` of a step behind the first tenth. untold: ranktrace is told no steps. FIRST LAST:
torch.profiler listens to these steps and writes to TRACE: `kernel COUNT NAME` each.
"""
import collections
import ctypes
import hashlib
import json
import statistics
import struct
import sys
import time

import torch

def deterministic():
    torch.use_deterministic_algorithms(True)
    torch.backends.cuda.enable_flash_sdp(False)  # nor do these two come to the same twice
    torch.backends.cuda.enable_mem_efficient_sdp(False)


def say(loss):
    print("loss", struct.pack("<f", float(loss)).hex())


def network():
    torch.manual_seed(1)
    layer = torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
    return torch.nn.Sequential(layer, torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.Linear(256, 64)).cuda()


def train(steps, begins):
    net = network()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    points = torch.randn(8, 32, 64, generator=torch.Generator().manual_seed(2)).cuda()
    losses, times = [], []
    for step in range(1, steps + 1):
        torch.cuda.synchronize()
        begins(step)
        began = time.perf_counter_ns()
        optimizer.zero_grad()
        loss = (net(points) - points).square().mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.detach())
        torch.cuda.synchronize()
        times.append(time.perf_counter_ns() - began)
    begins(steps + 1)
    return net, losses, times


def main():
    steps = int(sys.argv[1])
    first, last = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (0, 0)
    tell = None if "untold" in sys.argv else getattr(ctypes.CDLL(None), "ranktrace_step", None)  # there where ranktrace is
    profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) if last else None

    def begins(step):
        if profiler and step == first:
            profiler.start()
        if profiler and step == last + 1:
            profiler.stop()
        if tell:
            tell(ctypes.c_int64(step))

    deterministic()
    net, losses, times = train(steps, begins)
    for loss in losses:
        say(loss)
    weights = hashlib.sha256(b"".join(p.detach().cpu().numpy().tobytes() for p in net.parameters()))
    print("weights", weights.hexdigest()[:16])
    print("median", round(statistics.median(times[steps // 10:])))
    if profiler:
        profiler.export_chrome_trace(sys.argv[4])
        with open(sys.argv[4]) as file:
            counts = collections.Counter(e["name"] for e in json.load(file)["traceEvents"] if e.get("cat") == "kernel")
        for name in sorted(counts):
            print("kernel", counts[name], name)


if __name__ == "__main__":
    main()
