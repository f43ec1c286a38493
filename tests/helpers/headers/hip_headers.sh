#!/bin/sh
# HIP's headers of 5.2, from Debian's package libamdhip64-dev: hip_headers.sh DIR, as DIR/hip/*.h. Says nothing unless it fails; one at a
# time (DIR.lock).
set -eu
dir=$1
mkdir -p "$dir"
exec 9>"$dir.lock" && flock 9
[ ! -e "$dir/hip/hip_runtime_api.h" ] || exit 0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
apt-get -o APT::Sandbox::User=root download libamdhip64-dev >/dev/null 2>&1 && dpkg-deb -x libamdhip64-dev*.deb . || {
	echo "hip_headers.sh: no headers in $dir" >&2
	exit 1
}
mv usr/include/hip "$dir/hip"
