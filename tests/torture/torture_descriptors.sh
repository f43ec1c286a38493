#!/bin/sh
# Ten thousand openings of each kind beside a program that counts on its numbers. OPENINGS: how many.
root=$(cd "$(dirname "$0")/../.." && pwd)
OPENINGS=${OPENINGS:-10000} exec "$root/tests/e2e/engine/e2e_descriptors.sh"
