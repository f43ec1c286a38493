# lib.sh - builds in the current folder: libOpenCL.so.1, which counts; `store`; `under_filter`.
cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
store=$here/tests/helpers/storage
$cc -o store "$store/store.c" "$store/limits.c" "$store/threads.c" "$store/calls.c" "$store/filter.c" \
	./libOpenCL.so.1 -Wl,-rpath,"$PWD" -pthread
${MACHINE_CC:-$cc} -o under_filter "$store/under_filter.c" "$store/filter.c"
