"""loop.py [rollout]: the job of tests/helpers/python/verl_shape (train.py) with operators of torch_npu.

LOOP_KEEPS=FILE: without ranktrace. Wherever verl's code enters or leaves what is a stage, a batch or a step to it, torch_npu's queue
is emptied and the calls are taken down that the simulated CANN has counted since: a line for each interval, `{"step", "role",
"occurrence", "mini", "micro", "calls": [[path of symbols, how often]]}`, null outside.
"""
import os
import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "helpers/python/verl_shape"))
import device  # noqa: E402, F401 the one beside this file
from places import Places  # noqa: E402


class Watched(Places):
    """By the functions of verl that presets name, as their comments say it."""

    def called(self, frame, name, local):
        is_critic = "self" in local and hasattr(local["self"], "config") and local["self"].config.model_type == "value_model"
        if name == "compute_log_prob":
            self.begin("ref_compute_log_prob" if local["data"].get("no_lora_adapter") else "actor_compute_log_prob", frame)
        elif name == "update_actor":
            self.begin("actor_update", frame)
        elif name == "infer_batch" and is_critic:
            self.begin("compute_values", frame)
        elif name == "train_mini_batch" and is_critic:
            self.begin("critic_update", frame)
        elif name == "train_batch" and hasattr(local["self"], "config"):
            self.batch("mini")
        elif name == "forward_step":
            self.batch("micro")
        elif name == "execute_model" and local["scheduler_output"].total_num_scheduled_tokens:
            self.begin("rollout", None)
            self.batch("micro")

    def returned(self, frame, name, local):
        if frame is self.frame:
            self.end()
            self.frame = None
        elif name == "update_weights" and local["global_steps"] is not None:
            self.step(local["global_steps"] + 1)
        elif name == "update_weights_from_ipc":
            self.step((self.now["step"] or 0) + 1)

    def profile(self, frame, event, _):
        if event in ("call", "return") and "/verl_shape/" in frame.f_code.co_filename:
            (self.called if event == "call" else self.returned)(frame, frame.f_code.co_name, frame.f_locals)


def main():
    if "LOOP_KEEPS" not in os.environ:
        import train  # noqa: F401
        return
    with open(os.environ["LOOP_KEEPS"], "w") as output:
        places = Watched(output)
        sys.setprofile(places.profile)
        import train  # noqa: F401, F811
        sys.setprofile(None)
        places.keep()


main()
