import device
from mindspeed_rl.models.base.base_training_engine import BaseTrainingEngine


class ActorHybridWorkerBase:
    def __init__(self):
        self.prof_iteration = 1
        self.engine = BaseTrainingEngine()

    def generate_sequences(self):
        device.call(7)

    def compute_log_prob(self):
        self.engine.forward()

    def update(self, kl_ctrl=None, skip_actor_log_prob=False):
        device.call(1)
        self.engine.update({}, kl_ctrl)
        self.prof_iteration += 1
