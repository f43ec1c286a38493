#!/bin/sh
# Calls of CUDA's that fail. One of the program's is told to the program as without us, and recorded with its result. One that we make, to
# time its work, costs device times: the program is told nothing of it, and the report how many calls lack theirs.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts symbolic
mv symbolic sim
export LD_LIBRARY_PATH="$tmp/sim"
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isim/rows -DDECLARED='"libcuda.so.1.def"' -o contexts "$here/tests/programs/cuda_contexts.c" \
	-Lsim -lcuda || exit 1

# failed CHECK OUT COMMAND...: with SIM_FAIL
failed() {
	check=$1 out=$2
	shift 2
	"$@" >bare 2>&1
	echo "status $?" >>bare
	"$run" --save-path "$out" --steps all --step-source api --level level1 --contents cpu,memory,device -- "$@" >said 2>&1
	echo "status $?" >>said
	equal "$check" "$(grep -v ^ranktrace said | diff bare - | head -n 3)" ''
	"$tool" dump --format jsonl "$out" >"$out.dump"
}

# ---- the program's ----

for fault in cudaLaunchKernel:2:719 cudaMemcpyAsync:3:700 cudaStreamSynchronize:2:719; do
	call=${fault%%:*}
	SIM_FAIL=$fault failed "a_failed_${call}_ends_the_program_as_without_us" "$call" sim/train-shared12 3
	equal "${call}_is_recorded_with_its_result" "$(grep -c "\"name\":\"$call\".*\"result\":${fault##*:}" "$call.dump")" 1
done

# ---- ours ----

for fault in cuEventCreate:0:2:0 cuEventCreate:3:2:1 cuEventRecord:0:400:0 cuEventRecord:4:700:8 cuEventQuery:0:700:0 cuEventElapsedTime:0:600:0; do
	name=$(echo "${fault%:*}" | tr : _) times=${fault##*:}
	SIM_FAIL=${fault%:*} failed "a_program_does_not_notice_$name" "$name" ./contexts held
	equal "its_calls_are_there_with_$name" "$(grep -c '"name":"cuLaunchKernel".*"result":0' "$name.dump") $(grep -c device_duration_ns "$name.dump")" "9 $times"
	lack=$((9 - times))
	holds "and_the_report_counts_what_lacks_its_time_with_$name" sh -c "$tool report $name | grep -q ': $lack calls* lacks* the device time'"
done
finish
