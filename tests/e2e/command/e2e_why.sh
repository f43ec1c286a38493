#!/bin/sh
# `ranktrace why` of training programs whose steps were made slow on purpose: it names step, rank, cause and amount. RUNS, NONE: how many, SEED.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/faulty.sh"

seed=${SEED:-20}
[ "${SAN-}" != thread ] || : "${RUNS:=8}" "${NONE:=3}" # most of its runs are disturbed: by its own slowness
judged faults_are_named ./faulty --seed "$seed" --runs "${RUNS:-40}"
judged and_none_where_none_was_made ./faulty --seed "$seed" --runs "${NONE:-10}" --none
[ "$(uname -m)" != x86_64 ] || judged faults_on_opencl_are_named ./faulty_cl --opencl --seed "$seed" --runs $((${RUNS:-40} / 8))
finish_judged
