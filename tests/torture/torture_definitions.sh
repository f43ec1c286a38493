#!/bin/sh
# Ten million steps, and launches of ten million sizes, in one process.
root=$(cd "$(dirname "$0")/../.." && pwd)
STEPS=${STEPS:-10000000} LAUNCHES=${LAUNCHES:-10000000} SHM_SIZE=${SHM_SIZE:-256M} exec "$root/tests/e2e/engine/e2e_definitions.sh"
