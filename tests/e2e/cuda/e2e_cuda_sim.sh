#!/bin/sh
# The simulated CUDA itself, without us: what other tests take for granted.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/cuda
accounts=$sim/accounts.py
counts=$here/tests/sims/lib/counts.py
export SIM_CLOCK=0 # times are to be the same each time
cd "$tmp" || exit 1

# built LAYOUT: libraries, the training program, the probe
built() {
	{ "$sim/build.sh" "$1" "$1" && "$sim/train/build.sh" "$1" && ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -g -O1 -Wall -I"$here" \
		-I"$1/rows" -o "$1/probe" "$sim/probe.c" -L"$1" -l:libcudart.so.13 -lcuda -l:libnccl.so.2 -Wl,-rpath,"$tmp/$1" -pthread; } >log 2>&1 || {
		fail "the_simulated_libraries_are_built_$1" "$(grep -E "error|ld:" log | head -n 3)"
		finish
	}
}
built symbolic
built plain

# ---- a training program on each road: what it says it called was counted, and all forms come to the same ----

cp "$sim/train/results.txt" wanted
# trained NAME LAYOUT FORM: said to $out, counted to $out.counts
trained() {
	out=$1
	SIM_COUNTS=$out.counts LD_LIBRARY_PATH=$tmp/$2 "$2/train-$3" 3 >"$out" 2>"$out.log"
	status=$?
	grep -v '^-*[0-9]' "$out" >"$out.results"
	equal "$1_trains" "$status $(cmp wanted "$out.results" 2>&1)" '0 '
	holds "$1_is_counted_as_the_program_says" python3 "$accounts" own "$out" "$out.counts"
}
for form in $(cat symbolic/forms); do
	trained "${form}_symbolic" symbolic "$form"
done
for form in thread12 shared13 static triton; do
	trained "${form}_plain" plain "$form"
done
equal the_runtime_calls_the_driver "$(python3 "$accounts" launches shared13_symbolic.counts)" "__cudaLaunchKernel 29
__cudaLaunchKernel>cuLaunchKernel 29
cudaGraphLaunch 6
cudaGraphLaunch>cuGraphLaunch 6
cudaLaunchCooperativeKernel 3
cudaLaunchCooperativeKernel>cuLaunchCooperativeKernel 3
cudaLaunchHostFunc 6
cudaLaunchHostFunc>cuLaunchHostFunc 6
cudaLaunchKernel 6
cudaLaunchKernel>cuLaunchKernel 3
cudaLaunchKernelExC 3
cudaLaunchKernelExC>cuLaunchKernelEx 3"
equal with_per_thread_streams_by_its_own_functions "$(python3 "$accounts" launches thread12_plain.counts | grep '>' | sed 's/.*>//')" \
	"cuLaunchKernel_ptsz 29
cuGraphLaunch_ptsz 6
cuLaunchCooperativeKernel_ptsz 3
cuLaunchHostFunc_ptsz 6
cuLaunchKernelEx_ptsz 3
cuLaunchKernel_ptsz 3"
equal triton_launches_by_one_function "$(python3 "$accounts" launches triton_plain.counts | grep Kernel)" "cuLaunchKernel 3
cuLaunchKernelEx 38"
equal what_is_static_is_of_the_archive "$(python3 "$counts" -a static_plain.counts | grep -c '^libcudart_sim.a ')" \
	"$(python3 "$counts" shared13_plain.counts | wc -l)"

# ---- collectives: kernels of a copy of the runtime in libnccl ----

sed '/^loss/i\
x' wanted | awk '/^x/ { s++; next } /^loss/ { print "collectives", s, (s == 1 ? "20 28" : s == 2 ? "28 36" : "36 44") } { print }' >wanted.ranks
for rank in 0 1 2 3; do
	RANK=$rank WORLD_SIZE=4 TRAIN_ROOT=$tmp/root SIM_COUNTS=rank.$rank.counts LD_LIBRARY_PATH=$tmp/symbolic symbolic/train-group13 3 >rank.$rank &
done
wait
for rank in 0 1 2 3; do
	equal "rank_${rank}_adds_up" "$(grep -v '^-*[0-9]' rank.$rank | diff - wanted.ranks)" ''
	holds "rank_${rank}_is_counted_as_the_program_says" python3 "$accounts" own rank.$rank rank.$rank.counts
done
equal each_collective_or_group_is_a_launch "$(python3 "$accounts" launches rank.0.counts | grep -c '^nccl.*>cuLaunchKernelEx [36]$')" 6
equal the_weak_names_are_those_of_nccl "$(nm -D --defined-only symbolic/libnccl.so.2 | awk '$2 == "W" { print $3 }' | sort | diff - "$sim/names/libnccl.so.2")" ''
equal and_the_strong_ones_begin_with_p "$(nm -D --defined-only symbolic/libnccl.so.2 | awk '$2 != "W" { print $3 }' | sed 's/^p//' | sort | diff - "$sim/names/libnccl.so.2")" ''
equal one_thread_may_have_all_devices "$(SIM_DEVICES=2 SIM_TASKS=group.tasks symbolic/probe groups)" 'communicators 0
nothing yet 5
a group 0
sum 21
no group ends 5
no communicator 4'
equal each_of_them_has_a_kernel "$(awk '/ncclDevKernel/ { print $2 }' group.tasks | sort -u | wc -l)" 2

# ---- operators of the other libraries: a launch each, as theirs ----

