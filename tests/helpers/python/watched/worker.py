"""worker.py - a trainer's module in the shape of verl's: methods under a decorator, engines of which only subclasses do the work."""
import functools

from calls import call


def register(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    inner.mark = function.__name__
    return inner


class BaseEngine:
    def forward_step(self, calls):
        raise NotImplementedError


class Engine(BaseEngine):
    def forward_step(self, calls):
        call(calls)


class Chained(BaseEngine):
    """As several optimizers in one: it calls the others."""

    def __init__(self, *engines):
        self.engines = engines

    def forward_step(self, calls):
        for engine in self.engines:
            engine.forward_step(calls)
        call(1)


class Data:
    def __init__(self, **meta_info):
        self.meta_info = meta_info


class Worker:
    def __init__(self, engine, kind="actor"):
        self.engine, self.kind = engine, kind

    @register
    def update_actor(self, batches):
        call(1)
        for batch in batches:
            self.mini(batch)

    def mini(self, batch):
        for calls in batch:
            self.engine.forward_step(calls)
        self.optimizer_step()

    def optimizer_step(self):
        call(2)

    @register
    def compute_log_prob(self, data, *, times=3):
        call(times)
        return data

    @register
    def compute_ref_log_prob(self, data):
        self.compute_log_prob(data)
        call(1)

    def train(self, calls: int, times=1):
        call(calls)

    async def update_weights(self, global_steps=None, mode="auto"):
        call(1)

    async def generate(self, wait, calls):
        call(calls)
        await wait()
        call(calls)

    def batches(self, calls):
        for n in calls:
            call(n)
            yield n

    async def later(self, calls):
        for n in calls:
            call(n)
            yield n

    def fails(self):
        call(4)
        raise KeyError("as it does without us")

    @staticmethod
    def score(calls):
        call(calls)

    @classmethod
    def values(cls, calls):
        call(calls)


class Child(Worker):
    pass


class Other(Worker):
    pass


def count(function):
    @functools.wraps(function)
    def inner(*args):
        inner.calls += 1
        return function(*args)
    inner.calls = 0
    return inner


@count
def counted(n):
    call(n)


def iteration(calls, number=None):
    call(calls)
    return number
