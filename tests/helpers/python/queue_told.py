"""queue_told.py HOW [STEPS]: a trainer with a made-up torch.npu, which launches three calls a step when its queue is emptied, and then only.

HOW it tells its steps (ranktrace_step):
cdll, pydll   by ctypes, which lets the GIL go, or does not
thread        by ctypes, not on the main thread, which is busy meanwhile
stages        by ctypes; and in each step stages, micro-batches
c             by ctypes through a library of C (TELLER), for which nobody can wait
raises        emptying the queue fails
interrupt     the user's Ctrl-C comes while the queue is emptied before step 2; says what the trainer gets, and whose it is
"""
import ctypes
import os
import signal
import sys
import threading
import types

library = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"])
how = sys.argv[1]
agent = (ctypes.PyDLL if how == "pydll" else ctypes.CDLL)(os.environ["TELLER"] if how == "c" else None)
begin_stage, end_stage = getattr(agent, "ranktrace_stage_begin", None), getattr(agent, "ranktrace_stage_end", None)
queue = []


class Stream:
    @property
    def npu_stream(self):
        if how == "raises":
            raise RuntimeError("the device is lost")
        if how == "interrupt" and len(queue) == 3:
            os.kill(os.getpid(), signal.SIGINT)
            signal.sigpending()  # it has come by the next line
        while queue:
            library.clFinish(queue.pop())
        return 0


npu = types.ModuleType("torch.npu")
npu.is_initialized, npu.current_stream = lambda: True, Stream
torch = sys.modules["torch"] = types.ModuleType("torch")
torch.npu = sys.modules["torch.npu"] = npu
library.clFinish(None)


def tell(n):
    if how == "c":
        agent.tell(ctypes.c_int64(n))
        return
    try:
        agent.ranktrace_step(ctypes.c_int64(n))
        for _ in range(3):
            pass
    except BaseException as error:
        print(type(error).__name__, n, flush=True)


def stages():
    begin_stage.restype, end_stage.argtypes = ctypes.c_uint64, [ctypes.c_uint64]
    stage = begin_stage(b"rollout")
    for _ in range(5):
        agent.ranktrace_micro_begin()
        queue.extend([None] * 2)
    end_stage(stage)


def train():
    for n in range(1, 5):
        tell(n)
        queue.extend([None] * 3)
        if how == "stages":
            stages()


if how == "thread":
    trainer = threading.Thread(target=train)
    trainer.start()
    while trainer.is_alive():
        sum(range(1000))
else:
    train()
how = "end"
Stream().npu_stream