SIM_COUNTS=operators.counts LD_LIBRARY_PATH=$tmp/symbolic symbolic/train-operators13 2 >operators
holds operators_are_counted_as_the_program_says python3 "$accounts" own operators operators.counts
equal each_operator_is_a_launch "$(python3 "$accounts" launches operators.counts | grep '^cu[bd][ln].*>cuL')" \
	'cublasGemmEx>cudaLaunchKernel>cuLaunchKernel 2
cublasLtMatmul>cudaLaunchKernel>cuLaunchKernel 2
cublasSgemm_v2>cudaLaunchKernel>cuLaunchKernel 2
cudnnBackendExecute>cudaLaunchKernel>cuLaunchKernel 2
cudnnConvolutionForward>cudaLaunchKernel>cuLaunchKernel 2
cudnnSoftmaxForward>cudaLaunchKernel>cuLaunchKernel 2'
printf 'libcublas.so.13 cublasUnheardOf\n' >names
holds more_names_are_there_by_wish sh -c "SIM_NAMES=$tmp/names $sim/build.sh more && nm -D more/libcublas.so.13 | grep -q 'T cublasUnheardOf@'"
holds libraries_that_do_nothing_are_built "$sim/build.sh" nothing empty
equal and_have_all_that_hooks_tell_of "$(nm -D --defined-only nothing/lib[cn][uc1]*.so* | awk '$2 == "T" { print $3 }' | sort -u | wc -l)" \
	"$(cat nothing/rows/empty/*.def | grep -c '^ANSWERS')"

# ---- the resolver ----

SIM_RESOLVER=other SIM_COUNTS=other.counts LD_LIBRARY_PATH=$tmp/symbolic symbolic/train-resolver 3 >other
equal what_the_resolver_answers_may_be_no_export "$(python3 "$accounts" other other other.counts)" \
	"cuGetProcAddress_v2 $(grep -v cuGetProcAddress other | awk '/^-?[0-9]/ { n += $3 } END { print n }')"
cat >answers <<'END'
cuMemAlloc 2000 0: 0 0 right
cuMemAlloc 3019 0: 0 0 right
cuMemAlloc 12000 0: 0 0 right
cuLaunchKernel 12080 1: 0 0 right
cuLaunchKernel 12080 2: 0 0 right
cuMemAlloc 12080 2: 0 0 right
cuMemcpyBatchAsync 12080 0: 0 0 right
cuMemcpyBatchAsync 13000 0: 0 0 right
cuLaunchKernelEx 11000 0: 500 2 none
cuNobody 13000 0: 500 1 none
of the runtime 0
right
a table 500
what is not there 801
END
equal it_knows_the_newest_abi_that_is_not_newer "$(symbolic/probe resolver | diff - answers)" ''
sed 's/^cuMemcpyBatchAsync 13000 0: 0 0 right/cuMemcpyBatchAsync 13000 0: 0 0 another/; s/^of the runtime 0/of the runtime 35/' answers >older
equal nor_newer_than_the_driver "$(SIM_CUDA_VERSION=12080 symbolic/probe resolver | sed 's/^another$/right/' | diff - older)" ''
echo 'int cuMemAlloc_v2(void) { return 0; } int cuMemAlloc(void) { return 0; }' | ${CC:-gcc} -shared -fPIC -x c -o first.so -
equal plain_libraries_answer_what_stands_before_them "$(LD_PRELOAD=$tmp/first.so plain/probe resolver | diff - answers)" ''
equal symbolic_ones_answer_their_own "$(LD_PRELOAD=$tmp/first.so symbolic/probe resolver | grep -c another)" 5
SIM_ASKED=asked LD_LIBRARY_PATH=$tmp/symbolic symbolic/train-shared12 1 >said
equal a_runtime_asks_what_that_of_nvidia_asks "$(diff asked "$sim/names/libcudart.so.12.asks")" ''

# ---- versions of symbols ----

for major in 12 13; do
	equal "all_that_libcudart_${major}_exports_has_its_version" \
		"$(readelf --dyn-syms -W symbolic/libcudart.so.$major | awk '$7 != "UND" && $8 ~ /cuda[A-Z]/ { sub(/.*@@/, "", $8); print $8 }' | sort | uniq -c | tr -s ' ')" \
		" $(wc -l <"$sim/names/libcudart.so.$major") libcudart.so.$major"
done

# ---- clocks, captures, devices, faults ----

cat >facts <<'END'
devices 2
the last one 0
one more 101
is 1
beside 0.000000
the default stream waits 0.005000
and is waited for 0.005000
not by all 0.000000
END
cat "$sim/captures.txt" >>facts
equal clocks_and_captures "$(SIM_DEVICES=2 symbolic/probe | diff - facts)" ''
SIM_TASKS=tasks LD_LIBRARY_PATH=$tmp/plain plain/train-linked 1 >said
equal work_is_logged_with_its_calls "$(sed -n 's/^[0-9]* [0-9]* - - //p' tasks | sed 's/:[0-9]*//')" \
	"memset cuMemsetD32Async
_Z3addPff cuLaunchKernel
_Z3addPff cuLaunchKernel"
equal a_call_fails_by_wish "$(SIM_FAIL=cuStreamSynchronize:2:719 LD_LIBRARY_PATH=$tmp/plain plain/train-shared13 3 2>&1 >said)" \
	'train: cudaStreamSynchronize answered 719, not 0'
equal and_so_does_a_twin "$(SIM_FAIL=cuCtxSynchronize:1:719 SIM_RESOLVER=other LD_LIBRARY_PATH=$tmp/plain plain/train-resolver 3 2>&1 >said)" \
	'train: cuCtxSynchronize answered 719, not 0'
finish
