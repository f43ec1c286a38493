# told_steps.sh - what tests of programs that tell their steps share: `. tests/lib/told_steps.sh`, in $tmp; told_program NAME builds one
# of tests/programs beside a library that stands in for OpenCL. shellcheck shell=sh
cd "$tmp" || exit 1
unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK

told_program() {
	cc="${CC:-gcc} -std=gnu11 -O1 -w -I$here"
	$cc -fPIC -shared -o libOpenCL.so.1 "$here/tests/fakes/opencl/fake_opencl.c" -Wl,-soname,libOpenCL.so.1 &&
		$cc -o "$1" "$here/tests/programs/$1.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread || exit 1
}
