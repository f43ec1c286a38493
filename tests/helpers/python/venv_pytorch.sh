#!/bin/sh
# Makes a virtual environment with readers of PyTorch's profiles, HTA and TensorBoard's plugin: venv_pytorch.sh DIR. Says nothing
# unless it fails; does nothing when DIR is complete; one at a time (DIR.lock).
set -eu

# With --no-deps: the first would bring jupyterlab with it, the last tensorboard.
packages="HolisticTraceAnalysis==0.5.0 narwhals==2.29.0 networkx==3.6.1 numpy==2.4.6 packaging==26.3 pandas==3.1.1 plotly==7.1.0
	psutil==7.2.2 pydot==4.0.1 pyparsing==3.3.3 python-dateutil==4.0.0 PyYAML==6.0.3 six==1.17.0 torch-tb-profiler==0.4.3"

test $# -eq 1 || {
	echo "usage: venv_pytorch.sh DIR" >&2
	exit 2
}
dir=$1
mkdir -p "$(dirname "$dir")"
exec 9>"$dir.lock" && flock 9
if test -x "$dir/bin/python" && test "$(cat "$dir/complete" 2>/dev/null)" = "$packages"; then
	exit 0
fi

# What lies there may be cleared only if it is such an environment.
if test -n "$(ls -A "$dir" 2>/dev/null)" && test ! -e "$dir/pyvenv.cfg"; then
	echo "venv_pytorch.sh: $dir is there and is no virtual environment" >&2
	exit 1
fi

# shellcheck disable=SC2086 # a list of words
{ python3 -m venv --clear "$dir" && "$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps $packages; } >"$dir.log" 2>&1 || {
	cat "$dir.log" >&2
	echo "venv_pytorch.sh: no environment in $dir" >&2
	exit 1
}
echo "$packages" >"$dir/complete"
