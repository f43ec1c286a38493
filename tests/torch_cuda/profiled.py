"""profiled.py: what torch's own profiler tells of a few steps, without times."""
import torch
from torch.profiler import ProfilerActivity, profile

net = torch.nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True) as profiler:
    for _ in range(3):
        net(torch.zeros(8, 64).cuda()).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
for line in sorted(f"{e.key} {e.count} {e.input_shapes} {e.cpu_memory_usage} {e.device_memory_usage}"
                   for e in profiler.key_averages(group_by_input_shape=True)):
    print(line)
