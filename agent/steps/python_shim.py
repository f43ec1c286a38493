"""Finds what ranktrace watches in this process: PyTorch's optimizers, and functions that the settings name.

Python's main thread runs this once, between any two instructions of any code, that of an import or of a loop over
sys.modules too: it imports nothing that may be half imported, and is itself in no list of modules. agent/steps/python
puts here what is called below and not written here: optimizers.c (began, stepped, say), shim.c (failed), watches.c.
"""
import _signal
import _thread
import _weakref
import sys

OPTIMIZER = "torch.optim.optimizer"
turn = _thread.allocate_lock()  # taken by the thread that asks


def is_signals(error):
    """Was it raised by a signal's handler, which ran between two of our lines? Then it is the user's."""
    handlers = [_signal.getsignal(number) for number in range(1, _signal.NSIG)]
    codes = [handler.__code__ for handler in handlers if type(handler) is type(is_signals)]
    place = error.__traceback__
    while place:
        if place.tb_frame.f_code in codes:
            return True
        place = place.tb_next
    return False


def text_of(error):
    try:
        text = type(error).__name__ + ": " + str(error)
    except Exception:
        text = type(error).__name__
    return printable(text)


def printable(text):
    return text.replace("\0", "?").encode("utf-8", "replace").decode()


def compiling_test():
    """torch.compile follows a call into what it calls, and makes two graphs of one around what it cannot follow: us."""
    compiler = parts_of(sys.modules.get("torch")).get("compiler")
    return getattr(compiler, "is_dynamo_compiling", getattr(compiler, "is_compiling", bool))


# ---- modules and classes, as they stand: nobody's __getattr__ is asked, and nothing is imported by that ----


def parts_of(thing):
    try:
        return object.__getattribute__(thing, "__dict__")
    except Exception:
        return {}


def bases_of(owner):
    """A class and those that it comes from; a module."""
    return type.__dict__["__mro__"].__get__(owner) if isinstance(owner, type) else (owner,)


def place_of(owner, name):
    """Which of them has this name; None: none has."""
    for place in bases_of(owner):
        if name in (type.__dict__["__dict__"].__get__(place) if isinstance(place, type) else parts_of(place)):
            return place
    return None


def part(place, name):
    return (type.__dict__["__dict__"].__get__(place) if isinstance(place, type) else parts_of(place))[name]


def is_whole(module):
    """A lazy one is whole when somebody has used it."""
    spec = parts_of(module).get("__spec__")
    return module is not None and type(module).__name__ != "_LazyModule" and not parts_of(spec).get("_initializing", False)


# ---- PyTorch's optimizers ----


def is_busy(module):
    """Could a thread be calling hooks of others, one by one? Whoever adds one then makes it fail."""
    if not getattr(module, "_global_optimizer_pre_hooks", 1) and not getattr(module, "_global_optimizer_post_hooks", 1):
        return False
    for frame in sys._current_frames().values():
        while frame:
            if frame.f_globals is module.__dict__:
                return True
            frame = frame.f_back
    return False


def hook(tell, is_compiling):
    def called(optimizer, args, kwargs):
        if not is_compiling():
            tell(optimizer)
    return called


def watch_optimizers(module):
    """False: not now."""
    try:
        if not is_whole(module):
            return False
        if not hasattr(module, "register_optimizer_step_post_hook"):
            say("old", str(getattr(sys.modules.get("torch"), "__version__", "this torch")))
            return True
        if not is_busy(module) and turn.acquire(False):
            is_compiling = compiling_test()
            module.register_optimizer_step_pre_hook(hook(began, is_compiling))
            module.register_optimizer_step_post_hook(hook(stepped, is_compiling))
            say("watching", "")
            return True
    except Exception as error:
        if is_signals(error):
            raise
        failed(text_of(error))
        return True
    return False
