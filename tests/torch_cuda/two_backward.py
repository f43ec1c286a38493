"""two_backward.py: two threads are inside the backward pass at once, one after the other comes out; the device's thread then works for one alone.
Step 1 begins while the first one is inside."""
import ctypes
import sys
import threading
import time

import torch

def is_inside(thread):
    """In PyTorch's engine: no other thread of Python can run there before it has gone in."""
    frame = sys._current_frames().get(thread.ident)
    return frame is not None and frame.f_code.co_name == "_engine_run_backward" and "run_backward" in line_of(frame)


def line_of(frame):
    with open(frame.f_code.co_filename) as file:
        return file.readlines()[frame.f_lineno - 1]


class Waits(torch.autograd.Function):
    """until: called in its backward, before anything was launched."""

    @staticmethod
    def forward(context, x, until):
        context.until = until
        return x * 2.0

    @staticmethod
    def backward(context, gradient):
        while not context.until():
            time.sleep(.001)
        return gradient, None


def first(x):
    for _ in range(9):
        x.view(4)  # what a thread did last goes first, so that its work is not behind the other one's
    y = Waits.apply(x * 2.0, lambda: waits.set() or is_inside(threads[1]))
    y.sum().backward()


def second(x):
    y = Waits.apply(x * 2.0, lambda: not threads[0].is_alive())
    y.sum().backward()


def when_inside(x):
    waits.wait()
    ctypes.CDLL(None).ranktrace_step(ctypes.c_int64(1))
    second(x)


waits = threading.Event()  # the device's thread does, for the first one
points = [torch.ones(4, requires_grad=True, device="cuda") for _ in range(2)]
threads = [threading.Thread(target=function, args=(x,)) for function, x in zip((first, when_inside), points)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
# Now the device's thread lets go of the others' context, which it could not once Python ends; this one, past torch's functions, has none.
y, one = (points[0] * 2.0).sum(), torch.ones((), device="cuda")
torch.autograd.Variable._execution_engine.run_backward((y,), (one,), False, False, (), allow_unreachable=True, accumulate_grad=True)
torch.cuda.synchronize()
