"""steps.py: three steps of five launches each, which the package's module tells; prints what the launches returned."""
import ctypes

import ranktrace

launch = ctypes.CDLL("libOpenCL.so.1").clEnqueueNDRangeKernel
returned = []
for n in (1, 2, 3):
    ranktrace.step(n)
    returned += [launch(*[ctypes.c_void_p(0)] * 9) for _ in range(5)]
print(len(returned), sorted(set(returned)))
