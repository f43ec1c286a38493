#!/bin/sh
# `ranktrace why` of made-up runs whose times are known to the ns: what was made is told, in these words, with these amounts.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit 1

made() { rm -rf run && mkdir run && "$BUILD/tests/programs/made_run" run 1 exact "$@"; }
# answers [OPTION...]: step, rank, excess and causes, after JSON, text and the commands were held against each other
answers() { /usr/bin/python3 "$here/tests/helpers/python/why_answers.py" "$tool" "$@" run 2>err || tail -n 1 err; }
# told [OPTION...]: the text; sentences: of each amount what stands behind it
told() { "$tool" why "$@" run | sed "s|$tool|ranktrace|"; }
sentences() { told "$@" | sed -n 's/^ *-*[0-9.]* [a-z]* *-*[0-9.]* %  //p'; }
json() { expression=$1; shift; "$tool" why --format json "$@" run | python3 -c 'import json, sys; r = json.load(sys.stdin); f = r["findings"]; eval("print(" + sys.argv[1].replace(";", ",") + ")")' "$expression"; }

# ---- each kind ----

# one NAME CAUSES SENTENCE WORD...: the step 5 of rank 1 was made so, of which the first cause is told in this sentence
one() {
	name=$1 causes=$2 sentence=$3
	shift 3
	made meet in:5:1 "$@"
	equal "$name" "$(answers)
$(sentences | head -n 1)" "5 of 1: $causes
$sentence"
}
one a_gap '+5000000 host_gap=5000000 (certain)' \
	'the host made no call between clReleaseMemObject and clCreateBuffer: 5.200 ms instead of 200.000 us (5.200 ms in one piece) (certain)' pause:5000000
one a_gap_in_a_range '+5000000 host_gap=5000000 (certain)' \
	'the host made no call between mstxRangeStartA and mstxRangeEnd: 5.200 ms instead of 200.000 us (5.200 ms in one piece, inside load_data) (certain)' \
	pause:5000000 in:: range:1
one a_call '+2000000 host_call=2000000 (certain)' \
	'the host was in clSetEventCallback: 2.000 ms instead of none, 1 call instead of 0 (2.000 ms in one piece) (certain)' call:2000000
one an_allocation_and_not_the_pause_before_it '+2000000 allocation=2000000 (certain)' 'clCreateBuffer took longer: 2.001 ms instead of 1.000 us (certain)' alloc:2000000
one an_allocator_s_growth_takes_no_time_of_its_own '+2000000 allocation=2000000 (certain)' \
	'clCreateBuffer took longer: 2.001 ms instead of 1.000 us (certain)' alloc:2000000 pool:1048576
one a_build '+3000000 first_call=3000000 (certain)' 'clBuildProgram built or loaded something: 3.000 ms instead of none, 1 call instead of 0 (certain)' build:3000000
one a_device_that_is_idle_with_work '+1000000 idle=1000000 (certain)' \
	'the device stood idle though it had been given work, before relu: 1.002 ms instead of 2.000 us (certain)' idle:1000000
one a_slow_kernel '+700000 kernel_time=700000 (certain)' 'norm ran longer: 900.000 us instead of 200.000 us (certain)' slow:norm:700000
one more_of_a_kernel '+585000 kernel_count=500000 (certain) host_gap=50000 (certain) unexplained=35000 (possible)' 'relu ran more often: 6 times instead of 1 (certain)' more:relu:5
one more_of_it_that_take_longer '+1517000 kernel_time=1000000 (certain) kernel_count=500000 (certain) unexplained=17000 (possible)' \
	'adam ran longer: each 1.000 ms instead of 500.000 us (certain)' more:adam:1 slow:adam:500000
one other_sizes '+900000 kernel_shape=900000 (certain)' 'adam ran with other sizes than in other steps: 1.400 ms instead of 500.000 us (certain)' sizes:adam:900000
one a_kernel_that_was_not_there_before '+951000 first_call=900000 (certain) host_gap=30000 (certain) unexplained=21000 (possible)' \
	'extra ran for the first time in this trace: 900.000 us in all instead of none, 3 calls instead of 0 (certain)' more:extra:3
one a_copy '+4017000 copy=4000000 (certain) unexplained=17000 (possible)' \
	'copies by clEnqueueWriteBuffer h2d: 4.000 ms instead of none, 1 of 64.00 MiB at 16.8 GB/s (certain)' copy:67108864 copying:4000000
