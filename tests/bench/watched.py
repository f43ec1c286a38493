"""watched.py LIBRARY [WATCHED]: what a call of a method costs, in ns: watched, not watched, and a frame that an exception leaves."""
import ctypes
import sys
import time

library = ctypes.CDLL(sys.argv[1])
library.clFinish(None)  # brings the shim


class Worker:
    def watched(self, n):
        pass

    def other(self, n):
        pass

    def raises(self, n):
        raise KeyError


import wave  # who imports anything has what __main__ has now looked up


def once(function, argument):
    begin = time.perf_counter_ns()
    for _ in range(20000):
        function(argument)
    return (time.perf_counter_ns() - begin) / 20000


def leaves(n, worker=Worker()):
    try:
        worker.raises(n)
    except KeyError:
        pass


worker = Worker()
for name, function in (("watched", worker.watched), ("other", worker.other), ("exception", leaves)):
    print("%s=%.1f" % (name, min(once(function, 1) for _ in range(20))))
