"""Finds what ranktrace watches in this process: PyTorch's optimizers, and functions that the settings name.

Python's main thread runs this once, between any two instructions of any code, that of an import or of a loop over
sys.modules too: it imports nothing that may be half imported, and is itself in no list of modules. agent/steps/python
puts here what is called below and not written here: optimizers.c (began, stepped, say), shim.c (failed), watches.c.
"""
import _thread
import sys

OPTIMIZER = "torch.optim.optimizer"
turn = _thread.allocate_lock()  # taken by the thread that asks


def is_whole(module):
    spec = getattr(module, "__spec__", None)
    return module is not None and not getattr(spec, "_initializing", False)


def compiling_test():
    """torch.compile follows a call into what it calls, and makes two graphs of one around what it cannot follow: us."""
    compiler = getattr(sys.modules.get("torch"), "compiler", None)
    return getattr(compiler, "is_dynamo_compiling", getattr(compiler, "is_compiling", bool))


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
        failed(repr(error))
        return True
    return False


# ---- what a call's arguments say ----


def taken_apart(text):
    """arg:NAME.name[key] or attr:self.name: the argument's name, and the parts behind it, each as (is a key, name)."""
    rest = text[4:] if text.startswith("arg:") else text[5:]
    names, name, inside = [], "", False
    for letter in rest:
        if letter in "].[" and (letter == "]" or not inside):
            if name:
                names.append((inside, name))
            name, inside = "", letter == "["
        else:
            name += letter
    if name:
        names.append((inside, name))
    return names[0][1], names[1:]


def value_of(value, get):
    """What it is in a call, whose argument of a name get(name) is."""
    root, parts = value
    now = get(root)
    for is_key, name in parts:
        if not is_key:
            now = getattr(now, name)
        elif isinstance(now, (list, tuple)):
            now = now[int(name)]
        else:
            now = now[name]
        if type(now).__name__ == "NonTensorData":  # as tensordict wraps plain values
            now = now.data
    return now


def compared(value, get):
    """Of a key that is not there None."""
    try:
        return str(value_of(value, get))
    except LookupError:
        return "None"


class Watch:
    """One function of the settings."""

    def __init__(self, number, module, path, at_return, step, more, role, when, when_is, skip, skip_is):
        self.number, self.module, self.path, self.at_return = number, module, path, at_return
        self.step, self.more = taken_apart(step) if step else None, more
        self.role = taken_apart(role) if role[:4] == "arg:" or role[:9] == "attr:self" else None
        self.when, self.when_is = taken_apart(when) if when else None, when_is
        self.skip, self.skip_is = taken_apart(skip) if skip else None, skip_is
        self.reads = bool(step or self.role or when or skip)
        self.done = []  # what its functions are looked up in, and their names, as far as that is done

    def read(self, get):
        """None: the call does not count. Else what it tells: the number of the step, the role."""
        try:
            step = role = None
            if self.when and compared(self.when, get) != self.when_is:
                return None
            if self.skip and compared(self.skip, get) == self.skip_is:
                return None
            if self.step:
                step = value_of(self.step, get)
                if step is None:
                    return None
                step = int(step) + self.more
            if self.role:
                role = str(value_of(self.role, get)).rsplit(".", 1)[-1]
            return step, role
        except Exception as error:
            unread(self.number, "its arguments were not read: " + repr(error))
            return None

    def read_frame(self, frame):
        return self.read(lambda name: var(frame, name))


# ---- functions ----


def inside(thing):
    """The function itself, below what others have put around it."""
    for _ in range(32):
        inner = getattr(thing, "__func__", None) or getattr(thing, "__wrapped__", None)
        if inner is None or inner is thing:
            break
        thing = inner
    return thing


GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x200


def kind_of(function):
    return getattr(getattr(function, "__code__", None), "co_flags", 0)


def waits(function):
    return bool(kind_of(function) & (COROUTINE | ASYNC_GENERATOR))


def finder_of_arguments(function):
    """get(name) of a call whose arguments are args and kwargs."""
    code = function.__code__
    names = code.co_varnames[:code.co_argcount]
    defaults = dict(zip(reversed(names), reversed(function.__defaults__ or ())))
    defaults.update(function.__kwdefaults__ or {})

    def of(args, kwargs):
        def get(name):
            if name in kwargs:
                return kwargs[name]
            at = names.index(name) if name in names else len(args)
            return args[at] if at < len(args) else defaults[name]
        return get
    return of


