#!/bin/sh
# Stacks where a program makes it hard to tell them: handlers interrupt Python, there are several interpreters, libraries go, exceptions pass, there is no room. What is
# told is the truth, or nothing.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/helpers/python/trained.sh"

${CC:-gcc} -O1 -g -shared -fPIC -o libcalls.so "$here/tests/programs/stacks_calls.c" -L"$tmp/cann" -Wl,--no-as-needed -lacl_rt || exit 1
cat >calls.py <<'ASKS'
import ctypes
library = ctypes.CDLL("./libcalls.so")
copies = lambda count, bytes: library.copies(ctypes.c_long(count), ctypes.c_long(bytes))
copies(1, 1)  # has ranktrace ask Python
for _ in range(1000): pass
ASKS

# told NAME: of each number of bytes copied how often, and by whom or why that is not known
told() {
	"$tool" dump --format jsonl "$1" 2>/dev/null | python3 -c 'import collections, json, sys
calls = map(json.loads, sys.stdin)
count = collections.Counter((e["bytes"], e["stack"][1]["function"].split(".")[-1] if "stack" in e else e["stack_of"]) for e in calls)
print(*("%d bytes: %d %s" % (bytes, n, by) for (bytes, by), n in sorted(count.items())), sep=", ")'
}

# ---- signal handlers ----
cat >handlers.py <<'HANDLERS'
from calls import *
import sys
def work(n): return n if n < 2 else work(n - 1) + work(n - 2)
handled = ctypes.c_int.in_dll(library, "handled")
library.handle(200, 1000, sys.argv[1] == "blocks_nothing")
while handled.value < 200: work(8)
def behind(): copies(5, 2)
behind()
HANDLERS
# The sanitizer of threads calls handlers itself, later, with nothing blocked.
for blocks in $(case ${SAN-} in *thread*) ;; *) echo blocks_its_signal blocks_nothing ;; esac); do
	"$run" --save-path $blocks --steps all --contents cpu,module -- "$python" handlers.py $blocks >$blocks.log 2>&1
	equal "a_handler_that_${blocks}_has_no_stack" "$? $(told $blocks)" '0 1 bytes: 1 too_early, 2 bytes: 5 behind, 4096 bytes: 200 no_frames'
done

# ---- interpreters ----
cat >interpreters.py <<'INTERPRETERS'
from calls import *
import threading
try: import _interpreters as interpreters
except ImportError: import _xxsubinterpreters as interpreters
code = """
import ctypes
library = ctypes.CDLL("./libcalls.so")
def copies(): library.copies(ctypes.c_long(1), ctypes.c_long(7))
def inner(): copies()
for _ in range(50): inner()
"""
def new():
    for how in ({"isolated": False}, {"config": "legacy"}):
        try: return interpreters.create(**how)
        except TypeError: pass
made = [new() for _ in range(2)]
def outer(): interpreters.run_string(made[0], code)
outer()
thread = threading.Thread(target=interpreters.run_string, args=(made[1], code))
thread.start()
thread.join()
for each in made: interpreters.destroy(each)
def behind(): copies(5, 2)
behind()
INTERPRETERS
for named in $(pythons 3.11); do
	v=${named%%:*}
	"${named#*:}" -c 'import sys; sys.exit(sys.version_info >= (3, 12))' && by=no_frames || by=inner
	"$run" --save-path "in_$v" --steps all --contents cpu,module -- "${named#*:}" interpreters.py >"in_$v.log" 2>&1
	equal "calls_of_another_interpreter_have_its_lines_or_none_$v" "$? $(told "in_$v")" "0 1 bytes: 1 too_early, 2 bytes: 5 behind, 7 bytes: 100 $by"
done

# ---- no room ----
cat >made.py <<'MADE'
from calls import *
for n in range(2, 3000):
    exec(compile("def f%d(): copies(1, %d)\nf%d()" % (n, n, n), "<%s%d>" % ("long" * 400, n), "exec"), {"copies": copies})
