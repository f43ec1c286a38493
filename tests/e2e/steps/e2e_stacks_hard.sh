#!/bin/sh
# Stacks where a program makes it hard to tell them: its handlers interrupt Python, it has several interpreters. What is told is the truth, or nothing.
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
for blocks in blocks_its_signal blocks_nothing; do
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

# ---- libraries that go ----
built() { ${CC:-gcc} -O1 -g -Wall -Wextra -o "$@" -Wl,--build-id; }
built libwide.so -shared -fPIC -fomit-frame-pointer -DNAME=wide -DSIZE=20000 "$here/tests/programs/closed_part.c" &&
	built libnarrow.so -shared -fPIC -fomit-frame-pointer -DNAME=narrow -DSIZE=1000 "$here/tests/programs/closed_part.c" &&
	built closed_parts "$here/tests/programs/closed_parts.c" -L"$tmp/cann" -Wl,--no-as-needed -lacl_rt || exit 1
"$run" --save-path closed --steps all --contents stack -- ./closed_parts "$tmp" 10 >closed.out 2>closed.log
equal libraries_come_and_go "$? $(cat closed.out)" '0 in one place'
if grep -q libunwind closed.log; then
	echo "skip: native stacks: no libunwind.so.8"
	finish
fi
equal frames_are_of_the_file_that_was_there_then "$("$tool" dump --format jsonl closed 2>/dev/null | python3 -c 'import json, os, sys
for call in map(json.loads, sys.stdin):
    print(call["bytes"], *("%s:%s" % (os.path.basename(f["module"]), f["symbol"]) for f in call["stack"] if not f["module"].endswith(("libc.so.6"))), sep=" ")' |
	sed 's/ closed_parts:main closed_parts:_start$//' | paste -sd';')" \
	"$(for n in 1 3 5 7 9; do echo "$n libwide.so:wide;$((n + 1)) libnarrow.so:narrow"; done | paste -sd';')"
finish
