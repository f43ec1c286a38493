#!/bin/sh
# e2e_python.sh and e2e_stacks.sh with a newer Python too: Debian unstable's, with the C library that it was built for, in a folder.
. "$(dirname "$0")/../lib/lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "skip: this fetches packages of x86-64"; exit 77; }
[ -z "${SAN-}" ] || { ok a_newer_system_has_no_sanitizer_of_ours; finish; }
newer=$("$here/tests/helpers/python/newer.sh" "$tmp/newer" 2>"$tmp/fetched") || { tail -n 2 "$tmp/fetched"; echo "skip: no Python 3.14 to be had"; exit 77; }
for test in python stacks; do
	PYTHONS=$newer "$here/tests/e2e/steps/e2e_$test.sh" >"$tmp/said"
	status=$?
	cat "$tmp/said"
	[ $status -eq 0 ] || exit $status
	holds "the_newest_python_was_among_those_of_$test" grep -q ', Python 3\.14\.' "$tmp/said"
done
finish
