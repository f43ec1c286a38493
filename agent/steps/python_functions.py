# Functions that are watched: what their calls say, and how they are told. Part of python_shim.py, behind it.


# ---- what a call's arguments say ----


def taken_apart(text):
    """arg:NAME.name[key] or attr:self.name: the argument's name, and the parts behind it, each as (is a key, name); of global:MODULE:NAME
    the module, as a tuple, for the argument."""
    kind, _, rest = text.partition(":")
    module, _, rest = rest.partition(":") if kind == "global" else ("", "", rest)
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
    return (names[0][1], names[1:]) if not module else ((module,), [(True, names[0][1])] + names[1:])


def value_of(value, get):
    """What it is in a call, whose argument of a name get(name) is."""
    root, parts = value
    now = get(root) if type(root) is str else parts_of(sys.modules.get(root[0]))
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


def step_in(path):
    """The number of a checkpoint's step, as in .../global_step_40/actor: the last name of a path that ends with one; None: no name does."""
    for name in reversed(str(path).split("/")):
        digits = name[len(name.rstrip("0123456789")):]
        if digits and name[:-len(digits)][-1:] in ("_", "-"):
            return int(digits)
    return None


def compared(value, get):
    """Of what is not there None."""
    try:
        return str(value_of(value, get))
    except (AttributeError, LookupError, TypeError):
        return "None"


class Watch:
    """One function of the settings."""

    def __init__(self, number, module, path, at_return, step, more, is_path, role, rank, when, when_is, skip, skip_is):
        self.number, self.module, self.path, self.at_return = number, module, path, at_return
        self.step, self.more, self.is_path = taken_apart(step) if step else None, more, is_path
        self.role = taken_apart(role) if ":" in role else None
        self.when, self.when_is = taken_apart(when) if when else None, when_is
        self.skip, self.skip_is = taken_apart(skip) if skip else None, skip_is
        self.rank = taken_apart(rank) if rank else None
        values = [value for value in (self.step, self.role, self.rank, self.when, self.skip) if value]
        self.reads, self.names = bool(values), [value[0] for value in values if type(value[0]) is str]
        self.done = {}  # classes and modules whose function is watched: by their id, as a class may be alike to another

    def is_done(self, owner):
        return id(owner) in self.done and self.done[id(owner)].owner() is owner

    def rank_in(self, get):
        """A call counts, whether its rank can be read or not."""
        try:
            return int(value_of(self.rank, get))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            unread(self.number, 0, "its rank was not read: " + text_of(error))
            return None

    def read(self, get):
        """None: the call does not count. Else what it tells: the number of the step, the role, the rank."""
        try:
            step = role = None
            if self.when and compared(self.when, get) != self.when_is:
                return None
            if self.skip and compared(self.skip, get) == self.skip_is:
                return None
            if self.step:
                step = value_of(self.step, get)
                if self.is_path:
                    step = step_in(step)
                if step is None:
                    return None
                step = int(step) + self.more
            if self.role:
                role = printable(str(value_of(self.role, get)).rsplit(".", 1)[-1])
            return step, role, self.rank_in(get) if self.rank else None
        except BaseException as error:
            if is_signals(error) or isinstance(error, KeyboardInterrupt):
                raise
            unread(self.number, 1, "its arguments were not read: " + text_of(error))
            return None


class Taken:
    """A function that is watched, of a class or module."""

    def __init__(self, owner, place, name, let_go):
        self.owner, self.place, self.name, self.let_go = _weakref.ref(owner), _weakref.ref(place), name, let_go
        self.thing = _weakref.ref(part(place, name)) if type(part(place, name)) is Function else part(place, name)

    def stands_in(self, places):
        owner, place = self.owner(), self.place()
        thing = self.thing() if type(self.thing) is _weakref.ref else self.thing
        return any(owner is one for one in places) and place is place_of(owner, self.name) and part(place, self.name) is thing


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
            RT.leave(RT_token, READ)
        except:
            RT.fail(RT_token)
            raise
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
            RT.leave(RT_token, READ)
        except:
            RT.fail(RT_token)
            raise
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
            RT.leave(RT_token, READ)
        except:
            RT.fail(RT_token)
            raise
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
        if watch.reads:
            self.bound = finder_of_arguments(core)
        enter, leave, fail = bind(watch.number, bool(kind & (COROUTINE | ASYNC_GENERATOR)), bool(kind & (GENERATOR | ASYNC_GENERATOR)))
        self.compiling, self.enter, self.leave, self.fail = compiling_test(), enter, leave, fail
        if owner is None and not watch.reads:
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

    def let_go(self):
        self.enter = self.leave = self.fail = lambda *args: 0

    def __reduce__(self):
        return eval, ("type('Nobody', (), {'compiling': bool, **dict.fromkeys(('enter', 'leave', 'fail'), lambda *args: 0)})",)


