"""optimizer_steps.py LIBRARIES STANDIN CASE: trains on the simulated CANN; step n copies n times, and each optimizer fills once.

Any Python from 3.8 on, and any PyTorch: the stand-in in STANDIN if it is a folder.
"""
import sys

libraries, standin, case = sys.argv[1:4]
sys.path.insert(0, standin)

import ctypes

acl = ctypes.CDLL(libraries + "/libascendcl.so")
size = ctypes.c_size_t
acl.aclrtMemcpy.argtypes = [ctypes.c_void_p, size, ctypes.c_void_p, size, ctypes.c_int]
acl.aclrtMemset.argtypes = [ctypes.c_void_p, size, ctypes.c_int32, size]
memory, other = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)


def copy(times=1):
    for _ in range(times):
        assert acl.aclrtMemcpy(memory, 64, other, 64, 1) == 0


def fill():
    assert acl.aclrtMemset(memory, 64, 0, 64) == 0


def new_optimizer():
    from torch.optim import SGD
    return SGD([fill])


def train(*optimizers, steps=range(1, 6)):
    for n in steps:
        copy(n)
        for optimizer in optimizers:
            optimizer.step()


def plain():
    train(new_optimizer())


def device_first():
    """The device is used before anybody thinks of PyTorch."""
    copy(10)
    train(new_optimizer())
    from importlib import machinery
    print([getattr(finder, "__name__", type(finder).__name__) for finder in sys.meta_path], machinery.__name__)


def while_torch_is_imported():
    sys.while_torch_is_imported = [copy] * 10
    train(new_optimizer())


def first_in_the_step():
    """The optimizer's own update is the first that the device hears of."""
    optimizer = new_optimizer()
    optimizer.step()
    train(optimizer, steps=range(2, 6))


def beside_others_hooks():
    """Somebody's own hook calls the device first, while PyTorch goes through the hooks; another import comes much later."""
    optimizer = new_optimizer()
    import torch
    for _ in range(2):
        torch.optim.optimizer.register_optimizer_step_post_hook(lambda *_: [copy() for _ in range(100)])
    optimizer.params.clear()
    optimizer.step()
    import wave
    optimizer.params.append(fill)
    print(wave.__name__)
    train(optimizer, steps=range(2, 6))


def two_optimizers():
    train(new_optimizer(), new_optimizer())


def many_optimizers():
    train(*(new_optimizer() for _ in range(100)))


def the_last_of_many_goes_on():
    optimizers = [new_optimizer() for _ in range(100)]
    train(*optimizers, steps=[1])
    train(optimizers[-1], steps=range(2, 6))


def one_of_two_rests():
    first, second = new_optimizer(), new_optimizer()
    train(first, second, steps=[1, 2, 3])
    train(second, steps=[4, 5])


def played():
    """Each letter of the arguments is an optimizer: the device copies before its step."""
    optimizers = {}
    for letter in "".join(sys.argv[4:]):
        if letter not in optimizers:
            optimizers[letter] = new_optimizer()
        train(optimizers[letter], steps=[1])


def played_and_killed():
    import os
    played()
    os.kill(os.getpid(), 9)


def accumulated_gan():
    """Two optimizers, each of which steps behind four micro-batches of its own."""
    critic, generator = new_optimizer(), new_optimizer()
    for _ in range(5):
        for optimizer in (critic, generator):
            copy(4)
            optimizer.step()


def new_lbfgs():
    from torch.optim.optimizer import Optimizer

    class LBFGS(Optimizer):
        """Evaluates its closure as often as it likes."""
        def step(self, closure):
            for _ in range(3):
                closure()

    return LBFGS([])


def lbfgs():
    optimizer = new_lbfgs()
    for _ in range(5):
        copy()
        optimizer.step(copy)


def lbfgs_of_two():
    """Its closures fall into the step of another, and that one's into a round of both."""
    first, second = new_lbfgs(), new_optimizer()
    for _ in range(5):
        copy()
        first.step(copy)
        copy()
        second.step()


