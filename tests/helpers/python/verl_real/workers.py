"""workers.py KIND: the real workers of the verl that is imported, three steps of them, on no device.

KIND: engine (0.7 and later), fsdp or megatron (0.7), or rollout (with the real vLLM) or sglang, the engines. Between verl's functions, which are verl's own, stand
calls of a library that counts as the device; where they end in nothing that is verl's, Enough is raised.
"""
import asyncio
import contextlib
import importlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../verl_shape"))
from device import call  # noqa: E402
sys.path.pop(0)
import engines  # noqa: E402
import stubs  # noqa: E402
from engines import batch  # noqa: E402
from fakes import Enough, Fake, group_of_one  # noqa: E402

call(1)  # the first one, before anything of verl's is imported


answers = os.dup(1)
os.dup2(2, 1)  # vLLM writes what it has to say on standard output


def enough(times):
    def function(*args, **kwargs):
        call(times)
        raise Enough
    return function


def until_enough(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Enough:
        return
    raise SystemExit(f"{function} has not called what it should")


# ---- engine workers ----


def engine_class():
    import torch

    class Engine(engines.base("cpu")):
        """The model is a call of the device: so are its backward pass and its optimizer."""
        calls = 1

        def __init__(self):
            self._autocast_dtype = torch.float32
            self.module = lambda **kwargs: call(self.calls)

        def loss(self, **kwargs):
            return torch.tensor(1.0, requires_grad=True), {}

        def optimizer_zero_grad(self):
            pass

        def optimizer_step(self):
            call(2)
            return 0.0
    return Engine


class Rollout:
    """An engine in a process of its own, as verl has it; it is asked, and waited for."""

    def __init__(self, kind):
        env = {name: value for name, value in os.environ.items() if name != "RANK"}
        path = os.pathsep.join([os.environ["PYTHONPATH"], os.environ["ENGINE_PATH"]])
        self.process = subprocess.Popen([sys.executable, __file__, kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**env, "PYTHONPATH": path})

    def ask(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline() != "done\n":
            raise SystemExit("the engine has ended")

    def end(self):
        self.process.communicate()


def engine(rollout=None):
    group_of_one()
    rollout = Rollout(rollout) if rollout else Fake(ask=lambda word: None, end=lambda: None)

    def send_weights():
        call(3)
        rollout.ask("weights")

    def begin(actor, n):
        actor.engine.calls = n - 40
        for _ in range(n - 40):
            rollout.ask("decode")
    engines.train(engine_class(), send_weights, begin)
    rollout.end()


# ---- engines of the rollout, which do what their standard input says ----


def answer(weights, decode):
    for line in sys.stdin:
        {"weights\n": weights, "decode\n": decode}[line]()
        os.write(answers, b"done\n")


def vllm():
    from verl.workers.rollout.vllm_rollout import bucketed_weight_transfer
    from verl.workers.rollout.vllm_rollout.utils import vLLMColocateWorkerExtension
    from vllm.v1.worker import gpu_worker
    gpu_worker.get_pp_group = lambda: Fake(is_first_rank=True)
    bucketed_weight_transfer.BucketedWeightReceiver = lambda **where: Fake(receive_weights=lambda on_bucket_received: call(2))
    gpu_worker.Worker.__bases__ += (vLLMColocateWorkerExtension,)  # as vLLM itself does
    worker = gpu_worker.Worker.__new__(gpu_worker.Worker)
    config = Fake(parallel_config=Fake(pipeline_parallel_size=1), compilation_config=Fake())
    worker.__dict__.update(rank=5, device="cpu", _is_qat_model=False, _is_modelopt_qat=False, _pp_send_work=None, use_v2_model_runner=False, vllm_config=config)
    worker.model_runner = Fake(execute_model=lambda *what: call(1), vllm_config=config)
    worker._get_zmq_handle, worker.annotate_profile, worker.remove_lora = lambda: None, lambda what: contextlib.nullcontext(), lambda number: None

    def decode():
        worker.execute_model(Fake(total_num_scheduled_tokens=8))
        worker.execute_model(Fake(total_num_scheduled_tokens=0))
    answer(lambda: worker.update_weights_from_ipc(peft_config={"r": 1}, base_sync_done=True), decode)


def sglang():
    import torch._dynamo  # noqa: F401 before there is something like triton
    import torch._inductor.select_algorithm  # noqa: F401
    finder.stand_in("triton").runtime = None  # so that this is no device's
    from sglang.srt.managers.scheduler import Scheduler
    from sglang.srt.managers.scheduler_update_weights_mixin import SchedulerUpdateWeightsMixin
    assert issubclass(Scheduler, SchedulerUpdateWeightsMixin)
    group_of_one()
    scheduler = Scheduler.__new__(Scheduler)
    scheduler.__dict__.update(forward_ct=0, _profile_batch_predicate=enough(2), tp_cpu_group=None, draft_worker=None, flush_cache_after_weight_update=lambda what: None)
    scheduler.tp_worker = Fake(update_weights_from_tensor=lambda what: call(1) or (True, ""))

    def weights():
        for _ in range(2):  # buckets
            scheduler.update_weights_from_tensor(Fake())
    answer(weights, lambda: until_enough(scheduler.run_batch, Fake()))


# ---- FSDP and Megatron workers, which later versions do not have ----


def parts_of_fsdp():
    """An actor and a critic of verl's: a mini-batch of either are two micro-batches, and the optimizer's step."""
    import torch
    from verl.workers.actor.dp_actor import DataParallelPPOActor
    from verl.workers.critic.dp_critic import DataParallelPPOCritic

    def part(of, module, optimizer):
        has = {"config": Fake(grad_clip=1.0, get=enough(3)), module: torch.nn.Linear(1, 1), optimizer: Fake(step=lambda: call(2), zero_grad=lambda: None)}
        self = Fake(**has)
        responses = Fake(size=enough(3))

        def mini():
            for _ in range(2):
                until_enough(of._forward_micro_batch, self, {"responses": responses}, *([1.0] if of is DataParallelPPOActor else []))
            call(1)
            self.__dict__[module](torch.ones(1)).backward()
            of._optimizer_step(self)
        return mini
    return part(DataParallelPPOActor, "actor_module", "actor_optimizer"), part(DataParallelPPOCritic, "critic_module", "critic_optimizer")


def parts_of_megatron():
    from verl.workers.actor.megatron_actor import MegatronPPOActor
    from verl.workers.critic.megatron_critic import MegatronPPOCritic

    def part(of):
        return lambda: until_enough(of.forward_backward_batch, Fake(), Fake(to=enough(3)))
    return part(MegatronPPOActor), part(MegatronPPOCritic)


def worker(of, **has):
    """With the class's own methods, and nothing that its constructor makes."""
    self = type("Bare", (of,), {"__init__": lambda self: None, "__getattr__": lambda self, name: None if name[:2] != "__" else object.__getattribute__(self, name)})()
    self.__dict__.update(ulysses_sharding_manager=contextlib.nullcontext(), config=Forgiving(), tokenizer=Fake(pad_token_id=0), _is_actor=True, _is_ref=True, **has)
    return self


class Forgiving:
    """Settings of which any may be asked."""

    def __getattr__(self, name):
        return Forgiving()


class Data(Fake):
    def __init__(self):
        super().__init__(meta_info={}, to=lambda device: self, select=lambda **which: self)


def older(workers, parts):
    """The same for both: what a worker calls makes two mini-batches, and verl's function ends there."""
    module = importlib.import_module("verl.workers." + workers)
    update_actor, update_critic = parts()

    def two_of(mini):
        def function(*args, **kwargs):
            call(1)
            mini()
            mini()
            raise Enough
        return function

    async def rollout_mode():
        call(3)
    actor = worker(module.AsyncActorRolloutRefWorker, rollout_mode=rollout_mode,
                   actor=Fake(update_policy=two_of(update_actor), make_minibatch_iterator=lambda data: None, compute_log_prob=enough(4)),
                   ref_policy=Fake(compute_log_prob=enough(5)))
    critic = worker(module.CriticWorker, critic=Fake(compute_values=enough(6), update_critic=two_of(update_critic), make_minibatch_iterator=lambda data: None))
    asyncio.run(actor.update_weights(global_steps=40))
    for n in range(41, 44):
        until_enough(actor.compute_log_prob, Data())
        until_enough(actor.compute_ref_log_prob, Data())
        until_enough(critic.compute_values, Data())
        until_enough(critic.update_critic, Data())
        until_enough(actor.update_actor, Data())
        asyncio.run(actor.update_weights(n))
        asyncio.run(actor.update_weights())


# ---- the agent loop, which is told whether it validates ----


def agent_loop():
    """It ends where it looks for its settings: twice in a training, three times in a validation; the same as 0.9's own trainer has it."""
    from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
    from verl.protocol import DataProto
    data = {"global_steps": 3}, {"global_steps": 3, "validate": True}
    batches = [(AgentLoopWorker, [DataProto(meta_info=dict(what)) for what in data])]
    try:
        from verl.trainer.ppo.v1.agent_loop_tq import AgentLoopWorkerTQ
        batches.append((AgentLoopWorkerTQ.__ray_metadata__.modified_class, [batch(**what).chunk(2)[0] for what in data]))
    except ImportError:
        pass  # 0.7
    import decimal  # noqa: F401 whatever is imported next
    for of, (training, validation) in batches:
        one = of.__new__(of)
        for what in training, training, validation, validation, validation:
            try:
                asyncio.run(one.generate_sequences(what.clone() if hasattr(what, "clone") else what))
            except AttributeError as error:
                assert "config" in str(error), error


kinds = {"agent_loop": agent_loop, "engine": engine, "vllm": vllm, "sglang": sglang, "fsdp": lambda: older("fsdp_workers", parts_of_fsdp), "megatron": lambda: older("megatron_workers", parts_of_megatron)}
finder = stubs.only_for("verl", "vllm", "sglang", "tensordict", never=["torch_npu", "flash_attn", "amdsmi", "libtpu", "flashinfer", "aiter"] + ["triton"] * (sys.argv[1] != "sglang"))
kinds[sys.argv[1]](*sys.argv[2:])
