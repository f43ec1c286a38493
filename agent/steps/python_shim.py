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
        self.names = [value[0] for value in (self.step, self.role, self.when, self.skip) if value]
        self.done = {}  # classes and modules whose function is watched: by their id, as a class may be alike to another

    def is_done(self, owner):
        return id(owner) in self.done and self.done[id(owner)]() is owner

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
                role = printable(str(value_of(self.role, get)).rsplit(".", 1)[-1])
            return step, role
        except BaseException as error:
            if is_signals(error) or isinstance(error, KeyboardInterrupt):
                raise
            unread(self.number, "its arguments were not read: " + text_of(error))
            return None


# ---- functions ----

GENERATOR, COROUTINE, ITERABLE_COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x100, 0x200
Function = type(is_signals)


def inside(thing):
    """The function itself, below what others have put around it; None: there is none."""
    for _ in range(32):
        if type(thing) in (staticmethod, classmethod):
            thing = thing.__func__
        elif "__wrapped__" in parts_of(thing):
            thing = parts_of(thing)["__wrapped__"]
        else:
            break
    return thing if type(thing) is Function else None


def is_of(owner, first):
    """Is that an instance of the class, or one of its subclasses? So is asked where the class has the function from another one."""
    return any(base is owner for base in bases_of(first if isinstance(first, type) else type(first)))


# ---- a function in the place of another one ----

FORMS = {
    0: """
def make(RT_original, RT):
    def NAME(PARAMETERS):
        if RT.compiling():
            return RT_original(ARGUMENTS)
        RT_token = 0
        try:
            RT_token = RT.enter(READ)
            RT_result = RT_original(ARGUMENTS)
        except:
            RT.fail(RT_token)
            raise
        RT.leave(RT_token, READ)
        return RT_result
    return NAME
""",
    COROUTINE: """
def make(RT_original, RT):
    async def NAME(PARAMETERS):
        RT_token = 0
        try:
            RT_token = RT.enter(READ)
            RT_result = await RT_original(ARGUMENTS)
        except:
            RT.fail(RT_token)
            raise
        RT.leave(RT_token, READ)
        return RT_result
    return NAME
""",
    GENERATOR: """
def make(RT_original, RT):
    def NAME(PARAMETERS):
        RT_token = 0
        try:
            RT_token = RT.enter(READ)
            RT_result = yield from RT_original(ARGUMENTS)
        except:
            RT.fail(RT_token)
            raise
        RT.leave(RT_token, READ)
        return RT_result
    return NAME
""",
    ASYNC_GENERATOR: """
def make(RT_original, RT):
    async def NAME(PARAMETERS):
        RT_items, RT_token = RT_original(ARGUMENTS), 0
        try:
            RT_token = RT.enter(READ)
            RT_item = await RT_items.__anext__()
            while True:
                try:
                    RT_sent = yield RT_item
                except GeneratorExit:
                    await RT_items.aclose()
                    raise
                except BaseException as RT_error:
                    RT_item = await RT_items.athrow(RT_error)
                else:
                    RT_item = await RT_items.asend(RT_sent)
        except StopAsyncIteration:
            RT.leave(RT_token, READ)
        except:
            RT.fail(RT_token)
            raise
    return NAME
""",
}


def parameters_of(code):
    """As they are written in a def, and handed on in a call; their names."""
    names, n, only = code.co_varnames, code.co_argcount, code.co_kwonlyargcount
    stars = list(names[n + only:n + only + 2])
    defined, handed = list(names[:n]), list(names[:n])
    if code.co_posonlyargcount:
        defined.insert(code.co_posonlyargcount, "/")
    if code.co_flags & 4:
        star = stars.pop(0)
        defined.append("*" + star)
        handed.append("*" + star)
    elif only:
        defined.append("*")
    for name in names[n:n + only]:
        defined.append(name)
        handed.append(name + "=" + name)
    if code.co_flags & 8:
        defined.append("**" + stars[0])
        handed.append("**" + stars[0])
    return ", ".join(defined), ", ".join(handed), list(names[:n + only])


class Told:
    """What stands in such a function and is told. In a copy of it, in another process, nobody is."""

    def __init__(self, watch, owner, kind, core):
        if watch.names:
            self.bound = finder_of_arguments(core)
        enter, leave, fail = bind(watch.number, bool(kind & (COROUTINE | ASYNC_GENERATOR)), bool(kind & (GENERATOR | ASYNC_GENERATOR)))
        self.compiling, self.enter, self.leave, self.fail = compiling_test(), enter, leave, fail
        if owner is None and not watch.names:
            return

        def read(arguments):
            if owner is not None and not is_of(owner, arguments[""]):
                return None
            return watch.read(arguments.__getitem__)

        def leave_reading(token, arguments):
            try:
                told = read(arguments)
            except BaseException:
                fail(token)
                raise
            leave(token, told)
        if watch.at_return:
            self.enter, self.leave = lambda arguments: enter(), leave_reading
        else:
            self.enter, self.leave = lambda arguments: enter(read(arguments)), lambda token, arguments: leave(token)

    def __reduce__(self):
        return eval, ("type('Nobody', (), {'compiling': bool, **dict.fromkeys(('enter', 'leave', 'fail'), lambda *args: 0)})",)


