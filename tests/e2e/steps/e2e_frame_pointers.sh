#!/bin/sh
# Native stacks by frame pointers: of programs that have them each function is there, as by libunwind; of others some, or none, and nothing goes wrong.
. "$(dirname "$0")/../../lib/lib.sh"
[ -n "${SAN-}${EMULATED-}" ] || need strace
. "$here/tests/helpers/python/trained.sh"

built() { ${CC:-gcc} -D_GNU_SOURCE -Wall -Wextra -O2 -g "$@" -rdynamic "$here/tests/programs/frame_pointers.c" -L"$tmp/cann" -lacl_rt -pthread || exit 1; }
built -o with -fno-omit-frame-pointer
built -o without -fomit-frame-pointer

# taken NAME BY PROGRAM MODE: runs it, and dumps
taken() {
	"$run" --save-path "$1" --steps all --contents cpu,stack --stack-by "$2" -- "./$3" "$4" >"$1.log" 2>&1 || fail "$1_runs" "$(tail -n 1 "$1.log")"
	"$tool" dump --format jsonl "$1" >"$1.dump" 2>/dev/null
}

# told NAME OUTER: how many calls have the functions that they were made from, as many as bytes were copied: out to OUTER
told() {
	python3 - "$1.dump" "$2" <<'TOLD'
import json, sys
calls = right = 0
for line in open(sys.argv[1]):
    call = json.loads(line)
    frames = [f["symbol"] for f in call.get("stack", [])]
    wanted = ["asks"] + ["down"] * call["bytes"] + sys.argv[2].split()
    calls += 1
    right += frames[:len(wanted)] == wanted[:64] and (len(wanted) <= 64 or len(frames) == 64)
print("%d of %d" % (right, calls))
TOLD
}

for mode in deep:"deep main":100 threads:"deep thread":800 coroutines:deep:1600 callback:compare:; do
	name=${mode%%:*} count=${mode##*:}
	outer=${mode#*:}
	taken "$name" fp with "$name"
	all=${count:-$(wc -l <"$name.dump")}
	equal "each_function_is_there_$name" "$(told "$name" "${outer%:*}")" "$all of $all"
done
holds some_are_called_back test "$(wc -l <callback.dump)" -gt 100
taken handler fp with handler
equal and_in_a_signal_handler_on_its_own_stack "$(told handler '')" '200 of 200'

# What only looks like a frame is none.
taken broken fp with broken
equal where_the_frame_pointer_is_something_else_the_stack_ends \
	"$(python3 -c 'import json, sys, collections
print(*collections.Counter(tuple(f["symbol"] for f in json.loads(l).get("stack", [])[:2]) for l in sys.stdin).items())' <broken.dump)" "(('asks', 'broken'), 45)"

taken gone fp with gone
equal and_where_it_is_memory_that_goes "$(wc -l <gone.dump) $(grep -c '"stack":' gone.dump)" '768 768'
# Sanitizers keep books of stacks, and are not told of these.
[ -n "${SAN-}" ] || taken given fp with given
[ -n "${SAN-}" ] || equal and_on_stacks_of_which_one_is_gone_that_the_other_was_made_from "$(wc -l <given.dump) $(told given '')" '4 4 of 4'

# By libunwind the same functions lie there, from the innermost to where frame pointers end.
for mode in deep:"deep main":100 threads:"deep thread":800 coroutines:deep:1600 handler::200; do
	name=${mode%%:*} count=${mode##*:}
	outer=${mode#*:}
	# libunwind takes a lock when a thread ends, behind ThreadSanitizer's own end of it.
	[ "$name ${SAN-}" != 'threads thread' ] || continue
	taken "unwound_$name" unwind with "$name"
	equal "libunwind_says_the_same_$name" "$(told "unwound_$name" "${outer%:*}")" "$count of $count"
done

# asked BY: how often the kernel was asked whether memory is there, or for anything by the same call
asked() {
	strace -f -c -o asked -e trace=rt_sigprocmask "$run" --save-path "asked_$1" --steps all --contents cpu,stack --stack-by "$1" -- ./with threads >asked.log 2>&1
	awk '$NF == "rt_sigprocmask" { print $4 }' asked
}
# The kernel is not asked for a thread's own stack, which costs more than all else; elsewhere leads what the library has to learn of.
if [ -z "${SAN-}${EMULATED-}" ]; then
	more=$(($(asked unwind) - $(asked fp)))
	holds "the_kernel_is_not_asked_for_each_of_800_stacks ($more)" test "$more" -lt 800
fi

# Without frame pointers: nothing is told that libunwind does not tell.
for by in fp unwind; do taken "none_$by" $by without deep; done
equal what_is_told_of_a_program_without_them_is_true "$(python3 - none_fp.dump none_unwind.dump <<'SAME'
import json, sys
def stacks(path): return [[(f["module"], f["offset"]) for f in json.loads(line).get("stack", [])] for line in open(path)]
def is_part(some, of):
    of = iter(of)
    return all(f in of for f in some)
pairs = [(some, of) for some, of in zip(stacks(sys.argv[1]), stacks(sys.argv[2])) if len(of) < 64]  # of others the outermost are not known
print(len(pairs) > 50, all(is_part(some, of) for some, of in pairs), all(some for some, _ in pairs))
SAME
)" 'True True True'

# No library is needed, and none is opened.
mkdir broken_library
echo broken >broken_library/libunwind.so.8
LD_LIBRARY_PATH=$tmp/broken_library:$LD_LIBRARY_PATH taken alone fp with deep
equal without_libunwind_they_are_there "$(told alone 'deep main') $(grep -c 'libunwind' alone.log)" '100 of 100 0'
finish