one copies_that_are_slower '+4000000 copy=4000000 (certain)' \
	'copies by clEnqueueWriteBuffer h2d: 8.000 ms instead of 4.000 ms, 1 of 64.00 MiB at 8.39 GB/s instead of 1 of 64.00 MiB at 16.8 GB/s (certain)' \
	copying:4000000 in:: copy:67108864 copying:4000000
one of_several_copies_the_sum_is_told_as_such '+8034000 copy=8000000 (certain) unexplained=34000 (possible)' \
	'copies by clEnqueueWriteBuffer h2d: 8.000 ms instead of none, 2 of 128.00 MiB in all at 16.8 GB/s (certain)' copy:67108864 copying:4000000 copies:1
one and_of_several_launches '+600000 kernel_time=600000 (certain)' 'matmul ran longer: 1.800 ms in all instead of 1.200 ms (certain)' slow:matmul:300000
one all_kernels_by_one_factor '+1500000 kernel_time=1500000 (certain)' 'the kernels took 1.71 times as long: 3.600 ms instead of 2.100 ms (certain)' \
	slow:matmul:428571 slow:norm:142858 slow:relu:71429 slow:add:71429 slow:adam:357142
# Where the trace has who asked for it, the line that launched it, libraries left out.
one a_slow_kernel_has_its_line '+900000 kernel_time=900000 (certain)' 'adam ran longer: 1.400 ms instead of 500.000 us, called at /job/train.py:44 train_step (certain)' \
	stacks slow:adam:900000
equal without_its_folders_where_that_is_asked_for "$(sentences --strip-paths | head -n 1)" 'adam ran longer: 1.400 ms instead of 500.000 us, called at job/train.py:44 train_step (certain)'
one of_several_kernels_the_longest_has_it '+600000 kernel_time=600000 (certain)' \
	'matmul ran longer: 1.800 ms in all instead of 1.200 ms, the longest called at /job/model.py:71 Layer.forward (certain)' stacks slow:matmul:300000
one one_of_which_it_is_not_known_has_none '+900000 kernel_time=900000 (certain)' 'relu ran longer: 1.000 ms instead of 100.000 us (certain)' stacks slow:relu:900000
# An operator's own device time spans what the host does in its call: that is the host's, and the work is that of its launches.
one a_call_of_an_operator_that_goes_on_when_it_has_launched '+2503000 host_call=2500000 (certain) unexplained=3000 (possible)' \
	'the host was in aclnnApply of aclnn-adam: 2.505 ms instead of none (2.498 ms in one piece) (certain)' operators held:3000000
one an_operator_whose_kernel_is_slow '+700000 kernel_time=700000 (certain)' 'aclnn-norm ran longer: 900.000 us instead of 200.000 us (certain)' operators slow:norm:700000
made meet in:5: transfer:900000
equal a_slow_link "$(answers --ranks 0,1)
$(sentences | head -n 1)" '5 of 0: +900000 transfer=900000 (certain)
5 of 1: +900000 transfer=900000 (certain)
HcclAllReduce took longer once its ranks were there: 1.100 ms instead of 200.000 us (certain)'

# ---- the whole answer ----

made meet in:5:1 pause:5000000 slow:norm:700000 more:relu:5 idle:1000000 alloc:300000 build:400000 copy:67108864 copying:4000000
equal five_sentences_and_what_is_left "$(told)" 'Step 5 of rank 1 took 19.633 ms, 17.002 ms (646 %) more than the median of 11 other whole steps of this rank; 1 rank waited for it
     6.010 ms  35.3 %  the device stood idle though it had been given work, before relu: 6.012 ms in all instead of 2.000 us (certain)
                       ranktrace dump --at 1700000000022609000+1002000 --ranks 1 run
     5.060 ms  29.8 %  the host made no call between clReleaseMemObject and clBuildProgram: 5.200 ms instead of none, 1 gap instead of 0 (5.200 ms in one piece) (certain)
                       ranktrace dump --at 1700000000010525000+5200000 --ranks 1 run
     4.000 ms  23.5 %  copies by clEnqueueWriteBuffer h2d: 4.000 ms instead of none, 1 of 64.00 MiB at 16.8 GB/s (certain)
                       ranktrace dump --at 1700000000016443000+4000000 --ranks 1 run
   700.000 us   4.1 %  norm ran longer: 900.000 us instead of 200.000 us (certain)
                       ranktrace dump --at 1700000000021694000+900000 --ranks 1 run
   500.000 us   2.9 %  relu ran more often: 6 times instead of 1 (certain)
                       ranktrace dump --at 1700000000023611000+100000 --ranks 1 run
   732.000 us   4.3 %  in 4 smaller amounts: --format json has them

