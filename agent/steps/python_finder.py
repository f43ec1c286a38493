# Where the functions are, and when they come. Part of python_shim.py, behind python_functions.py and python_queue.py.


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


untold = set()  # names of modules that are watched, whose packages are not whole


def tell_package(module):
    """Where several share a name in front (megatron), its own: the first package around it that has a version. False: it may have one later."""
    names, whole = module.split("."), True
    for n in range(len(names)):
        around = sys.modules.get(".".join(names[:n + 1]))
        version = parts_of(around).get("__version__")
        if "__path__" not in parts_of(around):
            break
        if isinstance(version, str):
            package("-".join(names[:n + 1]), printable(str.__str__(version)))
            return True
        whole = whole and is_whole(around)
    return whole


def take_in(watch, owner, name):
    place = place_of(owner, name)
    function = inside(part(place, name))
    problem = monitor(watch, owner, place, name, function) if may_be_monitored(function, name) else wrap(watch, owner, place, name)
    if problem:
        watch.done[id(owner)] = Taken(owner, place, name, bool)
        lacking(watch.number, printable(problem))
    else:
        untold.add(watch.module)


def may_grow(module):
    """__main__ runs on, some have more than one can see, and of those that are loaded in the old way nobody knows whether they are whole."""
    loader = parts_of(parts_of(module).get("__spec__")).get("loader")
    return module is sys.modules.get("__main__") or "__getattr__" in parts_of(module) or \
        loader is not None and not hasattr(loader, "exec_module")


def come_by_value():
    """Classes that cloudpickle brought: Ray's decorated actors, whose module is not imported in their worker."""
    trackers = [parts_of(sys.modules.get(name)).get("_DYNAMIC_CLASS_TRACKER_BY_ID") for name in ("ray.cloudpickle.cloudpickle", "cloudpickle.cloudpickle")]
    return [one for tracker in trackers if type(tracker).__name__ == "WeakValueDictionary" for one in list(tracker.values()) if isinstance(one, type)]


def is_made_of(one, bases):
    """Ray makes a class of an actor's, in which each function stands in one of Ray's own."""
    return any(type.__dict__["__dict__"].__get__(one).get("__ray_actor_class__") is base for base in bases)


def brought(watch):
    """Those of them that a path means, once the function is in them."""
    steps, _, name = watch.path.replace("+", "").rpartition(".")
    those = [one for one in come_by_value() if place_of(one, name) is one]
    meant = [one for one in those if type.__dict__["__qualname__"].__get__(one) == steps and
             type.__dict__["__dict__"].__get__(one).get("__module__") == watch.module]
    return meant + [one for one in those if is_made_of(one, meant)]


def take_brought(watch):
    for owner in brought(watch):
        if not watch.is_done(owner):
            take_in(watch, owner, watch.path.rpartition(".")[2])


def take(watch):
    """False: it is to be tried again, when more is imported."""
    module = sys.modules.get(watch.module)
    take_brought(watch)
    if not is_whole(module):
        return False
    try:
        places, name = owners(module, watch.path)
        if "+" in watch.path and watch not in growing:
            growing.append(watch)
        for owner in places:
            if not watch.is_done(owner):
                take_in(watch, owner, name)
        if not watch.done:
            lacking(watch.number, "")
    except LookupError as error:
        grows = may_grow(module)
        if not watch.done:
            lacking(watch.number, "" if grows else "is not there: " + printable(str(error.args[0] if error.args else "")))
        return not (grows or come_by_value())
    except Exception as error:
        if is_signals(error):
            raise
        lacking(watch.number, "is not watched: " + text_of(error))
        return True
    return bool(watch.done) and "+" not in watch.path


all_watches = []  # what stands around the others is entered first, and left last
waiting = []  # of them; one with a + for ever, as subclasses may come
growing = []  # of them those with a + whose classes are there
turn_of_watches = _thread.allocate_lock()
anew = set()  # names of modules that have been imported once more, or reloaded


def is_anothers(watch, owner):
    """A subclass in another module goes on with the class that was there before."""
    return "+" in watch.path and owner is not None and part(owner, "__module__") != watch.module


def take_anew(watch, names):
    """Where its module is one of these: what is no longer there is let go; calls of it that are open end. True: something else is to be taken."""
    module = sys.modules.get(watch.module)
    if watch.module not in names or not is_whole(module) or not watch.done:
        return False
    try:
        places = owners(module, watch.path)[0]
    except Exception as error:
        if is_signals(error):
            raise
        places = []
    places = list(places) + brought(watch)
    gone = [key for key, taken in watch.done.items() if not taken.stands_in(places) and not is_anothers(watch, taken.owner())]
    for key in gone:
        watch.done.pop(key).let_go()
    if gone:
        end_calls(watch.number)
    return bool(gone)


