#!/bin/sh
# Traces changed where they have numbers, texts and sizes, with another seed each time. MUTATED: how many, SEED.
root=$(cd "$(dirname "$0")/../.." && pwd)
export MUTATED="${MUTATED:-260000}" SEED="${SEED:-$(date +%s)}"
exec "$root/tests/contract/check_fuzz.sh"
