#!/bin/sh
# What a program of CUDA gave to copies, fills, memory and launches is in their events, by the runtime of either major and by the driver, also
# where majors have other parameters and both are in the process; what it did before the window counts for what it frees. Shared memory is
# there with `shapes` alone.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts sim:symbolic
export LD_LIBRARY_PATH="$tmp/sim"
# form NAME PROTOTYPES FLAGS LIBRARIES
form() {
	# shellcheck disable=SC2086
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isim/rows -DDECLARED="\"$2.def\"" $3 -o "$1" "$here/tests/programs/cuda_given.c" -Lsim $4 -ldl || exit 1
}
for major in 12 13; do
	form runtime$major libcudart.so.$major -DMAJOR=$major -l:libcudart.so.$major
	form library$major.so libcudart.so.$major "-DMAJOR=$major -DLIBRARY -shared -fPIC -Wl,-Bsymbolic" -l:libcudart.so.$major
	form thread$major libcudart.so.$major "-DMAJOR=$major -DPER_THREAD" -l:libcudart.so.$major
done
form driver libcuda.so.1 -DDRIVER -lcuda

cat >given.py <<'P'
"""given.py: the events of a dump that have work or memory, in the words of cuda_given.c."""
import json, re, sys
for e in map(json.loads, sys.stdin):
    if e["kind"] not in ("copy", "fill", "alloc", "free", "launch") and not re.search("egister|Address|MemMap|MemUnmap", e["name"]): continue
    words = [e["name"], "result=%d" % e["result"]]
    words += ["%s=%s" % (k, e[k]) for k in ("bytes", "address", "source", "direction") if e.get(k)]
    words += ["stream=%d" % e["stream"]] if "stream" in e else []
    words += ["items=%d" % e["items"]] if "items" in e else []
    words += ["%s=%s" % (k, ",".join(map(str, e[k]))) for k in ("global", "local") if k in e]
    words += ["shared_memory=%d" % e["shared_memory"]] if "shared_memory" in e else []
    print(*words)
P
cat >same.py <<'P'
"""same.py SAID GOT: line by line the same, but for the names of streams, of which each has one."""
import re, sys
said, got = (open(path).read().splitlines() for path in sys.argv[1:])
names = {}
for wanted, line in zip(said, got):
    name, number = (re.search(r" stream=(\w+)", x) for x in (wanted, line))
    if name and number:
        if names.setdefault(name[1], number[1]) != number[1]: sys.exit(f"{wanted}: stream {number[1]}, not {names[name[1]]}")
        wanted = wanted.replace(name[0], number[0])
    if wanted != line: sys.exit(f"said {wanted}, got {line}")
if len(said) != len(got) or len(said) < 30: sys.exit(f"{len(said)} said, {len(got)} got")
if len(set(names.values())) != len(names): sys.exit(f"streams {names}")
print("the same,", len(names), "streams")
P
# given NAME STREAMS COMMAND...: with contents $contents
given() {
	name=$1 streams=$2
	shift 2
	"$run" --save-path "$name.out" --step-source api --steps 2 --level level1 --contents "$contents" -- "$@" >"$name.said" 2>"$name.log"
	status=$?
	case $contents in *shapes*) ;; *) sed -i 's/ shared_memory=[0-9]*//' "$name.said" ;; esac
	"$tool" dump --format jsonl "$name.out" | python3 given.py >"$name.got"
	equal "${name}_has_in_its_events_what_it_gave" "$status $(python3 same.py "$name.said" "$name.got" 2>&1)" "0 the same, $streams streams"
}
contents=cpu,memory,shapes
for form in runtime12 runtime13 thread12 thread13 driver; do given $form 2 ./$form; done
given program_of_13_and_library_of_12 3 ./runtime13 ./library12.so
given program_of_12_and_library_of_13 3 ./runtime12 ./library13.so
contents=cpu,memory
given runtime13_without_shapes 2 ./runtime13
given driver_without_shapes 2 ./driver
given program_of_13_and_library_of_12_without_shapes 3 ./runtime13 ./library12.so
contents=cpu,memory,device,shapes
given runtime12_with_times 2 ./runtime12
finish
