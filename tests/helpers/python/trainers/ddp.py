"""ddp.py: PyTorch's DistributedDataParallel over gloo: 6 steps; says what each rank counted."""
import device
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, counted = dist.get_rank(), device.Counted()
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    device.call(1 + step + 10 * rank)
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    counted.step_ended()
dist.barrier()
if rank == 1:
    counted.say()
dist.destroy_process_group()