Last to collectives
 RANK     LAST       OF            LATE, MEDIAN         WORST
    1        1       12     8.3 %     17.002 ms     17.002 ms  step 5'
equal json_has_them "$(answers)" '5 of 1: +17002000 idle=6010000 (certain) host_gap=5060000 (certain) copy=4000000 (certain) kernel_time=700000 (certain) kernel_count=500000 (certain) first_call=400000 (certain) allocation=300000 (certain) host_call=30000 (certain) unexplained=2000 (possible)'
at() { "$tool" dump --format jsonl --ranks 1 "$@" run; }
equal the_command_shows_what_was_under_way_then_and_nothing_else "$(at --at 1700000000021694000+900000)" "$(at | python3 -c 'import json, sys
for line in sys.stdin:
    e = json.loads(line)
    if any(e[of + "begin_ns"] <= 1700000000022594000 and e[of + "begin_ns"] + e[of + "duration_ns"] >= 1700000000021694000 for of in ("", "device_") if of + "begin_ns" in e):
        print(line, end="")')"
equal which_are_few "$(at --at 1700000000021694000+900000 | wc -l) of $(at | wc -l)" '2 of 205'
equal a_step_like_the_others_is_told_as_such "$(told --steps 7 --ranks 1 | head -n 1)" \
	'Step 7 of rank 1 took 2.631 ms, 0.000 us (0 %) more than the median of 11 other whole steps of this rank; such steps differ by as much by themselves'
equal and_is_none_of_those_that_stand_out "$(json '[(f["step"], f["rank"]) for f in f]')" '[(5, 1)]'
made meet in:5:1 slow:norm:60000
equal such_a_step_has_no_certain_cause "$(answers --steps 5 --ranks 1; told --steps 5 --ranks 1 | grep -o "norm ran.*")" '5 of 1: +60000 kernel_time=60000 (possible)
norm ran longer: 260.000 us instead of 200.000 us (possible)'
made ranks:1 in:1: pause:3000000
equal a_pause_before_the_first_call_is_after_the_trace_s_beginning "$(sentences --steps 1 | head -n 1)" \
	'the host made no call between the beginning of the trace and clCreateBuffer: 3.200 ms instead of none, 1 gap instead of 0 (3.200 ms in one piece) (certain)'
made ranks:1 steps:8 in:5: pause:9007199254740992 in:3: pause:1000000
equal a_step_of_months_is_none "$(answers)" '3 of 0: +1000000 host_gap=1000000 (certain)'

# ---- what is to be recorded next ----

next() { printf '%s; %s\n' "$(told "$@" | sed -n 's/^to know more, record with: //p')" "$(json 'f[0]["record_next"]' "$@")"; }
equal nothing_more_than_was_recorded "$(next)" '; None'
made host in:5:1 pause:3000000 slow:norm:3000000
equal times_of_the_device_are_missed "$(next)" '--contents cpu,device,memory; --contents cpu,device,memory'
equal without_them_a_call_that_waits_is_only_possible "$(answers)" '5 of 1: +6000000 host_gap=3000000 (certain) host_call=3000000 (possible)'
made level0 meet in:5:1 pause:3000000
equal calls_are_missed "$(next) $(sentences | grep -c 'no recorded call between')" '--level level1; --level level1 1'
made ranks:1 meet in:5: pause:3000000
equal other_ranks_are_missed "$(next)" '--ranks all; --ranks all'
made ranks:1 steps:2 in:2: pause:3000000
equal other_steps_are_missed "$(next) $(answers)" '--steps 1-8; --steps 1-8 2 of 0: +3000000 host_gap=3000000 (possible)'
equal one_step_is_compared_with_the_other "$(json 'f[0]["reference"]')" '1 other whole step of this rank'
made ranks:4 meet in:5:1 pause:3000000 lost:7
equal a_step_that_lost_calls_is_not_compared "$(told --steps 5 --ranks 1; json 'f[0]["lacks"];f[0]["excess_ns"];f[0]["reference"];f[0]["causes"]' --steps 5 --ranks 1)" \
	'Step 5 of rank 1 lost calls: it is compared with none; ranktrace report --steps 5 shows what there is
