#!/bin/sh
# The other ways to say what a step is, and who we are: the api (also by ctypes), a late rank, max_size.
. "$(dirname "$0")/../../lib/lib.sh"

cat >"$tmp/api.py" <<'EOF'
import ctypes, os, sys
import pyopencl as cl, numpy as np
step = ctypes.CDLL(None).ranktrace_step if "--api" in sys.argv else None
if step:
    step.argtypes = [ctypes.c_int64]
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
a = np.arange(256, dtype=np.float32)
buf = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, a.nbytes)
for n in range(1, 7):
    if step:
        step(n)
    if n == 4 and "--late-rank" in sys.argv:
        os.environ["RANK"] = sys.argv[-1]
    for _ in range(n):
        cl.enqueue_copy(queue, buf, a)
print("sum", float(a.sum()))
EOF
py() {
	out=$1
	shift
	options=$1
	shift
	# shellcheck disable=SC2086
	env -u RANK "$run" --save-path "$out" $options -- "$python" "$tmp/api.py" "$@" >"$tmp/stdout" 2>"$tmp/stderr"
}

py "$tmp/api" "--steps 2,5 --ranks all" --api
report ranktrace_step_by_ctypes_is_the_clock "$tmp/api" \
	'ranks[0]["step_source"] == "api" and {s["step"]: s["events"] for s in ranks[0]["steps"]} == {2: 2, 5: 5}'
usual='step python:torch.optim.optimizer:Optimizer+.step@return{group=max}'
equal what_was_listened_to_is_listed_with_what_fired "$(listened "$tmp/api")" "step api=6; $usual=-1; step kernel:(well-known optimizers)=0
step api: fired 6 times; $usual: not there: its module was not imported; step kernel:(well-known optimizers): had not fired when api did"
report an_unknown_rank_is_null_not_0 "$tmp/api" 'ranks[0]["rank"] is None'
equal an_unknown_rank_has_a_folder_of_its_own "$(find "$tmp/api" -path '*/pid*/*.rtrace' | wc -l)" 2

sed 's/range(1, 7)/range(0, 6)/' "$tmp/api.py" >"$tmp/from_zero.py"
env -u RANK "$run" --save-path "$tmp/zero" --steps 1-2 --ranks all -- "$python" "$tmp/from_zero.py" --api >/dev/null 2>"$tmp/stderr"
report a_trainer_that_counts_from_0_has_its_step_1_whatever_step_1_was_taken_for_before "$tmp/zero" \
	'{s["step"]: s["events"] for s in ranks[0]["steps"]} == {1: 1, 2: 2} and ranks[0]["clean_end"] and ranks[0]["events"]["dropped"] == 0'
equal and_nothing_is_said_of_a_file_that_could_not_be_written "$(grep -c 'cannot be written' "$tmp/stderr")" 0
equal and_no_file_is_left_unfinished "$(find "$tmp/zero" -name '*.part' | wc -l)" 0

env -u RANK "$run" --save-path "$tmp/first" --steps 0 --ranks all -- "$python" "$tmp/from_zero.py" --api >/dev/null 2>"$tmp/stderr"
equal step_0_has_a_file_of_its_plain_name "$(find "$tmp/first" -name 'step-0.*.rtrace' | wc -l)" 1
equal and_is_not_provisional "$("$tool" report "$tmp/first" | grep -c provisional)" 0

cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -I$here"
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o "$tmp/libOpenCL.so.1" "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc -o "$tmp/many" "$here/tests/helpers/adversary/many.c" "$tmp/libOpenCL.so.1" -Wl,-rpath,"$tmp" -ldl
"$run" --save-path "$tmp/handler" --steps 90000000 -- timeout 100 "$tmp/many" handler 1000000 >"$tmp/stdout" 2>"$tmp/stderr"
equal a_signals_handler_does_not_wait_for_the_step_that_it_interrupted "$(cat "$tmp/stdout")" '1000000 launches'

py "$tmp/late-last" "--steps 4 --ranks 3" --api --late-rank 3
report a_rank_that_becomes_known_in_the_windows_last_step_loses_nothing "$tmp/late-last" \
	'steps(3) == {4: 4} and one(3)["events"]["dropped"] == 0'
py "$tmp/late" "--steps 5 --ranks 3" --api --late-rank 3
report a_rank_that_is_set_late_is_found "$tmp/late" 'steps(3) == {5: 5}'

