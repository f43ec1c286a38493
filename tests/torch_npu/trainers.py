"""trainers.py DEVICE hf|grpo learn|raise [SAID]: Hugging Face's Trainer, or TRL's GRPOTrainer, on a device: four steps of two micro-batches. What is
learnt is said to the last bit, and what is raised in the backward pass of the third step. DEVICE and SAID: as for stacks.py.

The Trainer learns by operators that the simulated CANN computes. GRPOTrainer's model is a GPT-2, most of whose operators compute nothing there: its
passes are those of a model that generates, and what they come to is the same each time.
"""
import os
import re
import sys
import traceback

import torch

DEVICE, KIND, HOW = sys.argv[1:4]
if DEVICE == "npu":
    import torch_npu  # noqa: F401
import transformers

import recorded

TOKENS = 8


class Steps(transformers.TrainerCallback):
    def __init__(self):
        self.losses, self.step = [], 0

    def on_step_begin(self, arguments, state, control, **_):
        self.step = state.global_step + 1

    def on_log(self, arguments, state, control, logs, **_):
        self.losses += [logs["loss"]] if "loss" in logs else []


steps = Steps()


def fails(gradient):
    if HOW == "raise" and steps.step == 3:
        raise ValueError("no gradient in step 3")
    return gradient


SETTINGS = dict(per_device_train_batch_size=2, gradient_accumulation_steps=2, max_steps=4, save_strategy="no", report_to=[], disable_tqdm=True,
                logging_steps=1, logging_nan_inf_filter=False, max_grad_norm=0, optim="adamw_torch", dataloader_pin_memory=False)


# ---- Hugging Face's Trainer ----


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)
        self.first.weight.register_hook(fails)

    def forward(self, points, labels):
        return {"loss": torch.nn.functional.cross_entropy(self.last(torch.relu(self.first(points))), labels)}


def hf():
    points = torch.randn(16, 8, generator=torch.Generator().manual_seed(1))
    data = [{"points": point, "labels": point[:4].argmax()} for point in points]
    return transformers.Trainer(Net(), transformers.TrainingArguments("trained", **SETTINGS, learning_rate=0.01), train_dataset=data, callbacks=[steps])


# ---- TRL's GRPOTrainer ----


class Model(transformers.GPT2LMHeadModel):
    def generate(self, input_ids, attention_mask, **_):
        """Of transformers' own what memory holds would decide how it goes on."""
        more = torch.ones(len(input_ids), 1, dtype=input_ids.dtype, device=input_ids.device)
        for _ in range(TOKENS):
            self(input_ids=input_ids, attention_mask=attention_mask)
            input_ids, attention_mask = torch.cat([input_ids, more], 1), torch.cat([attention_mask, more], 1)
        return input_ids


def reward(completions, **_):
    return [float(len(c)) for c in completions]


def grpo():
    import datasets
    import tokenizers
    import trl

    module = sys.modules[trl.GRPOTrainer.__module__]
    module.nanmin, module.nanmax = torch.min, torch.max  # these would ask whether all of memory is NaN

    class Trainer(trl.GRPOTrainer):
        def _generate_single_turn(self, prompts, *arguments, **named):
            super()._generate_single_turn(prompts, *arguments, **named)
            return [[2 + n for n in range(TOKENS)] for _ in prompts], None

    words = {word: i for i, word in enumerate(["<pad>", "<eos>"] + [f"w{i}" for i in range(30)])}
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<pad>")), pad_token="<pad>", eos_token="<eos>")
    tokenizer.backend_tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    model = Model(transformers.GPT2Config(vocab_size=len(words), n_positions=64, n_embd=16, n_layer=1, n_head=2, pad_token_id=0, bos_token_id=1,
                                          eos_token_id=1, attn_implementation="eager"))
    model.transformer.h[0].mlp.c_fc.weight.register_hook(fails)
    settings = trl.GRPOConfig("trained", **SETTINGS, steps_per_generation=4, num_generations=2, max_completion_length=TOKENS, beta=0.0, bf16=False)
    data = datasets.Dataset.from_dict({"prompt": [f"w{i} w{i + 1}" for i in range(8)]})
    return Trainer(model, reward, settings, train_dataset=data, processing_class=tokenizer, callbacks=[steps])


def say(text):
    os.write(1, (text + "\n").encode())


def work(trainer):
    try:
        trainer.train()
    except ValueError:
        say(re.sub(r"0x[0-9a-f]+", "0x", traceback.format_exc()))


def main():
    transformers.set_seed(1)
    trainer = {"hf": hf, "grpo": grpo}[KIND]()
    torch.ones(1).to(DEVICE)  # the device has begun, and ranktrace has asked Python
    with recorded.record(sys.argv[4:], DEVICE):
        work(trainer)
    getattr(torch, DEVICE).synchronize()
    if KIND == "hf":
        say(" ".join(["losses", *(float(loss).hex() for loss in steps.losses)]))
        say(" ".join(["weights", *(value.hex() for each in trainer.model.parameters() for value in each.flatten().tolist())]))


main()
