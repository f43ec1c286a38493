"""engines.py - three steps of verl's engine workers, which are verl's own, over an engine that a test makes."""
import asyncio
import contextlib

from fakes import Fake


def base(device):
    """verl's FSDP engine without a model."""
    from verl.workers.engine.fsdp import transformer_impl
    transformer_impl.get_device_id = transformer_impl.get_device_name = lambda: device

    class Engine(transformer_impl.FSDPEngineWithLMHead):
        ulysses_sequence_parallel_size = 1
        use_ulysses_sp = False

        def prepare_model_inputs(self, micro_batch):
            return {}, {}

        def prepare_model_outputs(self, **kwargs):
            return {}

        def train_mode(self, **kwargs):
            return contextlib.nullcontext()

        eval_mode = train_mode

        def disable_adapter(self):
            return contextlib.nullcontext()

        def get_data_parallel_size(self):
            return 1

        def get_data_parallel_rank(self):
            return 0

        def get_data_parallel_group(self):
            return None

        def is_mp_src_rank_with_outputs(self):
            return False

        def lr_scheduler_step(self):
            return None

        def _gradient_sync_context(self, is_last_micro_batch):
            return contextlib.nullcontext()
    return Engine


def batch(**more):
    import torch
    from verl.utils import tensordict_utils as tu
    return tu.get_tensordict(tensor_dict={"loss_mask": torch.ones(8, 1), "input_ids": torch.nested.nested_tensor([torch.ones(1)] * 8, layout=torch.jagged)},
                             non_tensor_dict={"use_dynamic_bsz": False, "micro_batch_size_per_gpu": 1, **more})


def training_worker(model_type, engine):
    from verl.workers.engine_workers import TrainingWorker
    one = TrainingWorker.__new__(TrainingWorker)
    one.config, one.engine, one.loss_fn = Fake(model_type=model_type), engine, engine.loss
    one.engine_config, one.model_config, one.profiler = Fake(), Fake(get=lambda *key: False), Fake(step=lambda: None, check_enable=lambda: False)
    return one


def call_it(step, role, function, *arguments):
    return function(*arguments)


def train(Engine, send_weights, begin=lambda actor, step: None, stage=call_it):
    """Steps 41 to 43. Each of verl's functions is called by stage(step, its role or None, function, argument...)."""
    from verl.workers.engine_workers import ActorRolloutRefWorker

    async def send(*args, **kwargs):
        send_weights()

    def update_weights(*step):
        asyncio.run(one.update_weights(*step))
    one = ActorRolloutRefWorker.__new__(ActorRolloutRefWorker)
    one.enable_routing_replay, one._is_actor = False, True
    one.actor, one.ref = training_worker("language_model", Engine()), training_worker("language_model", Engine())
    critic = training_worker("value_model", Engine())
    one.actor.engine.get_per_tensor_param = lambda: (None, None)
    one.checkpoint_engine = Fake(send_weights=send)
    one.config = Fake(rollout=Fake(checkpoint_engine=Fake(backend="nccl")))
    stage(None, None, update_weights, 40)
    for n in range(41, 44):
        begin(one.actor, n)
        stage(n, "actor_compute_log_prob", one.compute_log_prob, batch())
        stage(n, "ref_compute_log_prob", one.compute_log_prob, batch(no_lora_adapter=True))
        stage(n, "ref_compute_log_prob", one.compute_ref_log_prob, batch())
        stage(n, "compute_values", critic.infer_batch, batch())
        stage(n, "critic_update", critic.train_mini_batch, batch(mini_batch_size=4))
        stage(n, "actor_update", one.update_actor, batch(mini_batch_size=2))
        stage(n, None, update_weights, n)
        stage(n + 1, None, update_weights)  # as a validation may
