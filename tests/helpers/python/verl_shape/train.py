"""train.py [rollout]: three steps in verl's shape. In one process the actor, its reference and the critic; in the other the rollout."""
import asyncio
import sys

from device import call

call(1)  # the first one, before anything of verl's is imported
STEPS = 3


def rollout():
    from verl.workers.rollout.vllm_rollout.utils import vLLMColocateWorkerExtension
    from vllm.v1.worker.gpu_worker import Worker

    class Output:
        def __init__(self, tokens):
            self.total_num_scheduled_tokens = tokens

    weights, worker = vLLMColocateWorkerExtension(), Worker()
    weights.update_weights_from_ipc()
    for _ in range(STEPS):
        for _ in range(100):
            worker.execute_model(Output(8))
            worker.sample_tokens()
        worker.execute_model(Output(0))
        weights.update_weights_from_ipc()


def train():
    from verl.workers.engine_workers import ActorRolloutRefWorker, TrainingWorker

    one, critic = ActorRolloutRefWorker(), TrainingWorker("value_model")
    critic.reset()
    one.init_model()
    asyncio.run(one.update_weights(global_steps=0))
    for n in range(STEPS):
        one.compute_log_prob({"micro": [1, 2]})
        one.compute_log_prob({"micro": [5], "no_lora_adapter": True})
        critic.infer_batch({"micro": [3]})
        critic.train_mini_batch({"mini": [[1, 1], [1, 1]]})
        one.update_actor({"mini": [[10 + n] * 8] * 4})
        asyncio.run(one.update_weights(n + 1, mode="naive"))
    asyncio.run(one.update_weights())  # validation


rollout() if sys.argv[1:] == ["rollout"] else train()
