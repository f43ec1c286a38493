#!/bin/sh
# A training program on a simulated HIP (tests/sims/hip) of majors 5, 6 and 7, on every road that leads to a launch: every call that the
# simulated libraries counted is recorded once, as what it was, in the right step, with the device's own times, and nobody notices.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=hip
. "$here/tests/lib/sim.sh"
build_layouts symbolic plain
"$tool" hooks >hooks

# ---- the simulation itself, without us ----

equal all_forms_are_built "$(grep -c . symbolic/forms)" 8
for form in $(cat symbolic/forms); do
	SIM_COUNTS=bare.$form.counts LD_LIBRARY_PATH=$tmp/symbolic symbolic/train-$form 3 >bare.$form 2>&1
	equal "${form}_trains" "$(grep -v '^-*[0-9]' bare.$form | diff - "$here/tests/sims/cuda/train/results.txt")" ''
	holds "${form}_is_counted_as_the_program_says" python3 "$accounts" own bare.$form bare.$form.counts
done

# exact NAME LAYOUT FORM LEVEL [OPTION...]: recorded to NAME; all accounts agree, and nobody noticed
exact() {
	out=$1 layout=$2 form=$3 level=$4
	shift 4
	SIM_COUNTS=$out.counts SIM_TASKS=$out.tasks LD_LIBRARY_PATH=$tmp/$layout "$run" --save-path "$out" --level "$level" --contents cpu,memory --steps all "$@" -- \
		"$layout/train-$form" 3 >"$out.said" 2>"$out.log"
	equal "${out}_ends_as_without_us" "$? $(cmp "bare.$form" "$out.said" 2>&1)" '0 '
	"$tool" dump --format jsonl "$out" >"$out.dump" 2>/dev/null
	holds "${out}_is_recorded_once_at_$level" sh -c "python3 $accounts all $out.dump $level $out.counts <hooks"
	holds "${out}_is_recorded_in_the_right_steps" sh -c "python3 $accounts steps $out.said $out.dump $level <hooks"
}

given='{(x["name"].removesuffix("_spt"), x.get("shared_memory")) for x in e if "global" in x or "shared_memory" in x}'
said='("hipLaunchKernel", 256), ("hipExtLaunchKernel", 256), ("hipLaunchCooperativeKernel", 64), ("hipModuleLaunchKernel", 128), ("hipDrvLaunchKernelEx", 128),
	("hipLaunchKernelExC", 128), ("hipExtModuleLaunchKernel", 128), ("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j", 128)'
for form in $(cat symbolic/forms); do
	exact "$form" symbolic $form level1 --contents cpu,memory,device,shapes
	report "${form}_says_what_shared_memory_blocks_were_given" $form "5 > len($given) > 2 and $given < {$said}"
	holds "${form}_has_times_as_the_device_says" python3 "$accounts" times $form.dump $form.tasks
done
exact linked_of_less symbolic linked6 level0
exact linked_without_times symbolic linked7 level1
exact whose_functions_may_be_taken_from_it plain linked7 level1 --contents cpu,memory,device
exact whose_resolver_answers_ours plain resolver7 level1
report a_kernel_of_threads_in_all_has_its_sizes linked5 '{(x["kernel"], str(x["global"]), str(x["local"])) for x in e if x["name"].startswith("_Z24hipExtModule")} == {("_Z8backwardPfPKfS1_i", "[64]", "[32]")}'
report launches_with_events_of_the_program_have_times_of_ours_and_captured_ones_none linked6 '(Counter((x["name"], "captured" in x, x.get("device_duration_ns")) for x in e if x["name"] in ("hipExtLaunchKernel", "hipGraphLaunch")) ==
	{("hipExtLaunchKernel", False, 10000): 27, ("hipExtLaunchKernel", True, None): 2, ("hipGraphLaunch", False, 21000): 6})'
report a_kernel_is_called_as_it_was_registered linked7 '{x["kernel"] for x in e if x["name"] == "hipExtLaunchKernel"} == {"_Z7forwardPfPKfS1_i", "_Z3addPff"}'
report without_shapes_no_launch_says_so linked_of_less 'len(e) > 20 and not any("shared_memory" in x for x in e)'
report two_streams_are_two linked6 'len({x["stream"] for x in e if x["name"] == "hipExtLaunchKernel" and x["step"]}) == 4'

# ---- dormant: no session, nothing changes ----

# preloaded NAME VARIABLE=VALUE...: whether the program said the same, and how many files there are
preloaded() {
	name=$1
	shift
	env "$@" SIM_COUNTS="$name.counts" LD_LIBRARY_PATH="$tmp/symbolic" LD_PRELOAD="$SANITIZER$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH="$tmp/$name" \
		symbolic/train-linked6 3 >"$name.said" 2>"$name.log"
	echo "$? $(cmp bare.linked6 "$name.said" 2>&1) $(find "$name" -name '*.rtrace' 2>/dev/null | wc -l)"
}
equal one_who_asked_has_a_file "$(preloaded asked RANKTRACE_STEPS=all)" '0  1'
equal nobody_asked_and_there_is_none "$(preloaded dormant)" '0  0'
equal nor_its_folder "$(test ! -e dormant; echo $?)" 0
holds and_all_calls_are_the_programs sh -c "python3 $accounts own dormant.said dormant.counts"
finish
