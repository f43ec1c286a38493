"""pace.py STEPS: trains a small model; the wall and CPU ns of every step but the first go to SWITCH_OUT, a line each. CPU time is
that of all threads, ours included.

PACE_VERL=1: a step's work is a micro-batch under the names of verl (verl_names.py), which --preset verl-0.8 watches.
SWITCH_BLOCK=n: with tests/bench/switch_npu.c, n steps with ranktrace, 2 n past it, 2 n with it and so on: its hooks in PyTorch's
optimizers and its functions in the place of verl's included. It prints what those cost a step, as `told=ns`. 0: always with.
"""
import ctypes
import os
import sys
import time

import torch
import torch.optim.optimizer as watched
import torch_npu  # noqa: F401
import verl_names

VERL = "PACE_VERL" in os.environ
BLOCK = int(os.environ.get("SWITCH_BLOCK", "0"))
turn_calls = getattr(ctypes.CDLL(None), "switch_turn", None)
HOOKS = [watched._global_optimizer_pre_hooks, watched._global_optimizer_post_hooks]
kept, ours = [], []


def turn(past):
    if turn_calls:
        turn_calls(past)
    if past:
        kept[:] = [dict(hooks) for hooks in HOOKS]
        ours[:] = verl_names.now()
    for hooks, its in zip(HOOKS, kept):
        hooks.clear()
        hooks.update({} if past else its)
    verl_names.put(verl_names.THEIRS if past else ours)


def is_watched():
    return verl_names.now() != verl_names.THEIRS if VERL else all(HOOKS)


def wait_for_hooks():
    """Else the first steps would all be one to ranktrace. It comes between two calls, when it can."""
    until = time.monotonic() + 60
    while hasattr(ctypes.CDLL(None), "ranktrace_step") and not is_watched():
        torch.npu.synchronize()
        if time.monotonic() > until:
            sys.exit("ranktrace does not watch this loop")


def told(optimizer):
    """The best of some rounds, less what the same takes past us."""
    number = iter(range(10 ** 5, 10 ** 6))  # not selected yet

    def once():
        begin = time.perf_counter_ns()
        for _ in range(1000):
            for hooks in HOOKS:
                for hook in hooks.values():
                    hook(optimizer, (), {})
            verl_names.micro_batch(int, next(number))
        return time.perf_counter_ns() - begin

    with_us = min(once() for _ in range(20))
    turn(1)
    return (with_us - min(once() for _ in range(20))) / 1000


def train(steps):
    torch.npu.set_device(0)
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).npu()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    points, classes = torch.randn(8, 8).npu(), torch.randint(0, 4, (8,)).npu()

    def work():
        loss = torch.nn.functional.cross_entropy(net(points), classes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.npu.synchronize()

    wait_for_hooks()
    past = 0
    for step in range(1, steps + 1):
        if VERL:
            verl_names.micro_batch(work, step)
        else:
            work()
        yield time.monotonic_ns(), time.process_time_ns()
        if BLOCK and past != (step // BLOCK + 1) // 2 % 2:
            past = 1 - past
            turn(past)
    if past:
        turn(0)
    if BLOCK:
        print("told=%.0f" % told(optimizer))


stamps = list(train(int(sys.argv[1])))
with open(os.environ["SWITCH_OUT"], "w") as f:
    for (w0, c0), (w1, c1) in zip(stamps, stamps[1:]):
        f.write("%d %d\n" % (w1 - w0, c1 - c0))
