"""verl_names.py - under the names of verl 0.8 what --preset verl-0.8 watches there, for pace.py."""
import sys
import types


class BaseEngine:
    def forward_step(self, work):
        work()


class TrainingWorker:
    engine = BaseEngine()

    def train_batch(self, work):
        self.engine.forward_step(work)


class ActorRolloutRefWorker:
    actor = TrainingWorker()

    def update_actor(self, work):
        self.actor.train_batch(work)

    def update_weights(self, global_steps=None):
        pass


WATCHED = [(BaseEngine, "forward_step"), (TrainingWorker, "train_batch"), (ActorRolloutRefWorker, "update_actor"),
           (ActorRolloutRefWorker, "update_weights")]
THEIRS = [getattr(place, name) for place, name in WATCHED]
for place in (BaseEngine, TrainingWorker, ActorRolloutRefWorker):
    name = "verl.workers.engine.base" if place is BaseEngine else "verl.workers.engine_workers"
    setattr(sys.modules.setdefault(name, types.ModuleType(name)), place.__name__, place)


def now():
    return [getattr(place, name) for place, name in WATCHED]


def put(functions):
    for (place, name), function in zip(WATCHED, functions):
        setattr(place, name, function)


def micro_batch(work, number):
    """One in a mini-batch of its own; and each 32nd time a stage, and a step of verl's ends."""
    worker = ActorRolloutRefWorker()
    if number % 32 == 0:
        worker.update_actor(int)
        worker.update_weights(global_steps=number)
    worker.actor.train_batch(work)
