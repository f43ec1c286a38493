"""rows.py HOOKS OUT: what each simulated library exports, as OUT/<soname>.def.

Functions that do something have their prototypes in rows/, all others are in names/: nothing but that they exist. A name
in _ptsz or _ptds is the one without, on the default stream of the calling thread. OUT/resolved.def: what
cuGetProcAddress knows; OUT/asked12.def and asked13.def: what the runtime asks it for, in this
order.

The libraries of operators have the rows of HOOKS (hooks/), too. OUT/empty/<soname>.def: the rows of HOOKS alone, for
libraries that do nothing; OUT/libraries: which.

SIM_NAMES=FILE: more functions of libraries of operators, as `soname symbol` lines, of which nothing is known.
"""
import collections
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROW = re.compile(r"^HOOK(?:_VOID\(|_QUIET\(|_DOUBLE_VOID\(|\w*\([^,]*,\s*)(\w+),.*?(?=^\S|\Z)", re.M | re.S)
HEAD = re.compile(r"HOOK\w*\((?P<ret>[^,]*), \w+, (?P<rest>\(.*)\)\n\Z", re.S)


def read(*names):
    """{symbol: text} of these files of rows; later ones count."""
    found = {}
    for name in names:
        for match in ROW.finditer((HERE / "rows" / f"{name}.def").read_text()):
            found[match[1]] = match[0]
    return found


def threads(symbol, rows):
    """The row of a name in _ptsz or _ptds, if there is one without."""
    base = re.sub("_ptsz$|_ptds$", "", symbol)
    if base == symbol or base not in rows:
        return None
    head = HEAD.fullmatch(rows[base])
    return f"THREADS({head['ret']}, {symbol}, {base}, {head['rest']})\n"


def library(out, soname, rows, symbols):
    unknown = rows.keys() - symbols
    if unknown:
        sys.exit(f"rows.py: {soname} has no {' '.join(sorted(unknown))}")
    (out / f"{soname}.def").write_text("".join(rows.get(s) or threads(s, rows) or f"NAME({s})\n" for s in sorted(symbols)))


def names(soname):
    return [line.split() for line in (HERE / "names" / soname).read_text().splitlines()]


def resolver(out, known):
    """A pair of name and version is the newest ABI that is not newer."""
    (out / "resolved.def").write_text("".join(f'RESOLVED("{name}", {version}, {thread}, {symbol})\n' for name, version, thread, symbol in known))
    for major in ("12", "13"):
        (out / f"asked{major}.def").write_text("".join(asked(known, names(f"libcudart.so.{major}.asks"))))


def asked(known, wanted):
    """A row for each question of a runtime; with the symbol that answers it, where it is the first one."""
    found = set()
    for number, (name, version, flags) in enumerate(wanted):
        abis = [(int(its), symbol) for its_name, its, thread, symbol in known
                if its_name == name and int(its) <= int(version) and thread == ("1" if flags == "2" else "0")]
        symbol = max(abis)[1] if abis else f"none{number}"
        symbol = f"again{number}" if symbol in found else symbol
        found.add(symbol)
        yield f'ASKED("{name.strip("-")}", {version}, {flags}, {symbol}, {number})\n'


def groups(text):
    """What stands in the outermost parentheses of a row, one after the other."""
    depth, begin = 0, 0
    for at, letter in enumerate(text):
        if letter == "(":
            depth += 1
            begin = at if depth == 1 else begin
        elif letter == ")":
            depth -= 1
            if not depth:
                yield text[begin:at + 1]


def hooked(hooks, vendor="cuda"):
    """{soname: {symbol: (return type, parameters, arguments, word, its first argument)}} of a vendor's folder of hooks/."""
    found = collections.defaultdict(dict)
    for path in sorted((hooks / vendor).rglob("*.def")):
        soname = None
        for part in re.split(r"^(#define HOOK_LIBRARY .*\n)", path.read_text(), flags=re.M):
            if part.startswith("#define HOOK_LIBRARY"):
                soname = part.split('"')[1] if ".so" in part else None  # NVTX is no library
                continue
            for match in ROW.finditer(part) if soname else ():
                row = match[0][match[0].index("("):]
                inner = next(groups(row))[1:-1]
                params, args = list(groups(inner))[:2]
                void = re.match("HOOK(_DOUBLE)?_VOID|HOOK_QUIET", match[0])
                word = re.match(r"\s*,\s*(\w+)\(([^,()]*)", inner[inner.index(args, inner.index(params) + len(params)) + len(args):])
                found[soname][match[1]] = ("void" if void else inner.split(",")[0].strip(), params, args) + (word.groups() if word else ("", ""))
    return found


# Words of operators, and which stream their work goes to: that of the handle that comes first, or what comes first.
OF_HANDLE = ("BLAS", "BLAS_GROUPS", "DNN")
OF_STREAM = ("LT_MATMUL", "LT_TRANSFORM", "DNN_ON")
OF_NONE = ("OLD_BLAS",)


def operators(out, soname, rows, symbols):
    """A library of operators: what has no row here is a kernel if hooks/ says that it is an operator."""
    text = []
    for symbol, (ret, params, args, word, first) in sorted(symbols.items()):
        stream = f"library_stream({first})" if word in OF_HANDLE else first if word in OF_STREAM else "library_stream(NULL)"
        if symbol in rows:
            continue
        kind = "OPERATES" if word in OF_HANDLE + OF_STREAM + OF_NONE else "ANSWERS"
        text.append(f"{kind}_VOID({symbol}, {params}, {args}, {stream})\n" if ret == "void" else f"{kind}({ret}, {symbol}, {params}, {args}, {stream})\n")
    known = rows.keys() | symbols.keys()
    more = sorted(its for library_, its in (line.split() for line in wished()) if library_ == soname and its not in known)
    (out / f"{soname}.def").write_text("".join([*rows.values(), *text, *(f"NAME({s})\n" for s in more)]))


def wished():
    """SIM_NAMES=FILE: more functions of these, as `soname symbol`, of which nothing is known; they answer success."""
    path = os.environ.get("SIM_NAMES")
    return open(path) if path else ()


def empty(out, found):
    (out / "empty").mkdir(exist_ok=True)
    for soname, rows in found.items():
        (out / "empty" / f"{soname}.def").write_text("".join(
            f"ANSWERS_VOID({s}, {params}, {args}, )\n" if ret == "void" else f"ANSWERS({ret}, {s}, {params}, {args}, )\n"
            for s, (ret, params, args, _, _) in sorted(rows.items())))
    (out / "libraries").write_text("".join(f"{soname}\n" for soname in sorted(found)))


def main():
    hooks, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    known = names("libcuda.so.1")
    library(out, "libcuda.so.1", read("driver"), {symbol for _, _, _, symbol in known})
    library(out, "libcudart.so.13", read("runtime"), {line[0] for line in names("libcudart.so.13")})
    library(out, "libcudart.so.12", read("runtime", "runtime12"), {line[0] for line in names("libcudart.so.12")})
    library(out, "libnccl.so.2", read("nccl"), {line[0] for line in names("libnccl.so.2")})
    resolver(out, known)
    found = hooked(hooks)
    for soname, mine in (("libcublas.so.13", "blas"), ("libcublasLt.so.13", "blaslt"), ("libcudnn.so.9", "dnn")):
        operators(out, soname, read(mine), found[soname])
    empty(out, found)


if __name__ == "__main__":
    main()
