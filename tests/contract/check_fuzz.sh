#!/bin/sh
# The kept inputs of every fuzz target, one after the other: promises kept, memory bounded, no hang.
# What a target promises stands in tests/fuzz/fuzz_*.c; `make fuzz` looks for new inputs.
. "$(dirname "$0")/../lib/lib.sh"

export TMPDIR="$tmp" # fuzz_rows leaves a session and a trace there
for source in "$here"/tests/fuzz/fuzz_*.c; do
	target=$(basename "$source" .c)
	holds "no_kept_input_of_${target#fuzz_}_breaks_a_promise" "$BUILD/tests/$target" "$here/tests/fuzz/corpus/${target#fuzz_}"
done
finish
