"""on_cuda.py: three steps of verl's engine workers with models, losses and optimizers of torch, on CUDA; where verl is, is kept (kept.py)."""
import engines
import stubs
from fakes import group_of_one
from kept import Places

stubs.only_for("verl", "vllm", "sglang", "tensordict", never=["torch_npu", "flash_attn", "amdsmi", "libtpu", "flashinfer", "aiter", "triton"])
import torch  # noqa: E402
from verl.workers.engine.fsdp import transformer_impl  # noqa: E402

places = Places()


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(1, 64), torch.nn.GELU(), torch.nn.Linear(64, 1))

    def forward(self, points, use_cache):
        return self.layers(points)


class Engine(engines.base("cuda")):
    _qat_enabled = False

    def __init__(self):
        self._autocast_dtype, self.optimizer_config = torch.float32, engines.Fake(clip_grad=1.0)
        self.module = Model().cuda()
        self.optimizer = torch.optim.AdamW(self.module.parameters())

    def prepare_model_inputs(self, micro_batch):
        return {"points": micro_batch["loss_mask"]}, {}

    def prepare_model_outputs(self, output, **kwargs):
        self.output = output
        return {}

    def loss(self, **kwargs):
        return self.output.square().mean(), {}

    def optimizer_zero_grad(self):
        places.mini()
        super().optimizer_zero_grad()


transformer_impl.get_device_name = places.micro  # which is the first that forward_step asks
group_of_one("cpu:gloo,cuda:nccl")
weights = torch.zeros(1024, device="cuda")
engines.train(Engine, weights.clone, stage=places.stage)
torch.distributed.destroy_process_group()
print(places)
