"""rounds.py: PyTorch's own optimizers on the host: a GAN whose critic steps three times, then LBFGS beside SGD, each in four rounds.

The device copies once before each step() and once in each closure; how often in each round is said.
"""
import ctypes

import torch

acl = ctypes.CDLL("libascendcl.so")
size = ctypes.c_size_t
acl.aclrtMemcpy.argtypes = [ctypes.c_void_p, size, ctypes.c_void_p, size, ctypes.c_int]
memory, other = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
copies = 0


def copy():
    global copies
    copies += 1
    assert acl.aclrtMemcpy(memory, 64, other, 64, 1) == 0


def new(kind, **options):
    weights = torch.nn.Parameter(torch.full((4,), 3.0))
    optimizer = kind([weights], **options)

    def closure():
        copy()
        optimizer.zero_grad()
        loss = (weights ** 4).sum()
        loss.backward()
        return loss

    def step():
        copy()
        if kind is torch.optim.LBFGS:
            return optimizer.step(closure)
        weights.grad = torch.ones(4)
        return optimizer.step()

    return step


def train(*steps):
    global copies
    for _ in range(4):
        copies = 0
        for step in steps:
            step()
        print(copies)


critic, generator = new(torch.optim.Adam), new(torch.optim.Adam)
train(critic, critic, critic, generator)
train(new(torch.optim.LBFGS, max_iter=3), new(torch.optim.SGD, lr=0.01))
