"""asked_threads.py LIBRARY THREADS CALLS [forever]: each thread copies by functions of its own, by aclrtMemcpy.
asked_threads.py - THREADS CALLS <DUMP: are they all there, each from its own thread's functions?"""
import ctypes
import json
import sys
import threading

SIZES = 1024
PLACES = """
def outer_{n}(size):
    return inner_{n}(size) if size % 3 else (inner_{n})(size)

def inner_{n}(size):
    if size % 2:
        copy(to, most, source, ctypes.c_size_t(size), 2)
    else:
        copy(to, most, source, ctypes.c_size_t(size), 2)

def work_{n}(calls, forever):
    for call in range(calls):
        outer_{n}(call % (SIZES - 1) + 1)
    while forever:
        outer_{n}(1)
"""


def run(path, threads, calls, forever):
    library = ctypes.CDLL(path)
    to, source = ctypes.create_string_buffer(SIZES), ctypes.create_string_buffer(SIZES)
    space = {"copy": library.aclrtMemcpy, "ctypes": ctypes, "most": ctypes.c_size_t(SIZES), "to": to, "source": source, "SIZES": SIZES}
    library.aclrtMemcpy(to, ctypes.c_size_t(1), source, ctypes.c_size_t(0), 2)  # has ranktrace ask Python
    for _ in range(1000):
        pass
    for n in range(threads):
        exec(compile(PLACES.format(n=n), "places_%d.py" % n, "exec"), space)
    started = [threading.Thread(target=space["work_%d" % n], args=(calls, forever)) for n in range(threads)]
    for thread in started:
        thread.start()
    print("running", flush=True)
    for thread in started:
        thread.join()


def compare(threads, calls):
    """Of each thread: all its calls, all from functions of one number, which is no other thread's."""
    seen, wrong = {}, 0
    for line in sys.stdin:
        event = json.loads(line)
        if not event["bytes"]:
            continue
        stack = [frame for frame in event.get("stack", []) if "function" in frame][:3]
        name = stack[0]["function"] if stack else ""
        n = name[6:]
        wrong += [f["function"] for f in stack] != [name, "outer_" + n, "work_" + n] or [f["line"] for f in stack[:2]] != [7 + 2 * (event["bytes"] % 2 == 0), 3]
        seen[event["tid"], n] = seen.get((event["tid"], n), 0) + 1
    all_of_them = {(n, count) for (_, n), count in seen.items()} == {(str(n), calls) for n in range(threads)} and len(seen) == threads
    print("%d, %d wrong, %s" % (sum(seen.values()), wrong, "each thread its own" if all_of_them else "some are another's"))


if sys.argv[1] == "-":
    compare(int(sys.argv[2]), int(sys.argv[3]))
else:
    run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), len(sys.argv) > 4)
