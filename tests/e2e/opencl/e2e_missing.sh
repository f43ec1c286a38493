#!/bin/sh
# A runtime that lacks one function, for each function in the table: the program runs as without us, no
# look-up finds what is not there, and every call of the others is recorded once.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit 1
cc="${CC:-gcc} -std=gnu11 -O1 -w -I$here"
map=$here/tests/fakes/opencl/opencl.map
names=$(sed -n 's/^\t\(cl[A-Za-z0-9]*\);$/\1/p' "$map")
mkdir full
$cc -fPIC -c -o fake.o "$here/tests/fakes/opencl/fake_opencl.c" &&
	$cc -shared -Wl,-Bsymbolic -o full/libOpenCL.so.1 fake.o -Wl,-soname,libOpenCL.so.1 -Wl,--version-script="$map" &&
	$cc -o all_but -Wl,-z,lazy "$here/tests/programs/all_but.c" full/libOpenCL.so.1 || exit 1

# run_with NAME: the program on a library without NAME, by itself and traced
run_with() {
	mkdir -p "$1"
	sed "/^\t$1;/d" "$map" >"$1/map"
	$cc -shared -Wl,-Bsymbolic -o "$1/libOpenCL.so.1" fake.o -Wl,-soname,libOpenCL.so.1 -Wl,--version-script="$1/map"
	LD_LIBRARY_PATH=$tmp/$1 ./all_but "$1" >"$1/plain" 2>&1
	echo "ended $?" >>"$1/plain"
	LD_LIBRARY_PATH=$tmp/$1 LD_PRELOAD=$SANITIZER$BUILD/libranktrace.so RANKTRACE_STEPS=all RANKTRACE_LEVEL=level2 \
		RANKTRACE_CONTENTS=cpu,memory RANKTRACE_SAVE_PATH=$tmp/$1/out ./all_but "$1" >"$1/got" 2>&1
	echo "ended $?" >>"$1/got"
	"$tool" report --format json "$1/out" >"$1/report.json" 2>"$1/errors"
}

cat >judge.py <<'P'
import json, sys
rows = set(open("rows").read().split())
what, bad = sys.argv[1], []
for name in sys.argv[2:]:
    plain, got = open(f"{name}/plain").read(), open(f"{name}/got").read()
    lines = plain.splitlines()
    called = {w[1]: int(w[2]) for w in (l.split() for l in lines) if w[0] == "called"}
    if what == "same":
        good = plain == got and lines[-1] == "ended 0"
    elif what == "absent":
        looked = [l for l in got.splitlines() if l.split()[0] in ("default", "next", "self", "handle", "version")]
        good = len(looked) == 5 and all(f"{name} NULL: " in l and "libranktrace" not in l for l in looked)
    else:
        rank, = json.load(open(f"{name}/report.json"))["ranks"]
        good = (set(called) == rows - {name} and rank["entry_points"] == called and
                rank["events"]["kept"] == rank["events"]["called"] == sum(called.values()))
    if not good:
        bad.append(name)
if bad or len(sys.argv) < 70:
    sys.exit(f"{len(bad)} of {len(sys.argv) - 2}: {' '.join(bad[:5])}")
P

echo "$names" >rows
for name in $names; do
	run_with "$name"
done
# shellcheck disable=SC2086
{
	holds a_program_on_a_runtime_that_lacks_any_one_function_runs_as_without_us /usr/bin/python3 judge.py same $names
	holds no_look_up_finds_a_function_that_the_runtime_lacks /usr/bin/python3 judge.py absent $names
	holds the_other_functions_are_recorded_once_a_call /usr/bin/python3 judge.py exact $names
}
finish