lost calls None None []'
equal who_waited_for_it_is_told_why_there_is_no_more "$(sentences)" 'HcclAllReduce waited for rank 1, which came last: 3.000 ms instead of none; there the step lost calls (certain)'

# ---- other ranks ----

made ranks:4 meet steps:2 in:2:1 pause:3000000
equal of_few_steps_ranks_are_compared_without_waiting "$(told | head -n 1; answers)" \
	'Step 2 of rank 1 took 5.631 ms without waiting, 3.000 ms (114 %) more than the same step of 3 other ranks, the median; 3 ranks waited for it
2 of 1: +3000000 host_gap=3000000 (certain)'
made ranks:4 pairs in:5:1 pause:5000000
equal the_rank_at_the_root_of_two_hops "$(answers | head -n 1; json 'f[0]["ranks_waiting"]')" '5 of 1: +5000000 host_gap=5000000 (certain)
2'
equal one_that_waits_for_one_that_waits "$(sentences --steps 5 --ranks 3)" 'HcclAllReduce waited for rank 2, which came last: 5.217 ms instead of 217.000 us; there HcclAllReduce waited for rank 1, which came last: 5.000 ms instead of none; there the host made no call between clReleaseMemObject and clCreateBuffer: 5.200 ms instead of 200.000 us (5.200 ms in one piece) (certain)'
made ranks:4 meet in::2 pause:800000
equal a_rank_that_is_last_in_every_step "$(told | head -n 2; answers; json 'f[0]["steps_last"];f[0]["slowest_rank"]')" \
	'Others waited for rank 2 in 12 steps; this one is in the middle of them:
Step 7 of rank 2 took 3.431 ms without waiting, 800.000 us (30 %) more than the same step of 3 other ranks, the median
7 of 2: +800000 host_gap=800000 (certain)
12 False'
made ranks:4 in::2 pause:800000
equal a_rank_whose_steps_are_longest "$(told | head -n 2; answers; json 'f[0]["steps_last"];f[0]["slowest_rank"]')" \
	'The steps of rank 2 take longer than those of other ranks; this one is in the middle of them:
Step 7 of rank 2 took 3.214 ms without waiting, 800.000 us (33 %) more than the same step of 3 other ranks, the median
7 of 2: +800000 host_gap=800000 (certain)
0 True'
# shellcheck disable=SC2046 # a list of words
made ranks:2 $(for n in 2 4 6 8 10 12; do echo "in:$n:1 pause:1600000"; done)
equal a_rank_whose_own_steps_differ_by_more_than_that_is_not_such_a_one "$(told | grep -c 'take longer than those')" 0
made ranks:2 meet in::1 pause:800000
equal of_two_ranks_there_is_nothing_more_to_record "$(answers; next)" '7 of 1: +800000 host_gap=800000 (possible)
; None'

# ---- two hosts ----

made ranks:3 meet in::2 ahead:70000000 in:5:2 pause:3000000
equal clocks_of_two_hosts_are_told "$(told | tail -n 1; json 'r["clocks"][1]')" "clock of other: -70000000 ns to that of made by 12 collectives, to within 0.000 us
{'host': 'other', 'known': True, 'offset_ns': -70000000, 'residual_ns': 0, 'collectives': 12}"
equal and_who_waited_between_them "$(answers; json 'f[0]["ranks_waiting"]'; sentences --ranks 0)" '5 of 2: +3000000 host_gap=3000000 (certain)
2
HcclAllReduce waited for rank 2, which came last: 3.000 ms instead of none; there the host made no call between clReleaseMemObject and clCreateBuffer: 3.200 ms instead of 200.000 us (3.200 ms in one piece) (certain)'
made ranks:3 in::2 ahead:70000000
equal hosts_that_never_met "$(told | sort; json 'r["clocks"][1]["known"]')" 'clock of other: not known by any collective with made: who waited for whom between them is not told
if all of them are slow: `ranktrace report` has where their time goes, `ranktrace compare` what a faster run has less of
no step of the 36 whole ones stands out of what they differ by themselves: --steps N tells of one all the same
False'

# ---- all steps of all ranks together ----

# table: the lines behind the findings
table() { told | sed -n '/^Last to/,$p'; }
late() { json '[list(l.values()) for l in r["last_to_collectives"]]'; }
made ranks:4 meet in::2 pause:800000 in:3:1 pause:2000000 in:9:2 pause:100000
equal who_came_last_how_often_and_how_late "$(table)" 'Last to collectives
 RANK     LAST       OF            LATE, MEDIAN         WORST
    2       11       12    91.7 %    800.000 us    900.000 us  step 9
    1        1       12     8.3 %      1.200 ms      1.200 ms  step 3'
