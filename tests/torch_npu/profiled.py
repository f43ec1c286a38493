"""profiled.py: a few steps under torch_npu's own profiler; says what it left behind."""
import glob
import os
import sys

import torch
import torch_npu

NPU = torch_npu.profiler.ProfilerActivity.NPU
CPU = torch_npu.profiler.ProfilerActivity.CPU


def main(folder):
    torch.manual_seed(1)
    net = torch.nn.Linear(4, 2).npu()
    points, optimizer = torch.randn(8, 4).npu(), torch.optim.SGD(net.parameters(), lr=0.1)
    schedule = torch_npu.profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
    options = torch_npu.profiler._ExperimentalConfig(profiler_level=torch_npu.profiler.ProfilerLevel.Level1, mstx=True)
    with torch_npu.profiler.profile(activities=[CPU, NPU], schedule=schedule, experimental_config=options,
                                    on_trace_ready=torch_npu.profiler.tensorboard_trace_handler(folder)) as profiler:
        for _ in range(5):
            torch_npu.npu.mstx.mark("before the step")
            loss = net(points).relu().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item().hex(), flush=True)
            profiler.step()
    left = glob.glob(os.path.join(folder, "**"), recursive=True)
    print("files", sum(map(os.path.isfile, left)))


main(sys.argv[1])
