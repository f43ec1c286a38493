#!/bin/sh
# What a schedule means is torch's to say: 1,000 at random beside torch.profiler.schedule and torch_npu.profiler.schedule.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
world=$(python3 "$here/tests/torch_npu/world.py" 2.14.0) || { echo "skip: torch_npu 2.14.0 could not be had"; exit 77; }
equal a_thousand_schedules_mean_what_torch_means_by_them \
	"$(python3 "$here/tests/helpers/python/schedules.py" "$BUILD/tests/programs/schedule_states" "$world" 2>&1 | tail -n 3)" \
	'1000 schedules, 0 differ, some windows'
finish
