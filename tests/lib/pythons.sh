# Sourced by tests that run in each Python of the machine.

# pythons [OLDEST]: NAME:PATH of each Python from OLDEST on (3.8) that has ctypes: the system's own (`system`), pyenv's (`3_12`), and
# those of PYTHONS ("PATH ..."). A NAME comes once, as names of tests must. Under qemu-user there is one.
pythons() {
	[ -z "${EMULATED-}" ] || { echo "system:$python"; return; }
	for each in /usr/bin/python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3 ${PYTHONS-}; do
		[ -x "$each" ] || continue
		"$each" -c 'import sys, ctypes
version = sys.version_info[:2]
if version >= tuple(map(int, sys.argv[2].split("."))):
    print("%s:%s" % ("system" if sys.argv[1] == "/usr/bin/python3" else "%d_%d" % version, sys.argv[1]))' "$each" "${1:-3.8}" 2>/dev/null
	done | awk -F: '!seen[$1]++'
}
