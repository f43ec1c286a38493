"""line_tables.py - functions as this Python compiles them: of each its table of lines, and the line that it has for each instruction."""
import dis
import sys

TABLE = (1, "co_lnotab") if sys.version_info < (3, 10) else (2 if sys.version_info < (3, 11) else 3, "co_linetable")

SOURCE = '''\
import contextlib

def loops(n):
    total = 0
    for i in range(n):
        while (total
               < i):
            total += 1
        else:
            continue
    return total

def calls(f):
    f(
        1,
        f(
            2),

        3)
    return (f
            .a
            .b(f)
            .c)

@calls
@calls(
    loops)
def decorated(a=loops(
        3)):
    """Of two lines:

    and more."""
    pass

def tries(f):
    try:
        with contextlib.suppress(ValueError) as a, \\
             contextlib.suppress(TypeError):
            f()
    except KeyError as e:
        raise ValueError from e
    except (IndexError,
            OSError):
        pass
    finally:
        f(1)
    assert f, (
        "no")

async def later(f):
    async with f() as g:
        async for i in g:
            await f(
                i)
    return [await x async for x in f
            if x]

def comprehensions(n):
    return [i
            for i in range(n)
            if i], {a: b
                    for a, b in n}, (x for x in
                                     n)

class Layer:
    size = 1

    def forward(self, x):
        return (lambda y:
                y)(x)

first = lambda: 1
'''


def far():
    """A function whose lines lie far apart, both ways."""
    return "def far(f):\n    f(\n" + "".join("%s        f,\n" % ("\n" * n) for n in (1, 120, 130, 300, 70000)) + "    )\n    f()\n"


def long(lines):
    return "def long(f):\n" + "".join("    f(%d, [f, f, f, f]); f(\n        f)\n" % (i % 7) for i in range(lines))


def codes(code):
    yield code
    for each in code.co_consts:
        if isinstance(each, type(code)):
            yield from codes(each)


def lines(code):
    """(from, line) in order; the line None: there is none."""
    if hasattr(code, "co_lines"):
        return [(start, line) for start, _, line in code.co_lines()]
    return list(dis.findlinestarts(code))


def main():
    for source in (SOURCE, far(), long(100), long(3000)):
        for code in codes(compile(source, "job.py", "exec")):
            print("code", TABLE[0], code.co_firstlineno, getattr(code, TABLE[1]).hex() or "-", code.co_name)
            starts = lines(code)
            size, line = len(code.co_code), None
            for at in range(0, size, 2):
                while starts and starts[0][0] <= at:
                    line = starts.pop(0)[1]
                print(at, line or 0)


main()
