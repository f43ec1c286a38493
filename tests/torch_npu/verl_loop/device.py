"""device.py - the device of tests/helpers/python/verl_shape: operators of torch_npu, copies, a collective. Nothing is waited for."""
import os

import torch
import torch_npu  # noqa: F401 torch 2.1 does not load it by itself
import torch.distributed as dist

for name, alone in (("RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "0")):
    os.environ.setdefault(name, alone)
torch.npu.set_device(0)
dist.init_process_group("hccl")
host = torch.ones(8, 8).pin_memory()
one, two, three = (torch.ones(8, 8).npu() for _ in range(3))


def call(times):
    for _ in range(times):
        torch.add(one, two, out=three)
        torch.mul(one, three, out=two)
        one.copy_(host, non_blocking=True)
    dist.all_reduce(three)
