"""`ranktrace`, `ranktrace-run`, and both as `python -m ranktrace [run]`: hand over to what lies in bin/."""
import os
import sys

_BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")


def command(name="ranktrace", begins=1):
    try:
        os.execv(os.path.join(_BIN, name), [name] + sys.argv[begins:])
    except OSError as e:
        sys.exit("ranktrace: cannot run %s/%s: %s (chmod +x it, or install where programs may run)" % (_BIN, name, e.strerror))


def run():
    command("ranktrace-run")


if __name__ == "__main__":
    command("ranktrace-run", 2) if sys.argv[1:2] == ["run"] else command()
