#!/bin/sh
# Ten thousand processes that end at a random moment while threads come and go and steps change; a million steps and sizes.
root=$(cd "$(dirname "$0")/../.." && pwd)
export RUNS="${RUNS:-10000}" MANY="${MANY:-1000000}"
exec "$root/tests/e2e/engine/e2e_adversary.sh"
