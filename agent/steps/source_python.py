"""Asks PyTorch to call ranktrace at every optimizer step.

Python's main thread runs this once, between any two instructions of any code, that of an import or of a loop over
sys.modules too: it imports nothing that may be half imported, and is itself in no list of modules. agent/steps/source_python.c puts
began(optimizer) and stepped(optimizer) here, to be told of, and say(word, text), which tells how far we came.
"""
import _thread
import sys

OPTIMIZER = "torch.optim.optimizer"
turn = _thread.allocate_lock()  # taken by the thread that asks


def is_whole(module):
    spec = getattr(module, "__spec__", None)
    return module is not None and not getattr(spec, "_initializing", False)


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
    """torch.compile follows a step into what it calls, and makes two graphs of one around what it cannot follow: us."""
    def called(optimizer, args, kwargs):
        if not is_compiling():
            tell(optimizer)
    return called


def watch(module):
    """False: not now."""
    try:
        if not is_whole(module):
            say("waiting", "")
        elif not hasattr(module, "register_optimizer_step_post_hook"):
            say("old", str(getattr(sys.modules.get("torch"), "__version__", "this torch")))
            return True
        elif not is_busy(module) and turn.acquire(False):
            compiler = getattr(sys.modules.get("torch"), "compiler", None)
            is_compiling = getattr(compiler, "is_dynamo_compiling", getattr(compiler, "is_compiling", bool))
            module.register_optimizer_step_pre_hook(hook(began, is_compiling))
            module.register_optimizer_step_post_hook(hook(stepped, is_compiling))
            say("watching", "")
            return True
    except Exception as error:
        say("failed", repr(error))
        return True
    return False


class Finder:
    """First in sys.meta_path until PyTorch's optimizers are there. Those are modules that import theirs: one comes later."""

    def find_spec(self, name, path=None, target=None):
        if self not in sys.meta_path or not watch(sys.modules.get(OPTIMIZER)):
            return None
        sys.meta_path.remove(self)
        # who goes through the list now takes the next one's place for done
        for finder in list(sys.meta_path):
            spec = finder.find_spec(name, path, target) if hasattr(finder, "find_spec") else None
            if spec is not None:
                return spec
        return None


if not watch(sys.modules.get(OPTIMIZER)):
    sys.meta_path.insert(0, Finder())
