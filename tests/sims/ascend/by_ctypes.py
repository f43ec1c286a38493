"""by_ctypes.py DIR: a collective and a copy by ctypes; is a function there that no library has loaded?"""
import ctypes
import sys

everything = ctypes.CDLL(None)
print([name for name in ("HcclAllReduce", "aclrtMalloc", "mstxMarkA", "msptiActivityIsEnabled") if hasattr(everything, name)])
hccl, acl = ctypes.CDLL(f"{sys.argv[1]}/libhccl.so"), ctypes.CDLL(f"{sys.argv[1]}/libascendcl.so")
root, comm = ctypes.create_string_buffer(4108), ctypes.c_void_p()
hccl.HcclGetRootInfo(root)
hccl.HcclCommInitRootInfo(1, root, 0, ctypes.byref(comm))
numbers, sums, back = (ctypes.c_float * 4)(1, 2, 3, 4), (ctypes.c_float * 4)(), (ctypes.c_float * 4)()
count, size = ctypes.c_uint64(4), ctypes.c_size_t(16)
print(hccl.HcclAllReduce(numbers, sums, count, 4, 0, comm, None), list(sums))
print(acl.aclrtMemcpy(back, size, sums, size, 2), list(back))
print([name for name in ("HcclNoSuchThing", "aclrtNoSuchThing") if hasattr(hccl, name) or hasattr(acl, name)])
