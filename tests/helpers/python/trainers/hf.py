"""hf.py [resume]: Hugging Face's Trainer: 20 micro-batches, 10 steps of a GPT-2 that is two layers of random numbers;
then the last two of 12, from its checkpoint."""
import sys

import device
import torch
import transformers

counted = device.Counted()


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, i):
        tokens = torch.arange(8) + i
        return {"input_ids": tokens, "labels": tokens}


class Steps(transformers.TrainerCallback):
    def on_step_end(self, *_, **__):
        counted.step_ended()


transformers.set_seed(1)
model = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=2, n_head=2))
model.register_forward_pre_hook(lambda *_: device.call(3))
settings = transformers.TrainingArguments("trained", per_device_train_batch_size=2, gradient_accumulation_steps=2, max_steps=10, save_strategy="no",
                                          report_to=[], use_cpu=True, disable_tqdm=True, logging_strategy="no")
trainer = transformers.Trainer(model, settings, train_dataset=Data(), callbacks=[Steps()])
trainer.train()
if sys.argv[1:] == ["resume"]:
    trainer.save_state()
    trainer._save_checkpoint(model, trial=None)
    settings.max_steps = 12
    trainer = transformers.Trainer(model, settings, train_dataset=Data())
    trainer.train(resume_from_checkpoint="trained/checkpoint-10")
counted.say()
