import device
from mindspeed_rl.models.base.base_training_engine import BaseTrainingEngine


class CriticWorkerBase:
    def compute_values(self):
        device.call(4)

    def update(self, kl_ctrl=None):
        BaseTrainingEngine().update({}, kl_ctrl)


class CriticWorker(CriticWorkerBase):
    pass
