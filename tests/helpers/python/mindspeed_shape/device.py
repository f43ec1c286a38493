"""device.py - the device: calls of a library that stands in for OpenCL (LIBRARY_OF_TEST)."""
import ctypes
import os

library = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"])


def call(times):
    for _ in range(times):
        library.clFinish(None)


call(1)
