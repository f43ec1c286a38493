#!/bin/sh
# e2e_python.sh and e2e_stacks.sh with a newer Python too: Debian unstable's, with the C library that it was built for, in a folder.
. "$(dirname "$0")/../lib/lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "skip: this fetches packages of x86-64"; exit 77; }
[ -z "${SAN-}" ] || { ok a_newer_system_has_no_sanitizer_of_ours; finish; }
root=$tmp/root
"$here/scripts/dev/fetch-debs" "$root" amd64 sid python3.14-minimal libpython3.14-minimal libpython3.14-stdlib libc6 \
	libexpat1 zlib1g libssl3t64 libffi8 >"$tmp/fetched" 2>&1 ||
	{ tail -n 2 "$tmp/fetched"; echo "skip: no Python 3.14 to be had"; exit 77; }
cat >"$tmp/python3.14" <<T
#!/bin/sh
exec $root/usr/lib64/ld-linux-x86-64.so.2 --library-path $root/usr/lib/x86_64-linux-gnu:\$LD_LIBRARY_PATH \\
	--argv0 $root/usr/bin/python3.14 $root/usr/bin/python3.14 "\$@"
T
chmod +x "$tmp/python3.14"
for test in python stacks; do
	PYTHONS=$tmp/python3.14 "$here/tests/e2e/steps/e2e_$test.sh" >"$tmp/said"
	status=$?
	cat "$tmp/said"
	[ $status -eq 0 ] || exit $status
	holds "the_newest_python_was_among_those_of_$test" grep -q ', Python 3\.14\.' "$tmp/said"
done
finish
