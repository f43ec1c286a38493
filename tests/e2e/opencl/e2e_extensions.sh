#!/bin/sh
# Entry points that only the runtime's own look-up finds: a command buffer on a real runtime (PoCL).
. "$(dirname "$0")/../../lib/lib.sh"

${CC:-cc} -std=gnu11 -O2 -Wall -o "$tmp/command_buffer" "$here/tests/programs/command_buffer.c" -lOpenCL || exit 1
cd "$tmp" || exit 1

./command_buffer >plain 2>&1
status=$?
[ $status -ne 77 ] || { tail -n 1 plain; exit 77; }
"$run" --save-path out --steps all --level level1 --contents cpu,npu,memory -- ./command_buffer >traced 2>log
equal a_program_with_command_buffers_ends_as_without_us "$status $?" '0 0'
equal its_output_is_the_same "$(cat traced)" "$(cat plain)"
equal its_commands_really_ran "$(grep sum plain)" 'sum 15'
report every_launch_of_a_command_buffer_is_recorded out \
	'(ranks[0]["entry_points"]["clEnqueueCommandBufferKHR"] == 6 and
	  len([x for x in e if x["name"] == "clEnqueueCommandBufferKHR" and x["kind"] == "launch"]) == 6)'
report the_refused_launch_is_recorded_with_its_result out \
	'([x["result"] != 0 for x in e if x["name"] == "clEnqueueCommandBufferKHR"] == [False] * 5 + [True])'
report launches_of_a_command_buffer_have_stream_and_device_time out \
	'(any(x["result"] == 0 for x in e) and
	  all(x["stream"] == 1 and x["device_duration_ns"] > 0 for x in e
	      if x["name"] == "clEnqueueCommandBufferKHR" and x["result"] == 0))'
report every_command_of_a_command_buffer_is_recorded out \
	'(ranks[0]["entry_points"]["clCommandNDRangeKernelKHR"] == 3 and
	  [(x["kind"], x["result"]) for x in e if x["name"] == "clCommandNDRangeKernelKHR"] == [("graph", 0)] * 3)'
report making_and_releasing_is_recorded out \
	'((ranks[0]["entry_points"]["clCreateCommandBufferKHR"], ranks[0]["entry_points"]["clFinalizeCommandBufferKHR"],
	  ranks[0]["entry_points"]["clRetainCommandBufferKHR"],
	  ranks[0]["entry_points"]["clReleaseCommandBufferKHR"]) == (1, 1, 1, 2))'
finish
