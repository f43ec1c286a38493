#!/bin/sh
# Makes a virtual environment with Ray and Hydra: ray.sh DIR. Says nothing unless it fails; one at a time (DIR.lock).
set -eu
packages="ray==2.40.0 hydra-core==1.3.2"
dir=$1
mkdir -p "$(dirname "$dir")"
exec 9>"$dir.lock" && flock 9
[ "$(cat "$dir/complete" 2>/dev/null)" != "$packages" ] || exit 0
rm -rf "$dir"
# shellcheck disable=SC2086 # a list of words
{ python3 -m venv "$dir" && "$dir/bin/python" -m pip install --quiet --disable-pip-version-check $packages; } >"$dir.log" 2>&1 || {
	cat "$dir.log" >&2
	echo "ray.sh: no environment in $dir" >&2
	exit 1
}
echo "$packages" >"$dir/complete"
