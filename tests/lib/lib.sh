# lib.sh - what every end-to-end test starts with: `. tests/lib/lib.sh`, checks, `finish`.
# BUILD is the build folder; $tmp is removed at the end (KEEP=1: it is not). shellcheck shell=sh disable=SC2034

set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
here=${here%/tests/*}
BUILD=${BUILD:-$here/build}
case $BUILD in /*) ;; *) BUILD=$here/$BUILD ;; esac
tmp=$(mktemp -d "${TMPDIR:-/tmp}/ranktrace-test.XXXXXX")
export RANKTRACE_SESSION_ROOT=/dev/shm/ranktrace-test-$$
trap '[ -n "${KEEP-}" ] || rm -rf "$tmp" "$tmp.tree" "$RANKTRACE_SESSION_ROOT"-*' EXIT
trap 'exit 143' HUP INT TERM

# LD_PRELOAD carries no path with a blank, and tests put paths into lists of words: such a tree is seen through a link, and
# what is preloaded is a copy.
case $here$BUILD in
*[:[:space:]]*)
	mkdir -p "$tmp.tree/build"
	ln -s "$here" "$tmp.tree/tree"
	ln -s "$BUILD"/* "$tmp.tree/build/"
	cp -p --remove-destination "$BUILD"/*ranktrace* "$tmp.tree/build/"
	here=$tmp.tree/tree BUILD=$tmp.tree/build
	;;
esac
export BUILD
tool=${TOOL:-$BUILD/ranktrace} # of this machine where what is tested is of another
run=$here/scripts/ranktrace-run
python=${PYTHON:-/usr/bin/python3} # of what is traced
lm=$BUILD/tests/trainers/lm_train
layer=$BUILD/tests/libcount_layer.so
export RANKTRACE_BUILD=$BUILD
unset PYTHONDONTWRITEBYTECODE # environments are installed uncompiled (tests/helpers/python/install.sh)
SANITIZER=${SANITIZER-} # in front of what is preloaded by hand: scripts/dev/run-tests knows it
export TSAN_OPTIONS=${TSAN_OPTIONS:-ignore_noninstrumented_modules=1:exitcode=66}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:verify_asan_link_order=0}
failures=0

ok() { printf 'ok %s\n' "$1"; }
fail() {
	printf 'FAIL %s: %s\n' "$1" "$2"
	failures=$((failures + 1))
}

# equal NAME GOT WANTED
equal() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1" "got '$2', wanted '$3'"; fi; }

# holds NAME COMMAND... : the command succeeds
holds() {
	name=$1
	shift
	if "$@" >"$tmp/holds.out" 2>&1; then ok "$name"; else fail "$name" "$(tail -n 3 "$tmp/holds.out" | tr '\n' ' ')"; fi
}

# report NAME PATH EXPRESSION: a Python expression over the report `r` and the dump's events `e`
report() { holds "$1" /usr/bin/python3 "$here/tests/lib/expect.py" "$tool" "$2" "$3"; }

# listened FOLDER: to what its processes listened, and how often that told something; two lines for what run.json and check say
listened() {
	/usr/bin/python3 -c 'import glob, json, sys
print(*(f"{name}={n}" for path in glob.glob(sys.argv[1] + "/**/run.json", recursive=True) for p in json.load(open(path))["processes"] for name, n in p["sources"].items()), sep="; ")' "$1"
	"$tool" check --sources "$1" | sed -n 's/^  //p' | paste -sd';' | sed 's/;/; /g'
}

# without_loader FILE...: takes out what this machine's loader says of an agent for another one (tests/aarch64)
without_loader() { [ -z "${EMULATED-}" ] || sed -i '/^ERROR: ld.so: object .*libranktrace.so.* cannot be preloaded/d' "$@"; }

# one_clock: of the agent and of the command, which recovers or tells what is under way; the counter that qemu-user has is not this machine's
one_clock() { [ -z "${EMULATED-}" ] || export RANKTRACE_CLOCK=ns; }

need() { command -v "$1" >/dev/null 2>&1 || { echo "skip: no $1 here"; exit 77; }; }

finish() { [ "$failures" -eq 0 ]; exit; }
