"""deepspeed_engine.py [OF]: DeepSpeed's engine on the CPU (DS_ACCELERATOR=cpu): OF times (1) 5 steps of 3 micro-batches; behind each an evaluation.

Each time but the first goes on with a checkpoint of the one before. A second engine, a reference, only computes.
"""
import os
import sys

import device
import deepspeed
import torch

sys.modules["deepspeed.comm.torch"].build_shm_op = lambda: None  # a compiler would make it
os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE="1", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
torch.distributed.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
counted = device.Counted()


class Net(torch.nn.Linear):
    def forward(self, x):
        device.call(2 if self.training else 7)
        return super().forward(x).sum()


def engine(**more):
    net = Net(4, 1)
    settings = {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 3, **more}
    return deepspeed.initialize(model=net, model_parameters=net.parameters(), config=settings, dist_init_required=False)[0]


reference = engine(optimizer={"type": "Adam", "params": {"torch_adam": True}})
reference.eval()
for _ in range(int((sys.argv + ["1"])[1])):
    trained = engine(optimizer={"type": "Adam", "params": {"torch_adam": True}})
    if os.path.exists("checkpoint"):
        trained.load_checkpoint("checkpoint")
    for step in range(5):
        for micro in range(3):
            reference(torch.ones(2, 4))
            loss = trained(torch.ones(2, 4))
            trained.backward(loss)
            trained.step()
        trained.eval()
        trained(torch.ones(2, 4))
        trained.train()
        counted.step_ended()
    trained.save_checkpoint("checkpoint")
counted.say()
