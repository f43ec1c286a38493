"""counts.py [-a | -t | -p | -o] FILE...: what the simulated libraries counted (SIM_COUNTS), as `symbol count` lines.

Calls from outside of the simulated libraries. -a: all, as `library symbol count`; -t: as `caller>symbol count`;
-p: without those that ranktrace makes on its own; -o: those, wherever it makes them. BUILD: where its library lies.
"""
import bisect
import collections
import functools
import os
import struct
import subprocess
import sys

ENTRY = struct.Struct("24s104sIIQ")


class Symbol(str):
    """A function's name, and the library that has it."""

    library = ""


@functools.lru_cache(maxsize=None)
def functions():
    """ranktrace's: where they begin, and their names"""
    path = os.path.join(os.environ["BUILD"], "libranktrace.so")
    listed = subprocess.run(["nm", "-n", "--defined-only", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    rows = [(int(at, 16), name) for at, kind, name in rows if kind in "tTwW"]
    return [at for at, _ in rows], [name for _, name in rows]


@functools.lru_cache(maxsize=None)
def is_own(symbol, place):
    """Is this a call that ranktrace makes on its own? The program's go through functions that are named after what is called."""
    if not place or symbol.startswith("aclnn"):
        return False
    begins, names = functions()
    return symbol.split(".")[0] not in names[bisect.bisect_right(begins, place - 1) - 1]


def entries(path, whose=None):
    """(library, the symbols from the outermost call to this one, calls). whose: "program" leaves out what ranktrace calls on
    its own, and what comes of it; "ours" leaves out all else, and what comes of it"""
    paths, ours = [()], [False]
    for library, symbol, caller, place, calls in list(ENTRY.iter_unpack(open(path, "rb").read()))[1:]:
        if not symbol[0]:
            break
        symbol = Symbol(symbol.split(b"\0")[0].decode())
        symbol.library = library.split(b"\0")[0].decode()
        own = whose and not ours[caller] and is_own(symbol, place)
        paths.append(paths[caller] + (symbol,))
        ours.append(ours[caller] or own)
        if not whose or (own if whose == "ours" else not ours[-1]):
            yield symbol.library, paths[-1], calls


def main(arguments):
    form = arguments.pop(0) if arguments[0] in ("-a", "-t", "-p", "-o") else ""
    sums = collections.Counter()
    for file in arguments:
        for library, path, calls in entries(file, {"-p": "program", "-o": "ours"}.get(form)):
            if form == "-a":
                sums[f"{library} {path[-1]}"] += calls
            elif form == "-o":
                sums[path[-1]] += calls
            elif form == "-t" or len(path) == 1:
                sums[">".join(path)] += calls
    for name in sorted(+sums):
        print(name, sums[name])


if __name__ == "__main__":
    main(sys.argv[1:])