equal json_has_it_to_the_ns "$(late)" '[[2, 11, 12, 800000, 900000, 9], [1, 1, 12, 1200000, 1200000, 3]]'
equal only_of_a_whole_run "$("$tool" why --format json --steps 3 run | grep -c last_to_collectives)" 0
made ranks:4 meet in::2 pause:800000 in::2 ahead:70000000
equal clocks_are_put_on_one_before "$(late)" '[[2, 12, 12, 800000, 800000, 1]]'
made ranks:3 pairs steps:1
equal of_the_collectives_that_a_rank_is_in "$(late)" '[[1, 1, 2, 217000, 217000, 1]]'
made ranks:3 meet in:5:1 pause:1000
equal what_costs_no_hundredth_is_in_json_only "$(table)$(late)" '[[1, 1, 12, 1000, 1000, 5]]'

# others: the lines of ranks of which there is less than of the others, and JSON
others() {
	told | grep '^rank'
	json '*(r[k] for k in ("ranks_without_file", "ranks_with_other_steps"))' | sed 's/}, {/},\n {/g'
}
made ranks:4 world:6 meet in:11:1 skip:1 in:12:1 skip:1 in:4:3 skip:1 in:5:3 skip:1
rm run/rank0.rtrace
equal ranks_are_named_that_have_no_file_or_other_steps "$(others)" \
	"ranks 0, 4, 5 of 6: no file is here: \`ranktrace check\` says why
rank 1: the last step is 10, that of others 12: \`ranktrace check\` says how each ended
rank 3: steps 4, 5, which others have: not recorded
[0, 4, 5] [{'rank': 1, 'stopped': True, 'steps_lacking': [11, 12], 'steps_more': []},
 {'rank': 3, 'stopped': False, 'steps_lacking': [4, 5], 'steps_more': []}]"
made ranks:3 meet in:7:0 skip:1 in:7:1 skip:1
equal and_one_that_has_a_step_more "$(others)" "rank 2: step 7: recorded, but not by others
[] [{'rank': 2, 'stopped': False, 'steps_lacking': [], 'steps_more': [7]}]"
made ranks:3 meet
equal of_equal_ranks_nothing_is_said "$(others)" '[] []'

# ---- several at a time ----

made ranks:5 meet kinds:3 in:4:1 slow:add:700000 in:6:3 sizes:adam:400000 in::2 pause:300000 range:1 in:9: transfer:500000
both() { "$tool" why "$@" run; "$tool" why --format json "$@" run; }
both --jobs 1 >alone
both --jobs 3 >several
holds ranks_that_are_read_by_children_are_told_alike cmp alone several
equal there_is_something_to_tell "$(grep -c '(certain)' alone)" 3
holds more_jobs_than_ranks_are_too_many_and_no_harm cmp alone "$(both --jobs 200 >many; echo many)"
equal no_job_is_refused "$("$tool" why --jobs 0 run 2>&1; echo $?)" "ranktrace: unknown --jobs '0': use a number from 1 to 256
2"
# forks CODE: what the tool says where fork() is this
forks() {
	printf '#include <signal.h>\n#include <sys/syscall.h>\n#include <unistd.h>\nint fork(void) { %s }\n' "$1" | ${CC:-gcc} -x c -shared -fPIC -o fork.so - &&
		LD_PRELOAD="${SANITIZER-}$tmp/fork.so" both --jobs 3 >forked
}
holds without_children_the_parent_reads eval "forks 'return -1;' && cmp alone forked"
holds and_where_a_child_ends_early eval "forks 'int pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); if (!pid) _exit(1); return pid;' && cmp alone forked"

# ---- many ranks ----

# A sanitizer keeps what was freed for a while: the peak tells nothing under it.
[ -z "${SAN-}" ] || finish
made ranks:300 steps:20 meet kinds:20 more:matmul:20 more:norm:20 more:relu:20 more:add:20 in:7:17 pause:20000000
peak() { python3 - "$tool" "$@" <<'PY'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
}
equal of_300_ranks_the_one_is_told "$(told | sed -n '1s/ took.*//p')" 'Step 7 of rank 17'
for jobs in 1 2; do
	holds "what_their_steps_were_spent_on_takes_few_MB_with_$jobs" test "$(peak why --jobs $jobs run)" -le 40000
done
finish
