"""accelerated.py: a loop with accelerate, which accumulates: 16 micro-batches, 4 steps."""
import device
import torch
from accelerate import Accelerator

counted = device.Counted()
accelerator = Accelerator(gradient_accumulation_steps=4, cpu=True)
net = torch.nn.Linear(4, 1)
net, optimizer = accelerator.prepare(net, torch.optim.AdamW(net.parameters()))
for micro in range(16):
    with accelerator.accumulate(net):
        device.call(1 + micro)
        accelerator.backward(net(torch.ones(2, 4)).sum())
        optimizer.step()
        optimizer.zero_grad()
    if accelerator.sync_gradients:
        counted.step_ended()
counted.say()
