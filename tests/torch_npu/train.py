"""train.py [STEPS]: a small training run on NPUs, alone or under torchrun; it says what came out, to the last bit.

A classifier learns in DistributedDataParallel with SGD, then with AdamW; before that every way of copying is tried, after
it a graph and the collectives. TRAIN_KEEPS=1: what SIM_COUNTS, SIM_TASKS and SIM_SHAPES tell when the n-th step of an
optimizer ends is kept as path.n. TRAIN_PAUSES=RANK:STEP:SECONDS: this rank loads its data so long in that step, and says
how many ns that took.
"""
import copy
import os
import shutil
import sys
import time

import torch
import torch_npu  # noqa: F401 torch 2.1 does not load it by itself
import torch.distributed as dist
from torch.optim.optimizer import register_optimizer_step_post_hook

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 4


def say(what, *values):
    """A line for each rank, written at once, as ranks share where it goes; numbers in full."""
    values = [v.tolist() if isinstance(v, torch.Tensor) else v for v in values]
    words = [f"rank{dist.get_rank()}", what, *(v.hex() if isinstance(v, float) else str(v) for v in values)]
    os.write(1, (" ".join(words) + "\n").encode())


def join():
    for name, alone in (("RANK", "0"), ("LOCAL_RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "0")):
        os.environ.setdefault(name, alone)
    torch.npu.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("hccl")
    torch.manual_seed(1)


def copies():
    host = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    device = host.npu()
    pinned = torch.empty(4, 6).pin_memory()
    pinned.copy_(device.clone(), non_blocking=True)
    torch.npu.synchronize()
    half = host.t().npu()[1:3].cpu()
    say("copies", torch.equal(pinned, host), torch.equal(half, host.t()[1:3]), torch.zeros(3).npu().cpu(), torch.ones(3, device="npu").cpu())


STEP = iter(range(1, sys.maxsize))


def pause():
    """Called once a step."""
    rank, step, seconds = os.environ.get("TRAIN_PAUSES", "-1:0:0").split(":")
    if next(STEP) == int(step) and dist.get_rank() == int(rank):
        begin = time.monotonic_ns()
        time.sleep(float(seconds))
        say("paused", time.monotonic_ns() - begin)


def data():
    """Points, and which of their first four coordinates is the largest; every rank has its own."""
    points = torch.randn(32, 8, generator=torch.Generator().manual_seed(dist.get_rank()))
    return points, points[:, :4].argmax(1)


def train(name, net, optimizer, device):
    """The losses, one of each step; then what the weights sum up to."""
    points, classes = data()
    for step in range(1, STEPS + 1):
        pause()
        loss = torch.nn.functional.cross_entropy(net(points.to(device)), classes.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield f"{name} {step}", loss.item()
    for i, weights in enumerate(net.parameters()):
        yield f"{name} weights {i}", weights.detach().cpu().double().sum().item()


def train_twice(net, device):
    yield from train("sgd", net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9), device)
    yield from train("adamw", net, torch.optim.AdamW(net.parameters(), lr=0.01), device)


def learn():
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    same = copy.deepcopy(net)
    results = []
    for what, value in train_twice(torch.nn.parallel.DistributedDataParallel(net.npu()), "npu"):
        say(what, value)
        results.append(value)
    if dist.get_world_size() == 1:
        # alone, a rank must come to what the host comes to
        worst = max(abs(a - b) for a, (_, b) in zip(results, train_twice(same, "cpu")))
        say("as on the host", worst < 1e-5)


def keep_accounts():
    """Who reads them has set mode 0 of torch_npu's queue: no call is under way where a step ends."""
    paths = [os.environ[name].replace("%p", str(os.getpid())) for name in ("SIM_COUNTS", "SIM_TASKS", "SIM_SHAPES")]
    steps = iter(range(1, sys.maxsize))

    def keep(*_):
        step = next(steps)
        for path in paths:
            shutil.copy(path, f"{path}.{step}")
    register_optimizer_step_post_hook(keep)


def graph():
    x, y = torch.ones(4).npu(), torch.zeros(4).npu()
    captured = torch.npu.NPUGraph()
    torch.npu.synchronize()
    with torch.npu.graph(captured):
        y.copy_(x * 3 + y)
    for _ in range(3):
        captured.replay()
    torch.npu.synchronize()
    say("graph", y.cpu())


def collectives():
    rank, n = dist.get_rank(), dist.get_world_size()
    mine, all_of_it, piece = torch.full((2 * n,), rank + 1.0).npu(), torch.empty(2 * n * n).npu(), torch.empty(2).npu()
    dist.all_reduce(mine)
    dist.all_gather_into_tensor(all_of_it, mine)
    dist.reduce_scatter_tensor(piece, mine)
    swapped = torch.empty(2 * n).npu()
    dist.all_to_all_single(swapped, mine)
    dist.broadcast(mine, 0)
    if n > 1:
        (dist.send if rank == 0 else dist.recv)(mine, 1 - rank)
    dist.barrier()
    torch.npu.synchronize()
    say("collectives", mine.cpu(), all_of_it.cpu(), piece.cpu(), swapped.cpu())


def main():
    join()
    if "TRAIN_KEEPS" in os.environ:
        keep_accounts()
    copies()
    learn()
    if os.environ.get("TASK_QUEUE_ENABLE") != "2":  # torch_npu refuses to capture then
        graph()
    collectives()
    dist.destroy_process_group()


main()
