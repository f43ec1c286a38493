"""calls.py HOOKS OUT: OUT/calls.c, a program that calls every row of the Ascend libraries once by import and once by dlsym.

Pointers are those of a place of zeros, numbers and handles 64. It prints what it called, `symbol library` lines.
"""
import pathlib
import re
import sys

from rows import rows, vendors

HEAD = """#include "hooks/ascend/abi/abi.h"
#include <dlfcn.h>
#include <stdio.h>
#pragma GCC diagnostic ignored "-Wint-conversion"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
static char zeros[1 << 20];
static void *find(const char *library, const char *symbol)
{
	void *handle = dlopen(library, RTLD_LAZY), *function = handle ? dlsym(handle, symbol) : NULL;

	printf("%s %s\\n", symbol, function ? library : "is not there");
	return function;
}
"""
PARTS = re.compile(r"^HOOK(?:_VOID\(|\w*\(([^,]*),\s*)(\w+),\s*\(((?:[^()]|\([^()]*\))*)\)", re.S)


def value(parameter):
    parameter = " ".join(parameter.split())
    if "*" in parameter or "[" in parameter:
        return "(void *)zeros"
    return f"({re.sub(r' ?[a-zA-Z0-9_]+$', '', parameter).replace('const ', '')}){{64}}"


def call(library, symbol, text):
    ret, _, parameters = PARTS.match(text).groups()
    ret, parameters = ret or "void", " ".join(parameters.split())
    values = ", ".join(value(p) for p in parameters.split(",")) if parameters else ""
    return (f"{ret} {symbol}({parameters});\nstatic void both_{symbol}(void)\n{{\n"
            f"\t{ret} (*found)({parameters}) = find(\"{library}\", \"{symbol}\");\n\n"
            f"\t{symbol}({values});\n\tif (found)\n\t\tfound({values});\n}}\n")


def main():
    hooks, out = map(pathlib.Path, sys.argv[1:3])
    found = {symbol: (library, text) for f in vendors(hooks) for library, symbol, text in rows(f)}
    calls = "".join(call(library, symbol, text) for symbol, (library, text) in found.items())
    every = "".join(f"\tboth_{symbol}();\n" for symbol in found)
    (out / "calls.c").write_text(f"{HEAD}{calls}int main(void)\n{{\n{every}\treturn 0;\n}}\n")


main()
