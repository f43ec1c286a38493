#!/bin/sh
# The kept inputs of every fuzz target, one after the other: promises kept, memory bounded, no hang.
# What a target promises stands in tests/fuzz/fuzz_*.c; `make fuzz` looks for new inputs.
. "$(dirname "$0")/lib.sh"

for target in trace recover yaml setting arguments program run; do
	holds "no_kept_input_of_${target}_breaks_a_promise" "$BUILD/tests/fuzz_$target" "$here/tests/fuzz/corpus/$target"
done
finish
