#!/bin/sh
# What libranktrace.so shows to others and wants from them: exports are the tables, needs are libc, and
# every entry point that moves, makes, launches, releases or waits has a row.
set -eu
export LC_ALL=C
. "$(dirname "$0")/../lib/lib.sh"
so=$BUILD/libranktrace.so

# empty NAME FILE: nothing may stand in FILE.
empty() {
	if [ -s "$2" ]; then
		fail "$1" "$(head -n5 "$2" | tr '\n' ' ')"
	else
		ok "$1"
	fi
}

cd "$tmp"
"$BUILD/ranktrace" hooks | awk 'NR > 1 && $1 !~ /[*]/ && $4 != "NVTX" { print $1 }' | sort -u >hooked
nm -D --defined-only "$so" | awk '{ print $3 }' | sort >exported
sed -n 's/.*\b\(ranktrace_[a-z_]*\)(.*__attribute__((weak)).*/\1/p' "$here/agent/ranktrace.h" >public

sed -n 's/^ACLNN(\(.*\))$/aclnn\1\naclnn\1GetWorkspaceSize/p; s/^FIRST_OF(\(.*\))$/\1GetWorkspaceSize/p' "$here/hooks/ascend/aclnn/names.def" >operators

sort -u hooked public operators - >wanted <<P
InitInjectionMstx
InitializeInjectionNvtx2
clGetLayerInfo
clInitLayer
dlclose
dlerror
dlmopen
dlopen
dlsym
dlvsym
P
diff wanted exported >difference || :
empty exports_are_the_tables_and_nothing_else difference
# The command opens no library, though SQLite could. What stands in for dlopen() in it is our own, which opens none.
[ -n "${SAN-}" ] || { nm -D "$BUILD/ranktrace" | awk '$2 ~ /^dl(m?open|v?sym)(@|$)/' >reached; empty the_command_reaches_no_dlopen reached; }
grep '@' exported >versions || :
empty exports_have_no_version versions
[ "$(wc -l <public)" -ge 2 ] && ok the_public_header_names_its_calls || fail the_public_header_names_its_calls "$(cat public)"

nm -D --undefined-only "$so" | awk '{ print $2 }' >undefined
grep -E '^(cl[A-Z]|cu[A-Z]|cuda|nccl|hip|acl|Hccl|rt[A-Z]|mstx|nvtx)' undefined >vendor || :
empty no_vendor_function_is_wanted vendor

# Sanitizer builds want their runtime, and do not run on old systems.
if nm -D --undefined-only "$so" | grep -qE '__(asan|tsan|ubsan)_'; then
	echo 'ok (a sanitizer build: versions and needs are not judged)'
else
	sed -n 's/.*@GLIBC_\([0-9.]*\)$/\1/p' undefined | sort -u |
		while read -r v; do
			[ "$(printf '%s\n2.28\n' "$v" | sort -V | tail -n1)" = 2.28 ] || grep "@GLIBC_$v\$" undefined
		done >newer
	empty no_import_is_newer_than_glibc_2_28 newer
	readelf -dW "$so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc\.so\.6|ld-linux.*)$' >needed || :
	empty libc_is_all_that_is_needed needed
	readelf -dW "$so" | grep -q 'NEEDED.*libc.so.6' && ok libc_is_needed || fail libc_is_needed 'it is not'
fi

tls=$(readelf -lW "$so" | awk '$1 == "TLS" { print $6 }')
[ $((${tls:-0})) -le 128 ] && ok "the_tls_segment_is_two_cache_lines ($((${tls:-0})) bytes)" ||
	fail the_tls_segment_is_two_cache_lines "$((tls)) bytes"
readelf -dW "$so" | grep -E 'TEXTREL' >relocations || :
empty no_relocation_is_in_the_code relocations
readelf -lW "$so" | grep -E 'GNU_STACK.*RWE|LOAD.*RWE' >executable || :
empty no_memory_is_writable_and_executable executable
readelf -dW "$so" | grep -qE 'FLAGS.*NODELETE' && ok it_is_never_unloaded || fail it_is_never_unloaded 'no NODELETE'

# A trampoline hands the real function over in the register that the first such argument would come in: rows that have one say so.
cat >floating.py <<'P'
import pathlib, re, sys
ROW = re.compile(r"^(HOOK\w*)\((?:[^,()]+, *)?(\w+), *(\((?:[^()]|\([^()]*\))*\))", re.M)
VALUE = re.compile(r"\b(?:float|double|cuComplex|cuDoubleComplex) +\w+ *[,)]")
wrong, said = [], 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.def")):
    for form, symbol, params in ROW.findall(path.read_text()):
        said += form.startswith("HOOK_DOUBLE")
        if form.startswith("HOOK_DOUBLE") != bool(VALUE.search(params)):
            wrong.append(f"{path.name}: {form} {symbol}")
print("\n".join(wrong + [f"{said} rows say so"]))
P
python3 floating.py "$here/hooks" >floating
sed '$d' floating >wrong
empty "no_row_has_an_argument_of_floating_point_without_saying_so ($(tail -n1 floating))" wrong
mkdir planted
printf '%s\n' 'HOOK(int, oneDouble, (int a, double b), (a, b), MODULE())' 'HOOK_DOUBLE(int, noDouble, (int a, double *b), (a, b), MODULE())' \
	'HOOK_DOUBLE_VOID(oneFloat, (float a), (a), MODULE())' >planted/rows.def
equal the_check_of_such_rows_tells_both_kinds "$(python3 floating.py planted | sed 's/.*: //' | xargs)" 'HOOK oneDouble HOOK_DOUBLE noDouble 2 rows say so'

# ---- nothing of the runtime is left out ----

grep -v '^#' "$here/tests/data/opencl_entry_points.txt" | awk '{ print $1 }' | sort >known
comm -23 known hooked >missing
empty "every_entry_point_that_matters_has_a_row ($(wc -l <known) known)" missing
real=$(ls /usr/lib/*/libOpenCL.so.1 2>/dev/null | head -n1)
if [ -n "$real" ]; then
	# Of what a real library exports, names of these shapes must be known to the list.
	nm -D --defined-only "$real" | awk '{ sub(/@.*/, "", $3); print $3 }' |
		grep -E '^cl(Enqueue|Finish|Flush|WaitFor|SVM|CreateBuffer|CreateImage|CreateSubBuffer|CreatePipe|CreateCommandQueue|CreateUserEvent|(Retain|Release)(MemObject|CommandQueue|Event))' |
		grep -vE 'GL|D3D|D9|DX9|EGL|KHR$|EXT$' | sort -u >exists
	comm -23 exists known >unlisted
	empty "the_list_holds_what_the_real_library_exports ($(wc -l <exists) names)" unlisted
	# The tests' library, under the versions of the real one.
	nm -D --defined-only "$real" | sed -n 's/.* [A-Z] \([^@]*\)@@*\(OPENCL_.*\)/\2 \1/p' | sort >versions
	awk '/^OPENCL/ { node = $1 } /^\tcl/ { sub(/;.*/, "", $1); print node, $1 }' "$here/tests/fakes/opencl/opencl.map" | sort >faked
	comm -13 versions faked >misplaced
	empty "the_tests_library_exports_names_under_the_real_versions ($(wc -l <faked) names)" misplaced
fi

finish
