#!/bin/sh
# build.sh DIR [LAYOUT]: the simulated CUDA in DIR, with sonames and versions of symbols as the real one has them. LAYOUT:
#   symbolic  a library's own functions are its own to it, as in NVIDIA's (default)
#   plain     what is exported may be taken from a library by whoever stands before it
#   empty     functions that do nothing, answer success and are counted: the rows of hooks/, each in its library
# CC and CFLAGS as usual. README.md tells of the settings.
set -eu
sim=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${sim%/tests/sims/cuda}
mkdir -p "$1/rows"
cd "$1"
rm -f lib*.so* lib*.a
. "$root/tests/sims/lib/keep.sh"
keep cuda-"${2:-}" "$sim" "$root/tests/sims/lib" "$root/hooks"
layout=${2:-symbolic}
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O0 -g -Wall -fPIC -fvisibility=hidden ${CFLAGS-} -I$root -Irows -DSIM_ABI=\"tests/sims/cuda/abi.h\""
link="-shared -Wl,-z,defs,--no-as-needed -L. -Wl,-rpath,\$ORIGIN"
[ "$layout" = plain ] || link="$link -Wl,-Bsymbolic"

python3 "$sim/rows.py" "$root/hooks" rows

# library SONAME FLAGS SOURCE...
library() {
	soname=$1 flags=$2
	shift 2
	sources=
	for source; do sources="$sources $sim/$source.c"; done
	# shellcheck disable=SC2086
	$cc -DSIM_LIBRARY="\"$soname\"" -DROWS="\"${folder-}$soname.def\"" -DDECLARED="\"$soname.def\"" $flags $sources $link -Wl,-soname,"$soname" \
		-o ".$soname" ${own-} -lsimdevice -ldl -lm -pthread
	mv ".$soname" "$soname"
	[ "$soname" = "${soname%.so*}.so" ] || ln -sf "$soname" "${soname%.so*}.so"
}

# shellcheck disable=SC2086
$cc -fvisibility=default "$root"/tests/sims/lib/*.c $link -Wl,-soname,libsimdevice.so -o libsimdevice.so -pthread
if [ "$layout" = empty ]; then
	folder=empty/
	while read -r soname; do
		library "$soname" '-DSIM_TYPES="tests/sims/cuda/library.h"' front
	done <rows/libraries
	exit
fi
library libcuda.so.1 '-DSIM_UNKNOWN=801 -DSIM_TWINS' front driver_devices driver_contexts driver_streams driver_capture driver_graphs driver_memory \
	driver_copies driver_modules driver_launches driver_resolver

# As NVIDIA's, all that the runtime exports is of a version that is called as the library.
runtime='front runtime_init runtime_kernels runtime_functions runtime_memory runtime_streams'
for major in 12 13; do
	echo "libcudart.so.$major { global: *; };" >rows/libcudart.$major.map
	[ $major = 12 ] && version=12090 || version=13000
	# shellcheck disable=SC2086
	library libcudart.so.$major "-DSIM_MAJOR=$major -DASKED_ROWS=\"asked$major.def\" -DSIM_VERSION=$version -DSIM_UNKNOWN=801 -Wl,--version-script=rows/libcudart.$major.map" $runtime &
done
wait

# archive NAME: what a program has in itself, or a library of NVIDIA's. (13 is the newer one.)
archive() {
	mkdir -p "objects/$1"
	for source in $runtime; do
		# shellcheck disable=SC2086
		$cc -c -DSIM_LIBRARY="\"$1\"" -DROWS='"libcudart.so.13.def"' -DDECLARED='"libcudart.so.13.def"' -DSIM_MAJOR=13 -DSIM_VERSION=13000 \
			-DASKED_ROWS='"asked13.def"' -DSIM_UNKNOWN=801 -o "objects/$1/$source.o" "$sim/$source.c"
	done
	ar rcs "$1" objects/"$1"/*.o
}
archive libcudart_sim.a &
archive libcudart_own.a
wait
own='-L. -lcudart_own -Wl,--exclude-libs,ALL'
library libnccl.so.2 '-DSIM_ALIASES -DSIM_UNKNOWN=5' front nccl nccl_kernel &
types='-DSIM_TYPES="tests/sims/cuda/library.h"'
# operators SONAME SOURCE
operators() {
	echo "$1 { global: *; };" >"rows/$1.map"
	library "$1" "$types -Wl,--version-script=rows/$1.map" front library "$2"
}
operators libcublas.so.13 blas &
operators libcublasLt.so.13 blaslt
operators libcudnn.so.9 dnn
library libcupti.so.13 '' cupti
mkdir -p libcupti
mv libcupti.so libcupti.so.13 libcupti/ # apart: PyTorch wants more of it
wait
for soname in libcuda.so.1 libcudart.so.12 libcudart.so.13 libcudart_sim.a libnccl.so.2 libcublas.so.13 libcublasLt.so.13 libcudnn.so.9 libcupti/libcupti.so.13; do
	[ -e $soname ] || exit 1
done
