"""marked.py: four steps of torch_npu's operators, each begun by a range of mstx on the stream. LOOP_KEEPS: as loop.py.

No collective: what asks in mode 2 whether a graph is captured is the thread that does not launch, and not in order with what does.
"""
import os

import torch

from device import host, one, three, two
from places import Places

places = Places(open(os.environ["LOOP_KEEPS"], "w")) if "LOOP_KEEPS" in os.environ else None
mstx = torch.npu.mstx


def step(n):
    if places:
        places.step(n)
        return None
    return mstx.range_start(f"step#{n}", stream=torch.npu.current_stream())


def call(times):
    for _ in range(times):
        torch.add(one, two, out=three)
        torch.mul(one, three, out=two)
        one.copy_(host, non_blocking=True)


for number in range(1, 5):
    started = step(number)
    call(30)
    if started:
        mstx.range_end(started)
    call(5)
if places:
    places.end()