# Slurm's number of the task is the rank where nothing says that somebody else starts the processes.
# slurm VARIABLE...: the rank that task 3 of 4 has
slurm() {
	rm -rf "$tmp/slurm"
	env -u RANK -u WORLD_SIZE SLURM_PROCID=3 SLURM_NTASKS=4 "$@" "$run" --save-path "$tmp/slurm" --steps 2 --ranks all -- "$python" "$tmp/api.py" --api \
		>"$tmp/stdout" 2>"$tmp/stderr"
	"$tool" report --format json "$tmp/slurm" | python3 -c 'import json, sys; print(*(r["rank"] for r in json.load(sys.stdin)["ranks"]))'
}
equal a_task_of_slurm_s_has_its_rank "$(slurm true_=1)" 3
equal so_it_has_where_the_world_is_the_tasks "$(slurm WORLD_SIZE=4)" 3
equal but_not_where_there_are_more_processes_than_tasks "$(slurm WORLD_SIZE=32)" None
equal nor_has_a_worker_of_ray "$(slurm RAY_JOB_ID=01000000)" None
equal nor_where_slurm_starts_it_with_pmi "$(slurm PMIX_RANK=3 RAY_JOB_ID=01000000) $(slurm PMI_RANK=3 WORLD_SIZE=32)" 'None None'
equal but_a_task_that_it_starts_so_has_one "$(slurm PMIX_RANK=3)" 3
equal a_rank_comes_first "$(slurm RANK=7 WORLD_SIZE=32)" 7
sed 's/^for n in/os.environ["RANK"] = "5"\nfor n in/' "$tmp/api.py" >"$tmp/soon.py"
env -u RANK SLURM_PROCID=0 SLURM_NTASKS=2 "$run" --save-path "$tmp/soon" --steps 1-2 --ranks 5 -- "$python" "$tmp/soon.py" --api >/dev/null 2>"$tmp/stderr"
report also_one_that_is_set_before_the_first_step "$tmp/soon" 'steps(5) == {1: 1, 2: 2} and one(5)["events"]["dropped"] == 0'
env -u RANK SLURM_PROCID=0 SLURM_NTASKS=2 "$run" --save-path "$tmp/other" --steps all --ranks 1 -- "$python" "$tmp/api.py" >/dev/null 2>"$tmp/stderr"
equal of_another_task_nothing_is_recorded "$(find "$tmp/other" -name '*.rtrace' | wc -l)" 0
py "$tmp/late-window" "--steps 4-6 --ranks 3" --api --late-rank 3
report a_rank_that_becomes_known_inside_the_window_loses_nothing "$tmp/late-window" \
	'steps(3) == {4: 4, 5: 5, 6: 6} and one(3)["events"]["dropped"] == 0'
sed 's/range(n)/range(120000 if n == 4 else n)/' "$tmp/api.py" >"$tmp/burst.py"
burst() {
	env -u RANK "$run" --save-path "$tmp/burst$1" --steps 4-6 --ranks 3 --contents cpu $2 -- "$python" "$tmp/burst.py" --api --late-rank 3 >"$tmp/stdout" 2>"$tmp/stderr"
}
burst 1 '--shm-size 4M'
report a_burst_beyond_the_buffer_is_counted "$tmp/burst1" \
	'(lambda e: e["called"] == 120011 and e["kept"] + e["dropped"] == 120011 and e["dropped"] > 0)(one(3)["events"])'
equal and_more_shared_memory_is_the_remedy_named "$(grep -o 'buffers were full: raise --shm-size' "$tmp/stderr")" 'buffers were full: raise --shm-size'
burst 2 ''
report which_helps "$tmp/burst2" 'steps(3) == {4: 120000, 5: 5, 6: 6} and one(3)["events"]["dropped"] == 0'
py "$tmp/other" "--steps 2-5 --ranks 3" --api --late-rank 1
equal a_late_rank_that_is_not_listed_writes_nothing "$(find "$tmp/other" -name '*.rtrace*' | wc -l)" 0
py "$tmp/norank" "--steps 2 --ranks 3" --api
equal no_rank_at_all_ranks_listed_nothing_is_written "$(find "$tmp/norank" -name '*.rtrace*' | wc -l)" 0

py "$tmp/nosource" "--steps 2 --ranks all"
equal no_source_fired_said_in_words "$(sed 's/process [0-9]*/process P/' "$tmp/stderr")" \
	'ranktrace: nothing was recorded: process P: steps 2 were selected, but no step source fired: call ranktrace_step(n) (in Python: ranktrace.step(n)), or give --step-source kernel:REGEX with a kernel that ends each step: `ranktrace report` of a run with --steps all suggests one'

equal also_where_nothing_fired "$(listened "$tmp/nosource" | tail -n 1)" "step api: did not fire; $usual: not there: its module was not imported; \
step kernel:(well-known optimizers): did not fire; nothing tells of steps or stages: name functions by --preset or --step-source, or call ranktrace_step(n) (docs/using.md)"

