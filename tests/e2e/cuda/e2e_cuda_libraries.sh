#!/bin/sh
# cuBLAS, cublasLt and cuDNN: every row is called with the arguments that the program gives, is recorded once, with the stream of its
# handle and, if that is wanted, the shapes of what it was given; nobody is asked more than that takes.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"

need python3
cd "$tmp" || exit 1
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I$here"

# library KIND SONAME MORE...: as the real ones, all names of a version that is called as the library
library() {
	kind=$1 soname=$2
	shift 2
	echo "$soname { global: *; };" >"$soname.map"
	$cc -fPIC -shared -DLIBRARY="$kind" -Wl,-soname,"$soname" -Wl,--version-script="$soname.map" -o "$soname" \
		"$here/tests/fakes/cuda/fake_libraries.c" "$@" -Wl,-rpath,"$tmp" 2>log || { fail "the_fake_${soname}_is_built" "$(head -n 3 log)"; finish; }
}
library LT libcublasLt.so.13
library BLAS libcublas.so.13 ./libcublasLt.so.13
library DNN libcudnn.so.9
library DNN libcudnn.so.8
$cc -rdynamic -o calls "$here/tests/programs/cuda_libraries.c" ./libcublas.so.13 ./libcublasLt.so.13 ./libcudnn.so.9 -ldl -Wl,-rpath,"$tmp" || exit 1
$cc -rdynamic -o opens "$here/tests/programs/cuda_libraries.c" -Wl,--unresolved-symbols=ignore-all -ldl -Wl,-z,lazy || exit 1

# ---- every row ----

rows=$(cat "$here"/hooks/cuda/blas/*.def "$here/hooks/cuda/dnn/cudnn.def" | grep -c '^HOOK')
equal without_us_every_row_is_called "$(./calls all)" "right $rows wrong 0"
with_events() { "$tool" hooks | awk '$NF ~ /^lib(cublas|cudnn)/ && $2 !~ /question|tensor/ { print $1 }' | sort; }
for road in all found; do
	equal "dormant_rows_pass_all_arguments_on_$road" \
		"$(RANKTRACE_STEPS=1000000 RANKTRACE_STEP_SOURCE=api "$run" --save-path "none.$road" -- ./calls $road 2>log)" "right $rows wrong 0"
	equal "recorded_rows_pass_all_arguments_on_$road" \
		"$("$run" --save-path "$road" --steps all --level level1 --contents cpu,shapes -- ./calls $road 2>log)" "right $rows wrong 0"
	"$tool" dump --format jsonl "$road" | python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["name"])' | sort >"$road.names"
	with_events >"$road.rows"
	equal "each_is_recorded_once_$road" "$(diff "$road.rows" "$road.names" | head -n 3)" ''
done
equal at_level0_its_operators_alone "$("$run" --save-path level0 --steps all --level level0 -- ./calls all 2>log &&
	"$tool" dump --format jsonl level0 | grep -c '"kind":"operator"')" "right $rows wrong 0
$("$tool" hooks | awk '$NF ~ /^lib(cublas|cudnn)/ && $2 == "operator"' | wc -l)"

# ---- a second library of the same names ----

"$run" --save-path second --steps all --level level1 -- ./opens second ./libcudnn.so.9 ./libcudnn.so.8 >said 2>log
equal each_is_called_where_it_was_found "$(cat said)" 'libranktrace.so libranktrace.so
libcudnn.so.8 libranktrace.so
right 4 wrong 0'
report what_has_no_trampoline_is_not_seen second 'by("name", e) == Counter({"cudnnConvolutionForward": 2, "cudnnBatchNormalizationForwardInference": 1})'
equal and_that_is_told "$(grep -ho '"unwrapped_functions": *[0-9]*' second/*/run.json | tr -d ' ')" '"unwrapped_functions":2'

# ---- streams and shapes ----

