#!/bin/sh
# A short choice of torture_suites.sh.
# takes: 40 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/helpers/python/suites.sh"

# AddressSanitizer does not release its allocator's locks in a forked child: one that is held at that moment, as this
# case tries hard to have it, stays held.
case ${SAN-} in
*address*) cpython cpython 0 test_fork1 test_threading -m '*fork*' -i test_is_alive_after_fork ;;
*) cpython cpython 0 test_fork1 test_threading -m '*fork*' ;;
esac
fetch pyopencl==2022.3.1 tinygrad==0.12.0 >"$tmp/sources" 2>&1 ||
	{ tail -n 2 "$tmp/sources"; echo "skip: no source archives to be had"; exit 77; }
opencl pyopencl "$sources/pyopencl-2022.3.1/test" test_enqueue_copy.py
PYTHONPATH=$sources/tinygrad-0.12.0 opencl tinygrad "$sources/tinygrad-0.12.0" test/test_tiny.py \
	-k 'test_plus or test_copy or test_jit or test_const or test_elu or test_sum'
finish
