"""job.py train FIRST: three steps behind step FIRST in verl's shape, the rollout's engine in a process of its own, as verl has it.
job.py engine: that process; it does what its standard input says (weights, decode), and says done. ENGINE_STEPS: what it records.
job.py sglang: the same of SGLang, which takes its weights in two pieces, and has its memory back before and behind them.
job.py publish N: a training process that has ended step N, and waits.
job.py critic [PATH]: three steps of a critic that is alone, behind the checkpoint of that path.
job.py ref: three steps of a reference that is alone.
job.py older ROLE [PATH]: the same of a worker as verl 0.6 has it, an actor, a ref or a critic.
job.py loop [tq|forked]: an agent loop, or the forked child of one, which does what its standard input says (train N, validate N, end), and says done.
job.py validated [tq|forked]: as train 0, with a validation first and behind each step, as agent loops have it.
job.py server KIND REPLICA: vLLM's or SGLang's server, and an engine that it has a process start.
"""
import asyncio
import os
import subprocess
import sys

from device import call

if sys.argv[1] not in ("loop", "server"):  # these call no device
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


def sglang():
    from sglang.srt.managers.scheduler import Request, Scheduler

    one = Scheduler()
    for line in sys.stdin:
        if line == "weights\n":
            one.resume_memory_occupation(Request(tags=["weights"]))
            one.update_weights_from_tensor(Request())
            one.update_weights_from_tensor(Request())
            one.resume_memory_occupation(Request(tags=["kv_cache"]))
        elif line == "wake up\n":
            one.resume_memory_occupation(Request(tags=["kv_cache", "weights"]))
        else:
            one.run_batch(None)
        print("done", flush=True)


def loop(how=""):
    from verl.experimental.agent_loop.agent_loop import AgentLoopWorker

    class Data:
        def __init__(self, meta_info):
            self.meta_info = meta_info

        def __getitem__(self, item):
            raise TypeError(item)

    def work():
        print("done", flush=True)
        sys.stdin.readline()
    if how == "tq":
        import tq as module
        AgentLoopWorker, Data = module.make(), dict
        import decimal  # noqa: F401 whatever is imported next
    one = AgentLoopWorker(work)
    if how == "forked" and os.fork():
        os.wait()
        return
    for line in sys.stdin:
        word, n = line.split()
        asyncio.run(one.generate_sequences(Data({"global_steps": int(n), **({"validate": True} if word == "validate" else {})})))
        print("done", flush=True)


class Rollout:
    """Knows nothing of Python's asyncio: the trainer waits for it."""

    def __init__(self, *words):
        steps = os.environ.get("ENGINE_STEPS")
        env = {**os.environ, "RANK": "1", **({"RANKTRACE_STEPS": steps} if steps else {})}
        self.process = subprocess.Popen([sys.executable, __file__, *(words or ["engine"])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

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


def validated(*how):
    from verl.workers.engine_workers import ActorRolloutRefWorker

    def generate(what, decodes):
        agent_loop.ask(what)
        for _ in range(decodes):
            rollout.ask("decode")
        agent_loop.ask("end")
    one = ActorRolloutRefWorker()
    agent_loop = Rollout("loop", *how)
    agent_loop.ask("train 0")
    agent_loop.ask("end")
    one.rollout = rollout = Rollout()
    asyncio.run(one.update_weights(global_steps=0))
    generate("validate 0", 2)
    for n in range(1, 4):
        generate("train %d" % n, 3)
        one.update_actor({"mini": [[1]]})
        asyncio.run(one.update_weights(global_steps=n))
        generate("validate %d" % n, 1)
        generate("validate %d" % n, 1)
    rollout.end()
    agent_loop.end()


def publish(n):
    from verl.workers.engine_workers import ActorRolloutRefWorker

    asyncio.run(ActorRolloutRefWorker().update_weights(global_steps=n))
    print("published", flush=True)
    sys.stdin.read()


def critic(*path):
    from verl.workers.engine_workers import TrainingWorker

    one = TrainingWorker("value_model")
    one.load_checkpoint(*path or [None])
    for _ in range(3):
        one.infer_batch({"micro": [3]})
        one.train_mini_batch({"mini": [[1]]})


def ref():
    from verl.workers.engine_workers import ActorRolloutRefWorker

    one = ActorRolloutRefWorker("ref")
    for n in range(3):
        one.compute_ref_log_prob({"micro": [n + 1]})


def older(role, *path):
    from verl.workers.fsdp_workers import ActorRolloutRefWorker, CriticWorker

    one = CriticWorker() if role == "critic" else ActorRolloutRefWorker(role)
    one.load_checkpoint(*path or [None])
    for n in range(3):
        if role == "critic":
            one.compute_values(n + 1)
            one.update_critic(1)
        else:
            one.compute_ref_log_prob(n + 1)
        if role == "actor":
            one.update_actor(n + 4)


def server(kind, replica):
    from verl.workers.rollout.sglang_rollout.async_sglang_server import SGLangHttpServer
    from verl.workers.rollout.vllm_rollout.vllm_async_server import vLLMHttpServer

    {"vllm": vLLMHttpServer, "sglang": SGLangHttpServer}[kind](None, None, None, [], replica_rank=int(replica), node_rank=0)
    subprocess.run(["sh", "-c", '"$0" "$@"; exit', sys.executable, __file__, "engine"], env={**os.environ, "RANK": "1"}, check=True, stdout=subprocess.DEVNULL)


what = {"train": train, "engine": engine, "sglang": sglang, "publish": publish, "critic": critic, "ref": ref, "older": older, "server": server, "loop": loop, "validated": validated}
what[sys.argv[1]](*(int(word) if word.isdigit() else word for word in sys.argv[2:]))
