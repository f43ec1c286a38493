"""accumulated.py: three optimizer steps of PyTorch, each of four backward passes, one of them through a reentrant checkpoint; a call before
each pass, and one before each step. Nothing of the program says which.
"""
from calls import call

call(1)
import torch
from torch.utils.checkpoint import checkpoint

model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    for micro in range(4):
        call(micro + 1)
        x = torch.ones(1, 2, requires_grad=True)
        (checkpoint(model, x, use_reentrant=True) if micro == 2 else model(x)).sum().backward()
    call(9)
    optimizer.step()
    optimizer.zero_grad()
