"""train.py [STEPS]: a small training run of torch on CUDA, alone or under torchrun. Kernels of the simulated CUDA compute nothing: what
is looked at is which calls torch makes, and that it makes the same with and without us. TRAIN_KEEPS=PATH: what SIM_COUNTS tells when the
n-th step of an optimizer ends is kept as PATH.rank.n.
"""
import os
import shutil
import sys

import torch
import torch.distributed as dist
from torch.optim.optimizer import register_optimizer_step_post_hook

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
WORLD = int(os.environ.get("WORLD_SIZE", "1"))


def say(*words):
    """A line at once, as ranks share where it goes."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def net():
    perceptron = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 64, bias=False))
    return torch.nn.Sequential(perceptron, torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)).cuda()


def keep(optimizer, args, kwargs):
    counts, kept = os.environ.get("SIM_COUNTS"), os.environ.get("TRAIN_KEEPS")
    if counts and kept:
        keep.steps += 1
        shutil.copyfile(counts.replace("%p", str(os.getpid())), f"{kept}.{os.environ.get('RANK', 0)}.{keep.steps}")


def main():
    keep.steps = 0
    torch.manual_seed(1)
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    trained = net()
    if WORLD > 1:
        dist.init_process_group("nccl")
        trained = torch.nn.parallel.DistributedDataParallel(trained)
    optimizer = torch.optim.AdamW(trained.parameters(), lr=1e-3)
    register_optimizer_step_post_hook(keep)
    for step in range(1, STEPS + 1):
        torch.cuda.nvtx.range_push(f"step {step}")
        points = torch.zeros(4, 16, 64).cuda()
        loss = (trained(points) - points).square().mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained.parameters(), 1.0)  # its kernels are of many tensors, as an optimizer's are
        optimizer.step()
        torch.cuda.nvtx.range_pop()
        say("step", step, loss.item())
    say("memory", torch.cuda.max_memory_allocated(), torch.cuda.memory_stats()["allocation.all.allocated"])
    if WORLD > 1:
        dist.destroy_process_group()


main()
