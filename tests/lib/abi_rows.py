"""abi_rows.py FOLDER PATTERN: declarations of a vendor's rows whose symbols fit, one a line.

abi_rows.py --again NAME FOLDER [NEW=OLD...]: NAME.cc declares those once more that the headers in NAME.i mention, with names of
types as older headers have them; their symbols in NAME.rows.
"""
import pathlib
import re
import sys

PROTOTYPE = re.compile(r"^HOOK(?:_VOID\(|\w*\(([^,]*),\s*)(\w+),\s*(\((?:[^()]|\([^()]*\))*\))", re.M | re.S)


def rows(folder):
    """(result, symbol, parameters) of each"""
    for path in sorted(pathlib.Path(folder).rglob("*.def")):
        for result, symbol, parameters in PROTOTYPE.findall(path.read_text()):
            yield result or "void", symbol, parameters


def again(name, folder, *older):
    text = pathlib.Path(name + ".i").read_text()
    said, words = set(re.findall(r"\b(\w+)\s*\(", text)), set(re.findall(r"\w+", text))
    found = [row for row in rows(folder) if row[1] in said]
    renamed = "".join(f"typedef {old} {new};\n" for new, old in (o.split("=") for o in older) if new not in words and old in words)
    pathlib.Path(name + ".cc").write_text('#include "real.h"\n' + renamed + 'extern "C" {\n' + "".join("%s %s%s;\n" % r for r in found) + "}\n")
    pathlib.Path(name + ".rows").write_text("".join(f"{r[1]}\n" for r in found))


if sys.argv[1] == "--again":
    again(*sys.argv[2:])
else:
    print("".join("%s %s%s;\n" % r for r in rows(sys.argv[1]) if re.match(sys.argv[2], r[1])), end="")
