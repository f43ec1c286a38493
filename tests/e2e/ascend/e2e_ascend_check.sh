#!/bin/sh
# What `ranktrace check` says where something on Ascend stands in the way, each provoked with the real agent.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/ascend
cd "$tmp" || exit 1
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -I$here"
echo 'int aclInit(const char *); int aclrtMalloc(void **, unsigned long, int); int run(void);
int run(void) { void *p; return aclInit(0) || aclrtMalloc(&p, 64, 0); }' >module.c
echo '#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *module = dlopen(argv[1], RTLD_NOW | (argc > 2 ? RTLD_DEEPBIND : 0));
	int (*run)(void) = module ? (int (*)(void))dlsym(module, "run") : NULL;

	return run ? run() : 2;
}' >host.c
{ "$sim/build.sh" cann split && $cc -fPIC -shared -o module.so module.c -Lcann -Wl,--no-as-needed -lascendcl -lacl_rt -Wl,--allow-shlib-undefined \
	-Wl,-rpath,"$tmp/cann" && $cc -o host host.c -ldl; } >build.log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
	finish
}
mkdir -p home/runtime home/opp
export LD_LIBRARY_PATH="$tmp/cann" LC_ALL=C
unset ASCEND_HOME_PATH ASCEND_TOOLKIT_HOME ASCEND_OPP_PATH
cann_is_there() { ASCEND_HOME_PATH=$tmp/home ASCEND_OPP_PATH=$tmp/home/opp "$@"; }

# says NAME STATUS WANTED: all lines of check about out, and its exit status
says() {
	{ "$tool" check out; echo "status $?"; } >got 2>&1
	equal "$1" "$(sed "s/process [0-9]*/process P/; s|$tmp|TMP|g" got)" "$3
status $2"
	rm -rf out
}
# traced [OPTION...] -- COMMAND...
traced() { "$run" --save-path out --steps all --level level0 --contents cpu,memory "$@" >said 2>log; }

cann_is_there traced -- ./host ./module.so
says where_all_is_well_nothing_is_said 0 'recorded 1 event of process P'

# ---- the order of what is preloaded ----

mspti='libmspti.so is preloaded before libranktrace.so, so ranktrace does not see its calls: put libranktrace.so first, as ranktrace-run does'
cann_is_there env LD_PRELOAD="${SANITIZER-}$tmp/cann/libmspti.so:$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH=out RANKTRACE_STEPS=all \
	RANKTRACE_CONTENTS=cpu,memory ./host ./module.so >said 2>log
says mspti_before_us_is_told 1 "recorded 1 event of process P
process P: $mspti"
LD_PRELOAD=$tmp/cann/libmspti.so cann_is_there traced -- ./host ./module.so
says the_launcher_puts_us_before_mspti 0 'recorded 1 event of process P'
# The command looks into the program, which is to be of its machine.
[ -n "${EMULATED-}" ] || equal mspti_before_us_is_told_of_an_environment \
	"$(LD_PRELOAD="$tmp/cann/libmspti.so:$BUILD/libranktrace.so" RANKTRACE_ENABLE=false "$tool" check -- ./host)" \
	'LD_PRELOAD names libmspti.so before libranktrace.so, so ranktrace does not see its calls: put libranktrace.so first, as ranktrace-run does'

# ---- LD_PRELOAD on the way ----

cat >forgets.py <<'END'
import ctypes, os, sys
del os.environ["LD_PRELOAD"]
sys.exit(ctypes.CDLL("./module.so").run())
END
cann_is_there traced -- "$python" forgets.py
says a_program_that_takes_LD_PRELOAD_away_is_told 1 'recorded 1 event of process P
process P: something removed entries from LD_PRELOAD, where torch_npu looks before it sets markers: keep the entries that ranktrace-run adds (ranktrace-run --print-env shows them)'
cann_is_there traced -- env -u LD_PRELOAD ./host ./module.so
says a_launcher_that_drops_LD_PRELOAD_is_told 1 'libranktrace.so was loaded, but no hooked function was called: ranktrace hooks lists them; does the program use an accelerator at all? Libraries opened with RTLD_DEEPBIND are seen with --undo-deepbind true, or those of OpenCL by OPENCL_LAYERS naming libranktrace.so'

# ---- roads around us ----

# A sanitizer's dlopen stands before ours, and refuses RTLD_DEEPBIND.
if [ -z "${SAN-}" ]; then
	cann_is_there traced -- ./host ./module.so deepbind
	says calls_of_a_deepbind_library_pass_us_by 1 'libranktrace.so was loaded, but no hooked function was called: ranktrace hooks lists them; does the program use an accelerator at all? Libraries opened with RTLD_DEEPBIND are seen with --undo-deepbind true, or those of OpenCL by OPENCL_LAYERS naming libranktrace.so'
	cann_is_there traced --undo-deepbind true -- ./host ./module.so deepbind
	says unless_that_is_undone 0 'recorded 1 event of process P'
fi

# ---- the environment that torch_npu wants ----

# environment NAME SENTENCE VARIABLE=VALUE...: said of a run that recorded nothing, and before one
environment() {
	name=$1 sentence=$2
	shift 2
	env "$@" "$run" --save-path out --steps all -- true >said 2>log
	equal "${name}_is_told_of_a_run" "$("$tool" check out | tail -n 1)" "$sentence"
	find out -name 'run*.json' -exec sed -i 's/"environment":/"ascend":/' {} +
	equal "${name}_is_told_of_an_older_release_s_run" "$(grep -rc '"ascend":' out | grep -c ':1$') $("$tool" check out | tail -n 1)" "1 $sentence"
	rm -rf out
	equal "${name}_is_told_before_one" "$(env "$@" "$tool" check -- true; echo "status $?")" "$sentence
status 1"
}
environment a_lack_of_ASCEND_OPP_PATH 'ASCEND_HOME_PATH is set and ASCEND_OPP_PATH is not, so torch_npu does not start: source the set_env.sh of CANN' \
	"ASCEND_HOME_PATH=$tmp/home"
environment a_home_that_is_not_there 'ASCEND_HOME_PATH names a folder that is not there, so torch_npu does not start: source the set_env.sh of CANN' \
	"ASCEND_HOME_PATH=$tmp/nowhere"
environment a_home_without_runtime 'ASCEND_HOME_PATH has no folder runtime, so torch_npu does not start: source the set_env.sh of CANN' \
	"ASCEND_HOME_PATH=$tmp/home/opp" "ASCEND_OPP_PATH=$tmp/home/opp"
[ -n "${EMULATED-}" ] || equal an_environment_with_all_of_it_is_fine "$(cann_is_there "$tool" check -- ./host | sed "s|$tmp|TMP|")" './host can be traced'
finish
