#!/bin/sh
# Each row of hooks/ leads to the real function with the arguments that it was called with, in their order.
. "$(dirname "$0")/../lib/lib.sh"

need python3
cd "$tmp" || exit 1
cat >look.py <<'P'
"""look.py FOLDER: rows whose arguments are not the names of their parameters, one a line; last how many were compared."""
import pathlib, re, sys
ROW = re.compile(r"^HOOK\w*\((?:[^,()]+,\s*)?(\w+),\s*\(((?:[^()]|\([^()]*\))*)\),\s*\(([^()]*)\)", re.M)
NAME = re.compile(r"\(\*(?:\w+ )*(\w+)\)|(\w+)(?:\[\w*\])*\s*$")  # of a pointer to a function, or of anything else
compared = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.def")):
    for symbol, parameters, arguments in ROW.findall(path.read_text()):
        names = [NAME.search(p) for p in re.split(r",(?![^()]*\))", parameters)]
        names = [n[1] or n[2] for n in names if n and n[0] != "void"]
        compared += 1
        if names != re.findall(r"\w+", arguments):
            print(f"{path.name}: {symbol} ({', '.join(names)}) has ({arguments})")
print(compared)
P
equal all_rows_hand_their_parameters_on "$(python3 look.py "$here/hooks")" \
	"$(grep -rh '^HOOK' "$here/hooks" --include=*.def | grep -cv '^HOOK_ANY(\|^HOOK_AS(')"

# ---- that the check can say no ----

mkdir wrong
sed '/^HOOK(hipError_t, hipFree,/,/(ptr)/ s/(ptr)/(ptr, ptr)/' "$here/hooks/hip/runtime.def" >wrong/runtime.def
equal a_row_that_mixes_them_up_is_told "$(python3 look.py wrong | sed '$d')" 'runtime.def: hipFree (ptr) has (ptr, ptr)'
finish