def reading(original, owner, wanted, names, handed):
    """What is handed to enter() and leave(): the arguments that are wanted, by name, and as "" the first one; "": nothing."""
    if owner is None and not wanted:
        return ""
    first = {"": names[0]} if names else {}
    if all(name in names for name in wanted):
        first.update((name, name) for name in wanted)
        return "{" + ", ".join("%r: %s" % pair for pair in first.items()) + "}"
    parts = handed.split(", ")
    keywords = [part if part[:2] == "**" else "%r: %s" % tuple(part.split("=")) for part in parts if "=" in part or part[:2] == "**"]
    others = [part for part in parts if "=" not in part and part[:2] != "**"]
    return "RT.bound((" + ", ".join(others) + ",), {" + ", ".join(keywords) + "})"


def finder_of_arguments(core):
    """Of what is around a function: a call's arguments by the names that they have in it."""
    code = core.__code__
    names = code.co_varnames[:code.co_argcount]
    defaults = dict(zip(reversed(names), reversed(core.__defaults__ or ())))
    defaults.update(core.__kwdefaults__ or {})

    def bound(args, kwargs):
        found = {**defaults, **dict(zip(names, args)), **kwargs}
        found[""] = args[0] if args else None
        return found
    return bound


def stand_in(watch, original, owner):
    """A function of the same kind, with the same parameters and attributes. owner: only its instances' calls count."""
    kind = original.__code__.co_flags
    form = kind & COROUTINE or kind & ASYNC_GENERATOR or kind & GENERATOR
    defined, handed, names = parameters_of(original.__code__)
    read = reading(original, owner, watch.names, names, handed)
    reads = bool(read)
    name = original.__code__.co_name
    text = FORMS[form].replace("NAME", name if name.isidentifier() else "call").replace("PARAMETERS", defined).replace("ARGUMENTS", handed)
    text = text.replace("RT_token, READ", "RT_token" + (", " + read if reads else "")).replace("READ", read)
    space = {"__name__": original.__module__, "__builtins__": __builtins__}
    exec(compile(text, "<ranktrace>", "exec"), space)
    call = space["make"](original, Told(watch, owner, kind, inside(original)))
    if kind & ITERABLE_COROUTINE:
        call.__code__ = call.__code__.replace(co_flags=call.__code__.co_flags | ITERABLE_COROUTINE)
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__defaults__", "__kwdefaults__", "__annotations__", "__type_params__"):
        if hasattr(original, name):
            setattr(call, name, getattr(original, name))
    call.__dict__ = original.__dict__
    return call


def wrap(watch, owner, place, name):
    thing = part(place, name)
    method = type(thing) in (staticmethod, classmethod)
    function = thing.__func__ if method else thing
    if type(function) is not Function:
        return "is no function of Python, but a " + type(function).__name__
    call = stand_in(watch, function, None if place is owner else owner)
    found(watch.number)
    if isinstance(place, type):
        type.__setattr__(place, name, type(thing)(call) if method else call)
    else:
        parts_of(place)[name] = call
    return None


# ---- sys.monitoring ----

monitoring = getattr(sys, "monitoring", None)
tool = None


def use_monitoring():
    """Numbers below are debuggers' and such. Where both are somebody else's, functions are replaced, as before 3.12."""
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
        return


def reader_of(watch, owner, code):
    """What C calls with a frame; None: nothing is read."""
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    if owner is None:
        return (lambda frame: watch.read(lambda name: var(frame, name))) if watch.names else None
    return lambda frame: watch.read(lambda name: var(frame, name)) if is_of(owner, var(frame, names[0])) else None


def may_be_monitored(function, name):
    """Not where the code is shared (a decorator's that has no functools.wraps), nor where a call may end without an event."""
    return tool is not None and function is not None and function.__code__.co_name == name and \
        not function.__code__.co_flags & (GENERATOR | ASYNC_GENERATOR)


def monitor(watch, owner, place, function):
    code = function.__code__
    reader = reader_of(watch, None if place is owner else owner, code)
    if not watch_code(watch.number, code, bool(code.co_flags & COROUTINE), reader):
        return "is one function too many"
    found(watch.number)
    events = monitoring.events
    monitoring.set_local_events(tool, code, monitoring.get_local_events(tool, code) | events.PY_START | events.PY_RETURN)
    return None


# ---- finding them ----


