"""cases.py CASE: a program of which ranktrace watches functions. What is recorded must be the same in all versions of Python."""
import asyncio
import inspect
import os
import sys
import threading

from calls import call

if sys.argv[1] == "taken" and hasattr(sys, "monitoring"):
    sys.monitoring.use_tool_id(3, "somebody")
    sys.monitoring.use_tool_id(4, "somebody else")
call(1)  # the first one brings the shim; the rest of worker.py comes behind it
from worker import BaseEngine, Data, Engine, Worker, iteration, register
import worker


def two_batches():
    Worker(Engine()).update_actor([[3, 4], [5]])


def steps():
    """3 steps of 10, 11 and 12 calls."""
    for n in range(3):
        worker.iteration(10 + n, number=n)


def first_step():
    """Two steps that an optimizer ends, of two micro-batches each: that the time before its first step() is step 1 is not known sooner."""
    import torch
    optimizer, engine = torch.optim.SGD([]), Engine()
    for n in range(2):
        engine.forward_step(3 + n)
        engine.forward_step(5 + n)
        optimizer.step()


def numbered():
    """The trainer's own numbers; it resumes at 40, and says one again."""
    for n in (40, 41, 41, 42):
        worker.iteration(2, n)
        call(1)


def stages():
    one = Worker(Engine())
    for n in range(2):
        worker.iteration(1)
        one.compute_log_prob(None)
        one.compute_ref_log_prob(None)
        one.update_actor([[3, 4], [5]])
        one.compute_log_prob(None, times=7)
        call(1)


def subclasses():
    """One is made behind the first stage, and one of it again; what each does is a micro-batch once."""
    class Late(BaseEngine):
        def forward_step(self, calls):
            call(calls)

    Worker(Late()).update_actor([[2, 3]])

    class Later(Late):
        def forward_step(self, calls):
            call(1)
            super().forward_step(calls)

    Worker(Later()).update_actor([[2, 3]])


def coroutines():
    """Two generate at the same time, each in parts; the weights come behind them."""
    async def wait():
        await asyncio.sleep(0)

    async def all_of_it():
        one = Worker(Engine())
        await asyncio.gather(one.generate(wait, 2), one.generate(wait, 3))
        await one.update_weights(7)

    asyncio.run(all_of_it())
    call(1)


def cancelled():
    async def forever():
        await asyncio.sleep(1000)

    async def all_of_it():
        task = asyncio.ensure_future(Worker(Engine()).generate(forever, 2))
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            print("cancelled")

    asyncio.run(all_of_it())
    call(5)


def failing():
    try:
        Worker(Engine()).fails()
    except KeyError as error:
        print("failed", error)
    call(1)
    try:
        Worker(BaseEngine()).update_actor([[1]])
    except NotImplementedError:
        print("not implemented")
    call(2)


def generators():
    for n in Worker(Engine()).batches([1, 2]):
        call(10)
    call(1)


def kinds():
    """Functions are what they were."""
    print(inspect.isfunction(Worker.update_actor), inspect.iscoroutinefunction(Worker.update_weights),
          inspect.isgeneratorfunction(Worker.batches), Worker.update_actor.mark, Worker.update_actor.__name__,
          list(inspect.signature(Worker.compute_log_prob).parameters), Worker.update_actor.__module__)
    Worker.score(2)
    Worker.values(3)
    Worker(Engine()).score(4)


def arguments():
    one = Worker(Engine(), "critic")
    one.compute_log_prob(Data(validate=True))
    one.compute_log_prob(Data(validate=False), times=4)
    one.compute_log_prob(data=Data(validate=False), times=5)
    one.kind = "actor"
    one.compute_log_prob(Data(validate=False), times=6)
    call(1)


def threads():
    """Two threads are in the same stage at the same time."""
    both = threading.Barrier(2)

    def work():
        one = Worker(Engine())
        for _ in range(50):
            one.compute_log_prob(None, times=2)
        both.wait()

    two = [threading.Thread(target=work) for _ in range(2)]
    for thread in two:
        thread.start()
    for thread in two:
        thread.join()


def taken():
    """Both numbers that we would take of sys.monitoring are somebody's, since before the first call."""
    two_batches()


def left_early():
    """Who breaks out of a generator has ended it."""
    for _ in Worker(Engine()).batches([1, 2]):
        break
    call(10)

    async def all_of_it():
        async for _ in Worker(Engine()).later([3, 4]):
            break
        call(20)

    asyncio.run(all_of_it())
    call(30)


