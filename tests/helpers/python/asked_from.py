"""asked_from.py LIBRARY SAID [forked|spawned]: copies by aclrtMemcpy from places of all sorts; SAID gets what Python says of each, one JSON line a
copy: [thread, bytes, [[function, file, line], ..] innermost first]. Bytes number the copies. With the word a child does the same, and adds to it."""
import contextlib
import ctypes
import functools
import json
import multiprocessing
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
source, to = ctypes.create_string_buffer(1 << 20), ctypes.create_string_buffer(1 << 20)
said, lock, number = [], threading.Lock(), 0
to_host = ctypes.c_int(2)


def names(frame):
    found = []
    while frame and len(found) < 64:
        code = frame.f_code
        found.append([getattr(code, "co_qualname", code.co_name).encode("utf-8", "replace").decode(), code.co_filename, frame.f_lineno])
        frame = frame.f_back
    return found


def next_number():
    global number
    with lock:
        number += 1
        return number


def copy():
    size = next_number()
    said.append([threading.get_native_id(), size, names(sys._getframe())]); library.aclrtMemcpy(to, ctypes.c_size_t(1 << 20), source, ctypes.c_size_t(size), to_host)


def by_recursion(depth):
    if depth:
        by_recursion(depth - 1)
        copy()
    else:
        copy()


def generator(depth):
    yield copy()
    if depth:
        yield from generator(depth - 1)
    yield copy()


async def coroutine(depth):
    copy()
    if depth:
        await coroutine(depth - 1)
    copy()


async def in_loops():
    async with contextlib.AsyncExitStack() as stack:
        async for _ in of_three():
            copy()


async def of_three():
    for each in range(3):
        copy()
        yield each


def run(awaitable):
    try:
        awaitable.send(None)
    except StopIteration:
        pass


def decorated(function):
    @functools.wraps(function)
    def around(*arguments):
        copy()
        return function(*arguments)
    return around


@decorated
@decorated
def twice_decorated():
    copy()


class Module:
    """As torch's are called."""

    def __call__(self):
        return self.forward()

    def forward(self):
        [copy() for _ in range(2)]
        return {key: copy() for key in "ab"}

    @property
    def asked(self):
        copy()

    @classmethod
    def of_class(cls):
        (lambda: copy())()

    @staticmethod
    def of_none():
        sorted([2, 1], key=lambda number: copy() or number)


def long_lines():
    copy() if True else (
        None,
    )
    max(
        1,
        copy() or 2,
        copy()
        or 3)
    try:
        raise ValueError
    except ValueError:
        copy()
    finally:
        copy()


def called_back():
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda a, b: copy() or 0)
    numbers = (ctypes.c_int * 4)(3, 1, 2, 0)
    ctypes.CDLL(None).qsort(numbers, ctypes.c_size_t(4), ctypes.c_size_t(4), function)


def of_text(turn):
    """Its code goes when it is over, and its memory serves the next one's."""
    space = {"copy": copy}
    exec(compile("\n" * turn + "def caf\u00e9_%d():\n    copy()\n" % turn, "<text %d>" % (turn % 3), "exec"), space)
    space["caf\u00e9_%d" % turn]()


def everything(turn):
    by_recursion(3)
    by_recursion(70)
    for _ in generator(2):
        copy()
    run(coroutine(2))
    run(in_loops())
    twice_decorated()
    module = Module()
    module()
    module.asked
    Module.of_class()
    module.of_none()
    long_lines()
    called_back()
    of_text(turn)
    of_text(turn + 100)


def in_threads():
    threads = [threading.Thread(target=everything, args=(turn,)) for turn in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def work():
    library.aclrtMemcpy(to, ctypes.c_size_t(1), source, ctypes.c_size_t(0), to_host)  # has ranktrace ask Python
    for _ in range(1000):
        pass
    for turn in range(6):
        everything(turn)
    in_threads()
    with open(sys.argv[2], "a") as file:
        for line in said:
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    how = sys.argv[3] if len(sys.argv) > 3 else ""
    if how != "spawned":
        work()
    if how:
        said.clear()
        child = multiprocessing.get_context(how[:-2]).Process(target=work)
        child.start()
        child.join()
        sys.exit(child.exitcode)
