"""fakes.py - what stands for objects of a trainer that are not there."""
import tempfile


class Enough(Exception):
    """A function of the trainer's goes no further."""


class Fake:
    """Has what it is given; all else of it is not there, or false."""

    def __init__(self, **has):
        self.__dict__.update(has)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None


def group_of_one(backend="gloo"):
    import torch.distributed
    torch.distributed.init_process_group(backend, init_method="file://" + tempfile.mkdtemp() + "/store", rank=0, world_size=1)
