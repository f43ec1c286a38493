"""`ranktrace`, `ranktrace-run`, and both as `python -m ranktrace [run]`: hand over to what lies in bin/."""
import os
import sys

_BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")


def _become(name, words):
    os.execv(os.path.join(_BIN, name), [name] + words)


def command():
    _become("ranktrace", sys.argv[1:])


def run():
    _become("ranktrace-run", sys.argv[1:])


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        _become("ranktrace-run", sys.argv[2:])
    command()
