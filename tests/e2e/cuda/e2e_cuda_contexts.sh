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
finish
