"""times_ctypes.py DIR WHAT: calls on the default stream by ctypes, around things that befall a device."""
import ctypes
import sys
import threading

acl = ctypes.CDLL(f"{sys.argv[1]}/libascendcl.so")
runtime = ctypes.CDLL(f"{sys.argv[1]}/libruntime.so")
step = getattr(ctypes.CDLL(None), "ranktrace_step", lambda n: None)
memory = ctypes.c_void_p()


def ok(result):
    if result:
        sys.exit(f"answered {result}")


def begin(n):
    step(ctypes.c_int64(n))


def fill(times, stream=None):
    for _ in range(times):
        ok(acl.aclrtMemsetAsync(memory, ctypes.c_size_t(64), 1, ctypes.c_size_t(64), stream))


def start():
    ok(acl.aclInit(None))
    ok(acl.aclrtSetDevice(0))
    ok(acl.aclrtMalloc(ctypes.byref(memory), ctypes.c_size_t(64), 0))


def reset():
    """a device is reset with work of which the times were not read, and used again"""
    begin(1)
    fill(20)
    ok(acl.aclrtResetDevice(0))
    ok(acl.aclrtSetDevice(0))
    fill(10)
    ok(acl.aclrtSynchronizeDevice())


def contexts():
    """two contexts; the times of each are read by who has it"""
    first, second = ctypes.c_void_p(), ctypes.c_void_p()
    ok(acl.aclrtCreateContext(ctypes.byref(first), 0))
    begin(1)
    fill(5)
    ok(acl.aclrtCreateContext(ctypes.byref(second), 0))
    fill(7)
    ok(acl.aclrtSynchronizeDevice())
    ok(acl.aclrtSetCurrentContext(first))
    ok(acl.aclrtSynchronizeDevice())
    ok(acl.aclrtDestroyContext(second))
    ok(acl.aclrtDestroyContext(first))


def turns(device):
    """work on the default stream of a device"""
    ok(acl.aclrtSetDevice(device))
    fill(4 + device)


