#!/bin/sh
# Exactly the asked steps of exactly the asked ranks, counted by a layer that knows nothing of us.
. "$(dirname "$0")/../../lib/lib.sh"

# train SAVE_PATH [options...]: 4 ranks x 8 steps, the layer's counts in SAVE_PATH.RANK
train() {
	out=$1
	shift
	cat >"$tmp/job" <<-EOF
	for r in 0 1 2 3; do
		RANK=\$r WORLD_SIZE=4 OPENCL_LAYERS=$layer COUNT_LAYER_OUT=$out.\$r $lm --quiet --steps 8 &
		pids="\$pids \$!"
	done
	for p in \$pids; do wait \$p || exit 1; done
	EOF
	"$run" --save-path "$out" "$@" -- sh "$tmp/job" >"$tmp/stdout" 2>"$tmp/stderr"
	equal "${out##*/}_job_exits_as_without_us" $? 0
}

# 28 launches, 2 writes, 1 read a step; clFinish is level1.
train "$tmp/some" --steps 3,5-6 --ranks 0,2
report only_the_asked_ranks "$tmp/some" 'sorted(x["rank"] for x in ranks) == [0, 2]'
report only_the_asked_steps_all_of_each "$tmp/some" \
	'all(steps(k) == {3: 31, 5: 31, 6: 31} for k in (0, 2))'
report nothing_lost "$tmp/some" \
	'total("called") == total("kept") == 186 and total("dropped") == total("in_flight") == 0'
report clean_ends_known_ranks "$tmp/some" \
	'all(x["clean_end"] and x["rank_source"] == "RANK" for x in ranks)'
equal one_file_a_window "$(find "$tmp/some" -name '*.rtrace' | wc -l)" 4
equal no_file_left_open "$(find "$tmp/some" -name '*.part' | wc -l)" 0
holds reports_of_single_steps_and_ranks_add_up_to_the_whole python3 "$here/tests/helpers/python/report_parts.py" "$tool" "$tmp/some"
equal a_report_of_a_rank_that_is_not_there_says_so "$("$tool" report --ranks 9 "$tmp/some" 2>&1)" \
	'ranktrace: none of the --ranks is in the trace, but ranks 0, 2'
equal a_list_of_steps_that_is_none_is_refused "$("$tool" report --steps 4,x "$tmp/some" 2>&1)" \
	"ranktrace: --steps: 'x' is not a number from 0 to 2^53: write numbers, ranges like 5-9, or all"

train "$tmp/all" --steps all --ranks 3 --level level1 --contents cpu,memory
cat >"$tmp/recorded" <<'EOF'
clCreateBuffer clEnqueueFillBuffer clEnqueueNDRangeKernel clEnqueueReadBuffer clEnqueueWriteBuffer
clFinish clReleaseMemObject clBuildProgram clCreateCommandQueue clCreateKernel
clCreateProgramWithSource clReleaseCommandQueue clReleaseKernel clReleaseProgram
EOF
report every_call_of_a_whole_run_is_recorded_once "$tmp/all" \
	"one(3)['entry_points'] == {k: v for k, v in counts('$tmp/all.3').items() if k in open('$tmp/recorded').read().split()}"
report called_is_what_was_kept "$tmp/all" \
	'one(3)["events"]["called"] == one(3)["events"]["kept"] == len(e)'
report every_buffer_is_given_back "$tmp/all" \
	'one(3)["memory"]["unfreed"] == 0 and by("kind", e)["alloc"] == by("kind", e)["free"] == 40'

train "$tmp/range" --step-source kernel:^adam_update --config /dev/null --steps 2
report an_explicit_kernel_source_counts_the_same "$tmp/range" 'all(steps(k) == {2: 31} for k in range(4))'

cat >"$tmp/profile.yaml" <<'EOF'
steps: [1, 4]
ranks: [1]
contents: [cpu, npu]
EOF
train "$tmp/yaml" --config "$tmp/profile.yaml"
report a_YAML_file_selects_as_options_do "$tmp/yaml" \
	'len(ranks) == 1 and set(steps(1)) == {1, 4} and steps(1)[4] == 31'
report device_times_for_every_command "$tmp/yaml" \
	'all("device_duration_ns" in x for x in e if x["kind"] in ("launch", "copy", "fill"))'

train "$tmp/none" --steps 99 --ranks all
equal a_step_never_reached_leaves_no_file "$(find "$tmp/none" -name '*.rtrace*' | wc -l)" 0
finish
