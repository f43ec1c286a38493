#!/bin/sh
# Contexts that come and go, with the events that were made in them: each launch has its device's time, also in a context behind which
# another one has the same handle, and the program is told what it is told without us.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts sim:symbolic
export LD_LIBRARY_PATH="$tmp/sim"
"$tool" hooks >hooks
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isim/rows -DDECLARED='"libcuda.so.1.def"' -o contexts "$here/tests/programs/cuda_contexts.c" \
	-Lsim -lcuda || exit 1
for how in primary held created; do
	equal "a_program_of_contexts_that_are_${how}_ends_as_without_us" "$(SIM_COUNTS=$how.counts SIM_TASKS=$how.tasks "$run" --save-path $how --steps all \
		--step-source api --level level1 --contents cpu,device -- ./contexts $how 2>log)" "$(./contexts $how)"
	"$tool" dump --format jsonl $how >$how.dump
	holds "its_calls_are_recorded_once_$how" sh -c "python3 $accounts all $how.dump level1 $how.counts <hooks"
	holds "and_have_the_times_of_the_device_$how" python3 "$accounts" times $how.dump $how.tasks
	equal "there_are_nine_launches_$how" "$(grep -c '"device_duration_ns":10000' $how.dump)" 9
done

# A context that was not to end, or is not the one that did, keeps its default stream.
export SIM_FAIL=cuCtxDestroy_v2:1:719
equal a_program_whose_context_stays_ends_as_without_us "$("$run" --save-path staying --steps all --step-source api --contents cpu,device -- ./contexts staying 2>log)" \
	"$(./contexts staying)"
equal each_context_has_one_default_stream "$("$tool" dump --format jsonl staying | sed -n 's/.*"kernel":"\([a-z_]*\)".*\("stream":[0-9]*\).*/\1 \2/p' | uniq -c | tr -s ' ')" \
	' 1 in_the_device_s_own "stream":1
 1 in_the_first "stream":2
 3 in_the_second "stream":3'
finish
