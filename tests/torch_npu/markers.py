"""markers.py: steps 1 to 3, in each of which torch_npu marks, opens a range, reduces, and takes and gives back memory once."""
import ctypes
import os

import torch
import torch.distributed as dist
import torch_npu

step = getattr(ctypes.CDLL(None), "ranktrace_step")
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29517", RANK="0", WORLD_SIZE="1")
dist.init_process_group("hccl")
x = torch.ones(300).npu()
for n in (1, 2, 3):
    step(ctypes.c_int64(n))
    torch_npu.npu.mstx.mark("hello")
    range_of_step = torch_npu.npu.mstx.range_start("step")
    dist.all_reduce(x)
    y = x + x
    del y
    torch.npu.synchronize()
    torch_npu.npu.mstx.range_end(range_of_step)
step(ctypes.c_int64(4))
