#!/bin/sh
# Other projects' own test suites, whole: each case has the outcome that it has without us, and what was
# called meanwhile is recorded. CASES chooses: cpython children pyopencl tinygrad
# shellcheck disable=SC2154,SC2086 # what lib.sh sets; lists of words
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/helpers/python/suites.sh"

python="test_threading test_fork1 test_subprocess test_signal test_faulthandler test_ctypes"
for case in ${CASES:-cpython children pyopencl tinygrad}; do
	case $case in
	# The program and what it forks call and are recorded; what they execute is dormant, as a trainer's children are.
	cpython) cpython cpython 4 $python ;;
	# Here what they execute records, too; some of it outlives the run, so calls are not compared. Two cases list
	# the descriptors of such a program, and a recording process has one more, for its trace; one runs as nobody,
	# who may not write into our save_path.
	children) GUEST_CHILDREN=1 cpython children - $python -i test_pass_fds -i test_pass_fds_redirected \
		-i test_user ;;
	pyopencl)
		fetch pyopencl==2022.3.1 || { fail pyopencl "no sources to be had"; continue; }
		opencl pyopencl "$sources/pyopencl-2022.3.1/test" .
		;;
	tinygrad)
		fetch tinygrad==0.12.0 || { fail tinygrad "no sources to be had"; continue; }
		PYTHONPATH=$sources/tinygrad-0.12.0 opencl tinygrad "$sources/tinygrad-0.12.0" test/test_ops.py
		;;
	esac
done
finish
