#!/bin/sh
# Steps made slow on purpose, with another seed each time. RUNS: how many, NONE: how many without a fault, SEED.
root=$(cd "$(dirname "$0")/../.." && pwd)
export RUNS="${RUNS:-400}" NONE="${NONE:-200}" SEED="${SEED:-$(date +%s)}"
exec "$root/tests/e2e/command/e2e_why.sh"
