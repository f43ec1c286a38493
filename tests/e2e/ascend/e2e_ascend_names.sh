#!/bin/sh
# Every row of the Ascend libraries is called twice, by import and by dlsym: each call reaches the library once and is
# recorded once, as itself.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/ascend
cd "$tmp" || exit 1
{ "$sim/build.sh" cann empty && python3 "$sim/calls.py" "$here/hooks" . && ${CC:-gcc} -std=gnu11 -I"$here" -o calls calls.c -Lcann -Wl,--no-as-needed \
	$(sed 's/lib\(.*\).so/-l\1/' cann/rows/libraries) -Wl,-rpath,"$tmp/cann"; } >log 2>&1 || {
	fail the_simulated_libraries_are_built "$(grep -E "error|ld:" log | head -n 3)"
	finish
}
"$tool" hooks | awk 'NR > 1 && $4 !~ /OpenCL|^libcu|^libc10|nccl|NVTX|hip|rccl|roctx/ && $1 !~ /[*]/ { print $1, $2 }' | sort >every
grep -vE ' (question|tensor)$' every >rows # of which nothing is recorded
cut -d' ' -f1 rows >names
export LD_LIBRARY_PATH=$tmp/cann
SIM_COUNTS=bare ./calls >bare.said
equal every_row_is_in_its_library "$(cut -d' ' -f1 bare.said | sort | join -v 1 -v 2 - every) $(grep -c 'is not there' bare.said)" ' 0'

# recorded CONTENTS: the calls under us, recorded to out.CONTENTS, counted to counts.CONTENTS
recorded() {
	SIM_COUNTS=counts.$1 "$run" --save-path "out.$1" --steps all --level level2 --contents "$1" -- ./calls >said.$1 2>log.$1
	"$tool" dump --format jsonl "out.$1" >dump.$1
}

# twice FILE: each row's name twice, and no other
twice() { sed 's/$/ 2/' names | diff - "$1" | head -n 3; }
by_name() { sed 's/.*"name":"\([^"]*\)".*/\1/' "$1" | sort | uniq -c | awk '{ print $2, $1 }'; }

recorded cpu,memory
equal the_program_notices_nothing "$(cmp bare.said said.cpu,memory 2>&1)" ''
python3 "$here/tests/sims/lib/counts.py" counts.cpu,memory | sort | join - names >counted
equal each_call_reaches_its_library_once "$(twice counted)" ''
by_name dump.cpu,memory >seen
equal each_call_is_recorded_once "$(twice seen)" ''
sed 's/.*"name":"\([^"]*\)".*"kind":"\([^"]*\)".*/\1 \2/; s/.*"kind":"\([^"]*\)".*"name":"\([^"]*\)".*/\2 \1/' dump.cpu,memory | sort -u >kinds
equal each_has_the_kind_of_its_row "$(diff rows kinds | head -n 3)" ''
equal none_is_nested "$(grep -c '"nested":true' dump.cpu,memory)" 0
recorded cpu,npu,memory,shapes
by_name dump.cpu,npu,memory,shapes >seen
equal and_with_device_times_and_shapes_too "$(twice seen)" ''
finish
