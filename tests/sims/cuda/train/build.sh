#!/bin/sh
# build.sh CUDA [OUT]: the training program against the simulated CUDA in CUDA, once for each road (FORMS: for these), as OUT/train-FORM;
# OUT/forms lists those that need nothing beside the runtime or the driver:
#   shared12 shared13        the runtime of this major, linked
#   thread12 thread13        the same, with default streams of threads
#   static                   the runtime is in the program
#   jax                      as JAX: the runtime by dlopen and dlsym, the functions that register kernels, too
#   linked dlsym resolver    the driver: linked, by dlopen and dlsym, by cuGetProcAddress
#   triton                   as Triton: linked, but launches by dlopen and dlsym
#   operators13              shared13 with operators of cuBLAS, cublasLt and cuDNN
#   group13                  shared13 with collectives between processes: RANK, WORLD_SIZE, TRAIN_ROOT
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${here%/tests/sims/cuda/train}
cuda=$(readlink -f -- "$1") out=${2:-$1}
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall ${CFLAGS-} -I$root -I$cuda/rows"
: >"$out/forms"
# form NAME PROTOTYPES SOURCE FLAGS LIBRARIES [COLLECTIVES]
form() {
	case " ${FORMS-$1} " in *" $1 "*) ;; *) return 0 ;; esac
	# shellcheck disable=SC2086
	$cc -DDECLARED="\"$2.def\"" $4 -o "$out/train-$1" "$here/$3.c" "$here"/called.c "$here"/kernels.c "$here"/train.c "$here/${6-alone}.c" \
		-L"$cuda" $5 -Wl,-rpath,"$cuda" -ldl -lm -pthread
	[ $# -gt 5 ] || echo "$1" >>"$out/forms"
}
for major in 12 13; do
	form shared$major libcudart.so.$major runtime '' -l:libcudart.so.$major
	form thread$major libcudart.so.$major runtime -DPER_THREAD -l:libcudart.so.$major
done
form static libcudart.so.13 runtime '' '-lcudart_sim -lsimdevice'
form jax libcudart.so.13 runtime '-DBY_DLSYM -DDRIVER="libcudart.so.13"' ''
form linked libcuda.so.1 driver '' -lcuda
form dlsym libcuda.so.1 driver -DBY_DLSYM ''
form resolver libcuda.so.1 driver -DBY_RESOLVER ''
form triton libcuda.so.1 driver -DBY_TRITON -lcuda
form group13 libcudart.so.13 runtime '-DAND_DECLARED="libnccl.so.2.def"' '-l:libcudart.so.13 -l:libnccl.so.2' group
cat "$cuda/rows/libcublas.so.13.def" "$cuda/rows/libcublasLt.so.13.def" "$cuda/rows/libcudnn.so.9.def" >"$out/operators.def"
form operators13 libcudart.so.13 runtime "-DAND_DECLARED=\"operators.def\" -I$out -include $root/tests/sims/cuda/library.h" \
	'-l:libcudart.so.13 -l:libcublas.so.13 -l:libcublasLt.so.13 -l:libcudnn.so.9' operators
