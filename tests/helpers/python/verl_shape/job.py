"""job.py train FIRST: three steps behind step FIRST in verl's shape, the rollout's engine in a process of its own, as verl has it.
job.py engine: that process; it does what its standard input says (weights, decode), and says done. ENGINE_STEPS: what it records.
job.py publish N: a training process that has ended step N, and waits.
job.py critic: three steps of a critic that is alone.
"""
import asyncio
import os
import subprocess
import sys

from device import call

call(1)  # the first one, before anything of verl's is imported


def engine():
    from verl.workers.rollout.vllm_rollout.utils import vLLMColocateWorkerExtension
    from vllm.v1.worker.gpu_worker import Worker

    class Output:
        total_num_scheduled_tokens = 8

    weights, worker = vLLMColocateWorkerExtension(), Worker()
    for line in sys.stdin:
        if line == "weights\n":
            weights.update_weights_from_ipc()
        else:
            worker.execute_model(Output())
            worker.sample_tokens()
        print("done", flush=True)


class Rollout:
    """Knows nothing of Python's asyncio: the trainer waits for it."""

    def __init__(self):
        steps = os.environ.get("ENGINE_STEPS")
        env = {**os.environ, "RANK": "1", **({"RANKTRACE_STEPS": steps} if steps else {})}
        self.process = subprocess.Popen([sys.executable, __file__, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def ask(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def end(self):
        self.process.communicate()


def train(first):
    from verl.workers.engine_workers import ActorRolloutRefWorker

    one = ActorRolloutRefWorker()
    one.rollout = rollout = Rollout()
    asyncio.run(one.update_weights(global_steps=first))
    for n in range(first + 1, first + 4):
        for _ in range(n - first):
            rollout.ask("decode")
        one.update_actor({"mini": [[1]]})
        asyncio.run(one.update_weights(global_steps=n))
        asyncio.run(one.update_weights())  # validation
    rollout.end()


def publish(n):
    from verl.workers.engine_workers import ActorRolloutRefWorker

    asyncio.run(ActorRolloutRefWorker().update_weights(global_steps=n))
    print("published", flush=True)
    sys.stdin.read()


def critic():
    from verl.workers.engine_workers import TrainingWorker

    one = TrainingWorker("value_model")
    for _ in range(3):
        one.infer_batch({"micro": [3]})
        one.train_mini_batch({"mini": [[1]]})


{"train": train, "engine": engine, "publish": publish, "critic": critic}[sys.argv[1]](*map(int, sys.argv[2:]))