def told_by(watch, function):
    """What stands in a wrapper and is told: enter(args, kwargs), leave(args, kwargs), fail()."""
    enter, leave, fail = bind(watch.number)

    class Told:
        def __reduce__(self):
            return eval, ("type('Stranger', (), dict.fromkeys(('enter', 'leave', 'fail'), lambda *args: None))",)
    told = Told()
    told.enter, told.leave, told.fail = enter, leave, fail
    if watch.reads:
        of = finder_of_arguments(function)
        if watch.at_return:
            told.leave = lambda args, kwargs: leave(watch.read(of(args, kwargs)))
        else:
            told.enter = lambda args, kwargs: enter(watch.read(of(args, kwargs)))
    return told


def wrapper(original, told, is_compiling):
    """A function of the same kind in the place of this one. What it needs is in its closure alone, so that it can be copied."""
    kind = kind_of(original)
    if kind & COROUTINE:
        async def call(*args, **kwargs):
            try:
                told.enter(args, kwargs)
                result = await original(*args, **kwargs)
            except BaseException:
                told.fail()
                raise
            told.leave(args, kwargs)
            return result
    elif kind & ASYNC_GENERATOR:
        async def call(*args, **kwargs):
            items = original(*args, **kwargs)
            try:
                told.enter(args, kwargs)
                sent = await items.__anext__()
                while True:
                    try:
                        got = yield sent
                    except GeneratorExit:
                        await items.aclose()
                        raise
                    except BaseException as error:
                        sent = await items.athrow(error)
                    else:
                        sent = await items.asend(got)
            except StopAsyncIteration:
                told.leave(args, kwargs)
            except BaseException:
                told.fail()
                raise
    elif kind & GENERATOR:
        def call(*args, **kwargs):
            try:
                told.enter(args, kwargs)
                result = yield from original(*args, **kwargs)
            except BaseException:
                told.fail()
                raise
            told.leave(args, kwargs)
            return result
    else:
        def call(*args, **kwargs):
            if is_compiling():
                return original(*args, **kwargs)
            try:
                told.enter(args, kwargs)
                result = original(*args, **kwargs)
            except BaseException:
                told.fail()
                raise
            told.leave(args, kwargs)
            return result
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        if hasattr(original, name):
            setattr(call, name, getattr(original, name))
    call.__dict__.update(getattr(original, "__dict__", {}))
    call.__wrapped__ = original
    return call


def wrap(watch, owner, name, thing):
    function = thing.__func__ if isinstance(thing, (staticmethod, classmethod)) else thing
    core = inside(function)
    if not callable(function) or not hasattr(core, "__code__"):
        return "is no function of Python"
    call = wrapper(function, told_by(watch, core), compiling_test())
    found(watch.number, waits(function), None)
    setattr(owner, name, type(thing)(call) if isinstance(thing, (staticmethod, classmethod)) else call)
    return None


# ---- sys.monitoring ----

monitoring = getattr(sys, "monitoring", None)
tool = None


def use_monitoring():
    """Numbers below are debuggers' and such. False: both are somebody else's."""
    global tool
    for number in (3, 4):
        try:
            monitoring.use_tool_id(number, "ranktrace")
        except ValueError:
            continue
        events = monitoring.events
        monitoring.register_callback(number, events.PY_START, on_start)
        monitoring.register_callback(number, events.PY_RETURN, on_return)
        monitoring.register_callback(number, events.PY_UNWIND, on_unwind)
        monitoring.set_events(number, events.PY_UNWIND)
        tool = number
        return True
    return False


def monitor(watch, thing):
    function = inside(thing)
    if not hasattr(function, "__code__"):
        return "is no function of Python"
    found(watch.number, waits(function), watch.read_frame if watch.reads else None)
    if code(watch.number, function.__code__) is None:
        return "is one function too many"
    events = monitoring.events
    before = monitoring.get_local_events(tool, function.__code__)
    monitoring.set_local_events(tool, function.__code__, before | events.PY_START | events.PY_RETURN)
    return None


# ---- finding them ----


def part(place, name):
    if not hasattr(place, name):
        raise AttributeError(place.__name__ + " has no " + name)
    return getattr(place, name)


