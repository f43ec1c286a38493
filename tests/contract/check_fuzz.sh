#!/bin/sh
# The kept inputs of every fuzz target, one after the other: promises kept, memory bounded, no hang.
# What a target promises stands in tests/fuzz/fuzz_*.c; `make fuzz` looks for new inputs. MUTATED, SEED: traces changed by mutated.c.
. "$(dirname "$0")/../lib/lib.sh"

export TMPDIR="$tmp" # fuzz_rows leaves a session and a trace there
for source in "$here"/tests/fuzz/fuzz_*.c; do
	target=$(basename "$source" .c)
	holds "no_kept_input_of_${target#fuzz_}_breaks_a_promise" "$BUILD/tests/$target" "$here/tests/fuzz/corpus/${target#fuzz_}"
done

traces=$(find "$here/tests/golden" -name '*.rtrace' -o -name '*.rtrace.part')
cd "$tmp" || exit 1
# shellcheck disable=SC2086
holds no_trace_that_was_changed_where_it_matters_breaks_a_promise "$BUILD/tests/mutated_trace" "${MUTATED:-1000}" "${SEED:-1}" $traces
[ ! -e mutated-* ] || { KEEP=1; echo "what broke it lies in $tmp"; }
finish
