"""compiled.py: torch.compile makes one graph of a step that holds a watched method, and what is not compiled is told."""
import logging

from calls import call

call(1)
logging.disable(logging.WARNING)
import torch


class Model:
    def forward_step(self, x):
        return x * 2 + 1


import torch._dynamo

model = Model()


def step(x):
    return model.forward_step(x) + 1


print(torch.compile(step, fullgraph=True, backend="eager")(torch.ones(2)).tolist())
call(2)
step(torch.ones(2))
call(3)
