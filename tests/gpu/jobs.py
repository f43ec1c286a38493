"""jobs.py JOB: ten steps of a training loop as people write them, with fixed seeds; nothing in it knows of ranktrace. Prints `loss BITS` of each.

JOB: plain, fused, sgd, compiled, ddp, fsdp, graph (a step is a replay), trainer (Hugging Face's), generate (decodes ten tokens: their hash).
Ends with 77 where a package is missing.
"""
import hashlib
import os
import sys

import torch
from train import deterministic, network, say

STEPS, WIDTH, MISSING = 10, 64, 77  # WIDTH: of what the network is given


def loop(net, optimizer):
    points = torch.utils.data.TensorDataset(torch.randn(8 * STEPS, 32, WIDTH, generator=torch.Generator().manual_seed(2)))
    for (x,) in torch.utils.data.DataLoader(points, batch_size=8):
        x = x.cuda()
        optimizer.zero_grad()
        loss = (net(x) - x).square().mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        say(loss.item())


def plain(fused=False):
    net = network()
    loop(net, torch.optim.AdamW(net.parameters(), lr=1e-3, fused=fused))


def sgd():
    net = network()
    loop(net, torch.optim.SGD(net.parameters(), lr=1e-2))


def compiled():
    net = network()
    loop(torch.compile(net), torch.optim.AdamW(net.parameters(), lr=1e-3))


def parallel(wrap):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
    torch.distributed.init_process_group("nccl", rank=0, world_size=1)
    net = wrap(network())
    loop(net, torch.optim.AdamW(net.parameters(), lr=1e-3))
    torch.distributed.destroy_process_group()


def fsdp():
    from torch.distributed.fsdp import FullyShardedDataParallel
    parallel(FullyShardedDataParallel)


def graph():
    net = network()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, capturable=True)
    x = torch.randn(8, 32, WIDTH, device="cuda", generator=torch.Generator("cuda").manual_seed(3))

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = (net(x) - x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        loss = step()
    for i in range(STEPS):
        x.copy_(torch.randn(8, 32, WIDTH, generator=torch.Generator().manual_seed(i)))
        captured.replay()
        say(loss.item())


def llama(transformers, **more):
    torch.manual_seed(1)
    config = transformers.LlamaConfig(vocab_size=512, hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4,
                                      num_key_value_heads=4, attn_implementation="eager", **more)
    return transformers.LlamaForCausalLM(config).cuda()


def trainer():
    import transformers

    class Losses(transformers.TrainerCallback):
        def on_log(self, args, state, control, logs=None, **more):
            if logs and "loss" in logs:
                say(logs["loss"])

    rows = torch.randint(0, 512, (8 * STEPS, 64), generator=torch.Generator().manual_seed(2))
    settings = transformers.TrainingArguments("trained", per_device_train_batch_size=8, max_steps=STEPS, report_to=[], save_strategy="no",
                                              logging_steps=1, disable_tqdm=True)
    its = transformers.Trainer(llama(transformers, use_cache=False), settings, train_dataset=[{"input_ids": r, "labels": r} for r in rows],
                               callbacks=[Losses()])
    its.remove_callback(transformers.PrinterCallback)
    its.train()


def generate():
    import transformers
    net = llama(transformers).eval()
    tokens = net.generate(torch.arange(16).reshape(1, 16).cuda(), max_new_tokens=STEPS, do_sample=False)
    print("loss", hashlib.sha256(tokens.cpu().numpy().tobytes()).hexdigest()[:16])


JOBS = {"plain": plain, "fused": lambda: plain(True), "sgd": sgd, "compiled": compiled, "fsdp": fsdp, "graph": graph, "trainer": trainer, "generate": generate,
        "ddp": lambda: parallel(lambda net: torch.nn.parallel.DistributedDataParallel(net, device_ids=[0]))}
if __name__ == "__main__":
    deterministic()
    try:
        JOBS[sys.argv[1]]()
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(MISSING)
