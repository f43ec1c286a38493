#!/bin/sh
# The rows of hooks/opencl/opencl.def and extensions.def against the real headers: every prototype is compatible, types have the
# same sizes, structs the same layout, constants the same values.
set -eu
export LC_ALL=C
. "$(dirname "$0")/../lib/lib.sh"
cc="${CC:-gcc} -std=gnu11 -I$here"

cd "$tmp"
cat >real.h <<'P'
#include "tests/contract/all_of_opencl.h"
#include <CL/cl.h>
#include <CL/cl_layer.h>
#include <CL/cl_ext.h>
P
if ! $cc -fsyntax-only -x c real.h 2>/dev/null; then
	echo 'skip: CL/cl.h is not there (Debian: opencl-headers)'
	exit 77
fi

# ---- prototypes, with the header's own types ----

cat >rows.c <<'P'
#include "real.h"
#define HOOK(ret, sym, params, ...)	static ret (*check_##sym) params __attribute__((unused)) = sym;
#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind)
#include ROWS
P
compiles() { $cc -Wall -Wno-deprecated-declarations -Werror -fsyntax-only -DROWS="\"$1\"" rows.c >errors 2>&1; }

for rows in opencl extensions; do
	if compiles "$here/hooks/opencl/$rows.def"; then
		ok "every_row_of_${rows}_is_compatible_with_the_header ($(grep -c '^HOOK' "$here/hooks/opencl/$rows.def") rows)"
	else
		fail "every_row_of_${rows}_is_compatible_with_the_header" "$(grep -m1 error errors)"
	fi
done

# The check itself must be able to say no.
refuses() {
	if compiles "$tmp/wrong.def"; then
		fail "$1" 'it was accepted'
	elif grep -q 'incompatible.*pointer' errors; then
		ok "$1"
	else
		fail "$1" "for another reason: $(grep -m1 error errors)"
	fi
}
sed 's/^HOOK(cl_int, clFlush, (cl_command_queue command_queue)/HOOK(cl_int, clFlush, (cl_command_queue command_queue, int more)/' \
	"$here/hooks/opencl/opencl.def" >wrong.def
cmp -s wrong.def "$here/hooks/opencl/opencl.def" && fail a_row_with_an_extra_parameter_is_refused 'the row was not found'
refuses a_row_with_an_extra_parameter_is_refused
sed 's/^HOOK(cl_int, clFlush/HOOK(cl_ulong, clFlush/' "$here/hooks/opencl/opencl.def" >wrong.def
refuses a_row_with_another_result_is_refused
sed 's/cl_svm_mem_flags flags, size_t size/cl_svm_mem_flags flags, cl_uint size/' "$here/hooks/opencl/opencl.def" >wrong.def
refuses a_row_with_a_narrower_parameter_is_refused

# ---- abi.h: sizes, layouts, values ----

types=$(sed -n '/^typedef struct/d; s/^typedef \(.*\);/\1/p' "$here/hooks/opencl/abi.h" | tr ' ,*' '\n\n\n' | grep '^cl_' | sort -u)
for t in $types; do
	echo "S($t)"
done >list.h
for f in order:image_channel_order type:image_channel_data_type; do
	echo "F(cl_image_format, ${f%:*}, ${f#*:})"
done >>list.h
for f in type:image_type width:image_width height:image_height depth:image_depth array_size:image_array_size \
	row_pitch:image_row_pitch slice_pitch:image_slice_pitch levels:num_mip_levels samples:num_samples buffer:buffer; do
	echo "F(cl_image_desc, ${f%:*}, ${f#*:})"
done >>list.h
echo 'S(cl_image_format) S(cl_image_desc)' >>list.h
# Names that abi.h keeps shorter than the header.
cat >longer <<'P'
CL_LAYER_VERSION CL_LAYER_API_VERSION_100
CL_QUEUE_OUT_OF_ORDER CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
CL_QUEUE_PROFILING CL_QUEUE_PROFILING_ENABLE
CL_EVENT_STATUS CL_EVENT_COMMAND_EXECUTION_STATUS
CL_PROFILING_QUEUED CL_PROFILING_COMMAND_QUEUED
CL_PROFILING_START CL_PROFILING_COMMAND_START
CL_PROFILING_END CL_PROFILING_COMMAND_END
CL_MAP_INVALIDATE CL_MAP_WRITE_INVALIDATE_REGION
CL_IMAGE2D CL_MEM_OBJECT_IMAGE2D
CL_IMAGE3D CL_MEM_OBJECT_IMAGE3D
CL_IMAGE2D_ARRAY CL_MEM_OBJECT_IMAGE2D_ARRAY
CL_IMAGE1D_ARRAY CL_MEM_OBJECT_IMAGE1D_ARRAY
CL_MIGRATE_TO_HOST CL_MIGRATE_MEM_OBJECT_HOST
CL_PROFILING_NOT_AVAILABLE CL_PROFILING_INFO_NOT_AVAILABLE
P
sed -n 's/^#define \(CL_[A-Z0-9_]*\).*/\1/p' "$here/hooks/opencl/abi.h" | while read -r name; do
	echo "V($name, $(awk -v n="$name" '$1 == n { print $2; found = 1 } END { if (!found) print n }' longer))"
done >>list.h
cat >ours.c <<'P'
#include <stdio.h>
#include <stddef.h>
#ifdef REAL
#include "real.h"
#define F(type, ours, theirs) printf(#type "." #ours " %zu\n", offsetof(type, theirs));
#define V(ours, theirs) printf(#ours " %lld\n", (long long)theirs);
#else
#include "hooks/opencl/abi.h"
#define F(type, ours, theirs) printf(#type "." #ours " %zu\n", offsetof(type, ours));
#define V(ours, theirs) printf(#ours " %lld\n", (long long)ours);
#endif
#define S(type) printf(#type " %zu %d\n", sizeof(type), (type *)0 == 0);
int main(void)
{
#include "list.h"
}
P
$cc -o ours ours.c
if ! $cc -Wno-deprecated-declarations -DREAL -o real ours.c 2>errors; then
	fail types_and_constants_are_the_headers "$(grep -m1 error errors)"
else
	./ours >ours.txt
	./real >real.txt
	if diff ours.txt real.txt >difference; then
		ok "types_and_constants_are_the_headers ($(wc -l <ours.txt) of them)"
	else
		fail types_and_constants_are_the_headers "$(grep '^[<>]' difference | head -n4 | tr '\n' ' ')"
	fi
fi

# ---- the layer's slots: the loader knows them by their place ----

sed -n 's/SLOT(\(cl[A-Za-z0-9_]*\))/\1\n/gp' "$here/hooks/opencl/layer_slots.def" | grep -o 'cl[A-Z][A-Za-z0-9_]*' >slots
echo '#include <CL/cl_icd.h>' | $cc -DCL_TARGET_OPENCL_VERSION=300 -E -P - | tr '\n' ' ' |
	sed 's/.*struct _cl_icd_dispatch {//; s/}.*//' | tr ';' '\n' | awk 'NF { print $NF }' >header_slots
if diff header_slots slots >difference && [ "$(wc -l <slots)" -gt 140 ]; then
	ok "the_layers_slots_are_the_headers"
else
	fail the_layers_slots_are_the_headers "$(grep '^[<>]' difference | head -n4 | tr '\n' ' ')"
fi

finish
