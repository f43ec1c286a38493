"""of_triton.py STEPS: two kernels of Triton a step, one of them in a stream of its own, on memory of torch."""
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, factor, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) * factor, mask=at < n)


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


given = torch.arange(1024.0)
x, y = given.cuda(), given.cuda()
other = torch.cuda.Stream()
for step in range(int(sys.argv[1])):
    scale[(4,)](x, 2.0, 1024, BLOCK=256)
    with torch.cuda.stream(other):
        add[(8,)](x, y, 1024, BLOCK=128)
    torch.cuda.synchronize()
print(bool((x.cpu() == given).all()))
