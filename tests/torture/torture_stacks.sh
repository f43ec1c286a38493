#!/bin/sh
# Stacks under load: 16 threads of 40,000 calls each, each call with its own thread's stack; and kills in a window, after which no stack lacks its text.
# usage: torture_stacks.sh [KILLS [SEED]]
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/helpers/python/trained.sh"

kills=${1:-200} seed=${2:-$(date +%s)}
threads="$python $here/tests/helpers/python/asked_threads.py"
echo "seed $seed"

for contents in module stack; do
	"$run" --save-path $contents --steps all --contents cpu,$contents -- $threads "$tmp/cann/libascendcl.so" 16 40000 >$contents.out 2>$contents.log
	equal "every_call_of_16_threads_has_its_own_${contents}" "$("$tool" dump --format jsonl $contents 2>/dev/null | $threads - 16 40000)" '640000, 0 wrong, each thread its own'
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
