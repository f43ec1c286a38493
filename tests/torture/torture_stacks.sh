#!/bin/sh
# Stacks under load: 16 threads of 40,000 calls each, each call with its own thread's stack; handlers that interrupt each Python anywhere; and kills in a
# window, after which no stack lacks its text.
# usage: torture_stacks.sh [KILLS [SEED]]
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/helpers/python/trained.sh"

kills=${1:-200} seed=${2:-$(date +%s)}
threads="$python $here/tests/helpers/python/asked_threads.py"
echo "seed $seed"

for contents in module stack; do
	"$run" --save-path $contents --steps all --contents cpu,$contents -- $threads "$tmp/cann/libascendcl.so" 16 40000 >$contents.out 2>$contents.log
	equal "every_call_of_16_threads_has_its_own_${contents}" "$("$tool" dump --format jsonl $contents 2>/dev/null | $threads - 16 40000)" '640000, 0 wrong, each thread its own'
done

${CC:-gcc} -O1 -g -shared -fPIC -o libcalls.so "$here/tests/programs/stacks_calls.c" -L"$tmp/cann" -Wl,--no-as-needed -lacl_rt || exit 1
cat >handlers.py <<'HANDLERS'
import ctypes, sys
library = ctypes.CDLL("./libcalls.so")
library.copies(ctypes.c_long(1), ctypes.c_long(1))
for _ in range(1000): pass
def work(n): return n if n < 2 else work(n - 1) + work(n - 2)
def numbers(n): yield from range(n)
class Frees:
    def __del__(self): work(3)
handled = ctypes.c_int.in_dll(library, "handled")
library.handle(20000, 100, sys.argv[1] == "blocks_nothing")
copies = n = 0
while handled.value < 20000:
    work(8), sum(numbers(50)), Frees()
    exec("def made%d():\n  return 1\nmade%d()" % (n, n))
    library.copies(ctypes.c_long(5), ctypes.c_long(2))
    copies, n = copies + 5, n + 1
print(copies)
HANDLERS
for blocks in blocks_its_signal blocks_nothing; do
	for named in $(pythons); do
		rm -rf handlers
		"$run" --save-path handlers --steps all --contents cpu,stack --shm-size 512M -- "${named#*:}" handlers.py $blocks >handlers.out 2>handlers.log
		equal "anywhere_in_python_a_handler_that_${blocks}_may_call_${named%%:*}" "$? $("$tool" report --format json handlers | python3 -c 'import json, sys
events = json.load(sys.stdin)["ranks"][0]["events"]
print(events["called"], events["kept"] + events["dropped"] + events["in_flight"])')" "0 $((20001 + $(cat handlers.out))) $((20001 + $(cat handlers.out)))"
	done
done

# killed DELAY: the process is killed that many milliseconds after its threads have begun; what the launcher recovers of it
killed() {
	rm -rf killed killed.out pid
	"$run" --save-path killed --steps all --contents cpu,stack -- sh -c 'echo $$ >pid; exec "$@"' - $threads "$tmp/cann/libascendcl.so" 4 1 forever \
		>killed.out 2>killed.log &
	launcher=$!
	until grep -q running killed.out 2>/dev/null; do kill -0 $launcher || return 1; done
	sleep "$1"
	kill -9 "$(cat pid)"
	wait $launcher 2>/dev/null
	"$tool" dump --format jsonl killed 2>/dev/null | awk '
		/"stack_of":"too_early"/ { early++; next } /"stack_lost"/ || !/"stack":\[\{/ { bad++ } END { if (bad || early > 1 || NR < 100) print NR, early, bad }'
}

bad=
for n in $(seq "$kills"); do
	bad="$bad$(killed "$(awk -v s="$seed$n" 'BEGIN { srand(s); printf "0.%03d", rand() * 120 }')")"
done
equal "after_${kills}_kills_each_call_has_its_stack" "$bad" ''
finish
