"""of_numba.py STEPS: two kernels a step, one of them in a stream of its own, and a copy back. Kernels of the simulated CUDA compute nothing:
what is said are copies.
"""
import sys

import numpy
from numba import cuda


@cuda.jit
def scale(x, factor):
    at = cuda.grid(1)
    if at < x.size:
        x[at] *= factor


@cuda.jit
def add(x, y):
    at = cuda.grid(1)
    if at < x.size:
        x[at] += y[at]


given = numpy.arange(256, dtype=numpy.float32)
stream, begin, end = cuda.stream(), cuda.event(), cuda.event()
x = cuda.to_device(given)
y = cuda.to_device(given, stream=stream)
back = cuda.pinned_array(256, dtype=numpy.float32)
for step in range(int(sys.argv[1])):
    begin.record(stream)
    scale[8, 32](x, 2.0)
    x.copy_to_host(back, stream=stream)
    add[8, 32, stream](x, y)
    end.record(stream)
    end.synchronize()
z = cuda.device_array_like(x)
z.copy_to_device(x)
print((back == given).all(), z.copy_to_host().sum())
