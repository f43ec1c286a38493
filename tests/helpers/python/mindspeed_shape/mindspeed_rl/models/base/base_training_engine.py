import device
from megatron.core.pipeline_parallel import schedules


class BaseTrainingEngine:
    def _forward_backward_batch(self, batch, forward_only=False):
        for _ in range(2):
            schedules.forward_step(lambda: device.call(3))

    def forward(self):
        self._forward_backward_batch({}, forward_only=True)

    def update(self, data, kl_ctrl=None):
        for _ in range(2):
            self._forward_backward_batch(data)
            device.call(2)
