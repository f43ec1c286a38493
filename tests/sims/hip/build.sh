#!/bin/sh
# build.sh DIR [LAYOUT]: the simulated HIP in DIR, with sonames and versions of symbols as the real one has them: libamdhip64 of majors 5,
# 6 and 7, librccl.so.1, libroctx64.so.4. LAYOUT: symbolic or plain, as ../cuda/build.sh says. CC and CFLAGS as usual.
set -eu
sim=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${sim%/tests/sims/hip}
cuda=$root/tests/sims/cuda
mkdir -p "$1/rows"
cd "$1"
rm -f lib*.so*
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O0 -g -Wall -fPIC -fvisibility=hidden ${CFLAGS-} -I$root -Irows -DSIM_ABI=\"tests/sims/hip/abi.h\""
link="-shared -Wl,-z,defs,--no-as-needed -L. -Wl,-rpath,\$ORIGIN"
[ "${2:-symbolic}" = plain ] || link="$link -Wl,-Bsymbolic"

python3 "$cuda/rows.py" "$root/hooks" rows
python3 "$sim/rows.py" "$root/hooks" rows
cp "$sim/rows/roctx.def" rows/libroctx64.so.4.def
cp rows/libnccl.so.2.def rows/librccl.so.1.def

# shellcheck disable=SC2086
$cc -fvisibility=default "$root"/tests/sims/lib/*.c $link -Wl,-soname,libsimdevice.so -o libsimdevice.so -pthread

# The simulated CUDA's runtime and driver, once for all majors: functions that no library exports.
mkdir -p objects
parts='driver_devices driver_contexts driver_streams driver_capture driver_graphs driver_memory driver_copies driver_modules driver_launches
	runtime_init runtime_kernels runtime_functions runtime_memory runtime_streams'
compiled() {
	for source; do
		case $source in runtime*) declared=libcudart.so.13 ;; *) declared=libcuda.so.1 ;; esac
		# shellcheck disable=SC2086
		$cc -c -Wno-address -DSIM_IN_ONE -DSIM_MAJOR=13 -DSIM_VERSION=13000 -DDECLARED="\"$declared.def\"" -o "objects/$source.o" "$cuda/$source.c"
	done
}
# shellcheck disable=SC2086
{
	set -- $parts
	compiled "$1" "$2" "$3" "$4" "$5" "$6" &
	shift 6
	compiled "$@"
	wait
}

# library MAJOR
library() {
	soname=libamdhip64.so.$1
	# shellcheck disable=SC2086
	$cc -DSIM_IN_ONE -DSIM_HIP="$1" -DSIM_MAJOR=13 -DSIM_LIBRARY="\"$soname\"" -DSIM_UNKNOWN=801 -DROWS="\"$soname.def\"" -DDECLARED='"libcudart.so.13.def"' \
		-include "$sim/front.h" -include "$sim/abi.h" "$cuda/front.c" "$sim/hip.c" "$sim/resolver.c" objects/driver_*.o objects/runtime_*.o $link \
		-Wl,--version-script="rows/libamdhip64.$1.map" -Wl,-soname,$soname -o .$soname -lsimdevice -ldl -lm -pthread
	mv .$soname $soname
}
for major in 5 6 7; do library $major & done
wait
ln -sf libamdhip64.so.6 libamdhip64.so

# RCCL calls the runtime as programs do, NCCL's kernels and all.
for source in nccl nccl_kernel; do
	# shellcheck disable=SC2086
	$cc -c -DBY_HIP -include "$sim/abi.h" -include "$sim/names.h" -DDECLARED='"librccl.so.1.def"' -DRUNTIME_ROWS='"libamdhip64.so.6.def"' -o objects/r$source.o "$cuda/$source.c"
done
# shellcheck disable=SC2086
$cc -DSIM_LIBRARY='"librccl.so.1"' -DROWS='"librccl.so.1.def"' -DSIM_UNKNOWN=5 -include "$sim/abi.h" "$cuda/front.c" "$sim/one_thread.c" objects/rnccl.o \
	objects/rnccl_kernel.o $link -Wl,-soname,librccl.so.1 -o librccl.so.1 -lamdhip64 -lsimdevice -pthread
ln -sf librccl.so.1 librccl.so
echo 'ROCTX_4.1 { global: *; };' >rows/roctx.map
# shellcheck disable=SC2086
$cc -DSIM_LIBRARY='"libroctx64.so.4"' -DROWS='"libroctx64.so.4.def"' "$cuda/front.c" "$sim/roctx.c" $link -Wl,--version-script=rows/roctx.map \
	-Wl,-soname,libroctx64.so.4 -o libroctx64.so.4 -lsimdevice
ln -sf libroctx64.so.4 libroctx64.so
for soname in libamdhip64.so.5 libamdhip64.so.6 libamdhip64.so.7 librccl.so.1 libroctx64.so.4; do
	[ -e $soname ] || exit 1
done
