"""npu_ranges.py LIB: ranges that end on another thread, cross, never end, or began too early, and marks, by libms_tools_ext."""
import ctypes
import sys
import threading

everything, mstx = ctypes.CDLL(None), ctypes.CDLL(sys.argv[1] + "/libms_tools_ext.so")
mstx.mstxRangeStartA.restype = mstx.mstxDomainRangeStartA.restype = ctypes.c_uint64
mstx.mstxDomainCreateA.restype = ctypes.c_void_p


def start(text):
    return ctypes.c_uint64(mstx.mstxRangeStartA(text, None))


def step(n):
    everything.ranktrace_step(ctypes.c_int64(n))


step(1)
early = start(b"too early")
step(2)
mstx.mstxRangeEnd(early)
far = start(b"ends elsewhere")
for _ in range(3):
    mstx.mstxMarkA(b"mark", None)
thread = threading.Thread(target=mstx.mstxRangeEnd, args=[far])
thread.start()
thread.join()
one, two = start(b"crossing"), start(b"crossed")
mstx.mstxRangeEnd(one)
mstx.mstxRangeEnd(two)
start(b"endless")
domain = ctypes.c_void_p(mstx.mstxDomainCreateA(b"own domain"))
inner = ctypes.c_uint64(mstx.mstxDomainRangeStartA(domain, b'{"no": "collective"}', None))
mstx.mstxDomainMarkA(domain, b"mark", None)
mstx.mstxDomainRangeEnd(domain, inner)
step(3)
