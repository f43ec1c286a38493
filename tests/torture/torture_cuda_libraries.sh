#!/bin/sh
# NVIDIA's own cuBLAS, cublasLt, cuDNN and NCCL, of PyPI (1 GB), where no driver is, and on a simulated one, to which they do not speak: each
# call answers what it answers without us, has the same text, and is recorded once with that answer; NCCL's own NVTX ranges are there.
. "$(dirname "$0")/../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
real=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/cuda-libraries
"$here/tests/helpers/python/cuda_libraries.sh" "$real" 2>log || { echo "skip: NVIDIA's libraries could not be had: $(tail -n 1 log)"; exit 77; }
build_layouts sim:symbolic
mkdir none driver
ln -s ../sim/libcuda.so.1 ../sim/libsimdevice.so driver/
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -o own "$here/tests/programs/cuda_own_libraries.c" -L"$real/lib" -l:libcublas.so.13 \
	-l:libcublasLt.so.13 -l:libcudnn.so.9 -l:libnccl.so.2 -l:libcudart.so.13 -Wl,-rpath-link,"$real/lib" || exit 1

# recorded FOLDER: `symbol result` of the program's own calls of these libraries, those that start or end a group too
recorded() { "$tool" dump --format jsonl "$1" | python3 -c 'import json, sys
for e in map(json.loads, sys.stdin):
    if not e.get("nested") and e["name"].startswith(("cublas", "cudnn", "nccl")): print(e["name"], e["result"])' | sort; }
for world in none driver; do
	export LD_LIBRARY_PATH="$tmp/$world:$real/lib"
	./own >$world.bare
	equal "libraries_are_called_with_$world" "$(grep -c . $world.bare)" 11
	RANKTRACE_STEPS=100 RANKTRACE_STEP_SOURCE=api "$run" --save-path $world.dormant -- ./own >said 2>log
	equal "dormant_libraries_with_${world}_answer_as_without_us" "$(diff $world.bare said)" ''
	"$run" --save-path $world.out --steps all --level level1 --contents cpu,memory,device,shapes -- ./own >said 2>log
	equal "recorded_libraries_with_${world}_answer_as_without_us" "$(diff $world.bare said)" ''
	grep -v LastError $world.bare | awk '{ print $1, $2 }' | sort >$world.said
	equal "ranges_that_nccl_makes_with_${world}_are_there" "$("$tool" dump --format jsonl $world.out | python3 -c 'import json, sys
print(*(e["message"] for e in map(json.loads, sys.stdin) if e["name"] == "nvtxDomainRangePushEx" and e["domain"] == "NCCL"))')" 'ncclCommInitAll ncclGroupStart ncclAllReduce ncclGroupEnd'
	equal "calls_of_libraries_with_${world}_are_recorded_once_with_that" "$(recorded $world.out | diff $world.said -) $(grep -c . $world.said)" ' 9'
done
# (rows, results, and types of two libraries)
equal their_headers_say_what_our_rows_say "$(ABI_INCLUDES=$real/include sh "$here/tests/contract/check_abi_cuda.sh" | grep 'the_headers_here\|^FAIL' | cut -d' ' -f1 | uniq -c | xargs)" '4 ok'
finish