def devices():
    """two devices, in turn and by a thread each, on their default streams"""
    begin(1)
    for turn in range(6):
        turns(turn % 2)
    workers = [threading.Thread(target=lambda n=n: [turns(n) for _ in range(20)] + [ok(acl.aclrtSynchronizeDevice())]) for n in (0, 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for device in (0, 1):
        ok(acl.aclrtSetDevice(device))
        ok(acl.aclrtSynchronizeDevice())


def many():
    """more work than there are events for, and nobody waits"""
    begin(1)
    fill(40)
    ok(acl.aclrtSynchronizeDevice())
    fill(3)
    ok(acl.aclrtSynchronizeDevice())


def behind():
    """a window ends, and its times come with the next waiting"""
    begin(1)
    fill(30)
    begin(2)
    fill(4)
    ok(acl.aclrtSynchronizeDevice())
    fill(4)


def kernel():
    """a kernel to launch"""
    binary, function = ctypes.c_void_p(), ctypes.c_void_p()
    ok(acl.aclrtBinaryLoadFromData(b"binary", ctypes.c_size_t(6), None, ctypes.byref(binary)))
    ok(acl.aclrtBinaryGetFunction(binary, b"kernel", ctypes.byref(function)))
    return function


def launch(function, times, stream=None):
    for _ in range(times):
        ok(acl.aclrtLaunchKernel(function, 4, None, ctypes.c_size_t(0), stream))


def minutes():
    """kernels that take long, so that the device's clock runs on for more than a minute, and short work beside them"""
    function, stream = kernel(), ctypes.c_void_p()
    ok(acl.aclrtCreateStream(ctypes.byref(stream)))
    begin(1)
    for _ in range(40):
        fill(2)
        launch(function, 3)
        fill(2)
        fill(1, stream)
        launch(function, 1, stream)
        ok(acl.aclrtSynchronizeDevice())


class Item(ctypes.Structure):
    """HcclSendRecvItem"""
    _fields_ = [("type", ctypes.c_int), ("buf", ctypes.c_void_p), ("count", ctypes.c_uint64), ("dataType", ctypes.c_int),
                ("remoteRank", ctypes.c_uint32)]


def collectives():
    """collectives of a rank that is alone, of each kind that gives a stream work"""
    hccl, lccl = ctypes.CDLL(f"{sys.argv[1]}/libhccl.so"), ctypes.CDLL(f"{sys.argv[1]}/liblcal.so")
    comm, other, device = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int32(0)
    items = (Item * 2)(Item(0, memory, 8, 0, 0), Item(1, memory, 8, 0, 0))
    ok(hccl.HcclCommInitAll(1, ctypes.byref(device), ctypes.byref(comm)))
    ok(lccl.LcalCommInit(0, 1, ctypes.byref(other)))
    begin(1)
    for _ in range(3):
        ok(hccl.HcclBroadcast(memory, ctypes.c_uint64(8), 0, 0, comm, None))
        ok(hccl.HcclBatchSendRecv(items, 2, comm, None))
        ok(lccl.LcclBroadcast(memory, ctypes.c_int64(8), 0, 0, other, None))
    ok(acl.aclrtSynchronizeDevice())


def profiler():
    """a profiler of CANN runs for a while"""
    prof = ctypes.CDLL(f"{sys.argv[1]}/libmsprofiler.so")
    function = kernel()
    begin(1)
    launch(function, 5)
    ok(acl.aclrtSynchronizeDevice())
    ok(prof.aclprofInit(b"/tmp", ctypes.c_size_t(4)))
    ok(prof.aclprofStart(None))
    launch(function, 7)
    ok(acl.aclrtSynchronizeDevice())
    ok(prof.aclprofStop(None))
    ok(prof.aclprofFinalize())
    launch(function, 11)
    ok(acl.aclrtSynchronizeDevice())


def failing():
    """a launch fails; what other threads launch is told as before"""
    function = kernel()
    begin(1)
    print("launch", acl.aclrtLaunchKernel(function, 4, None, ctypes.c_size_t(0), None))
    worker = threading.Thread(target=launch, args=(function, 5))
    worker.start()
    worker.join()
    ok(acl.aclrtSynchronizeDevice())


def subscriber():
    """another tool subscribes to msPTI, while we may be there, and leaves"""
    mspti = ctypes.CDLL("libmspti.so")
    handle, second, function = ctypes.c_void_p(), ctypes.c_void_p(), kernel()
    begin(1)
    launch(function, 3)
    print("subscribe", mspti.msptiSubscribe(ctypes.byref(handle), None, None))
    print("once more", mspti.msptiSubscribe(ctypes.byref(second), None, None))
    launch(function, 4)
    ok(acl.aclrtSynchronizeDevice())
    ok(mspti.msptiUnsubscribe(handle))
    begin(2)
    launch(function, 5)
    ok(acl.aclrtSynchronizeDevice())


def threads():
    """threads that launch at the same time"""
    function, streams = kernel(), [ctypes.c_void_p() for _ in range(4)]
    for stream in streams:
        ok(acl.aclrtCreateStream(ctypes.byref(stream)))
    begin(1)
    workers = [threading.Thread(target=launch, args=(function, 200, stream)) for stream in streams]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    ok(acl.aclrtSynchronizeDevice())


def ranges():
    """ranges that are given a stream: nested, ended by another thread, on a stream that has ended, left open by a window, too many"""
    tools = ctypes.CDLL(f"{sys.argv[1]}/libms_tools_ext.so")
    tools.mstxRangeStartA.restype, tools.mstxRangeEnd.argtypes = ctypes.c_uint64, [ctypes.c_uint64]
    stream, ending = ctypes.c_void_p(), ctypes.c_void_p()
    for made in (stream, ending):
        ok(acl.aclrtCreateStream(ctypes.byref(made)))
    begin(1)
    fill(1, stream)
    outer = tools.mstxRangeStartA(b"outer", stream)
    fill(3, stream)
    host = tools.mstxRangeStartA(b"host", None)
    inner = tools.mstxRangeStartA(b"inner", stream)
    fill(2, stream)
    tools.mstxRangeEnd(inner)
    tools.mstxRangeEnd(host)
    fill(1, stream)
    worker = threading.Thread(target=tools.mstxRangeEnd, args=(outer,))
    worker.start()
    worker.join()
    fill(2, ending)
    ended = tools.mstxRangeStartA(b"on a stream that ends", ending)
    ok(acl.aclrtSynchronizeDevice())
    ok(acl.aclrtDestroyStream(ending))
    tools.mstxRangeEnd(ended)
    left = tools.mstxRangeStartA(b"left open", stream)
    begin(2)
    tools.mstxRangeEnd(left)
    begin(3)
    many = [tools.mstxRangeStartA(b"many", stream) for _ in range(70)]
    fill(1, stream)
    for one in many:
        tools.mstxRangeEnd(one)
    ok(acl.aclrtSynchronizeDevice())


start()
globals()[sys.argv[2]]()
ok(acl.aclrtFree(memory))
print("done")
