"""stacks.py LIBRARY BATCHES [DEPTH]: copies by aclrtMemcpyAsync from that many functions of Python deep, in batches of 10,000 timed by the thread's CPU
clock: prints the best of them as best=, in ns a copy, that of ctypes included."""
import ctypes
import sys
import time

copy = ctypes.CDLL(sys.argv[1]).aclrtMemcpyAsync
copy.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
memory = ctypes.addressof(ctypes.create_string_buffer(64))
BATCH = 10000


def batch():
    begin = time.thread_time_ns()
    for _ in range(BATCH):
        copy(memory, 64, memory, 64, 2, None)
    return (time.thread_time_ns() - begin) / BATCH


def deep(frames):
    return deep(frames - 1) if frames > 2 else batch()


best = 1e9
for _ in range(int(sys.argv[2])):
    best = min(best, deep(int(sys.argv[3]) if len(sys.argv) > 3 else 20))
    time.sleep(.04)  # what was recorded is written
print("best=%.1f" % best)
