# Sourced by tests of exports: the readers that they are made for, the real ones.

# readers ascend|pytorch: their environment is $venv, and stands in front of PATH. Without the packages the test is left out.
readers() {
	venv=$here/build/venv-$1
	sh "$here/tests/helpers/python/venv.sh" "$venv" "$1" >"$tmp/venv" 2>&1 || {
		cat "$tmp/venv"
		echo "skip: no Python packages"
		exit 77
	}
	export PATH="$venv/bin:$PATH" RANKTRACE_TOOL="$tool"
}