def take_all():
    global waiting
    open_queues_door()
    if (waiting or anew or untold) and turn_of_watches.acquire(False):
        try:
            names = anew.copy()  # other threads may add to it
            if names:
                waiting = [watch for watch in all_watches if take_anew(watch, names) or watch in waiting]
                anew.difference_update(names)
            waiting = [watch for watch in waiting if not take(watch)]
            untold.difference_update([module for module in untold if tell_package(module)])
        finally:
            turn_of_watches.release()


def take_subclasses():
    """Where a stage begins: what waits for its module comes with an import."""
    if growing and turn_of_watches.acquire(False):
        try:
            for watch in growing:
                take(watch)
        finally:
            turn_of_watches.release()


def current_task():
    asyncio = sys.modules.get("asyncio")
    try:
        return id(asyncio.current_task()) if asyncio else 0
    except RuntimeError:
        return 0  # no loop runs in this thread


def told_when_whole(spec):
    """No other import may come behind this one: the spec itself is told by importlib that it is no longer initializing."""
    base = type(spec)

    def begun(self):
        return self.__dict__.get("_initializing", False)

    def change(self, value):
        self.__dict__["_initializing"] = value
        if not value:
            self.__class__ = base
            anew.add(self.name)
            take_all()
    try:
        spec.__class__ = type(base.__name__, (base,), {"_initializing": property(begun, change), "__module__": base.__module__})
    except Exception:
        pass  # the next import will do


def told_when_reloaded(spec):
    """Nothing is told of that. The loader has just been made for it, unless it is an archive's, which is everybody's."""
    loader = spec.loader

    def exec_module(module):
        del loader.exec_module
        try:
            loader.exec_module(module)
        finally:
            anew.add(spec.name)
            take_all()
    if hasattr(loader, "exec_module") and not isinstance(loader, type):
        try:
            loader.exec_module = exec_module
        except Exception:
            pass


def who_looks():
    """Is find_spec() called for an import (_find_and_load...) or a reload, or by somebody who only looks?"""
    frame = sys._getframe(2)
    while frame and frame.f_code.co_name == "_find_spec":
        frame = frame.f_back
    name = frame.f_code.co_name if frame else ""
    return told_when_whole if name.startswith("_find_and_load") else told_when_reloaded if name == "reload" else None


def spec_of(finder, name, path, target):
    """As importlib asks; before 3.12 also those that know find_module() alone."""
    if hasattr(finder, "find_spec"):
        return finder.find_spec(name, path, target)
    if sys.version_info >= (3, 12) or not hasattr(finder, "find_module"):
        return None
    loader = finder.find_module(name, path)
    return loader and sys.modules["_frozen_importlib"].spec_from_loader(name, loader)


def place_in_front():
    """Where a finder of ours stands already, those in front of it were asked; else before all."""
    for i, finder in enumerate(sys.meta_path):
        if type(finder) is type(sys) and parts_of(finder).get("__name__") == "ranktrace":
            return i
    return 0


class Finder:
    """First in sys.meta_path where functions are named, as they may be imported once more; else until there are optimizers."""

    def __init__(self):
        self.optimizers = bool(watches_optimizers) and not watch_optimizers(sys.modules.get(OPTIMIZER))
        self.engine = bool(stacks_wanted) and not watch_engine(sys.modules.get(ENGINE))

    def is_needed(self):
        return self.optimizers or self.engine or all_watches

    def find_spec(self, name, path=None, target=None):
        if self not in sys.meta_path:
            return None
        # modules that import theirs: one comes later
        self.optimizers = self.optimizers and not watch_optimizers(sys.modules.get(OPTIMIZER))
        self.engine = self.engine and not watch_engine(sys.modules.get(ENGINE))
        take_all()
        then = who_looks() if any(watch.module == name for watch in all_watches) else None
        if self.is_needed() and not then:
            return None
        others = sys.meta_path[sys.meta_path.index(self) + 1:]  # those before were asked
        if not self.is_needed():
            sys.meta_path.remove(self)
        # who goes through the list now takes the next one's place for done
        for finder in others:
            spec = spec_of(finder, name, path, target)
            if spec is not None:
                if then:
                    then(spec)
                return spec
        return None


def begin():
    global all_watches, waiting
    all_watches = [Watch(*fields) for fields in watches()]
    helpers(current_task, take_all, take_subclasses, empty_queue)
    if stacks_wanted:
        test_frames()
    if all_watches and monitoring:
        use_monitoring()
    if tool is None:
        all_watches = [watch for watch in all_watches if watch.at_return] + [watch for watch in reversed(all_watches) if not watch.at_return]
    waiting = list(all_watches)
    take_all()
    for name in {watch.module for watch in waiting}:
        spec = parts_of(sys.modules.get(name)).get("__spec__")
        if parts_of(spec).get("_initializing", False):  # half imported: by that who has started us, perhaps
            told_when_whole(spec)
    finder = Finder()
    if finder.is_needed():
        sys.meta_path.insert(place_in_front(), finder)


try:
    begin()
except Exception as error:
    if is_signals(error):
        raise
    failed(text_of(error))
