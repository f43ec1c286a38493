#!/bin/sh
# The rows of Ascend's libraries against CANN's headers, where ASCEND_HOME_PATH has them (ABI_INCLUDES: other folders), as
# tests/lib/abi.sh says.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/abi.sh"

need python3
need g++
cd "$tmp" || exit 1
rows=$here/hooks/ascend
abi_older=aclrtDevResLimitType=aclrtDevResModelType
abi_headers acl/acl.h acl/acl_rt.h acl/acl_op.h acl/acl_op_compiler.h acl/acl_prof.h acl/acl_tdt.h acl/super_kernel.h super_kernel/super_kernel.h \
	aclnn/acl_meta.h hccl/hccl.h hccl/hccl_comm.h hccl/lcal_api.h lcal_api.h mstx/ms_tools_ext.h mspti/mspti.h experiment/runtime/runtime/rt.h

# ---- that the check can say yes and no: headers made of our own rows ----

mkdir -p made/acl made/hccl
for header in 'acl/acl.h:acl[rmo]' hccl/hccl.h:Hccl; do
	{
		printf '#pragma once\n#include "ascend_abi.h"\nextern "C" {\n'
		abi_rows "$rows" "${header#*:}"
		echo '}'
	} >"made/${header%:*}"
done
sed "\,dim3.h,d; /#include <stdint.h>/r $here/hooks/capture/dim3.h" "$here/hooks/ascend/abi/abi.h" >made/ascend_abi.h
# void stands for what is known by its address only: here each is a type of its own.
python3 - <<'P'
import re
text = open("made/ascend_abi.h").read()
text = re.sub(r"typedef void (\w[^;*()]*);", lambda m: "".join(f"struct {n.strip()};\n" for n in m[1].split(",")), text)
open("made/ascend_abi.h", "w").write(text)
P
if abi_declared made "$rows" made; then
	ok "rows_are_what_headers_made_of_them_say ($(abi_count made) rows)"
else
	fail rows_are_what_headers_made_of_them_say "$(grep -m1 error made.errors)"
fi
equal a_row_that_no_header_has_is_left_out "$(grep -c Lccl made.rows)" 0
equal every_row_of_a_header_is_looked_at "$(($(abi_count made) > 200))" 1

abi_refused a_row_with_another_result_is_refused acl.def 's/^HOOK(aclError, aclrtFree,/HOOK(int64_t, aclrtFree,/' made
abi_refused a_row_with_an_extra_parameter_is_refused acl.def 's/^HOOK(aclError, aclrtFreeHost, (void \*hostPtr)/HOOK(aclError, aclrtFreeHost, (void *hostPtr, int more)/' made
abi_refused a_row_with_a_narrower_parameter_is_refused hccl/hccl.def 's/(void \*buf, uint64_t count, HcclDataType dataType, uint32_t root/(void *buf, uint32_t count, HcclDataType dataType, uint32_t root/' made

# ---- the headers that are here ----

includes=${ABI_INCLUDES-${ASCEND_HOME_PATH:+$ASCEND_HOME_PATH/include}}
for folder in $includes; do
	[ -e "$folder/acl/acl.h" ] || continue
	# shellcheck disable=SC2086
	if abi_declared here "$rows" $includes; then
		ok "rows_are_what_the_headers_here_say ($(abi_count here) rows)"
	else
		fail rows_are_what_the_headers_here_say "$(grep error here.errors | head -n 3 | tr '\n' ' ')"
	fi
	break
done
finish
