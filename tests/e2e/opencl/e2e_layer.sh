#!/bin/sh
# The ICD loader's own door: OPENCL_LAYERS naming libranktrace.so, alone, beside the preload, beside other
# layers, and as a copy under another name. However it came in, each call is recorded exactly once: as often
# as the program says that it made it, and as a layer that only counts.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit 1
so=$BUILD/libranktrace.so
cp "$so" another_name.so
"$tool" hooks | awk 'NR > 1 { print $1 }' | sort -u >rows
"$lm" --quiet --print-counts --steps 3 >bare 2>err || {
	cat err
	grep -q 'clGetPlatformIDs\|clGetDeviceIDs' err || { fail the_trainer_runs_here "$(tail -n 1 err)"; finish; }
	echo 'skip: there is no OpenCL runtime on the CPU (Debian: pocl-opencl-icd)'
	exit 77
}
OPENCL_LAYERS=$layer COUNT_LAYER_OUT=bare.counts "$lm" --quiet --print-counts --steps 3 >/dev/null

# run_by CONTENTS VARIABLES...: the trainer with everything recorded, and these variables
run_by() {
	rm -rf out counts
	contents=$1
	shift
	env "$@" COUNT_LAYER_OUT=counts RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_STEPS=all RANKTRACE_LEVEL=level2 \
		RANKTRACE_CONTENTS="$contents" "$lm" --quiet --print-counts --steps 3 >got 2>err
	equal "${which}_ends_as_without_us" $? 0
	holds "${which}_prints_the_same" cmp bare got
}

# once NAME VARIABLES...: each call was recorded once, in one file, and nobody else was called more often
once() {
	which=$1
	shift
	run_by cpu,memory "$@"
	report "${which}_records_each_call_once" out \
		'ranks[0]["entry_points"] == {k: v for k, v in counts("bare").items() if k in open("rows").read().split()} and len(ranks) == 1 and total("called") == total("kept") == len(e)'
	[ ! -e counts ] || equal "${which}_makes_no_such_call_of_its_own" "$(grep -wFf rows counts)" "$(grep -wFf rows bare.counts)"
}

preload=LD_PRELOAD=$SANITIZER$so
if [ -z "$SANITIZER" ]; then # a sanitizer's library must be there from the start
	once the_layer_alone OPENCL_LAYERS="$so"
	once a_copied_layer_alone OPENCL_LAYERS="$tmp/another_name.so"
	once two_copies_as_layers OPENCL_LAYERS="$so:$tmp/another_name.so"
	once another_layer_in_front OPENCL_LAYERS="$layer:$so"
	once another_layer_behind OPENCL_LAYERS="$so:$layer"
fi
once the_layer_beside_the_preload "$preload" OPENCL_LAYERS="$so"
once a_copied_layer_beside_the_preload "$preload" OPENCL_LAYERS="$tmp/another_name.so"
once a_copy_preloaded_behind_us "$preload:$tmp/another_name.so"
once all_doors_at_once "$preload:$tmp/another_name.so" OPENCL_LAYERS="$so:$layer:$tmp/another_name.so"
[ -z "$SANITIZER" ] || finish

which=the_layer_with_device_times
run_by cpu,npu,memory OPENCL_LAYERS="$so"
report the_layer_gives_every_launch_a_device_time_and_a_name out \
	'any(x["kind"] == "launch" for x in e) and all(x["device_duration_ns"] >= 0 and x["kernel"] for x in e if x["kind"] == "launch")'
report the_layer_knows_the_steps_runtime out 'any("OpenCL" in l or "pocl" in l for l in ranks[0]["libraries"])'
rm -rf out
RANKTRACE_SAVE_PATH=$tmp/out OPENCL_LAYERS=$so "$lm" --quiet --print-counts --steps 3 >got
holds a_dormant_layer_prints_the_same cmp bare got
holds a_dormant_layer_writes_nothing [ ! -e out ]

# A library that is opened with RTLD_DEEPBIND: the layer sees it, the preload does only if asked.
cat >plugin.c <<'P'
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
int plugin(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_int rc = clGetPlatformIDs(1, &platform, 0) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0);

	context = clCreateContext(0, 1, &device, 0, 0, &rc);
	return rc || clReleaseMemObject(clCreateBuffer(context, 0, 4096, 0, &rc));
}
P
cat >deep.c <<'P'
#define _GNU_SOURCE
#include <dlfcn.h>
int main(void)
{
	return ((int (*)(void))dlsym(dlopen("./plugin.so", RTLD_NOW | RTLD_DEEPBIND), "plugin"))();
}
P
${CC:-gcc} -w -fPIC -shared -o plugin.so plugin.c -lOpenCL && ${CC:-gcc} -w -o deep deep.c || exit 1
deep() {
	rm -rf out
	env "$@" RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_STEPS=all RANKTRACE_LEVEL=level2 RANKTRACE_CONTENTS=cpu,memory ./deep
	"$tool" dump --format jsonl out 2>/dev/null | grep -c '"name":"cl' || :
}
equal a_deepbind_library_is_not_seen_by_the_preload "$(deep "$preload")" 0
equal a_deepbind_library_is_seen_by_the_preload_if_asked "$(deep "$preload" RANKTRACE_UNDO_DEEPBIND=true)" 2
equal a_deepbind_library_is_seen_by_the_layer "$(deep OPENCL_LAYERS="$so")" 2
finish
