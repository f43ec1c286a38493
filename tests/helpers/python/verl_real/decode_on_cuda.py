"""decode_on_cuda.py: decode steps by a class that has the names of vLLM's worker, with a model of torch on CUDA: the first one runs as it is, the
others are a graph, as vLLM has it. Where it is, is kept (kept.py); the last place is printed.
"""
import os
import sys
import types

import torch
from fakes import Fake
from kept import Places

net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 64)).cuda()
points, graph = torch.zeros(8, 64, device="cuda"), torch.cuda.CUDAGraph()
with torch.no_grad():
    net(points)  # what it makes when it is first called is no part of a graph
    with torch.cuda.graph(graph):
        net(points)
places = Places()


def decode(times):
    if places.micros:
        points.copy_(torch.ones(8, 64))
        graph.replay()
    else:
        with torch.no_grad():
            net(points)


sys.modules["device"] = types.SimpleNamespace(call=decode)
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../verl_shape"))
from vllm.v1.worker.gpu_worker import Worker  # noqa: E402

worker = Worker()
for tokens in 64, 8, 8, 0, 8:
    if tokens:
        places.micro()
        worker.execute_model(Fake(total_num_scheduled_tokens=tokens))
        points.sum().item()
    else:
        worker.execute_model(Fake(total_num_scheduled_tokens=0))
print(places)
