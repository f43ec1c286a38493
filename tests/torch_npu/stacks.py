"""stacks.py [SAID]: a model learns in all the ways in which an operator can be asked for, and what comes of it is said to the last bit,
with what is raised. SAID, without ranktrace and in mode 0 of torch_npu's queue: a JSON line for each operator of PyTorch that calls the
device, as asked.py reads them: [stack_of, [[function, file, line], ..] innermost first, {name of a call: how many}].

The frames of an operator are those around a TorchDispatchMode; its calls are what the simulated CANN counts meanwhile.
"""
import contextlib
import json
import mmap
import os
import re
import struct
import sys
import threading
import traceback

import torch
import torch_npu  # noqa: F401
import torch.distributed as dist
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

COUNTED = re.compile(r"(aclnn\w+(?<!GetWorkspaceSize)|aclrtMemcpy(Async)?|Hccl(All|Reduce|Broad)\w+)$")
trainer = threading.current_thread()


# ---- what Python knows ----


class Counts:
    """Of the file that SIM_COUNTS names: calls by the name of the function."""

    entry = struct.Struct("24s104sIIQ")

    def __init__(self):
        with open(os.environ["SIM_COUNTS"].replace("%p", str(os.getpid())), "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def now(self):
        found = {}
        for at in range(self.entry.size, len(self.memory), self.entry.size):
            _, name, caller, _, calls = self.entry.unpack_from(self.memory, at)
            if not name[0]:
                break
            name = name.split(b"\0")[0].decode()
            if not caller and COUNTED.match(name):
                found[name] = found.get(name, 0) + calls
        return found


def frames_from(frame):
    found = []
    while frame:
        code = frame.f_code
        found.append([getattr(code, "co_qualname", code.co_name), code.co_filename, frame.f_lineno])
        frame = frame.f_back
    return found


def asked_from(frame):
    """The one that called the mode. Of a thread without frames of its own it is the one that waits for it."""
    while frame and frame.f_code.co_filename.endswith(("torch/_compile.py", "torch/_dynamo/eval_frame.py")):
        frame = frame.f_back
    own = frames_from(frame)
    return ("caller", own) if own else ("backward", frames_from(sys._current_frames()[trainer.ident]))


class Record(TorchDispatchMode):
    def __init__(self, path):
        super().__init__()
        self.counts, self.file, self.inside = Counts(), open(path, "w"), False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if self.inside:
            return function(*args, **kwargs or {})
        self.inside, before, asked = True, self.counts.now(), asked_from(sys._getframe(1))
        try:
            return function(*args, **kwargs or {})
        finally:
            self.inside = False
            calls = {name: n - before.get(name, 0) for name, n in self.counts.now().items() if n > before.get(name, 0)}
            if calls:
                self.file.write(json.dumps([*asked, calls]) + "\n")


# ---- the work ----


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
    x = torch.ones(4, requires_grad=True, device="npu")
    raised(Fails.apply(x).sum().backward)
    y = (x * x).sum()
    y.backward()
    raised(y.backward)
    raised(torch.autograd.grad, (x * x).sum(), torch.ones(4, requires_grad=True, device="npu"))
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
    model = torch.nn.parallel.DistributedDataParallel(net, static_graph=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    points = torch.randn(32, 8, generator=torch.Generator().manual_seed(1))
    classes = points[:, :4].argmax(1)
    net.last.bias.register_hook(hooked)
    for step in range(steps):
        loss = torch.nn.functional.cross_entropy(model(points.npu()), classes.npu())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()


def say(what, *values):
    os.write(1, (" ".join([what, *(v.hex() if isinstance(v, float) else str(v) for v in values)]) + "\n").encode())


def work():
    x = torch.ones(4, requires_grad=True, device="npu")
    state["one"] = torch.ones(4, device="npu")
    say("gradients", gradients(x).tolist())
    say("same", *(y.tolist() for y in same_again(state["one"])))
    say("losses", *learn(Net().npu(), 3))
    dist.all_reduce(state["one"])
    say("reduced", state["one"].tolist(), state["called back"], state["hooked"])


def main():
    for name, alone in (("RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "0")):
        os.environ.setdefault(name, alone)
    torch.npu.set_device(0)
    dist.init_process_group("hccl")
    torch.manual_seed(1)
    torch.ones(1).npu()  # the device has begun, and ranktrace has asked Python
    with Record(sys.argv[1]) if len(sys.argv) > 1 else contextlib.nullcontext():
        work()
    fails()
    engine = type(torch.autograd.Variable._execution_engine)
    say("engine", engine.__name__, engine.__qualname__, engine.__module__)
    torch.npu.synchronize()
    dist.destroy_process_group()


main()