MADE
"$run" --save-path full --steps all --contents cpu,module --shm-size 4M -- "$python" made.py >full.log 2>&1
equal of_calls_without_room_for_their_stacks_none_is_lost "$? $("$tool" dump --format jsonl full 2>/dev/null | python3 -c 'import json, sys
calls = [json.loads(line) for line in sys.stdin][1:]
right = [c["stack"][1]["function"] == "f%d" % c["bytes"] for c in calls if "stack" in c]
without = [c["stack_of"] for c in calls if "stack" not in c]
print(len(calls), len({c["bytes"] for c in calls}), len(right) > 50 and all(right), len(without) > 50 and set(without))
open("full.without", "w").write("%d of %d" % (len(right), len(without)))')" "0 2998 2998 True {'no_room'}"
equal and_it_is_said_of_how_many "$("$tool" report --only stacks full | sed -n 's/^stacks: \([0-9]*\) of 2999 calls; 1 before .*; \([0-9]*\) for whose stacks there was no room$/\1 of \2/p')
$(sed -n 's/^ranktrace: process .*: \([0-9]*\) definitions .* found no room in shared memory, .*/\1/p' full.log)" "$(cat full.without)
$(sed 's/.* //' full.without)"

# ---- libraries that go ----
built() { ${CC:-gcc} -O1 -g -Wall -Wextra -o "$@" -Wl,--build-id; }
built libwide.so -shared -fPIC -fomit-frame-pointer -DNAME=wide -DSIZE=20000 "$here/tests/programs/closed_part.c" &&
	built libnarrow.so -shared -fPIC -fomit-frame-pointer -DNAME=narrow -DSIZE=1000 "$here/tests/programs/closed_part.c" &&
	built closed_parts "$here/tests/programs/closed_parts.c" -L"$tmp/cann" -Wl,--no-as-needed -lacl_rt || exit 1
"$run" --save-path closed --steps all --contents stack -- ./closed_parts "$tmp" 10 >closed.out 2>closed.log
# qemu may give them several.
equal libraries_come_and_go "$? $(sed "${EMULATED:+s/several places/one place/}" closed.out)" '0 in one place'
if grep -q libunwind closed.log; then
	echo "skip: native stacks: no libunwind.so.8"
	finish
fi
equal frames_are_of_the_file_that_was_there_then "$("$tool" dump --format jsonl closed 2>/dev/null | python3 -c 'import json, os, sys
for call in map(json.loads, sys.stdin):
    print(call["bytes"], *("%s:%s" % (os.path.basename(f["module"]), f["symbol"]) for f in call["stack"] if not f["module"].endswith(("libc.so.6"))), sep=" ")' |
	sed 's/ closed_parts[.0-9a-z]*:main closed_parts[.0-9a-z]*:_start$//' | paste -sd';')" \
	"$(for n in 1 3 5 7 9; do echo "$n libwide.so:wide;$((n + 1)) libnarrow.so:narrow"; done | paste -sd';')"

# ---- code of which nothing says how to leave it ----
built descriptors "$here/tests/programs/stacks_descriptors.c" -L"$tmp/cann" -Wl,--no-as-needed -lacl_rt || exit 1
./descriptors 3>&- 4>&- 5>&- >bare
# libunwind for aarch64 ends there, where frame pointers do not.
"$run" --save-path held --steps all --contents stack ${EMULATED:+--stack-by fp} -- ./descriptors 3>&- 4>&- 5>&- >held.out 2>held.log
equal the_programs_files_and_their_numbers_are_its_own "$? $(cat held.out)" "0 $(cat bare)"
equal and_frames_around_are_told "$("$tool" dump --format jsonl held 2>/dev/null | grep -c '"symbol":"copy".*"symbol":"deep".*"symbol":"main"')" 21

# ---- a call from inside of another one: what calls the program back is around it ----
{ built libOpenCL.so.1 -std=gnu11 -D_GNU_SOURCE -w -shared -fPIC -I"$here" -Wl,-soname,libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c" &&
	built called_back -fno-optimize-sibling-calls -fno-inline -I"$here" "$here/tests/programs/called_back.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp"; } || exit 1
"$run" --save-path back --steps all --contents cpu,stack -- ./called_back >back.out 2>back.log
equal a_call_from_a_callback_has_the_callback_s_frames "$("$tool" dump --format jsonl back 2>/dev/null | python3 -c 'import json, os, sys
for call in map(json.loads, sys.stdin):
    names = [f["symbol"] for f in call["stack"] if not f["module"].endswith("libc.so.6")]
    print(call["name"], *names, any("libranktrace" in f["module"] for f in call["stack"]))')" \
	'clEnqueueNativeKernel main _start False
clEnqueueNDRangeKernel launch callback clEnqueueNativeKernel main _start False'

# ---- roles ----
cat >roles.py <<'ROLES'
from calls import *
us = ctypes.CDLL(None)
us.ranktrace_stage_begin.restype = ctypes.c_uint64
us.ranktrace_stage_end.argtypes = [ctypes.c_uint64]
def stage(role, bytes):
    number = us.ranktrace_stage_begin(role)
    copies(3, bytes)
    us.ranktrace_stage_end(number)
