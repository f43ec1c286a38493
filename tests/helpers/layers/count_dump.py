#!/usr/bin/env python3
"""Prints the counters of a COUNT_LAYER_SHM file, also of a process that was killed."""
import struct
import sys

HEADER = struct.Struct("=Q")
ENTRY = struct.Struct("=56sQ")


def counters(path):
    """Returns {name: count} without the zeros."""
    with open(path, "rb") as f:
        data = f.read()
    n, = HEADER.unpack_from(data)
    end = HEADER.size + n * ENTRY.size
    return {name.rstrip(b"\0").decode(): count
            for name, count in ENTRY.iter_unpack(data[HEADER.size:end]) if count}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: count_dump.py FILE")
    for name, count in sorted(counters(sys.argv[1]).items()):
        print(name, count)


if __name__ == "__main__":
    main()
