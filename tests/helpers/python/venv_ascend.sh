#!/bin/sh
# Makes a virtual environment with msprof-analyze, which reads what export --to ascend-* writes: venv_ascend.sh DIR. Says nothing
# unless it fails; does nothing when DIR is complete; one at a time (DIR.lock).
set -eu

# With what they want themselves: what comes out next year must not change a test.
packages="msprof-analyze==26.2.0 openpyxl==3.1.5 et_xmlfile==2.0.0 click==8.5.1 ijson==3.6.0 jinja2==3.1.6 markupsafe==3.0.4
	narwhals==2.29.0 networkx==3.6.1 numpy==2.4.6 packaging==26.3 pandas==3.1.1 plotly==7.1.0 prettytable==3.18.0
	psutil==7.2.2 pybind11==3.1.0 python-dateutil==4.0.0 pyyaml==6.0.3 sqlalchemy==2.1.9 tqdm==4.70.1
	typing_extensions==4.16.0 tzdata==2026.6 wcwidth==0.9.4 xlsxwriter==3.3.1"

test $# -eq 1 || {
	echo "usage: venv_ascend.sh DIR" >&2
	exit 2
}
dir=$1
mkdir -p "$(dirname "$dir")"
exec 9>"$dir.lock" && flock 9
if test -x "$dir/bin/msprof-analyze" && test "$(cat "$dir/complete" 2> /dev/null)" = "$packages"; then
	exit 0
fi

# What lies there may be cleared only if it is such an environment.
if test -n "$(ls -A "$dir" 2> /dev/null)" && test ! -e "$dir/pyvenv.cfg"; then
	echo "venv_ascend.sh: $dir is there and is no virtual environment" >&2
	exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # a list of words
if ! python3 -m venv --clear "$dir" > "$log" 2>&1 ||
   ! "$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps $packages > "$log" 2>&1; then
	cat "$log" >&2
	echo "venv_ascend.sh: no environment in $dir" >&2
	exit 1
fi
echo "$packages" > "$dir/complete"
