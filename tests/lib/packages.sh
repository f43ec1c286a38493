# packages.sh - for tests of what dist/ has (WHEELS: another folder): . this file behind lib.sh. shellcheck shell=sh
# shellcheck disable=SC2154,SC2034 # what lib.sh sets; what tests use

# The tree is no part of what is tested: nothing below it is found by itself.
unset RANKTRACE_BUILD PYTHONPATH LD_PRELOAD
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PYTHONDONTWRITEBYTECODE=1
wheels=$(realpath "${WHEELS:-$here/dist}")
version=$(cat "$here/VERSION")
debug() { echo "$wheels/ranktrace-$version-debug-$1.tar.xz"; }
wheel() { echo "$wheels/ranktrace-$version-py3-none-manylinux_2_28_$1.whl"; }
deb() { echo "$wheels/ranktrace_$version-1_$(echo "$1" | sed 's/x86_64/amd64/; s/aarch64/arm64/').deb"; }
rpm_of() { echo "$wheels/ranktrace-$version-1.$1.rpm"; }
x86=$(wheel x86_64) arm=$(wheel aarch64)
need_wheels() { for each; do [ -r "$each" ] || { echo "skip: no $each: run make wheels deb rpm"; exit 77; }; done; }
helpers=$here/tests/helpers/packages
cd "$tmp" || exit 1

# Of other programs for packages, in a venv of their own that is kept.
tools=$here/build/package-tools
get_tools() {
	exec 8>"$here/build/package-tools.lock" && flock 8
	[ -e "$tools/complete" ] || {
		rm -rf "$tools"
		/usr/bin/python3 -m venv "$tools" &&
			"$tools/bin/pip" install -q auditwheel check-wheel-contents twine uv pipx >"$tmp/tools" 2>&1 &&
			touch "$tools/complete"
	} || { tail -n 2 "$tmp/tools"; echo "skip: no packages of PyPI to be had"; exit 77; }
	exec 8>&-
}

# A vendor's library that counts what comes to it, for jobs in Python.
fake_opencl() { ${1:-gcc} -std=gnu11 -w -fPIC -shared -I"$here" -Wl,-soname,libOpenCL.so.1 -o "$2/libOpenCL.so.1" "$here/tests/helpers/kill/fake_opencl_kill.c"; }

# What a report says but for times, numbers of processes and places: the same for the same job.
same() { "$@" report --format json out 2>&1 | /usr/bin/python3 "$helpers/same_report.py"; }
