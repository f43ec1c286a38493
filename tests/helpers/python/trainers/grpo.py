"""grpo.py [rloo]: TRL's GRPOTrainer, or RLOOTrainer: 4 steps, 8 micro-batches, completions of a model of random numbers generated and rewarded twice."""
import sys

import device
import datasets
import tokenizers
import transformers
import trl

counted, generated = device.Counted(), []
kind = "RLOO" if sys.argv[1:] == ["rloo"] else "GRPO"
words = {word: i for i, word in enumerate(["<pad>", "<eos>"] + [f"w{i}" for i in range(30)])}
tokenizer = transformers.PreTrainedTokenizerFast(
    tokenizer_object=tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<pad>")), pad_token="<pad>", eos_token="<eos>")
tokenizer.backend_tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()


class Trainer(getattr(trl, kind + "Trainer")):
    def _generate_and_score_completions(self, *args):
        before = device.made
        result = super()._generate_and_score_completions(*args)
        generated.append(device.made - before)
        return result


class Steps(transformers.TrainerCallback):
    def on_step_end(self, *_, **__):
        counted.step_ended()


transformers.set_seed(1)
model = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=len(words), n_positions=64, n_embd=16, n_layer=1, n_head=2, pad_token_id=0,
                                                             bos_token_id=1, eos_token_id=1))
model.register_forward_pre_hook(lambda *_: device.call())
data = datasets.Dataset.from_dict({"prompt": [f"w{i} w{i + 1}" for i in range(8)]})
settings = getattr(trl, kind + "Config")(
    "trained", per_device_train_batch_size=2, gradient_accumulation_steps=2, steps_per_generation=4, num_generations=2, max_completion_length=8, max_steps=4,
    beta=0.0, save_strategy="no", report_to=[], use_cpu=True, disable_tqdm=True, logging_strategy="no", bf16=False)


def reward(completions, **_):
    device.call(5)
    return [float(len(c)) for c in completions]


Trainer(model, reward, settings, train_dataset=data, processing_class=tokenizer,
        callbacks=[Steps()]).train()
counted.say(*generated)
