import types

_GLOBAL_ARGS = None


def get_args():
    return _GLOBAL_ARGS


def set_args():
    global _GLOBAL_ARGS
    _GLOBAL_ARGS = types.SimpleNamespace()
