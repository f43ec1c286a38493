#!/bin/sh
# A process that ends with its last thread, not by exit(): ours is not to be that thread, nor may a forked
# child that ends so touch what is its parent's.
. "$(dirname "$0")/../../lib/lib.sh"

case ${SAN-} in *thread*) echo "skip: ThreadSanitizer has a thread of its own, which keeps such programs alive"; exit 77 ;; esac
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o "$tmp/libOpenCL.so.1" "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc ${SAN:+-DCHILD_STACK=262144} -o "$tmp/last_thread" "$here/tests/programs/last_thread.c" "$tmp/libOpenCL.so.1" -Wl,-rpath,"$tmp" -pthread

# ends NAME CASE STEPS [EVENTS]: ends as without us; every call, or those of the steps, is recorded.
ends() {
	rm -rf "$tmp/out" "$tmp/counts"
	"$tmp/last_thread" "$2" >"$tmp/plain" 2>&1
	plain=$?
	truncate -s 4096 "$tmp/counts"
	status=0
	FAKE_COUNTS=$tmp/counts timeout -k 5 60 "$run" --save-path "$tmp/out" --steps "$3" --contents cpu -- \
		"$tmp/last_thread" "$2" >"$tmp/traced" 2>"$tmp/errors" || status=$?
	equal "$1" "$status $(cat "$tmp/traced")" "$plain $(cat "$tmp/plain")"
	if [ $# -gt 3 ]; then
		report "$1_its_calls_are_there" "$tmp/out" "len(e) == total('kept') == total('called') == $4"
	else
		holds "$1_its_calls_are_there" /usr/bin/python3 "$here/tests/helpers/python/called.py" "$tool" "$tmp/out" "$tmp/counts"
	fi
}

ends a_main_that_leaves_by_pthread_exit_ends_with_its_last_thread main_leaves all
ends a_main_that_never_called_and_leaves_ends_with_its_last_thread main_leaves_uncalled all
ends threads_that_leave_between_two_windows_end_the_process between_windows 2,9 100
ends a_main_that_calls_outside_of_windows_and_leaves_ends_with_its_last_thread main_calls_outside 2,9 100
ends a_child_forked_in_a_thread_ends_with_that_thread thread_forks all
ends a_program_that_ends_by_a_system_call_has_its_status main_ends_by_a_system_call all
ends a_child_of_clone_has_its_status child_of_clone all
ends a_forked_child_that_ends_without_a_call_leaves_its_parents_ring_alone child_leaves_silently all
finish
