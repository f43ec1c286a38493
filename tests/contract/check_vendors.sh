#!/bin/sh
# No vendor's name in what all vendors share (scripts/dev/check-vendors), and the check of it can say so.
. "$(dirname "$0")/../lib/lib.sh"

need python3
holds no_vendor_is_named_in_what_all_share "$here/scripts/dev/check-vendors"

# planted NAME FILE TEXT WANTED: in a copy of the tree with this line at the end of the file, these words of it are told
mkdir "$tmp/tree"
cp -r "$here/agent" "$here/config" "$here/hooks" "$here/analysis" "$here/scripts" "$tmp/tree"
planted() {
	cp "$tmp/tree/$2" "$tmp/kept"
	printf '%s\n' "$3" >>"$tmp/tree/$2"
	equal "$1" "$("$tmp/tree/scripts/dev/check-vendors" 2>/dev/null | sed 's/.*: //' | xargs)" "$4"
	cp "$tmp/kept" "$tmp/tree/$2"
}
planted a_function_of_a_vendors_is_told agent/os/clock.c 'int opencl_time(void);' opencl
planted a_call_into_a_runtime_is_told hooks/link/dlsym.c 'int x = aclrtSynchronize() + HOOK_aclnn + cudaFree(NULL);' 'acl acl cuda'
planted a_word_in_a_string_is_told analysis/check/causes.def 'RUN(X, "ASCEND_HOME_PATH: source the set_env.sh of CANN")' 'ASCEND CANN'
planted a_name_in_capitals_is_told config/config.h 'enum { GATE_NCCL, TORCH_NPU_AUTO };' 'NCCL TORCH_NPU'
planted a_name_in_camels_is_told hooks/rows/ids.h 'int HcclAllReduce, fromOpenCL, OpenCLs, isHip;' 'Hccl'
planted a_line_of_a_list_is_none_of_another analysis/run/limits.def '#include "hooks/ascend/abi/abi.h"' ascend
planted a_comment_is_for_people agent/os/clock.c 'int x; /* as with CUDA, or "hip" */ // and OpenCL' ''
planted other_words_are_other_words agent/os/clock.c 'char *x = "cannot ascending CANNOT ship hipster chip descend getfacl";' ''
planted a_vendor_may_name_itself config/vendors/ascend.def 'NOTE(level, "CANN and torch_npu")' ''
planted a_line_in_a_list_names_its_vendor config/options.def '#include "config/vendors/cuda.def"' ''
finish
