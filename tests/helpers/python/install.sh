#!/bin/sh
# install.sh DIR [OPTION...] PACKAGE...: makes a virtual environment in DIR with packages as PyPI has them; an OPTION is one of pip's that uv
# has, too (--no-deps). By uv, which takes a twentieth of pip's time and lies in $XDG_CACHE_HOME/ranktrace/uv (~/.cache/...), or by pip, where
# uv cannot be had. Modules are compiled when they are imported. PYTHON names the interpreter.
set -eu
dir=$1
shift
python=${PYTHON:-python3}
uv=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/uv
[ -z "${PIP_INDEX_URL-}" ] || export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX-$PIP_INDEX_URL}"

uv_is_there() {
	mkdir -p "$uv"
	exec 8>"$uv.lock" && flock 8
	[ -x "$uv/bin/uv" ] || "$python" -m pip install --quiet --disable-pip-version-check --target "$uv" uv==0.13.9 ||
		{ "$python" -m venv --clear "$uv" && "$uv/bin/python" -m pip install --quiet --disable-pip-version-check uv==0.13.9; } || return
	exec 8>&-
}
by_uv() { uv_is_there && "$python" -m venv --clear --without-pip "$dir" && "$uv/bin/uv" pip install --quiet --python "$dir/bin/python" "$@"; }
by_pip() { "$python" -m venv --clear "$dir" && "$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile "$@"; }
by_uv "$@" || by_pip "$@"
