"""rows.py HOOKS OUT: what each simulated libamdhip64 exports, as OUT/libamdhip64.so.MAJOR.def, and its versions of symbols, as .map.

names has the symbols with the version that each came in. What each does: rows/own.def, with a prototype; rows/same.txt: the same
as a function of the simulated CUDA; a name in _spt is the one without, on the default stream of the calling thread. All else has
the prototype of HOOKS (hooks/), or none, and answers that it is not supported.
"""
import importlib.util
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("cuda_rows", HERE.parent / "cuda/rows.py")
cuda = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cuda)

NEWEST = {"5": (5, 6), "6": (6, 4), "7": (7, 99)} # versions of symbols that each major has


def version(node):
    return tuple(int(n) for n in node.removeprefix("hip_").split("."))


def same():
    """{symbol: the function of the simulated CUDA}"""
    found = {}
    for line in (HERE / "rows/same.txt").read_text().splitlines():
        words = [] if line.startswith("#") else line.split()
        if len(words) == 2 and not words[1].startswith(("hip", "__hip")) or words and words[0].startswith("_Z"):
            found[words[0]] = words[1]
        else:
            found.update((w, w.replace("hip", "cuda")) for w in words)
    return found


def rows_of(symbols, hooked, own, alike):
    for symbol in symbols:
        base = symbol.removesuffix("_spt")
        thread = int(base != symbol)
        if symbol in own and base not in alike:
            yield own[symbol]
        elif base in alike and (symbol in hooked or symbol in own):
            ret, params, args = hooked[symbol][:3] if symbol in hooked else prototype(own[symbol])
            yield f"AS({ret}, {symbol}, {alike[base]}, {params}, {args}, {thread})\n"
        else:
            yield f"NAME({symbol})\n"


def prototype(row):
    inner = row[row.index("(") + 1:row.rindex(")")]
    return (inner.split(",")[0], *list(cuda.groups(inner))[:2])


def main():
    hooks, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    hooked = cuda.hooked(hooks, "hip")["libamdhip64.so.6"]
    own = {m[1]: m[0] for m in cuda.ROW.finditer((HERE / "rows/own.def").read_text())}
    names = [line.split() for line in (HERE / "names").read_text().splitlines()]
    for major, newest in NEWEST.items():
        mine = [(s, node) for s, node in names if version(node) <= newest and (major == "5") >= s.startswith("_Z") and (major, s) != ("5", "hipExtModuleLaunchKernel")]
        (out / f"libamdhip64.so.{major}.def").write_text("".join(rows_of([s for s, _ in mine], hooked, own, same())))
        (out / f"libamdhip64.{major}.map").write_text("".join(
            f"{node} {{ global: {' '.join(s + ';' for s, its in mine if its == node)} }};\n" for node in sorted({n for _, n in mine}, key=version)))
    (out / "own.def").write_text("".join(own.values()))


main()
