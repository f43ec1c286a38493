"""told.py CDLL | PyDLL: four steps that the trainer tells by ctypes, with a stage of micro-batches in each, of torch_npu's operators.

Another thread of Python's is busy meanwhile. LOOP_KEEPS: as loop.py.
"""
import ctypes
import os
import sys
import threading

from device import call
from places import Places

agent = getattr(ctypes, sys.argv[1])(None)
places = Places(open(os.environ["LOOP_KEEPS"], "w")) if "LOOP_KEEPS" in os.environ else None
if not places:
    agent.ranktrace_stage_begin.restype, agent.ranktrace_stage_end.argtypes = ctypes.c_uint64, [ctypes.c_uint64]


def step(n):
    places.step(n) if places else agent.ranktrace_step(ctypes.c_int64(n))


def stage_begin():
    return places.begin("actor_update", None) if places else agent.ranktrace_stage_begin(b"actor_update")


def micro_begin():
    places.batch("micro") if places else agent.ranktrace_micro_begin()


def stage_end(stage):
    places.end() if places else agent.ranktrace_stage_end(stage)


def train():
    for n in range(1, 5):
        step(n)
        call(20)
        stage = stage_begin()
        for _ in range(4):
            micro_begin()
            call(10)
        stage_end(stage)
        call(5)


def be_busy():
    while not ended.is_set():
        sum(range(1000))


ended = threading.Event()
other = threading.Thread(target=be_busy)
other.start()
try:
    train()
    if places:
        places.end()
finally:
    ended.set()
    other.join()
