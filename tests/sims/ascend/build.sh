#!/bin/sh
# build.sh DIR [LAYOUT]: the simulated CANN in DIR, with sonames as the real one has them. LAYOUT:
#   monolith  libascendcl.so holds AscendCL and stands on libruntime.so's functions (as 8.1 does)
#   split     libacl_rt.so holds it and calls libacl_rt_impl.so; libascendcl.so only needs both (default)
#   forward   as split, but libascendcl.so has every function too and hands the calls on to libacl_rt.so
#   empty     functions that do nothing, answer success and are counted: each in the library of its row
# CC and CFLAGS as usual. SIM_NAMES=FILE: more functions, SIM_WITHOUT="symbol ...": fewer (rows.py). README.md tells of the settings.
set -eu
sim=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${sim%/tests/sims/ascend}
mkdir -p "$1/rows"
cd "$1"
rm -f lib*.so
. "$root/tests/sims/lib/keep.sh"
keep ascend-"${2:-}" "$sim" "$root/tests/sims/lib" "$root/hooks"
layout=${2:-split}
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O0 -g -Wall -fPIC -fvisibility=hidden ${CFLAGS-} -I$root -Irows -DSIM_ABI=\"tests/sims/ascend/abi.h\""
link="-shared -Wl,-Bsymbolic,-z,defs,--no-as-needed -L. -Wl,-rpath,\$ORIGIN"

python3 "$sim/rows.py" "$root/hooks" rows "$layout"

# library SONAME ROWS FLAGS SOURCE... : in the background
library() {
	soname=$1 rows=$2 flags=$3
	shift 3
	sources=
	for source; do sources="$sources $sim/$source.c"; done
	# shellcheck disable=SC2086
	$cc -DSIM_LIBRARY="\"$soname\"" -DROWS="\"$rows\"" $flags $sources $link -Wl,-soname,"$soname" -o ".$soname" $needed -lsimdevice -ldl -lm -pthread
	mv ".$soname" "$soname"
}

needed=
# shellcheck disable=SC2086
$cc -fvisibility=default "$root"/tests/sims/lib/*.c $link -Wl,-soname,libsimdevice.so -o libsimdevice.so -pthread

# The libraries that have nothing but functions which do nothing.
others() {
	needed=
	while read -r soname; do
		[ -e "$soname" ] || library "$soname" "$soname.def" '' front
	done <rows/libraries
}
if [ "$layout" = empty ]; then
	others
	exit
fi
library libmsprofiler.so libmsprofiler.so.def '' front
library libruntime.so libruntime.so.def '' front runtime
acl='acl_memory acl_copies acl_streams acl_launches acl_init'
needed=-lruntime
# shellcheck disable=SC2086
if [ "$layout" = monolith ]; then
	library libascendcl.so libascendcl.so.def -DSIM_OVER_RT front $acl
	over=-DSIM_OVER_RT
else
	library libacl_rt_impl.so libacl_rt_impl.so.def '' front acl_rt_impl
	needed="-lacl_rt_impl -lruntime"
	library libacl_rt.so libascendcl.so.def '' front $acl
	needed="-lacl_rt -lruntime"
	if [ "$layout" = forward ]; then
		library libascendcl.so libascendcl.so.def '-DSIM_FORWARD="libacl_rt.so"' front
	else
		needed="-lmsprofiler $needed" # torch_npu asks libascendcl for what is libmsprofiler's
		library libascendcl.so libascendcl.so.def '' nothing
		needed="-lacl_rt -lruntime"
	fi
	over=
fi
acl="-lascendcl $needed"
needed="$acl -lstdc++"
library libnnopbase.so libnnopbase.so.def '' front nnop_tensors nnop_executors nnop_shapes road &
needed=$acl
library libacl_op_compiler.so libacl_op_compiler.so.def '' front acl_op_compiler &
library libmspti.so libmspti.so.def '' front mspti &
library libms_tools_ext.so libms_tools_ext.so.def '' front ms_tools_ext &
library libprofapi.so '' '' profapi &
if [ "$layout" = monolith ]; then
	library libhccl.so libhccl.so.def "$over" front hccl hcomm road &
else
	library libhcomm.so libhcomm.so.def '' front hcomm
	needed="-lhcomm $acl"
	library libhccl.so libhccl.so.def '' front hccl road &
fi
needed=$acl
library liblcal.so liblcal.so.def '' front lcal road &
library libshmem.so libshmem.so.def '' front shmem &
wait
needed=-lnnopbase
library libopapi_math.so "$sim/ops_math.def" -O1 opapi compute compute_copy compute_loss
needed="-lopapi_math -lnnopbase"
library libopapi.so "$sim/ops.def" '-O1 -DMORE_ROWS="operators.def"' opapi compute compute_copy compute_loss
others
for soname in libacl_op_compiler libhccl libms_tools_ext libmspti libmsprofiler libnnopbase libprofapi; do
	[ -e $soname.so ] || exit 1
done
