#!/usr/bin/env python3
"""Trains a small MLP with tinygrad on synthetic data and prints every loss with all its bits.

DEV=CL python tinygrad_train.py [STEPS]

Each step ends when the optimizer's update is realized and the loss read back. Data and initial
weights come from Python's own generator, so that no device spends kernels on random numbers.
"""
import random
import sys

from tinygrad import Device, Tensor
from tinygrad.nn.optim import Adam
from tinygrad.nn.state import get_parameters

SAMPLES, FEATURES, HIDDEN = 64, 8, 16


def matrix(rng, rows, cols, scale):
    return [[rng.uniform(-scale, scale) for _ in range(cols)] for _ in range(rows)]


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    rng = random.Random(7)
    data = matrix(rng, SAMPLES, FEATURES, 1)
    x = Tensor(data)
    y = Tensor([[sum(row) * row[0]] for row in data])
    w1 = Tensor(matrix(rng, FEATURES, HIDDEN, 0.5), requires_grad=True)
    w2 = Tensor(matrix(rng, HIDDEN, 1, 0.5), requires_grad=True)
    optimizer = Adam([w1, w2], lr=0.02)
    # Uploads and zeroed moments now, so that the first step launches what every step does.
    Tensor.realize(x, y, *get_parameters(optimizer))

    losses = []
    with Tensor.train():
        for step in range(steps):
            optimizer.zero_grad()
            loss = ((x @ w1).tanh() @ w2 - y).square().mean()
            loss.backward()
            # The loss before the update, and the update, in one go.
            loss.realize(*optimizer.schedule_step())
            losses.append(loss.item())
            print(f"step {step} loss {losses[-1].hex()} ({losses[-1]:.4f})", flush=True)

    print(f"device {Device.DEFAULT}")
    if steps > 1 and not losses[-1] < losses[0]:
        sys.exit("the loss did not fall")


if __name__ == "__main__":
    main()
