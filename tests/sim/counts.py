"""counts.py [-a] FILE...: what the simulated libraries counted (SIM_COUNTS), as `symbol count` lines.

Calls from outside of the simulated libraries; -a: all, as `library symbol count` lines.
"""
import collections
import struct
import sys

ENTRY = struct.Struct("24s88sQQ")


def entries(path):
    for library, symbol, outer, every in ENTRY.iter_unpack(open(path, "rb").read()):
        if symbol[0]:
            yield library.split(b"\0")[0].decode(), symbol.split(b"\0")[0].decode(), outer, every


def main(arguments):
    everything = arguments[:1] == ["-a"]
    sums = collections.Counter()
    for path in arguments[everything:]:
        for library, symbol, outer, every in entries(path):
            sums[f"{library} {symbol}" if everything else symbol] += every if everything else outer
    for name in sorted(sums):
        if sums[name]:
            print(name, sums[name])


if __name__ == "__main__":
    main(sys.argv[1:])
