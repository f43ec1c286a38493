"""of_tinygrad.py STEPS: a small net on CUDA; from the third step on a step is a graph, of which a node has other parameters each time. What it
has learnt goes to a second device. Kernels of the simulated CUDA compute nothing: what is said are copies.
"""
import sys

from tinygrad import Device, Tensor, TinyJit
from tinygrad.nn.optim import SGD

x = Tensor([[float(row + column) for column in range(16)] for row in range(8)]).realize()
w1 = Tensor([[0.5] * 16] * 16, requires_grad=True)
w2 = Tensor([[0.5]] * 16, requires_grad=True)
optimizer = SGD([w1, w2], lr=0.01)
Tensor.realize(w1, w2)


@TinyJit
def step(points):
    optimizer.zero_grad()
    loss = ((points @ w1).tanh() @ w2).square().mean()
    loss.backward()
    return loss.realize(*optimizer.schedule_step())


with Tensor.train():
    for n in range(int(sys.argv[1])):
        step((x + n).realize()).item()
moved = w1.to("CUDA:1").realize()
Device["CUDA"].synchronize()
print(Device.DEFAULT, moved.tolist() == [[0.5] * 16] * 16)