def subclasses(of):
    seen, all_of_them, next_ones = {id(of)}, [], [of]
    while next_ones:
        for one in type.__subclasses__(next_ones.pop()):
            if id(one) not in seen:
                seen.add(id(one))
                all_of_them.append(one)
                next_ones.append(one)
    return all_of_them


def owners(module, path):
    """Each class, or the module, that a path means, and the function's name; a + behind a class means its subclasses, too."""
    *steps, name = path.split(".")
    places = [module]
    for step in steps:
        below = []
        for place in places:
            of = place_of(place, step.rstrip("+"))
            if of is None:
                raise LookupError(str(parts_of(place).get("__name__", "it")) + " has no " + step.rstrip("+"))
            one = part(of, step.rstrip("+"))
            if not isinstance(one, type):
                raise LookupError(step.rstrip("+") + " is no class")
            below.append(one)
            if step.endswith("+"):
                below.extend(subclasses(one))
        places = below
    if "+" in path:
        return [place for place in places if name in type.__dict__["__dict__"].__get__(place)], name
    if place_of(places[0], name) is None:
        raise LookupError(str(places[0].__name__ if isinstance(places[0], type) else parts_of(module).get("__name__", "it")) + " has no " + name)
    return places, name


def take_in(watch, owner, name):
    watch.done[id(owner)] = _weakref.ref(owner)
    place = place_of(owner, name)
    function = inside(part(place, name))
    problem = monitor(watch, owner, place, function) if may_be_monitored(function, name) else wrap(watch, owner, place, name)
    if problem:
        unread(watch.number, printable(problem))


def may_grow(module):
    """__main__ runs on, some have more than one can see, and of those that are loaded in the old way nobody knows whether they are whole."""
    loader = parts_of(parts_of(module).get("__spec__")).get("loader")
    return module is sys.modules.get("__main__") or "__getattr__" in parts_of(module) or \
        loader is not None and not hasattr(loader, "exec_module")


def take(watch):
    """False: it is to be tried again, when more is imported."""
    module = sys.modules.get(watch.module)
    if not is_whole(module):
        return False
    try:
        places, name = owners(module, watch.path)
        for owner in places:
            if not watch.is_done(owner):
                take_in(watch, owner, name)
    except LookupError as error:
        if may_grow(module):
            return False
        unread(watch.number, "is not there: " + printable(str(error.args[0] if error.args else "")))
        return True
    except Exception as error:
        if is_signals(error):
            raise
        unread(watch.number, "is not watched: " + text_of(error))
        return True
    return bool(watch.done) and "+" not in watch.path


waiting = []  # watches; one with a + for ever, as subclasses may come
turn_of_watches = _thread.allocate_lock()


def take_all():
    global waiting
    if waiting and turn_of_watches.acquire(False):
        try:
            waiting = [watch for watch in waiting if not take(watch)]
        finally:
            turn_of_watches.release()


def current_task():
    asyncio = sys.modules.get("asyncio")
    try:
        return id(asyncio.current_task()) if asyncio else 0
    except RuntimeError:
        return 0  # no loop runs in this thread


def empty_queue():
    """torch.npu launches from a thread of its own; to have its stream's handle is to wait until that has nothing left."""
    try:
        npu = parts_of(sys.modules.get("torch")).get("npu")
        if npu is not None and npu.is_initialized():
            npu.current_stream().npu_stream
    except Exception as error:
        if is_signals(error):
            raise
        not_empty(text_of(error))


def told_when_whole(spec):
    """No other import may come behind this one: the spec itself is told by importlib that it is no longer initializing."""
    base = type(spec)

    def begun(self):
        return self.__dict__.get("_initializing", False)

    def change(self, value):
        self.__dict__["_initializing"] = value
        if not value:
            self.__class__ = base
            take_all()
    try:
        spec.__class__ = type(base.__name__, (base,), {"_initializing": property(begun, change), "__module__": base.__module__})
    except Exception:
        pass  # the next import will do


def is_import():
    """Is find_spec() called for an import, and not by somebody who only looks?"""
    frame = sys._getframe(2)
    while frame and frame.f_code.co_name == "_find_spec":
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name.startswith("_find_and_load")


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
        named = any(watch.module == name for watch in waiting) and is_import()
        if self.is_needed() and not named:
            return None
        if not self.is_needed():
            sys.meta_path.remove(self)
        # who goes through the list now takes the next one's place for done
        for finder in list(sys.meta_path):
            spec = finder.find_spec(name, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None:
                if named:
                    told_when_whole(spec)
                return spec
        return None


def begin():
    global waiting
    waiting = [Watch(*fields) for fields in watches()]
    helpers(current_task, take_all, empty_queue)
    if waiting and monitoring:
        use_monitoring()
    take_all()
    finder = Finder()
    if finder.is_needed():
        sys.meta_path.insert(0, finder)


try:
    begin()
except Exception as error:
    if is_signals(error):
        raise
    failed(text_of(error))
