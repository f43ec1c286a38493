#!/bin/sh
# The rows of CUDA's libraries against NVIDIA's headers, by a C++ compiler: runtime and driver, of majors 12 and 13, against those of
# PyPI; the driver's functions by version (hooks/cuda/abis.def) against cudaTypedefs.h; layouts and numbers. cuBLAS and cuDNN against
# headers in ABI_INCLUDES (folders, blanks between), where they are, else against headers made of our own rows.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/abi.sh"

need python3
need g++
cd "$tmp" || exit 1
abi=$here/tests/contract/abi_cuda.py
majors=$here/tests/data/cuda_rows_of_majors.txt

# checked WHAT HOOKS NAME.i [WITHOUT]: the compiler agrees; how many were compared is in `count`
checked() {
	python3 "$abi" "$1" "$2" "$3" ${4:+"$4"} >added || return 1
	count=$(sed -n '$s|// ||p' added)
	cat "$3" added >checked.cc
	g++ -std=gnu++17 -fsyntax-only -w checked.cc 2>errors
}
# agreed NAME LEAST WHAT HOOKS NAME.i [WITHOUT]
agreed() {
	name=$1 least=$2
	shift 2
	if checked "$@"; then
		abi_alike "$name" "$count" "$least" ''
	else
		fail "$name" "$(grep -m3 error errors | cut -c1-400 | tr '\n' ' ')"
	fi
}

# ---- headers made of our own rows: that the check can say yes and no ----

mkdir made
(cd "$here" && find hooks/cuda -name abi.h | sort | sed 's/.*/#include "&"/') >made/all.h
# void stands for what is known by its address only: here each is a type of its own.
g++ -std=gnu++17 -E -P -I"$here" -x c++ made/all.h | python3 -c 'import re, sys
print(re.sub(r"typedef void (\w[^;*()]*);", lambda m: "".join(f"struct {n.strip()};\n" for n in m[1].split(",")), sys.stdin.read()))' >types.i
python3 - "$here" <<'P' >declarations.i
import pathlib, sys
sys.path.insert(0, sys.argv[1] + "/tests/contract")
import abi_cuda
for symbol, (ret, params) in sorted(abi_cuda.rows(pathlib.Path(sys.argv[1], "hooks")).items()):
    print(f'extern "C" {ret} {symbol}{params};')
P
cat types.i declarations.i >made.i
rows=$(grep -c '^extern' declarations.i)
agreed rows_are_what_headers_made_of_them_say "$rows" rows "$here/hooks" made.i

# refused NAME FILE SED: with one row of a file changed, the headers say no
refused() {
	rm -rf wrong && cp -r "$here/hooks" wrong
	sed -i "$3" "wrong/cuda/$2"
	if cmp -s "wrong/cuda/$2" "$here/hooks/cuda/$2"; then
		fail "$1" 'the row was not found'
	elif checked rows wrong made.i; then
		fail "$1" 'it was accepted'
	else
		holds "$1" grep -q 'invalid conversion\|cannot convert' errors
	fi
}
refused a_row_with_another_result_is_refused runtime.def 's/^HOOK(cudaError_t, cudaFree,/HOOK(int64_t, cudaFree,/'
refused a_row_with_an_extra_parameter_is_refused driver.def 's/^HOOK(CUresult, cuCtxSetCurrent, (CUcontext ctx)/HOOK(CUresult, cuCtxSetCurrent, (CUcontext ctx, int more)/'
refused a_row_with_a_narrower_parameter_is_refused blas/cublas.def '/ cublasHgemm_64,/,/^	(/ s|int64_t m|int m|'
refused a_row_with_a_shorter_number_is_refused dnn/cudnn.def '/ cudnnBatchNormalizationForwardInference,/,/^	(/ s|double epsilon|float epsilon|'

# laid_out NAME LEAST ABI HEADER FLAG...: types and numbers of hooks/cuda/ABI are as the header has them
mkdir none && : >none/stddef.h && : >none/stdint.h
laid_out() {
	name=$1 least=$2 header=$4
	echo "#include \"hooks/cuda/$3\"" >ours.h
	shift 4
	g++ -std=gnu++17 -E -P -nostdinc -Inone -I"$here" -x c++ ours.h >abi.i 2>errors
	python3 "$abi" layouts "$here/hooks" abi.i >layouts.cc
	cat ours.h layouts.cc >ours.cc
	cat "$header" layouts.cc >theirs.cc
	if ! { g++ -std=gnu++17 -w -DOURS -I"$here" -o ours ours.cc && g++ -std=gnu++17 -w "$@" -o theirs theirs.cc; } 2>errors; then
		fail "$name" "$(grep -m3 error errors | tr '\n' ' ')"
	else
		./ours >ours.txt && ./theirs >theirs.txt
		abi_alike "$name" "$(wc -l <ours.txt)" "$least" "$(diff ours.txt theirs.txt | grep '^[<>]' | head -n 6)"
	fi
}

# ---- runtime and driver ----

# not_declared MAJOR: rows that its headers do not declare, as they are of the other one
not_declared() {
	case $1 in 12) echo cuCtxSynchronize_v2 cuMemcpy3DBatchAsync_v2 cuMemcpy3DBatchAsync_v2_ptsz cuMemcpyBatchAsync_v2 cuMemcpyBatchAsync_v2_ptsz \
		cudaMemDiscardAndPrefetchBatchAsync cudaMemDiscardAndPrefetchBatchAsync_ptsz cudaMemPrefetchBatchAsync cudaMemPrefetchBatchAsync_ptsz ;;
	esac
}
headers=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/cuda-headers
if "$here/tests/helpers/python/cuda_headers.sh" "$headers" 2>/dev/null; then
	for major in 12 13; do
		# So said, the driver's header declares each function by its symbol, and those of before.
		cat >real.h <<'P'
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>
#include <cuda_profiler_api.h>
const int cuda_version_here = CUDA_VERSION;
P
		# What only compilers call, they declare in the midst of code.
		python3 -c 'import re, sys
