"""queue_told.py HOW [STEPS]: a trainer with a made-up torch.npu, which launches three calls a step when its queue is emptied, and then only.

HOW it tells its steps (ranktrace_step):
cdll, pydll   by ctypes, which lets the GIL go, or does not
thread        by ctypes, not on the main thread, which is busy meanwhile
stages        by ctypes; and in each step stages, micro-batches
c             by ctypes through a library of C (TELLER), for which nobody can wait
raises        emptying the queue fails
ending        by ctypes; the last step on a daemon thread while Python ends, stopped where it is about to wait (python_end.c)
asked         by ctypes; `ranktrace ctl start` is called in step 1, and stop in step 5
within        by ctypes, step 2 in a subinterpreter, which has the GIL
interrupt     the user's Ctrl-C comes while the queue is emptied before step 2; says what the trainer gets, and whose it is
"""
import atexit  # noqa: F401, as PyTorch does
import ctypes
import os
import signal
import subprocess
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


def ask(n):
    words = {1: "start", 5: "stop"}.get(n)
    if words:
        subprocess.run([os.environ["BUILD"] + "/ranktrace", "ctl", words], env={k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}, check=True)


def train():
    for n in range(1, 9 if how == "asked" else 5):
        tell(n)
        queue.extend([None] * 3)
        if how == "asked":
            ask(n)
        if how == "stages":
            stages()


def told_while_python_ends():
    ender = ctypes.CDLL(os.environ["ENDER"])
    ender.stop_here.argtypes, ctypes.pythonapi.Py_AtExit.argtypes = [ctypes.c_void_p], [ctypes.c_void_p]
    ctypes.pythonapi.Py_AtExit(ctypes.cast(ender.python_is_gone, ctypes.c_void_p))
    tell(1)
    queue.extend([None] * 3)

    def stopped():
        ender.stop_here(ctypes.cast(ctypes.pythonapi.PyGILState_GetThisThreadState, ctypes.c_void_p))
        tell(2)
    threading.Thread(target=stopped, daemon=True).start()
    ender.wait_for_stop()


def told_in_a_subinterpreter():
    tell(1)
    queue.extend([None] * 3)
    try:
        import _interpreters as interpreters
        other = interpreters.create("legacy")
    except ImportError:
        import _xxsubinterpreters as interpreters
        other = interpreters.create(isolated=False) if sys.version_info >= (3, 10) else interpreters.create()
    interpreters.run_string(other, "import ctypes; ctypes.PyDLL(None).ranktrace_step(ctypes.c_int64(2))")
    interpreters.destroy(other)
    tell(3)


if how == "ending":
    told_while_python_ends()
    raise SystemExit
elif how == "within":
    told_in_a_subinterpreter()
elif how == "thread":
    trainer = threading.Thread(target=train)
    trainer.start()
    while trainer.is_alive():
        sum(range(1000))
else:
    train()
how = "end"
Stream().npu_stream