for step in (1, 2):
    us.ranktrace_step(ctypes.c_int64(step))
    stage(b"actor_update", 2)
    stage(b"ref_compute_log_prob", 3)
    stage(b"compute_values", 4)
us.ranktrace_step(ctypes.c_int64(3))
ROLES
# roles DISCRETE: of each number of bytes how many calls, and what frames they have
roles() {
	rm -rf roles
	RANKTRACE_RANK=0 "$run" --save-path roles --steps 1,2 --step-source api --discrete "$1" --contents cpu \
		--roles 'actor{contents=cpu module};ref{contents=cpu stack};critic' -- "$python" roles.py >roles.log 2>&1
	"$tool" dump --format jsonl roles 2>/dev/null | python3 -c 'import collections, json, sys
calls = map(json.loads, sys.stdin)
frames = lambda e: "+".join(sorted({"python" if "function" in f else "native" for f in e.get("stack", [])})) or e.get("stack_of", "none")
count = collections.Counter((e["bytes"], frames(e)) for e in calls)
print(*("%d bytes: %d %s" % (bytes, n, by) for (bytes, by), n in sorted(count.items())), sep=", ")'
}

equal each_window_has_the_stacks_that_its_role_wants "$(roles true)" '2 bytes: 6 python, 3 bytes: 6 native+python, 4 bytes: 6 none'
equal a_whole_step_has_what_its_roles_want_from_then_on "$(roles false)" '2 bytes: 3 native+python, 2 bytes: 3 python, 3 bytes: 6 native+python, 4 bytes: 6 native+python'

# ---- exceptions ----
fakes=$here/tests/fakes/opencl throw=$here/tests/programs/stacks_throw.cc
${CC:-gcc} -std=gnu11 -O1 -g -w -fexceptions -I"$here" -fPIC -shared -Wl,-Bsymbolic -o libOpenCL.so.1 "$fakes/fake_opencl.c" -Wl,-soname,libOpenCL.so.1 \
	-Wl,--version-script="$fakes/opencl.map" && ${CXX:-g++} -O1 -g -I"$here" -o throws "$throw" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" &&
	${CXX:-g++} -O1 -g -I"$here" -shared -fPIC -Dmain=throws -o libthrows.so "$throw" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" || exit 1
cat >throws.py <<'THROWS'
import ctypes
ctypes.CDLL("./libOpenCL.so.1").clFlush(None)  # has ranktrace open its unwinder, before there is one of C++
ctypes.CDLL("./libthrows.so")._Z6throwsiPPc(2, (ctypes.c_char_p * 3)(b"throws", b"10"))
THROWS

# The sanitizer of threads keeps 20 KiB and more of each exception that passes instrumented code.
exceptions=100000
case ${SAN-} in *thread*) exceptions=2000 ;; esac
./throws $exceptions >bare
"$run" --save-path thrown --steps all --level level2 --contents stack --shm-size 400M -- ./throws $exceptions >thrown.out 2>thrown.log
equal exceptions_arrive_and_are_the_same "$? $(cat thrown.out)" "0 $(cat bare)"
equal calls_meanwhile_have_their_stacks "$("$tool" report --format json thrown | python3 -c 'import json, sys
rank, = json.load(sys.stdin)["ranks"]
print(*rank["events"].values(), rank["stacks"]["native"], rank["stacks"]["lost"])')" "$((3 * exceptions)) $((2 * exceptions)) 0 $exceptions $((2 * exceptions)) 0"

# bound CONTENTS COMMAND...: to whose function of the unwinder each file is bound
bound() {
	rm -rf bound.*
	"$run" --save-path bound --steps all --level level2 --contents "$1" -- env LD_DEBUG=bindings LD_DEBUG_OUTPUT="$tmp/bound" LD_LIBRARY_PATH="$tmp/cann" "$2" "$3" >/dev/null 2>&1
	cat bound.* | sed -n '/file [^ ]*libunwind[^ ]* \[0\] to/d; s/.*\(binding file .*_Unwind_.*\)/\1/p' | sort -u
}
# A sanitizer stands between a program and its unwinder.
[ -n "${SAN-}" ] || for command in './throws 10' "$python throws.py"; do
	# shellcheck disable=SC2086
	bound cpu $command >without && bound stack $command >with
	holds "exceptions_go_to_the_unwinder_that_$(basename "${command%% *}")_had" sh -c 'grep -q "libstdc.* to .*libgcc_s.*_Unwind_RaiseException" with && cmp without with'
done
finish
