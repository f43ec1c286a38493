"""device.py - the device: calls of a library that stands in for OpenCL (RANKTRACE_TEST_LIBRARY)."""
import ctypes
import os

library = ctypes.CDLL(os.environ["RANKTRACE_TEST_LIBRARY"])


def call(times):
    for _ in range(times):
        library.clFinish(None)
