"""stacks.py DEVICE [SAID]: a model learns in all the ways in which an operator can be asked for, and what comes of it is said to the last
bit, with what is raised. DEVICE: npu or cuda. SAID, without ranktrace (and in mode 0 of torch_npu's queue): what recorded.py tells of it.
"""
import os
import re
import sys
import traceback

import torch
import torch.distributed as dist
from torch.utils.checkpoint import checkpoint

import recorded

DEVICE = sys.argv[1]
if DEVICE == "npu":
    import torch_npu  # noqa: F401 # torch below 2.5 does not do so itself


# ---- what is differentiated ----


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x + x

    @staticmethod
    def backward(context, gradient):
        half = gradient * 1.0
        return half + gradient


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 1.0

    @staticmethod
    def backward(context, gradient):
        raise ValueError("no gradient")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)
        self.middle = torch.nn.ModuleList(torch.nn.Linear(16, 16) for _ in range(2))

    def forward(self, x):
        x = torch.relu(self.first(x))
        for each in self.middle:
            x = x + checkpoint(each, x, use_reentrant=each is self.middle[0])
        y = [x * 0.5 for _ in range(2)]
        return self.last(Twice.apply(sum(y)))


def raised(function, *arguments):
    try:
        function(*arguments)
    except Exception:
        text = traceback.format_exc()
        os.write(1, re.sub(r"0x[0-9a-f]+", "0x", text).encode())


def fails():
    x = torch.ones(4, requires_grad=True, device=DEVICE)
    raised(Fails.apply(x).sum().backward)
    y = (x * x).sum()
    y.backward()
    raised(y.backward)
    raised(torch.autograd.grad, (x * x).sum(), torch.ones(4, requires_grad=True, device=DEVICE))
    raised(torch.autograd.Variable._execution_engine.run_backward, 1)
    raised(torch.autograd.Variable._execution_engine.run_backward)


def gradients(x):
    """Of gradients; from lines of their own."""
    y = (x * x).sum()
    first, = torch.autograd.grad(y, x, create_graph=True)
    return torch.autograd.grad(
        first.sum(),
        x)[0]


def same_again(x):
    """The same operator with the same shapes: the second plan is one that was kept."""
    a = x * 3
    b = x * 3
    return a, b


def later():
    """Called back when a backward pass ends."""
    state["called back"] += 1
    (state["one"] * 2).sum()


def hooked(gradient):
    state["hooked"] += 1
    torch.autograd.Variable._execution_engine.queue_callback(later)
    return gradient * 1.0


state = {"called back": 0, "hooked": 0}


def learn(net, steps):
    model = torch.nn.parallel.DistributedDataParallel(net, static_graph=DEVICE == "npu")
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    points = torch.randn(32, 8, generator=torch.Generator().manual_seed(1))
    classes = points[:, :4].argmax(1)
    net.last.bias.register_hook(hooked)
    for step in range(steps):
        loss = torch.nn.functional.cross_entropy(model(points.to(DEVICE)), classes.to(DEVICE))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()


def say(what, *values):
    os.write(1, (" ".join([what, *(v.hex() if isinstance(v, float) else str(v) for v in values)]) + "\n").encode())


def work():
    x = torch.ones(4, requires_grad=True, device=DEVICE)
    state["one"] = torch.ones(4, device=DEVICE)
    say("gradients", gradients(x).tolist())
    say("same", *(y.tolist() for y in same_again(state["one"])))
    say("losses", *learn(Net().to(DEVICE), 3))
    dist.all_reduce(state["one"])
    say("reduced", state["one"].tolist(), state["called back"], state["hooked"])


def main():
    for name, alone in (("RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "0")):
        os.environ.setdefault(name, alone)
    getattr(torch, DEVICE).set_device(0)
    dist.init_process_group({"npu": "hccl", "cuda": "nccl"}[DEVICE])
    torch.manual_seed(1)
    torch.ones(1).to(DEVICE)  # the device has begun, and ranktrace has asked Python
    with recorded.record(sys.argv[2:], DEVICE):
        work()
    fails()
    engine = type(torch.autograd.Variable._execution_engine)
    say("engine", engine.__name__, engine.__qualname__, engine.__module__)
    getattr(torch, DEVICE).synchronize()
    dist.destroy_process_group()


main()
