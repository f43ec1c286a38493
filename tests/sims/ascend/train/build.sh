#!/bin/sh
# build.sh CANN [OUT]: the training program against the simulated CANN in CANN: OUT/host, OUT/linked.so, OUT/looked.so.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${here%/tests/sims/ascend/train}
cann=$(readlink -f -- "$1") out=${2:-$1}
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall ${CFLAGS-} -I$root -I$cann/rows"
$cc -o "$out/host" "$here/host.c" -ldl
# module NAME LIBRARIES FLAGS: bound at once, as libtorch_npu.so is
module() {
	# shellcheck disable=SC2086
	$cc -fPIC -fvisibility=hidden -shared $3 -o "$out/$1" "$here"/api.c "$here"/queue.c "$here"/ops.c "$here"/work.c "$here"/group.c \
		"$here"/train.c -Wl,-z,now,-Bsymbolic-functions,--no-as-needed,--allow-shlib-undefined -L"$cann" $2 \
		-Wl,-rpath,"$cann" -pthread -ldl
}
imported='-lhccl -lascendcl -lacl_op_compiler'
module looked.so "$imported" ''
module linked.so "$imported -lms_tools_ext -lopapi -lnnopbase" -DLINKED
