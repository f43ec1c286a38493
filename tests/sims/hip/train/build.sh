#!/bin/sh
# build.sh HIP [OUT]: the training program of the simulated CUDA against the simulated HIP in HIP, once for each road, as OUT/train-FORM;
# OUT/forms lists those that need nothing beside the runtime:
#   linked5 linked6 linked7   the runtime of this major, linked
#   thread6 thread7           the same, with default streams of threads
#   dlsym                     dlopen("libamdhip64.so") and dlsym
#   resolver6 resolver7       the same, and all else by hipGetProcAddress
#   group6                    linked6 with collectives between processes: RANK, WORLD_SIZE, TRAIN_ROOT
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${here%/tests/sims/hip/train}
cuda=$root/tests/sims/cuda/train
hip=$(readlink -f -- "$1") out=${2:-$1}
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall ${CFLAGS-} -I$root -I$hip/rows -include $root/tests/sims/hip/abi.h -include $root/tests/sims/hip/names.h"
: >"$out/forms"
# form NAME MAJOR CONFIG_BY FLAGS LIBRARIES [COLLECTIVES]
form() {
	# shellcheck disable=SC2086
	$cc -DBY_HIP="$2" -DCONFIG_BY="$3" -DDECLARED="\"libamdhip64.so.$2.def\"" $4 -o "$out/train-$1" "$cuda/runtime.c" "$cuda"/called.c "$cuda"/kernels.c \
		"$cuda"/train.c "$cuda/${6-alone}.c" -L"$hip" $5 -Wl,-rpath,"$hip" -ldl -lm -pthread
	[ $# -gt 5 ] || echo "$1" >>"$out/forms"
}
for major in 5 6 7; do form linked$major $major $major '' -l:libamdhip64.so.$major; done
form thread6 6 0 -DPER_THREAD -l:libamdhip64.so.6
form thread7 7 8 -DPER_THREAD -l:libamdhip64.so.7
form dlsym 6 6 -DBY_DLSYM ''
form resolver6 6 0 -DBY_RESOLVER ''
form resolver7 7 8 '-DBY_RESOLVER -DPER_THREAD' ''
form group6 6 0 '-DAND_DECLARED="librccl.so.1.def"' '-l:libamdhip64.so.6 -l:librccl.so.1' group
