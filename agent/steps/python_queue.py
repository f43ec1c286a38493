# Waiting for PyTorch's own launch queue. Part of python_shim.py, behind it; python_queue.c calls it, and has the door.


door_is_open = False


def open_queues_door():
    """Threads that have let the GIL go may ask for it until Python's exit functions run. PyTorch has imported atexit; we import nothing."""
    global door_is_open
    register = parts_of(sys.modules.get("atexit")).get("register")
    if register is not None and not door_is_open:
        door_is_open = True
        register(close_door)
        open_door()


def empty_queue():
    """torch.npu launches from a thread of its own; to have its stream's handle is to wait until that has nothing left. 0: it does not run."""
    try:
        npu = parts_of(sys.modules.get("torch")).get("npu")
        if npu is not None and npu.is_initialized():
            npu.current_stream().npu_stream
            return 1
    except Exception as error:
        if is_signals(error):
            raise
        not_empty(text_of(error))
    return 0