def owners(module, path):
    """(class or module, name) of each function that a path means; a + behind a class means its subclasses, too."""
    *steps, name = path.split(".")
    places = [module]
    for step in steps:
        below = []
        for place in places:
            one = part(place, step.rstrip("+"))
            below.append(one)
            if step.endswith("+"):
                below.extend(subclasses(one))
        places = below
    if "+" not in path:
        part(places[0], name)
        return [(places[0], name)]
    return [(place, name) for place in places if name in vars(place)]


def subclasses(of):
    all_of_them, next_ones = [], [of]
    while next_ones:
        for one in type.__subclasses__(next_ones.pop()):
            if one not in all_of_them:
                all_of_them.append(one)
                next_ones.append(one)
    return all_of_them


def attribute(owner, name):
    """As it stands in the class, or in the one that it has it from: a method, not what binds it."""
    for place in getattr(owner, "__mro__", (owner,)):
        if name in vars(place):
            return vars(place)[name]
    return getattr(owner, name)


def take_in(watch, owner, name):
    thing = attribute(owner, name)
    problem = monitor(watch, thing) if tool is not None else wrap(watch, owner, name, thing)
    if problem:
        unread(watch.number, problem)


def take(watch, whole):
    """False: it is to be tried again, when more is imported."""
    module = sys.modules.get(watch.module)
    if module is None or not (is_whole(module) or watch.module == whole):
        return False
    try:
        for owner, name in owners(module, watch.path):
            if not any(of is owner for of in watch.done):
                watch.done.append(owner)
                take_in(watch, owner, name)
    except AttributeError as error:
        if watch.module != "__main__":  # which runs on
            unread(watch.number, "is not there: " + str(error))
            return True
    except Exception as error:
        unread(watch.number, "is not watched: " + repr(error))
        return True
    return bool(watch.done) and "+" not in watch.path


waiting = []  # watches; one with a + for ever, as subclasses may come


def take_all(whole=None):
    global waiting
    if waiting and turn_of_watches.acquire(False):
        try:
            waiting = [watch for watch in waiting if not take(watch, whole)]
        finally:
            turn_of_watches.release()


turn_of_watches = _thread.allocate_lock()


def current_task():
    asyncio = sys.modules.get("asyncio")
    try:
        return id(asyncio.current_task())
    except Exception:
        return 0


def empty_queue():
    """torch.npu launches from a thread of its own; to have its stream's handle is to wait until that has nothing left."""
    try:
        npu = getattr(sys.modules.get("torch"), "npu", None)
        if npu is not None and npu.is_initialized():
            npu.current_stream().npu_stream
    except Exception as error:
        not_empty(repr(error))


class Finder:
    """First in sys.meta_path as long as anything is waited for."""

    def __init__(self):
        self.optimizers = bool(watches_optimizers) and not watch_optimizers(sys.modules.get(OPTIMIZER))

    def is_needed(self):
        return self.optimizers or waiting

    def find_spec(self, name, path=None, target=None):
        if self not in sys.meta_path:
            return None
        # modules that import theirs: one comes later
        self.optimizers = self.optimizers and not watch_optimizers(sys.modules.get(OPTIMIZER))
        take_all()
        named = any(watch.module == name for watch in waiting)
        if self.is_needed() and not named:
            return None
        if not self.is_needed():
            sys.meta_path.remove(self)
        # who goes through the list now takes the next one's place for done
        for finder in list(sys.meta_path):
            spec = finder.find_spec(name, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None:
                return self.told_when_whole(spec) if named else spec
        return None

    @staticmethod
    def told_when_whole(spec):
        """No other import may come behind this one."""
        loader = spec.loader
        run = getattr(loader, "exec_module", None)

        def exec_module(module):
            run(module)
            if module.__name__ == spec.name:
                del loader.exec_module
                take_all(spec.name)
        try:
            if run:
                loader.exec_module = exec_module
        except Exception:
            pass  # the next import will do
        return spec


def begin():
    global waiting
    waiting = [Watch(*fields) for fields in watches()]
    helpers(current_task, take_all, empty_queue)
    if waiting:
        if monitoring:
            use_monitoring()  # else functions are wrapped, as before 3.12
    take_all()
    finder = Finder()
    if finder.is_needed():
        sys.meta_path.insert(0, finder)


try:
    begin()
except Exception as error:
    failed(repr(error))