cat >wanted <<'END'
cublasCreate_v2 - - 0
cublasSgemv_v2 0 fp32[4,3];fp32[3];fp32[4] 0
cublasSgemm_v2 1 fp32[3,5];fp32[5,4];fp32[3,4] 0
cublasGemmStridedBatchedEx 1 bf16[7,8,10];bf16[7,10,9];fp32[7,8,9] 0
cublasGemmEx 1 fp16[3,5];fp16[5,4];fp16[3,4] 0
cublasDtrmm_v2_64 1 fp64[6,6];fp64[2,6];fp64[2,6] 0
cublasDgemmGroupedBatched_64 1 fp64[8,2,6];fp64[8,6,4];fp64[8,2,4];fp64[9,3,7];fp64[9,7,5];fp64[9,3,5] 0
cublasSgemmGroupedBatched 1 63 of fp32[1,1,1] and 27 0
cublasHgemm 2 fp16[1,1];fp16[1,1];fp16[1,1] 0
cublasHgemm - - 3
cublasHgemm 3 fp16[2,1];fp16[1,1];fp16[2,1] 0
cublasHgemm 3 fp16[2,1];fp16[1,1];fp16[2,1] 0
cublasDestroy_v2 - - 0
cublasSsymm 4 fp32[3,3];fp32[2,3];fp32[2,3] 0
cublasLtMatmul 5 fp16[5,6];fp16[6,7];fp32[5,7] 0
cublasLtMatmul 5 fp16[3,5,6];fp16[3,6,7];fp32[3,5,7] 0
cublasLtMatmul 5 fp16[3,5,6];fp16[3,6,7];fp32[3,5,7] 0
cublasLtMatmul 5 fp16[5,6];fp16[6,7];bf16[5,7] 0
cublasLtMatrixTransform 5 fp16[7,11];fp16[7,11] 0
cudnnCreate - - 0
cudnnConvolutionForward 6 fp16[2,3,8,9]:NCHW;fp16[16,3,5,5]:NHWC;fp32[2,16,4,5]:NHWC 0
cudnnBatchNormalizationForwardInference 6 fp16[2,3,8,9]:NCHW;fp64[1,3,1,1,1]:NCDHW 0
cudnnDropoutForward 6 fp16[2,3,8,9]:NCHW 0
cudnnBackendExecute 6 - 0
cudnnDestroy - - 0
END
cat >show.py <<'P'
"""show.py STREAMS: each event of a dump with its stream, counted in the order that they come in, its shapes and its result."""
import json, sys
streams = {}
for line in sys.stdin:
    e = json.loads(line)
    shapes = ["%s[%s]%s" % (t["type"], ",".join(map(str, t["dims"])), "" if t["format"] == "ND" else ":" + t["format"]) for t in e.get("shapes", [])]
    text = ";".join(shapes) if len(shapes) < 10 or len(set(shapes)) > 1 else "%d of %s and %d" % (len(shapes), shapes[0], e["tensors_left_out"])
    stream = streams.setdefault(e["stream"], len(streams)) if "stream" in e else "-"
    print(e["name"], stream, text or "-", e["result"])
P
shown() { "$tool" dump --format jsonl "$1" | python3 show.py; }
equal the_library_is_asked_no_more_than_that_takes \
	"$("$run" --save-path shapes --steps all --level level1 --contents cpu,shapes -- ./calls shapes 2>log)" 'asked 0 times
asked 12 times
asked 0 times
asked 0 times
asked about 12 matrices, 6 tensors, 1 streams'
equal operators_have_their_streams_and_shapes "$(shown shapes | diff - wanted)" ''
equal without_shapes_nobody_is_asked_about_them "$("$run" --save-path plain --steps all --level level1 -- ./calls shapes 2>log | tail -n 1)" \
	'asked about 0 matrices, 0 tensors, 1 streams'
sed 's/^\([^ ]* [^ ]*\) .* \([0-9]*\)$/\1 - \2/' wanted >plain.wanted
equal and_they_have_their_streams_and_names "$(shown plain | diff - plain.wanted)" ''
equal dormant_nobody_is_asked_about_anything "$(RANKTRACE_STEPS=1000000 RANKTRACE_STEP_SOURCE=api "$run" --save-path none --level level1 -- ./calls shapes 2>log | tail -n 1)" \
	'asked about 0 matrices, 0 tensors, 0 streams'
report an_operator_is_called_what_the_function_is shapes 'all(x["kernel"] == x["name"] for x in e if x["kind"] == "operator")'
equal results_have_their_names "$("$tool" report --format json shapes | grep -o '"meaning": *"[A-Z_]*"' | sort -u)" '"meaning":"CUBLAS_STATUS_ALLOC_FAILED"'
"$run" --save-path level2 --steps all --level level2 -- ./calls shapes >said 2>log
report what_a_library_asks_of_another_is_nested level2 '[x["name"] for x in e if x.get("nested")] == ["cublasLtMatmul"]'
finish
