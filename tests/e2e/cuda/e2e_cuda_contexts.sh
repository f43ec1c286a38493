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
unset SIM_FAIL

"$run" --save-path behind --steps all --step-source api --contents cpu,device -- ./contexts behind >said 2>log
equal contexts_one_behind_the_other_have_streams_of_their_own "$("$tool" dump --format jsonl behind | grep -o '"stream":[0-9]*' | xargs)" 'stream:1 stream:2 stream:3'

SIM_DEVICES=2 "$run" --save-path another --steps all --step-source api --contents cpu,device -- ./contexts another >said 2>log
equal another_device_s_end_leaves_this_one_its_default_stream "$("$tool" dump --format jsonl another | grep -o '"stream":[0-9]*' | xargs)" 'stream:1 stream:1'

# ---- device times of some steps, where windows lie inside of steps ----

"$run" --save-path stages --steps all --step-source api --discrete true --contents cpu,device --device-every 3 -- ./contexts stages >said 2>log
equal launches_are_timed_in_every_third_step_and_copies_in_each "$("$tool" dump --format jsonl stages | python3 -c 'import json, sys
print(*sorted({(e["kind"], e["step"], "device_duration_ns" in e) for e in map(json.loads, sys.stdin) if e["kind"] in ("launch", "copy")}))')" \
	"('copy', 1, True) ('copy', 2, True) ('copy', 3, True) ('copy', 4, True) ('launch', 1, True) ('launch', 2, False) ('launch', 3, False) ('launch', 4, True)"
clocks() { "$tool" report --format json "$1" | python3 -c 'import json, sys; print(*(s["times"] for s in json.load(sys.stdin)["ranks"][0]["steps"] if s["step"]))'; }
equal and_the_report_says_by_which_clock_each_is "$(clocks stages)" 'device host host device'
SIM_KERNEL_NS=0 "$run" --save-path nothing --steps all --step-source api --contents cpu,device -- ./contexts stages >said 2>log
equal kernels_that_take_no_time_are_timed_all_the_same "$(clocks nothing)" 'device device device device'
finish
