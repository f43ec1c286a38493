"""siirl_graph.py: siiRL's own DAGWorker with its graph of PPO, on no device: from step 3 (or BEGIN) to 5, of which step 4 ends in nothing first.

What the workers compute is two mini-batches of two micro-batches, by siiRL's own actor and critic, as far as these go without a model.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../verl_real"))
import stubs  # noqa: E402
from fakes import Enough, Fake, group_of_one  # noqa: E402

stubs.only_for("siirl", "tensordict", never=["torch_npu", "triton", "amdsmi"])
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
from siirl.dag_worker import dagworker  # noqa: E402
from siirl.engine.actor.dp_actor import DataParallelPPOActor  # noqa: E402
from siirl.engine.critic.dp_critic import DataParallelPPOCritic  # noqa: E402
from siirl.execution.dag.builtin_pipelines import ppo_pipeline  # noqa: E402
from siirl.execution.dag.node import NodeRole  # noqa: E402

graph = ppo_pipeline()  # holds the functions themselves
import device  # noqa: E402 the first call


class Responses:
    def size(self, _):
        device.call(3)
        raise Enough


def minis(of, module, optimizer):
    """Of siiRL's own functions."""
    self = Fake(**{"config": Fake(grad_clip=1.0), module: torch.nn.Linear(1, 1), optimizer: Fake(step=lambda: device.call(2), zero_grad=lambda: None)})

    def update(batch):
        for _ in range(2):
            for _ in range(2):
                try:
                    of._forward_micro_batch(self, {"responses": Responses()}, *([1.0] if of is DataParallelPPOActor else []))
                except Enough:
                    pass
            self.__dict__[module](torch.ones(1)).backward()
            of._optimizer_step(self)
        return batch
    return update


class Batch(dict):
    def size(self):
        return len(self)

    def update(self, other):
        super().update(other)
        return self

    def pop(self, name, *default):
        return self.get(name, *default)  # comes again in the next step


def worker(calls):
    def compute(batch):
        device.call(calls)
        return batch
    return compute


class Worker(dagworker.DAGWorker):
    """With the class's own functions; what its constructor makes, and other processes, are not there."""

    def __init__(self):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def _get_node_dp_info(self, node):
        return 1, 0, 0, 1, 0, 1

    def _get_node_process_group(self, node):
        return None

    def get_data_from_buffers(self, key, **_):
        return None if self.global_steps == 4 and self.fails.pop("now", False) else self.batch

    def put_data_to_buffers(self, **_):
        pass

    def _cleanup_step_buffers(self, timing):
        pass


class Metrics:
    def __getattr__(self, name):
        return lambda *args, **kwargs: {}


def advantage(batch, **_):
    device.call(6)
    return batch


group_of_one()
dagworker.preprocess_dataloader = lambda *args: Batch(whole)
dagworker.compute_advantage = advantage
dagworker.aggregate_and_write_performance_metrics = dagworker.log_core_performance_metrics = dagworker.log_metrics_to_console = lambda *args: None
dagworker.format_metrics_by_group = lambda metrics, _: metrics
update_actor, update_critic = minis(DataParallelPPOActor, "actor_module", "actor_optimizer"), minis(DataParallelPPOCritic, "critic_module", "critic_optimizer")
whole = {"metrics": {}, "response_mask": 1, "global_token_num": 1, "token_level_rewards": torch.ones(1)}
agents = {
    NodeRole.ROLLOUT: Fake(generate_sequences=worker(7)),
    NodeRole.ACTOR: Fake(compute_log_prob=worker(4), update_actor=update_actor),
    NodeRole.REFERENCE: Fake(compute_ref_log_prob=worker(5)),
    NodeRole.CRITIC: Fake(compute_values=worker(8), update_critic=update_critic),
}
one = Worker()
off = Fake(enable=False)
one.__dict__.update(
    global_steps=int(os.environ.get("BEGIN", 3)), _rank=0, rollout_mode="sync", _multi_agent=False, timing_raw={}, enable_perf=False, taskgraph=graph, multi_agent_group={0: agents}, batch=Batch(whole),
    fails={"now": True}, metric_worker=Metrics(), check_mode=lambda: True, _gather_group=dist.group.WORLD, progress_bar=None,
    dataloader=Fake(total_training_steps=6, num_train_batches=7, run=lambda **_: None), logger=Fake(log=lambda **_: None),
    config=Fake(trainer=Fake(total_epochs=1, save_freq=0, test_freq=0, critic_warmup=0), profiler=Fake(profile_steps=[]),
                algorithm=Fake(filter_groups=off), actor_rollout_ref=Fake(model=Fake(), rollout=Fake(n=1, multi_turn=off))))
one._run_training_loop()
print(one.global_steps)