for path in sys.argv[1:]:
    for one in re.findall(r"^extern[^;(]* __cuda(?:GetKernel|LaunchKernel|LaunchKernel_ptsz|RegisterFunction|UnregisterFatBinary)\([^;]*;", open(path).read(), re.M):
        print("extern \"C\" {", one, "}")' "$headers/$major/crt/device_functions.h" "$headers/$major/crt/host_runtime.h" >>real.h
		g++ -std=gnu++17 -E -P -w -I"$headers/$major" -x c++ real.h >"real$major.i" || exit 1
		awk -v major=$major '!/^#/ && ("," $2 ",") ~ ("," major ",")' "$majors" >"without$major"
		equal "every_row_is_declared_in_the_headers_of_${major}_or_of_the_other_one" \
			"$({ python3 "$abi" undeclared "$here/hooks" "real$major.i" || echo failed; } | xargs)" "$(not_declared $major)"
		agreed "rows_are_what_the_headers_of_${major}_say" 380 rows "$here/hooks" "real$major.i" "without$major"
		# What is on the list does differ.
		: >alike
		while read -r symbol _; do
			awk -v symbol="$symbol" '$1 != symbol' "without$major" >others
			! checked rows "$here/hooks" "real$major.i" others || echo "$symbol" >>alike
		done <"without$major"
		equal "rows_that_are_said_to_differ_from_${major}_do" "$(wc -l <"without$major"): $(cat alike)" "$([ $major = 12 ] && echo 11 || echo 8): "
		agreed "functions_by_version_are_what_the_headers_of_${major}_say" 220 abis "$here/hooks" "real$major.i"
		agreed "results_are_what_the_headers_of_${major}_say" 220 values "$here/hooks" "real$major.i"
		grep -v 'cuda_version_here' real.h >theirs.h
		laid_out "types_are_as_large_and_lie_as_in_the_headers_of_$major" 250 abi/abi.h theirs.h -I"$headers/$major"
	done
	holds the_table_of_versions_is_what_its_script_makes "$here/scripts/dev/gen-abis" --check "$headers/13"
	# A version that the table has not, and one that the header has not.
	mkdir -p tree/scripts/dev && cp -r "$here/hooks" tree && cp "$here/scripts/dev/gen-abis" tree/scripts/dev || exit 1
	sed -i '/^ABI(cuMemcpyBatchAsync, 13000, LEGACY_STREAM/d; s/^ABI(cuMemAlloc, 3020,/ABI(cuMemAlloc, 3010,/' tree/hooks/cuda/abis.def
	equal a_version_too_few_and_one_that_is_none_are_told "$(tree/scripts/dev/gen-abis --check "$headers/13" | grep '^[+-]ABI' | sort)" \
		'+ABI(cuMemAlloc, 3020, LEGACY_STREAM, cuMemAlloc_v2)
+ABI(cuMemcpyBatchAsync, 13000, LEGACY_STREAM, cuMemcpyBatchAsync_v2)
-ABI(cuMemAlloc, 3010, LEGACY_STREAM, cuMemAlloc_v2)'
	equal and_that_one_by_the_header_alone "$(checked abis tree/hooks real13.i || sed -n 's/.*assertion failed: //p' errors)" 'no type of cuMemAlloc 3010 LEGACY_STREAM'
fi

# ---- cuBLAS and cuDNN, where their headers are ----

flags=
for folder in ${ABI_INCLUDES-}; do flags="$flags -I$folder"; done
[ ! -d "$headers/13" ] || flags="$flags -I$headers/13"
cat >libraries.h <<'P'
#define CUBLASAPI
#if __has_include(<cublas_api.h>)
#include <cublas_api.h>
#include <cublas.h>
#include <cublasLt.h>
#endif
#if __has_include(<nccl.h>)
#include <nccl.h>
#endif
#if __has_include(<cudnn.h>)
#include <cudnn.h>
#endif
P
# shellcheck disable=SC2086 # a list of words
[ -z "${ABI_INCLUDES-}" ] || {
	g++ -std=gnu++17 -E -P -w $flags -x c++ libraries.h >libraries.i
	: >>without13
	agreed rows_are_what_the_headers_here_say 90 library_rows "$here/hooks" libraries.i without13
	agreed results_are_what_the_headers_here_say 9 library_values "$here/hooks" libraries.i
	# (Types of cuDNN 9 are more than those of 8.)
	for library in "blas 29 cublas cublasLt" "dnn 43 cudnn_graph cudnn"; do
		set -- $library
		printf '#include <%s.h>\n' "$3" "$4" >theirs.h
		! g++ -w -DCUBLASAPI= $flags -E -x c++ theirs.h >/dev/null 2>&1 || laid_out "types_of_$1_are_as_in_the_headers_here" "$2" "$1/abi.h" theirs.h -DCUBLASAPI= $flags
	done
}
[ -d "$headers/13" ] || {
	echo 'skip: runtime and driver are not compared: their headers could not be had'
	exit 77
}
finish
