"""megatron_loop.py [core]: Megatron-LM's own train_step, schedule and optimizers, on no device: iterations 3 to 5, three micro-batches each.

core: a loop of somebody else's over the schedule and the optimizers alone. Two optimizers are one ChainedOptimizer, which calls both.
"""
import os
import sys
import types
import typing

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../verl_real"))
import stubs  # noqa: E402
from fakes import Enough, Fake, group_of_one  # noqa: E402

typing.override = getattr(typing, "override", lambda function: function)  # megatron.training is for Python 3.12 and later
import torch  # noqa: E402
import torch._dynamo  # noqa: E402,F401 before there is something like triton
import torch._inductor.select_algorithm  # noqa: E402,F401

stubs.only_for("megatron", never=["torch_npu", "flash_attn", "amdsmi", "apex", "transformer_engine", "nvidia_resiliency_ext", "modelopt"])
import device  # noqa: E402 the first call
from megatron.core.optimizer import optimizer as optimizers  # noqa: E402
from megatron.core.pipeline_parallel import schedules  # noqa: E402
from megatron.training import global_vars, training  # noqa: E402


class Net(torch.nn.Linear):
    config, model_type = Fake(timers=None), None

    def set_input_tensor(self, _):
        pass

    def zero_grad_buffer(self):
        pass

    @property
    def pg_collection(self):
        raise Enough


def forward(data, model):
    device.call(2)
    return model(torch.ones(2, 4)).sum(), lambda loss: (loss, {})


def optimizer_of(calls):
    class One(optimizers.FP32Optimizer):
        def __init__(self):
            self.config, self.is_stub_optimizer = Fake(timers=None, clip_grad=0.0), False
            self.optimizer = Fake(param_groups=[], step=lambda: device.call(calls))

        def get_grad_norm(self):
            return 0.0
    return One()


class Chained(optimizers.ChainedOptimizer):
    def __init__(self):
        self.chained_optimizers, self.config = [optimizer_of(3), optimizer_of(4)], Fake(timers=None)

    def zero_grad(self):
        device.call(1)

    def prepare_grads(self):
        return False

    def get_grad_norm(self):
        return 0.0

    def step_with_ready_grads(self):
        return [one.step() for one in self.chained_optimizers][0][0]


class Timers:
    def __call__(self, *args, **kwargs):
        return self

    def start(self, **_):
        pass

    stop = start


class OnceAStep:
    def __init__(self):
        self.times = 0

    def should_run_forward_backward(self, _):
        self.times += 1
        return self.times % 2

    def should_checkpoint_and_exit(self):
        return False, False, 0


zeros = torch.zeros
torch.zeros = lambda *args, device=None, **kwargs: zeros(*args, **kwargs)  # there is no CUDA here
group_of_one()
one = types.SimpleNamespace(size=lambda: 1, rank=lambda: 0)
schedules._build_default_pg_collection = lambda: Fake(tp=one, cp=one)
state = OnceAStep()
training.get_args, training.get_timers, training.get_rerun_state_machine, training.get_num_microbatches = lambda: Fake(empty_unused_memory_level=0), Timers, lambda: state, lambda: 3
net, chained = Net(4, 1), Chained()
for iteration in range(3, 6):
    global_vars._GLOBAL_ARGS = types.SimpleNamespace(curr_iteration=iteration)  # as its train() says it
    if sys.argv[1:] == ["core"]:
        schedules.forward_backward_no_pipelining(forward_step_func=forward, data_iterator=None, model=[net], num_microbatches=3, seq_length=1, micro_batch_size=2)
        chained.step()
        continue
    try:
        training.train_step(forward, None, [net], chained, None, Net.config, schedules.forward_backward_no_pipelining, iteration=iteration)
    except Enough:
        device.call(5)