def accumulation():
    """accelerate's optimizer: an Optimizer by type, stepped with every micro-batch, that steps another with every fourth."""
    from torch.optim.optimizer import Optimizer

    class Accelerated(Optimizer):
        def __init__(self, inner):
            self.inner, self.micro = inner, 0

        def step(self):
            self.micro += 1
            if self.micro % 4 == 0:
                self.inner.step()

    optimizer = Accelerated(new_optimizer())
    for _ in range(5):
        for _ in range(4):
            copy()
            optimizer.step()


def two_kernels():
    """The optimizer's own kernel runs twice in a step, another between: kernels alone would tell of two steps."""
    import pyopencl as cl
    from torch.optim import SGD
    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    program = cl.Program(queue.context, "kernel void forward() {} kernel void my_adam() {}").build()
    forward, my_adam = program.forward, program.my_adam
    launches = [(lambda kernel=kernel: kernel(queue, (1,), None)) for kernel in (my_adam, forward, my_adam)]
    optimizer = SGD(launches)
    for n in range(1, 6):
        for _ in range(n):
            launches[1]()
        optimizer.step()
    queue.finish()


def compiled():
    """torch.compile goes through a step, to see what there is in it."""
    optimizer = new_optimizer()
    train(optimizer, steps=[1, 2])
    import torch
    torch.compiler.compiling = True
    optimizer.step()
    torch.compiler.compiling = False
    train(optimizer, steps=[3, 4, 5])


def no_torch():
    copy(5)


def no_step():
    copy(5)
    new_optimizer()


def hooks():
    """How many does PyTorch call?"""
    train(new_optimizer())
    from torch.optim import optimizer
    print(len(optimizer._global_optimizer_post_hooks), file=open(sys.argv[4], "w"))


def walking():
    """The device is called while somebody goes through all modules: nobody may add one."""
    for number, module in enumerate(sys.modules.values()):
        copy()
        [None for _ in range(10)]
    print(number, "and no more")


def away():
    """The main thread waits in C while another trains, then trains itself."""
    import os
    import threading
    optimizer = new_optimizer()
    out, into = os.pipe()

    def elsewhere():
        where = f"/proc/self/task/{os.getpid()}/syscall"
        while open(where).read().split()[1:2] != [hex(out)]:
            pass
        train(optimizer)
        os.write(into, b"x")

    trainer = threading.Thread(target=elsewhere)
    trainer.start()
    ctypes.CDLL(None).read(out, memory, 1)
    trainer.join()
    train(optimizer)


def work(rank):
    import os
    os.environ["RANK"] = str(rank)
    if rank < 9:
        train(new_optimizer())


def workers(method):
    """Two trainers, and a third that loads data: it never calls the device."""
    import multiprocessing
    context = multiprocessing.get_context(method)
    processes = [context.Process(target=work, args=(rank,)) for rank in (1, 2, 9)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        print(process.exitcode)


def spawned():
    workers("spawn")


def forked():
    workers("fork")


def forked_from_a_trainer():
    """Each counts its own steps, the parent on, the children from 1."""
    optimizer = new_optimizer()
    train(optimizer, steps=[1, 2])
    workers("fork")
    train(optimizer, steps=[3, 4, 5])


def at_exit():
    """The first call of all, when Python has begun to end."""
    import atexit
    atexit.register(copy, 5)


def at_the_very_end():
    """When the modules are gone, and when Python is."""
    class Last:
        def __del__(self, copy=copy):
            copy(5)

    sys.last_of_all = Last()


def behind_the_end():
    """A library's destructor."""
    ctypes.CDLL(None).__cxa_atexit(acl.aclInit, None, None)


def left_at_once():
    """Asked, and gone before Python could do anything."""
    import os
    sys.stdout.flush()
    os._exit([copy(), 0][1])


if __name__ == "__main__":
    globals()[case]()
