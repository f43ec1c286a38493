"""stubs.py - what a package of a trainer imports and this machine does not have is there all the same, and does nothing.

only_for(PACKAGE...): a module that nobody has is made up where one of these packages imports it. Nobody else sees it, and who only
looks for it (importlib.util.find_spec) finds nothing: that is how frameworks tell on which device they are.
"""
import importlib
import importlib.machinery
import importlib.metadata
import sys
import types


class Anything(type):
    """A class of which everything is another one, that may be called, be a base, a decorator or an annotation."""

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = stub(name)
        setattr(cls, name, made)
        return made

    def __or__(cls, other):
        return cls

    __ror__ = __or__

    def __getitem__(cls, item):
        return cls

    def __iter__(cls):
        return iter(())

    def __len__(cls):
        return 0


class Nothing(metaclass=Anything):
    def __new__(cls, *args, **kwargs):
        if cls.__dict__.get("is_stub") and len(args) == 1 and not kwargs and isinstance(args[0], (type, types.FunctionType)):
            return args[0]  # a decorator
        return object.__new__(cls)

    def __init__(self, *args, **kwargs):
        pass

    def __init_subclass__(cls, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return stub(name)

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __iter__(self):
        return iter(())

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        from pydantic_core import core_schema
        return core_schema.any_schema()


def stub(name):
    return Anything(name, (Nothing,), {"is_stub": True})


class Module(types.ModuleType):
    __version__ = "0.0.0"

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = stub(name)
        setattr(self, name, made)
        return made


class Distribution(importlib.metadata.Distribution):
    def read_text(self, name):
        return "Metadata-Version: 2.1\nName: stub\nVersion: 0.0.0\n" if name == "METADATA" else None

    def locate_file(self, path):
        return path


class Finder:
    """The last one that is asked."""

    def __init__(self, packages, never):
        self.packages, self.never, self.made = packages, never, set()

    def is_asked_by_them(self):
        frame = sys._getframe(2)
        while frame and frame.f_globals.get("__name__", "importlib").split(".")[0] in ("importlib", "ranktrace"):
            frame = frame.f_back
        return frame and frame.f_globals.get("__name__", "").split(".")[0] in self.packages

    def is_import(self):
        frame = sys._getframe(2)
        while frame and frame.f_code.co_name in ("_find_spec", "find_spec"):
            frame = frame.f_back
        return frame and frame.f_code.co_name.startswith("_find_and_load")

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if not self.is_import() or top in self.never or top in sys.stdlib_module_names:
            return None
        if top not in self.made and (top != name or not self.is_asked_by_them()):
            return None
        self.made.add(top)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def stand_in(self, name):
        """That module, whoever imports it."""
        self.made.add(name)
        return importlib.import_module(name)

    def find_distributions(self, context=importlib.metadata.DistributionFinder.Context()):
        return [Distribution()] if context.name in self.made else []

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        module.__path__ = []


def only_for(*packages, never=()):
    finder = Finder(packages, never)
    sys.meta_path.append(finder)
    return finder