def reading(watch, owner, names, handed):
    """What is handed to enter() and leave(): the arguments that are wanted, by name, and as "" the first one; "": nothing."""
    if owner is None and not watch.reads:
        return ""
    wanted = watch.names
    first = {"": names[0]} if names else {}
    if (names or owner is None) and all(name in names for name in wanted):
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
        found.setdefault("self", found[""])  # where a decorator hides the parameters
        return found
    return bound


def stand_in(watch, original, owner):
    """A function of the same kind, with the same parameters and attributes, and what it is told by. owner: only its instances' calls count."""
    kind = original.__code__.co_flags
    form = kind & COROUTINE or kind & ASYNC_GENERATOR or kind & GENERATOR
    defined, handed, names = parameters_of(original.__code__)
    read = reading(watch, owner, names, handed)
    reads = bool(read)
    name = original.__code__.co_name
    text = FORMS[form].replace("NAME", name if name.isidentifier() else "call").replace("PARAMETERS", defined).replace("ARGUMENTS", handed)
    text = text.replace("RT_token, READ", "RT_token" + (", " + read if reads else "")).replace("READ", read)
    space = {"__name__": original.__module__, "__builtins__": __builtins__}
    exec(compile(text, "<ranktrace>", "exec"), space)
    told = Told(watch, owner, kind, inside(original))
    call = space["make"](original, told)
    if kind & ITERABLE_COROUTINE:
        call.__code__ = call.__code__.replace(co_flags=call.__code__.co_flags | ITERABLE_COROUTINE)
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__defaults__", "__kwdefaults__", "__annotations__", "__type_params__"):
        if hasattr(original, name):
            setattr(call, name, getattr(original, name))
    call.__dict__ = original.__dict__
    return call, told


def hand_on(name, function, call):
    """A module's function: also to who has imported it by its name."""
    for module in list(sys.modules.values()):
        if parts_of(module).get(name) is function:
            parts_of(module)[name] = call


def cell_of(place, function):
    """What Ray puts around an actor's function is held by whoever is to call it before anybody can know of it: there the function in it is
    exchanged. None: it is not Ray's."""
    if not isinstance(place, type) or "__ray_actor_class__" not in type.__dict__["__dict__"].__get__(place):
        return None
    wrapped = parts_of(function).get("__wrapped__")
    return next((cell for cell in function.__closure__ or () if type(wrapped) is Function and cell.cell_contents is wrapped), None)


def put(place, name, thing, call):
    if not isinstance(place, type):
        return hand_on(name, thing, call)
    cell = cell_of(place, thing)
    if cell:
        cell.cell_contents = call
    else:
        type.__setattr__(place, name, call if type(thing) is Function else type(thing)(call))


def wrap(watch, owner, place, name):
    thing = part(place, name)
    function = thing.__func__ if type(thing) in (staticmethod, classmethod) else thing
    if type(function) is not Function:
        return "is no function of Python, but a " + type(function).__name__
    cell = cell_of(place, function)
    call, told = stand_in(watch, cell.cell_contents if cell else function, None if place is owner else owner)
    found(watch.number)
    put(place, name, thing, call)
    watch.done[id(owner)] = Taken(owner, place, name, told.let_go)
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
        return (lambda frame: watch.read(lambda name: var(frame, name))) if watch.reads else None
    return lambda frame: watch.read(lambda name: var(frame, name)) if is_of(owner, var(frame, names[0])) else None


def may_be_monitored(function, name):
    """Not where the code is shared (a decorator's that has no functools.wraps), nor where a call may end without an event."""
    return tool is not None and function is not None and function.__code__.co_name == name and \
        not function.__code__.co_flags & (GENERATOR | ASYNC_GENERATOR)


def monitor(watch, owner, place, name, function):
    code = function.__code__
    reader = reader_of(watch, None if place is owner else owner, code)
    if not watch_code(watch.number, code, bool(code.co_flags & COROUTINE), reader):
        return "is one function too many"
    found(watch.number)
    events = monitoring.events
    monitoring.set_local_events(tool, code, monitoring.get_local_events(tool, code) | events.PY_START | events.PY_RETURN)
    watch.done[id(owner)] = Taken(owner, place, name, lambda: let_code_go(watch.number, code))
    return None