def inherited():
    worker.Child(Engine()).train(2)
    worker.Other(Engine()).train(3)


def chained():
    """What ends a step calls others that would."""
    for n in range(3):
        worker.Chained(Engine(), worker.Chained(Engine(), Engine())).forward_step(2 + n)


def unchanged():
    """What a program sees of a function."""
    for _ in range(3):
        worker.counted(1)
    print(worker.counted.calls, inspect.getfullargspec(Worker.compute_log_prob.__wrapped__).args, "train" in vars(worker.Worker))
    for wrong in (lambda: Worker(Engine()).batches(), lambda: Worker(Engine()).train(), lambda: Worker(Engine()).train(1, more=2)):
        try:
            wrong()
        except TypeError as error:
            print(error)
    print(inspect.signature(Worker.train), Worker.train.__defaults__, Worker.train.__annotations__)


def imports():
    """From an archive, of which one importer is for all; by who only looks; of what is no file at all."""
    import importlib.util
    sys.path.insert(0, sys.argv[2])
    print(type(importlib.util.find_spec("zipped_b")).__name__)
    import zipped_a
    sys.modules.pop("gc", None)
    import gc
    import __phello__
    zipped_a.fa()
    print(gc.isenabled(), zipped_a.__loader__ is zipped_a.__spec__.loader, type(zipped_a.__spec__).__name__)


def reloaded():
    """A module is reloaded, within a call too, and imported once more: what was held of it before is not watched any more."""
    import importlib
    sys.path.insert(0, sys.argv[2])
    import often
    from often import Once, work
    often.work(2)
    importlib.reload(often)
    often.work(3)
    often.Once().method(4)
    often.Kept.method(5)
    work(10)
    Once().method(10)
    often.within(importlib.reload)
    del sys.modules["often"]
    old = often
    import often
    often.work(6)
    old.work(10)
    importlib.import_module("often").work(7)


def interrupted():
    """Signals that come while we look at a call are the program's."""
    import signal

    class Alarm(Exception):
        pass

    def ring(number, frame):
        raise Alarm

    signal.signal(signal.SIGALRM, ring)
    one, data, lost = Worker(Engine()), Data(validate=False), 0
    for n in range(300):
        try:
            signal.setitimer(signal.ITIMER_REAL, 20e-6 + n * 1e-6)
            for _ in range(2000):
                one.compute_log_prob(data, times=0)
            lost += 1
        except Alarm:
            pass
    print("lost", lost)
    one.compute_log_prob(data, times=2)
    call(3)


class Local:
    """Of __main__: cloudpickle takes it along as it is."""

    def work(self, n):
        return n + 1

    async def later(self, n):
        return n + 2

    def several(self, n):
        yield n


def copied():
    """What is watched arrives elsewhere without us."""
    import cloudpickle
    import subprocess
    call(1)
    Local().work(1)
    copy = cloudpickle.dumps(Local)
    then = "import asyncio, pickle, sys; C = pickle.load(sys.stdin.buffer); " \
           "print(C().work(1), asyncio.run(C().later(1)), list(C().several(1)), C.work.__name__)"
    bare = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    subprocess.run([sys.executable, "-c", then], input=copy, check=True, env=bare)


def brought():
    """As an actor of Ray's whose class is decorated: its name in its module is another thing's there, and here there is no such module."""
    import cloudpickle
    import pickle
    import subprocess
    there = "import cloudpickle, sys, types; m = sys.modules['actors'] = types.ModuleType('actors'); exec(sys.stdin.read(), m.__dict__); " \
            "C = m.Actor; m.Actor = m.Named = 3; sys.stdout.buffer.write(cloudpickle.dumps(C))"
    code = "from worker import Worker\nclass Actor(Worker):\n def work(self, n):\n  from calls import call\n  call(n)\n" \
           " def rest(self, n):\n  from calls import call\n  call(n)\n"
    bare = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    bare["PYTHONPATH"] = os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")])
    made = subprocess.run([sys.executable, "-c", there], input=code.encode(), check=True, env=bare, stdout=subprocess.PIPE).stdout
    call(1)
    actor = pickle.loads(made)(None)
    import wave  # what else a worker imports
    actor.work(5)
    actor.rest(2)
    actor.work(6)


globals()[sys.argv[1]]()
