# Stacks of Python, part of python_shim.py and behind it: what python_stacks.c reads is compared with what Python says, once; and PyTorch's engine for
# the backward pass gets a door that tells who goes in.

DEPTH = 64
ENGINE = "torch.autograd.variable"


def frames_from(frame):
    """As read_frames() tells them, from this frame outwards."""
    list = []
    while frame and len(list) < DEPTH:
        code = frame.f_code
        list.append((printable(getattr(code, "co_qualname", code.co_name)), printable(code.co_filename), code.co_firstlineno, frame.f_lasti))
        frame = frame.f_back
    return list


def both():
    """Of who calls this: what Python says, and what is read. The frame of this function is at two places in turn."""
    said, read = frames_from(sys._getframe(1)), read_frames()
    return said, read[1:]


def places_of_both():
    def through_a_generator():
        yield both()

    async def through_a_coroutine():
        return both()

    def named():
        return [both() for _ in (1,)][0]

    code = named.__code__.replace(co_name="caf\u00e9_\u4e2d_\U0001f600")
    if hasattr(code, "co_qualname"):
        code = code.replace(co_qualname=code.co_name)
    yield both()
    yield (lambda: both())()
    yield next(through_a_generator())
    yield type(named)(code, globals())()
    coroutine = through_a_coroutine()
    try:
        coroutine.send(None)
    except StopIteration as end:
        yield end.value


def test_frames():
    if hasattr(sys, "gettotalrefcount") or hasattr(sys, "getobjects"):
        return frames_are(0, "Python is built for debugging")
    try:
        compare_frames()
    except Exception as error:
        if is_signals(error):
            raise
        frames_are(0, text_of(error))


def compare_frames():
    if read_frames() is None:
        return frames_are(0, "the frames of this Python are not known (those of 3.8 to 3.14 are, with a GIL)")
    for said, read in places_of_both():
        if said[: DEPTH - 1] != read[: DEPTH - 1]:
            return frames_are(0, "this build of Python keeps its frames in another way")
    (sys.modules.get("atexit") or __import__("atexit")).register(python_ends)  # built in: no file is read, no module half imported
    return frames_are(1, "")


# ---- the backward pass ----


def door_of(engine):
    """An engine like this one, which tells who is inside: by a function in C, so that no frame of ours is in a program's traceback."""
    kind = type(engine)
    place = {"__slots__": (), "__module__": kind.__module__, "__qualname__": kind.__qualname__, "run_backward": door_to(engine.run_backward)}
    return type(kind.__name__, (kind,), place)()


def watch_engine(module):
    """torch.autograd.variable. False: not now."""
    try:
        if not is_whole(module):
            return False
        module.Variable._execution_engine = door_of(module.Variable._execution_engine)
    except Exception as error:
        if is_signals(error):
            raise
    return True
