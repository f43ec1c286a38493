#!/bin/sh
# The rows of Ascend's libraries against CANN's headers, where ASCEND_HOME_PATH has them (ABI_INCLUDES: other folders): a row
# whose function they declare is declared once more, and a C++ compiler says whether that is the same function.
. "$(dirname "$0")/../lib/lib.sh"

need python3
need g++
cd "$tmp" || exit 1
export PYTHONPATH=$here/tests/sims/ascend

cat >real.h <<'P'
#include <stddef.h>
#include <stdint.h>
P
for header in acl/acl.h acl/acl_rt.h acl/acl_op.h acl/acl_op_compiler.h acl/acl_prof.h acl/acl_tdt.h acl/super_kernel.h super_kernel/super_kernel.h \
	aclnn/acl_meta.h hccl/hccl.h hccl/hccl_comm.h hccl/lcal_api.h lcal_api.h mstx/ms_tools_ext.h mspti/mspti.h experiment/runtime/runtime/rt.h; do
	printf '#if __has_include("%s")\n#include "%s"\n#endif\n' $header $header
done >>real.h

# declared NAME ROWS INCLUDES...: NAME.cc declares again those rows of a folder that the headers declare; their names in NAME.rows
declared() {
	name=$1 rows=$2
	shift 2
	flags=$(printf ' -I%s' "$@")
	g++ -std=gnu++17 -E -P $flags real.h >"$name.i" 2>"$name.errors" || return 1
	python3 - "$rows" "$name" <<'P'
import pathlib, re, sys
from rows import rows, vendors
text = open(sys.argv[2] + ".i").read()
said, words = set(re.findall(r"\b(\w+)\s*\(", text)), set(re.findall(r"\w+", text))
older = {"aclrtDevResLimitType": "aclrtDevResModelType"} # names of types in older headers
renamed = "".join(f"typedef {old} {new};\n" for new, old in older.items() if new not in words and old in words)
parts = re.compile(r"^HOOK(?:_VOID\(|\w*\(([^,]*),\s*)(\w+),\s*(\((?:[^()]|\([^()]*\))*\))", re.S)
found = [parts.match(text).groups() for f in vendors(pathlib.Path(sys.argv[1])) for _, symbol, text in rows(f) if symbol in said]
open(sys.argv[2] + ".cc", "w").write('#include "real.h"\n' + renamed + 'extern "C" {\n' + "".join(f"{r or 'void'} {s}{p};\n" for r, s, p in found) + "}\n")
open(sys.argv[2] + ".rows", "w").write("".join(f"{s}\n" for _, s, _ in found))
P
	g++ -std=gnu++17 -fsyntax-only -Wno-attributes -I. $flags "$name.cc" >"$name.errors" 2>&1
}
count() { wc -l <"$1.rows"; }

# ---- that the check can say yes and no: headers made of our own rows ----

mkdir -p made/acl made/hccl
python3 - "$here/hooks" <<'P'
import pathlib, re, sys
from rows import rows, vendors
hooks = pathlib.Path(sys.argv[1])
parts = re.compile(r"^HOOK(?:_VOID\(|\w*\(([^,]*),\s*)(\w+),\s*(\((?:[^()]|\([^()]*\))*\))", re.S)
head = '#pragma once\n#include "ascend_abi.h"\nextern "C" {\n'
for name, pattern in (("acl/acl.h", "acl[rmo]"), ("hccl/hccl.h", "Hccl")):
    its = [parts.match(text).groups() for f in vendors(hooks) for _, symbol, text in rows(f) if re.match(pattern, symbol)]
    pathlib.Path("made", name).write_text(head + "".join(f"{r or 'void'} {s}{p};\n" for r, s, p in its) + "}\n")
P
cp "$here/hooks/ascend/abi/abi.h" made/ascend_abi.h
# void stands for what is known by its address only: here each is a type of its own.
python3 - <<'P'
import re
text = open("made/ascend_abi.h").read()
text = re.sub(r"typedef void (\w[^;*()]*);", lambda m: "".join(f"struct {n.strip()};\n" for n in m[1].split(",")), text)
open("made/ascend_abi.h", "w").write(text)
P
if declared made "$here/hooks" made; then
	ok "rows_are_what_headers_made_of_them_say ($(count made) rows)"
else
	fail rows_are_what_headers_made_of_them_say "$(grep -m1 error made.errors)"
fi
equal a_row_that_no_header_has_is_left_out "$(grep -c Lccl made.rows)" 0
equal every_row_of_a_header_is_looked_at "$(($(count made) > 200))" 1

# refused NAME FILE SED: with one row of a file changed, the headers say no
refused() {
	rm -rf wrong && cp -r "$here/hooks" wrong
	sed -i "$3" "wrong/$2"
	if cmp -s "wrong/$2" "$here/hooks/$2"; then
		fail "$1" 'the row was not found'
	elif declared wrong wrong made; then
		fail "$1" 'it was accepted'
	else
		holds "$1" grep -qE 'conflicting|ambiguat' wrong.errors
	fi
}
refused a_row_with_another_result_is_refused ascend/acl.def 's/^HOOK(aclError, aclrtFree,/HOOK(int64_t, aclrtFree,/'
refused a_row_with_an_extra_parameter_is_refused ascend/acl.def 's/^HOOK(aclError, aclrtFreeHost, (void \*hostPtr)/HOOK(aclError, aclrtFreeHost, (void *hostPtr, int more)/'
refused a_row_with_a_narrower_parameter_is_refused ascend/hccl/hccl.def 's/(void \*buf, uint64_t count, HcclDataType dataType, uint32_t root/(void *buf, uint32_t count, HcclDataType dataType, uint32_t root/'

# ---- the headers that are here ----

includes=${ABI_INCLUDES-${ASCEND_HOME_PATH:+$ASCEND_HOME_PATH/include}}
for folder in $includes; do
	[ -e "$folder/acl/acl.h" ] || continue
	# shellcheck disable=SC2086
	if declared here "$here/hooks" $includes; then
		ok "rows_are_what_the_headers_here_say ($(count here) rows)"
	else
		fail rows_are_what_the_headers_here_say "$(grep error here.errors | head -n 3 | tr '\n' ' ')"
	fi
	break
done
finish
