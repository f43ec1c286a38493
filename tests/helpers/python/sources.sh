#!/bin/sh
# Unpacks the source archives of packages from PyPI, with the tests inside: sources.sh DIR NAME==VERSION...
# Does nothing for those that are there; one at a time (DIR.lock). PYTHON names the interpreter whose pip fetches them.
set -eu

dir=$1
shift
mkdir -p "$dir"
exec 9>"$dir.lock" && flock 9
for package in "$@"; do
	name=${package%%==*} version=${package##*==}
	[ ! -e "$dir/$name-$version/complete" ] || continue
	"${PYTHON:-python3}" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary "$name" -d "$dir" "$package"
	tar -xzf "$dir/$name-$version.tar.gz" -C "$dir"
	touch "$dir/$name-$version/complete"
done
