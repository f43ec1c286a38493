"""The base of all optimizers, with the hooks that torch.optim.optimizer has from 2.0 on."""
import collections
import functools
import itertools
import os
import sys

_global_optimizer_pre_hooks = collections.OrderedDict()
_global_optimizer_post_hooks = collections.OrderedDict()

for call in getattr(sys, "while_torch_is_imported", []):
    call()


def register_optimizer_step_pre_hook(hook):
    _global_optimizer_pre_hooks[len(_global_optimizer_pre_hooks)] = hook


def register_optimizer_step_post_hook(hook):
    _global_optimizer_post_hooks[len(_global_optimizer_post_hooks)] = hook


class Optimizer:
    def __init__(self, params):
        self.params = list(params)
        self._optimizer_step_pre_hooks, self._optimizer_step_post_hooks = {}, {}
        if not getattr(type(self).step, "hooked", False):
            type(self).step = self.profile_hook_step(type(self).step)
            type(self).step.hooked = True

    @staticmethod
    def profile_hook_step(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            self = args[0]
            for hook in itertools.chain(_global_optimizer_pre_hooks.values(), self._optimizer_step_pre_hooks.values()):
                result = hook(self, args, kwargs)
                if result is not None:
                    args, kwargs = result
            out = func(*args, **kwargs)
            for hook in itertools.chain(self._optimizer_step_post_hooks.values(), _global_optimizer_post_hooks.values()):
                hook(self, args, kwargs)
            return out

        return wrapper


if os.environ.get("TORCH_OLD"):
    del register_optimizer_step_pre_hook, register_optimizer_step_post_hook
