"""What verl 0.8 and later has of training workers, as far as who watches them could tell: names, decorators, who calls whom."""
import functools
import inspect

from device import call
from verl.workers.engine import FSDPEngineWithLMHead


def register(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    @functools.wraps(function)
    async def async_inner(*args, **kwargs):
        return await function(*args, **kwargs)
    wrapper = async_inner if inspect.iscoroutinefunction(function) else inner
    wrapper.MAGIC_ATTR = function.__name__
    return wrapper


class Config:
    def __init__(self, model_type):
        self.model_type = model_type


class TrainingWorker:
    def __init__(self, model_type):
        self.config, self.engine = Config(model_type), FSDPEngineWithLMHead()

    @register
    def reset(self):
        pass

    @register
    def load_checkpoint(self, local_path, hdfs_path=None, del_local_after_load=False):
        call(1)

    @register
    def train_mini_batch(self, data):
        call(1)
        for mini in data["mini"]:
            self.train_batch({"micro": mini})

    @register
    def train_batch(self, data):
        self.engine.train_batch(data)

    @register
    def infer_batch(self, data):
        data.pop("no_lora_adapter", None)
        self.engine.infer_batch(data)


class ActorRolloutRefWorker:
    def __init__(self, role="actor"):
        self._is_actor = role == "actor"
        self.actor = self.ref = TrainingWorker("language_model")
        self.rollout = None

    @register
    def init_model(self):
        self.actor.reset()

    @register
    def compute_ref_log_prob(self, data):
        self.ref.infer_batch(data)

    @register
    def compute_log_prob(self, data):
        self.actor.infer_batch(data)

    @register
    def update_actor(self, data):
        self.actor.train_mini_batch(data)

    @register
    async def update_weights(self, global_steps=None, mode="auto"):
        call(3)
        if self.rollout:
            self.rollout.ask("weights")
