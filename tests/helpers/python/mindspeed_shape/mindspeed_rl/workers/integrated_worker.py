import device
from mindspeed_rl.workers.actor_hybrid_worker import ActorHybridWorkerBase
from mindspeed_rl.workers.reference_worker import ReferenceWorkerBase


class IntegratedWorker(ActorHybridWorkerBase, ReferenceWorkerBase):
    def compute_log_prob(self):
        ActorHybridWorkerBase.compute_log_prob(self)

    def compute_ref_log_prob(self):
        device.call(2)  # parameters come
        ReferenceWorkerBase.compute_ref_log_prob(self)
