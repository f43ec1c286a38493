#!/bin/sh
# Threads that share CUDA: each launch is recorded once, on its own thread's stream, with the time that the device says; and what one thread
# captures in the mode in which all others could spoil it stays whole.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts sim:symbolic
export LD_LIBRARY_PATH="$tmp/sim"
"$tool" hooks >hooks
# form NAME PROTOTYPES FLAGS LIBRARIES
form() {
	# shellcheck disable=SC2086
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isim/rows -DDECLARED="\"$2.def\"" $3 -o "$1" "$here/tests/programs/cuda_threads.c" -Lsim $4 -pthread || exit 1
}
for major in 12 13; do form runtime$major libcudart.so.$major '' -l:libcudart.so.$major; done
form driver libcuda.so.1 -DDRIVER -lcuda

# ---- launches ----

cat >streams.py <<'P'
"""streams.py N: launches of cuda_threads.c on stdin: threads, streams, launches that have no time, and what is not as it should be."""
import collections, json, sys
n, found, threads, untimed = int(sys.argv[1]), collections.defaultdict(list), collections.defaultdict(set), 0
for e in map(json.loads, sys.stdin):
    found[e["kernel"], e["local"][0]].append(e["stream"])
    threads[e["kernel"]].add(e["tid"])
    untimed += e.get("device_duration_ns") != 10000
wrong = [k for k, streams in found.items() if len(streams) != n or len(set(streams)) != 1]
wrong += [k for k in threads if found[k, 1] != found[k, 2] or len(threads[k]) != 1]
print(len(set().union(*threads.values())), len(set().union(*map(set, found.values()))), untimed, *wrong)
P
for form in runtime12 runtime13 driver; do
	bare=$(./$form launches 3)
	equal "${form}_says_what_it_says_without_us" "$(SIM_COUNTS=$form.counts SIM_TASKS=$form.tasks "$run" --save-path $form.out --steps all --step-source api --level level1 --contents cpu,memory,device -- ./$form launches 300 2>$form.log)" "$bare"
	"$tool" dump --format jsonl $form.out >$form.dump
	holds "calls_of_${form}_are_recorded_once" sh -c "python3 $accounts all $form.dump level1 $form.counts <hooks"
	equal "each_thread_of_${form}_has_two_streams_of_its_own" "$(grep '"kind":"launch"' $form.dump | python3 streams.py 300)" '3 6 0'
	holds "times_of_${form}_are_those_of_the_device" python3 "$accounts" times $form.dump $form.tasks
	# Without times launches like one before have a shorter way.
	SIM_COUNTS=$form.short.counts "$run" --save-path $form.short --steps all --step-source api --level level1 --contents cpu -- ./$form launches 300 >said 2>$form.log
	"$tool" dump --format jsonl $form.short >$form.dump
	holds "calls_of_${form}_the_short_way_are_recorded_once" sh -c "python3 $accounts all $form.dump level1 $form.short.counts <hooks"
	equal "each_thread_of_${form}_has_its_two_streams_there" "$(grep '"kind":"launch"' $form.dump | python3 streams.py 300)" '3 6 2700'
done
equal a_thread_s_place_is_used_again "$(./runtime13 launches 1)" 'the same place'

# ---- captures ----

for form in runtime12:0 runtime13:3 driver:0; do
	export SIM_EVENT_QUERIES=${form#*:}
	form=${form%:*}
	equal "captures_of_${form}_are_whole" "$("$run" --save-path captures.$form --steps all --step-source api --contents cpu,device -- ./$form captures 2000 2>$form.log)" \
		'a capture is whole
0 of 2000 captures are broken'
done
# What spoils a capture, and what does not, and how it ends: as without us, where each call between has been asked about.
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isim/rows -o probe "$sim/probe.c" -Lsim -l:libcudart.so.13 -lcuda -l:libnccl.so.2 -pthread || exit 1
equal spoiled_captures_end_as_without_us "$(SIM_DEVICES=2 "$run" --save-path spoiled --steps all --level level1 --contents cpu,device -- ./probe 2>log)" "$(SIM_DEVICES=2 ./probe)"
report and_their_calls_are_recorded spoiled 'len(e) > 50 and {x.get("captured") for x in e} == {None, True}'
report there_were_times_and_captures captures.driver 'sum("device_duration_ns" in x for x in e) > 20 and sum(x.get("captured", False) for x in e) == 5 * 2001'
finish