# A trainer that copies 1000 + N bytes for step N, then computes, then updates.
cat >"$tmp/kernel.py" <<'EOF'
import pyopencl as cl, numpy as np
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
program = cl.Program(queue.context, "kernel void forward() {} kernel void my_sgd() {}").build()
forward, my_sgd = program.forward, program.my_sgd
buf = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 2000)
for n in range(1, 6):
    cl.enqueue_copy(queue, buf, np.zeros(1000 + n, dtype=np.uint8))
    forward(queue, (1,), None)
    my_sgd(queue, (1,), None)
queue.finish()
EOF
RANK=0 "$run" --save-path "$tmp/kernel" --steps 3,4 --step-source 'kernel:^my_sgd$' -- "$python" "$tmp/kernel.py" >"$tmp/stdout" 2>"$tmp/stderr"
report input_copies_before_the_first_launch_of_a_step_are_in_the_step_before "$tmp/kernel" \
	'[(x["step"], x.get("bytes") or x["kernel"]) for x in e] == [(3, "forward"), (3, "my_sgd"), (3, 1004), (4, "forward"), (4, "my_sgd"), (4, 1005)]'
equal and_the_report_says_so "$("$tool" report "$tmp/kernel" | sed -n '/^Step source/{n;N;p}')" 'kernel:^my_sgd$
(a step starts at its first launch: loading, waiting and input copies before it belong to the previous step)'
equal a_kernel_that_is_named_is_listed "$(listened "$tmp/kernel")" 'step kernel:^my_sgd$=4
step kernel:^my_sgd$: fired 4 times'
long=$(printf 'x%.0s' $(seq 150))
RANK=0 "$run" --save-path "$tmp/long" --steps 3 --step-source "kernel:^my_sgd\$|$long|the_end" -- "$python" "$tmp/kernel.py" >"$tmp/stdout" 2>"$tmp/stderr"
report a_long_step_source_is_told_by_its_beginning_and_its_end "$tmp/long" \
	'(lambda s: (len(s), s[:18], s[-12:], ".." in s))(ranks[0]["step_source"]) == (127, "kernel:^my_sgd$|xx", "xxxx|the_end", True)'
equal of_a_source_with_exact_boundaries_it_does_not "$("$tool" report "$tmp/api" | sed -n '/^Step source/{n;N;p}')" api

# one_run LOOP: what is told of a loop with LOOP before my_sgd, where step 9 was asked for
one_run() {
	sed "s/^    forward.*/    $1/; s/^queue.finish/forward(queue, (1,), None); &/" "$tmp/kernel.py" >"$tmp/one_run.py"
	RANK=0 "$run" --save-path "$tmp/one_run" --steps 9 --step-source 'kernel:^my_sgd$' -- "$python" "$tmp/one_run.py" 2>&1 >/dev/null |
		sed -n 's/^ranktrace: nothing was recorded: rank 0: //p'
}
equal that_a_loop_of_one_kernel_is_one_step_is_told_with_what_helps "$(one_run pass)" \
	'steps 9 were selected, but kernel:^my_sgd$ matched one uninterrupted run of launches, which is one step: run longer or, if the loop launches nothing else, give --step-source symbol:LIB:NAME@return'
only_one() {
	sed '/^    forward/d' "$tmp/kernel.py" >"$tmp/only_one.py"
	RANK=0 "$run" --save-path "$tmp/only_one" --steps 2 --step-source 'kernel:^my_sgd$' -- "$python" "$tmp/only_one.py" 2>&1 >/dev/null |
		sed -n 's/^ranktrace: nothing was recorded: rank 0: //p'
}
equal and_of_a_loop_without_any_other_launch "$(only_one)" \
	'steps 2 were selected, but --step-source kernel:^my_sgd$ never fired: no kernel matches it (`ranktrace dump` of a run with --steps all has the names, those of C++ as they are matched: mangled), or nothing else is launched, and the run of matching launches never ends: then give --step-source symbol:LIB:NAME@return, or call ranktrace_step(n)'
equal of_a_loop_that_was_too_short_it_is_not "$(one_run 'forward(queue, (1,), None)')" \
	'steps 9 were selected, the last step seen was 6 (counted by kernel:^my_sgd$): run longer, or select steps up to 6'

py "$tmp/max" "--steps all --ranks all --max-size 1K" --api
report max_size_ends_recording_and_counts_the_rest "$tmp/max" \
	'ranks[0]["events"]["dropped"] > 0 and ranks[0]["events"]["kept"] + ranks[0]["events"]["dropped"] == ranks[0]["events"]["called"] == 21'
equal max_size_is_said_in_the_report "$("$tool" report "$tmp/max" | grep -c '21 calls dropped: max_size was reached and recording stopped')" 1
finish
