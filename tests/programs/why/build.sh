#!/bin/sh
# build.sh CANN OUT: the training program with faults against the simulated CANN in the folder CANN; build.sh opencl OUT: on OpenCL.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${here%/tests/programs/why}
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra ${CFLAGS-} -I$root -o $2 $here/faulty.c"
if [ "$1" = opencl ]; then
	$cc "$here/opencl.c" -lOpenCL -pthread
	exit
fi
cann=$(readlink -f -- "$1")
$cc "$here/cann.c" -I"$cann/rows" -L"$cann" -Wl,--no-as-needed -lhccl -lhcomm -lascendcl -lacl_rt -lnnopbase -lopapi -lopapi_math \
	-Wl,-rpath,"$cann" -pthread -ldl
