#!/bin/sh
# HIP's rows, layouts and results against the headers of 5.2 in Debian's libamdhip64-dev (ABI_INCLUDES: other folders), by a C++ compiler, as
# tests/lib/abi.sh says.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/abi.sh"

need python3
need g++
headers=${ABI_INCLUDES-${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/hip-headers}
[ -n "${ABI_INCLUDES-}" ] || "$here/tests/helpers/headers/hip_headers.sh" "$headers" || {
	echo "skip: Debian's libamdhip64-dev could not be had"
	exit 77
}
cd "$tmp" || exit 1
rows=$here/hooks/hip
printf '#define __HIP_PLATFORM_AMD__ 1\n#define __HIP_PLATFORM_HCC__ 1\n#include <stddef.h>\n#include <stdint.h>\n#include <hip/hip_runtime_api.h>\n' >real.h

if abi_declared here "$rows" "$headers"; then
	abi_alike rows_are_what_the_headers_say "$(abi_count here)" 150 ''
else
	fail rows_are_what_the_headers_say "$(grep error here.errors | head -n 3 | tr '\n' ' ')"
fi
abi_refused a_row_with_another_result_is_refused runtime.def 's/^HOOK(hipError_t, hipFree,/HOOK(int64_t, hipFree,/' "$headers"
abi_refused a_row_with_an_extra_parameter_is_refused runtime.def 's/^HOOK(hipError_t, hipFreeHost, (void \*ptr)/HOOK(hipError_t, hipFreeHost, (void *ptr, int more)/' "$headers"
abi_refused a_row_with_a_narrower_parameter_is_refused launches.def '/ hipLaunchKernel,/,/^	(/ s|size_t sharedMemBytes|int sharedMemBytes|' "$headers"

# Structures: as large, and their members in the same places. Those of later majors are not in these headers.
python3 - "$here/hooks/hip/abi/abi.h" real.h <<'P'
import pathlib, re, sys
text = re.sub(r"/\*.*?\*/", "", pathlib.Path(sys.argv[1]).read_text(), flags=re.S)
said, count = [], 0
for members, name in re.findall(r"typedef struct \{([^{}]*)\} (\w+);", text):
    if name in ("hipLaunchConfig_t", "HIP_LAUNCH_CONFIG"):
        continue
    said.append(f'std::printf("{name} %zu\\n", sizeof({name}));')
    said += [f'std::printf("{name}.{m} %zu\\n", offsetof({name}, {m}));' for m in re.findall(r"\b(\w+)(?:\[\w+\])?(?=[,;])", members)]
body = "#include <cstdio>\nint main() {\n" + "\n".join(said) + "\n}\n"
pathlib.Path("ours.cc").write_text('#include "hooks/hip/abi/abi.h"\n' + body)
pathlib.Path("theirs.cc").write_text('#include "real.h"\n' + body)
P
if g++ -std=gnu++17 -w -I"$here" -o ours ours.cc 2>errors && g++ -std=gnu++17 -w -I. -I"$headers" -o theirs theirs.cc 2>errors; then
	./ours >ours.txt && ./theirs >theirs.txt
	# (What a channel is, and where memory is, are enumerations under other names.)
	abi_alike structures_are_as_large_and_lie_as_in_the_headers "$(wc -l <ours.txt)" 47 "$(diff ours.txt theirs.txt | grep '^[<>]' | head -n 6)"
else
	fail structures_are_as_large_and_lie_as_in_the_headers "$(grep -m3 error errors | tr '\n' ' ')"
fi
sed -n 's/^RESULT(HIP, \([0-9]*\), \(.*\))/\2 \1/p' "$rows/results.def" | while read -r name code; do
	! grep -qw "$name" here.i || echo "static_assert((int)$name == $code, \"$name\");"
done >results
{ echo '#include "real.h"' && cat results; } >results.cc
abi_alike results_are_what_the_headers_say "$(wc -l <results)" 72 "$(g++ -std=gnu++17 -w -fsyntax-only -I. -I"$headers" results.cc 2>&1 | grep error | head -n 3)"
finish
