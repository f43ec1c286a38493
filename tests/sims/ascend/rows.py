"""rows.py HOOKS OUT [LAYOUT]: sorts the rows of hooks/ and of rows/ by library, into OUT/<soname>.def and OUT/all.def.

A prototype that both have is that of hooks/; which library exports it is said by rows/, else by HOOK_LIBRARY.
In a monolith libhccl has what is libhcomm's otherwise. In the empty layout hooks/ says where a function is.

SIM_NAMES=FILE: more functions, `soname symbol` lines, of which nothing is known but that they exist: those that have no
row answer 0. SIM_WITHOUT="symbol ...": functions that no library has. OUT/libraries lists all libraries that have functions; OUT/operators.def has the operators.
"""
import collections
import os
import pathlib
import re
import sys

ROW = re.compile(r"^HOOK(?:_VOID\(|\w*\([^,]*,\s*)(\w+),.*?(?=^\S|\Z)", re.M | re.S)


def rows(path):
    """(library, symbol, text) of each row; the library is that of the file where no HOOK_LIBRARY stands before."""
    library = f"lib{path.stem}.so"
    for part in re.split(r"^(#define HOOK_LIBRARY .*\n)", path.read_text(), flags=re.M):
        if part.startswith("#define HOOK_LIBRARY"):
            library = part.split('"')[1]
            continue
        for match in ROW.finditer(part):
            yield library, match[1], re.sub(r"\n(\n|/\*.*|#.*)*\Z", "\n", match[0])


def vendors(hooks):
    """The files of rows that belong here."""
    return sorted((hooks / "ascend").rglob("*.def"))


def names():
    """{soname: symbols} of SIM_NAMES"""
    more = collections.defaultdict(set)
    path = os.environ.get("SIM_NAMES")
    for line in open(path) if path else ():
        library, symbol = line.split()
        no_operator = library == "libopapi.so" and not re.match("aclnn[A-Z]", symbol)
        more["libnnopbase.so" if no_operator else library].add(symbol)
    return more


def operators(symbols):
    """PLAIN rows of operators that are not in ops*.def."""
    here = pathlib.Path(__file__).parent
    known = set(re.findall(r"^OP\((\w+),", "".join(f.read_text() for f in here.glob("ops*.def")), re.M))
    found = {re.sub("^aclnn|GetWorkspaceSize$", "", s) for s in symbols if re.match("aclnn[A-Z]", s)}
    return "".join(f"PLAIN({op})\n" for op in sorted(found - known))


def main():
    hooks, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    known = {symbol: (library, text) for f in vendors(hooks) for library, symbol, text in rows(f)}
    here = [row for f in sorted((pathlib.Path(__file__).parent / "rows").glob("*.def")) for row in rows(f)]
    sorted_rows = collections.defaultdict(dict)
    monolith, empty = sys.argv[3:] == ["monolith"], sys.argv[3:] == ["empty"]
    for library, symbol, text in here:
        library = "libhccl.so" if monolith and library == "libhcomm.so" else library
        library = known[symbol][0] if empty and symbol in known else library
        sorted_rows[library][symbol] = known.get(symbol, (library, text))[1]
    for symbol in known.keys() - {symbol for _, symbol, _ in here}:
        library = "libhccl.so" if monolith and known[symbol][0] == "libhcomm.so" else known[symbol][0]
        sorted_rows[library][symbol] = known[symbol][1]
    everywhere = {symbol for its in sorted_rows.values() for symbol in its}
    more = names()
    for library, symbols in more.items():
        for symbol in symbols - everywhere:
            if not re.match("aclnn[A-Z]", symbol):
                sorted_rows[library][symbol] = f"HOOK(int, {symbol}, (), ())\n"
    out.mkdir(parents=True, exist_ok=True)
    (out / "operators.def").write_text(operators(set().union(*more.values())))
    (out / "libraries").write_text("".join(f"{library}\n" for library in sorted(sorted_rows)))
    without = os.environ.get("SIM_WITHOUT", "").split()
    for library, its in sorted_rows.items():
        (out / f"{library}.def").write_text("".join(its[s] for s in sorted(its) if s not in without))
    (out / "all.def").write_text("".join(text for its in sorted_rows.values() for text in its.values()))


if __name__ == "__main__":
    main()
