#!/bin/sh
# build.sh CANN OUT: the training program with faults against the simulated CANN in CANN.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${here%/tests/programs/why}
cann=$(readlink -f -- "$1")
# shellcheck disable=SC2086
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra ${CFLAGS-} -I"$root" -I"$cann/rows" -o "$2" "$here/faulty.c" "$here/cann.c" -L"$cann" \
	-Wl,--no-as-needed -lhccl -lhcomm -lascendcl -lacl_rt -lnnopbase -lopapi -lopapi_math -Wl,-rpath,"$cann" -pthread -ldl
