"""train.py fsdp2|megatron [RESTORED UPDATES], or integrated|critic|reference: a stand-in for MindSpeed-LLM and MindSpeed-RL, which are on no registry.

Only names, arguments and who calls whom are theirs, as their public source has them (v26.1.0, v2.3.0); what they compute are calls of the
device. That they are right is what tests/names looks up in a checkout.
"""
import sys

import device  # the first call

kind = sys.argv[1]
if kind == "fsdp2":
    from mindspeed_llm.fsdp2.train.trainer import Trainer
    restored, updates = [int(n) for n in sys.argv[2:4]] or (5, 3)
    Trainer(global_step=restored).train(updates=updates, micros=2)
elif kind == "megatron":
    from mindspeed_llm.training.training import train
    restored, updates = [int(n) for n in sys.argv[2:4]] or (3, 3)
    train(iteration=restored, until=restored + updates)
else:
    from mindspeed_rl.workers import actor_hybrid_worker, critic_worker, integrated_worker, reference_worker
    device.call(1)
    if kind == "integrated":
        worker = integrated_worker.IntegratedWorker()
        for _ in range(3):
            worker.generate_sequences()
            worker.compute_log_prob()
            worker.compute_ref_log_prob()
            worker.update(kl_ctrl=None)
    elif kind == "critic":
        worker = critic_worker.CriticWorker()
        for _ in range(3):
            worker.compute_values()
            worker.update()
    else:
        worker = reference_worker.ReferenceWorker()
        for _ in range(3):
            worker.compute_ref_log_prob()
