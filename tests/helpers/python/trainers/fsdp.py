"""fsdp.py 1|2: PyTorch's FullyShardedDataParallel, or its fully_shard, over gloo: 3 steps of 2 micro-batches; says what rank 1 counted.

The second micro-batch's backward pass is called for as a pipeline's schedule does it.
"""
import sys

import device
import torch
import torch.distributed as dist
import torch.distributed.fsdp as fsdp

dist.init_process_group("gloo")
counted = device.Counted()
net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
if sys.argv[1] == "1":
    net = fsdp.FullyShardedDataParallel(net, use_orig_params=True, device_id=torch.device("cpu"))
else:
    mesh = dist.init_device_mesh("cpu", (2,))
    for layer in net:
        fsdp.fully_shard(layer, mesh=mesh)
    fsdp.fully_shard(net, mesh=mesh)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    for micro in range(2):
        device.call(2 + micro)
        loss = net(torch.ones(2, 4)).sum()
        torch.autograd.backward(loss) if micro else loss.backward()
    device.call(1)
    optimizer.step()
    optimizer.zero_grad()
    counted.step_ended()
dist.barrier()
if dist.get_rank() == 1:
    counted.say()
dist.destroy_process_group()
