"""main_ppo.py WORD...: a GRPO job of three steps: two ranks that hold the actor and the critic, and an engine of one rank."""
import os
import sys

import ray
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

STEPS, RANKS = 3, 2


def settings(words):
    made = OmegaConf.create({"ray_kwargs": {"ray_init": {"num_cpus": None}}})
    for override in OverridesParser.create().parse_overrides(words):
        OmegaConf.update(made, override.key_or_group, override.value(), force_add=True)
    return made


def init(config):
    """As verl 0.6.1 to 0.9.1 have it: what the words say of the environment goes over verl's own."""
    own = {"env_vars": {name: os.environ[name] for name in ("PYTHONPATH", "LIBRARY_OF_TEST")}}
    kwargs = config.ray_kwargs.get("ray_init", {})
    runtime_env = OmegaConf.merge(own, kwargs.get("runtime_env", {}))
    ray.init(**OmegaConf.to_container(OmegaConf.create({**kwargs, "runtime_env": runtime_env})), log_to_driver=False)


class WorkerDict:
    """Actor and critic in one process."""

    def __init__(self):
        from device import call
        from verl.workers.engine_workers import ActorRolloutRefWorker, TrainingWorker
        call(1)
        self.actor, self.critic = ActorRolloutRefWorker(), TrainingWorker("value_model")

    def compute_log_prob(self, data):
        self.actor.compute_log_prob(data)

    def infer_batch(self, data):
        self.critic.infer_batch(data)

    def train_critic(self, data):
        self.critic.train_mini_batch(data)

    def update_actor(self, data):
        self.actor.update_actor(data)

    async def update_weights(self, step):
        await self.actor.update_weights(step)


class Engine:
    def __init__(self):
        from device import call
        from verl.workers.rollout.vllm_rollout.utils import vLLMColocateWorkerExtension
        from vllm.v1.worker.gpu_worker import Worker
        call(1)
        self.weights, self.worker = vLLMColocateWorkerExtension(), Worker()

    def update_weights(self):
        self.weights.update_weights_from_ipc()

    def generate(self, tokens):
        class Output:
            total_num_scheduled_tokens = 8
        for _ in range(tokens):
            self.worker.execute_model(Output)
            self.worker.sample_tokens()


def on_node(number):
    nodes = sorted(node["NodeID"] for node in ray.nodes() if node["Alive"])
    return NodeAffinitySchedulingStrategy(nodes[number % len(nodes)], soft=False)


class TaskRunner:
    """Drives the others. Ray kills it as the job ends."""

    def run(self):
        from verl.trainer.ppo.ray_trainer import RayPPOTrainer
        ranks = [ray.remote(WorkerDict).options(runtime_env={"env_vars": {"RANK": str(rank), "WORLD_SIZE": str(RANKS), "WG_PREFIX": "workers"}},
                                                scheduling_strategy=on_node(rank)).remote() for rank in range(RANKS)]
        engine = ray.remote(Engine).remote()

        def do(method, argument):
            if method == "generate":
                ray.get(engine.generate.remote(argument))
            else:
                ray.get([getattr(rank, method).remote(argument) for rank in ranks])
            if method == "update_weights":
                ray.get(engine.update_weights.remote())
        RayPPOTrainer(do, STEPS).fit()
        ray.kill(ranks[1])


def main():
    init(settings(sys.argv[1:]))
    runner = ray.remote(TaskRunner).options(num_cpus=0).remote()
    ray.get(runner.run.remote())


main()
