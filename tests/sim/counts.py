"""counts.py [-a | -t] FILE...: what the simulated libraries counted (SIM_COUNTS), as `symbol count` lines.

Calls from outside of the simulated libraries. -a: all, as `library symbol count`; -t: as `caller>symbol count`.
"""
import collections
import struct
import sys

ENTRY = struct.Struct("24s88sQQ")


def entries(path):
    """(library, the symbols from the outermost call to this one, calls)"""
    paths = [()]
    for library, symbol, caller, calls in list(ENTRY.iter_unpack(open(path, "rb").read()))[1:]:
        if not symbol[0]:
            break
        paths.append(paths[caller] + (symbol.split(b"\0")[0].decode(),))
        yield library.split(b"\0")[0].decode(), paths[-1], calls


def main(arguments):
    form = arguments.pop(0) if arguments[:1] in (["-a"], ["-t"]) else ""
    sums = collections.Counter()
    for file in arguments:
        for library, path, calls in entries(file):
            if form == "-a":
                sums[f"{library} {path[-1]}"] += calls
            elif form == "-t" or len(path) == 1:
                sums[">".join(path)] += calls
    for name in sorted(+sums):
        print(name, sums[name])


if __name__ == "__main__":
    main(sys.argv[1:])
