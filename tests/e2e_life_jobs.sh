#!/bin/sh
# Faults that want more than one program: Python, a scheduler, namespaces, restarts, setuid, C++. See tests/life.sh.
. "$(dirname "$0")/life.sh"
build_life
python=/usr/bin/python3

# ---- C++ ----

live an_exception_through_our_functions_passes_and_later_calls_are_not_nested throw "dump=flat may=fly:100" ./throw
live a_call_left_by_an_exception_is_not_said_to_be_running throw "killed may=fly:100" ./throw kill
if grep -q 'clEnqueueNativeKernel' recovered; then
	fail a_thread_that_left_a_call_by_an_exception_is_not_in_it "$(cat recovered)"
else
	ok a_thread_that_left_a_call_by_an_exception_is_not_in_it
fi
finish
