#!/bin/sh
# compare: two runs of one program are the same, and of another one what was changed in it comes first, by as much as it was. The traces are made up.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit 1

made() { mkdir "$1" && "$BUILD/tests/programs/made_run" "$@"; }
# asked PATH... [OPTION...]: kind, name, detail, B's name and detail of the rows that are marked; status 1 unless all rows add up
asked() {
	"$tool" compare --format json "$@" >json || return
	python3 -c 'import json, sys
r = json.load(open("json"))
total = r["b"]["median_ns"] - r["a"]["median_ns"]
assert sum(c["change_ns"] for c in r["changes"]) == total == r["change_ns"], r
assert all(c["change_ns"] == c["b_ns"] - c["a_ns"] for c in r["changes"]), r
assert all(abs(c[side + "_ns"]) <= r[side]["median_ns"] for c in r["changes"] for side in "ab"), r
assert sum(c["kind"] == "unexplained" for c in r["changes"]) == 1, r
assert [abs(c["change_ns"]) for c in r["changes"]] == sorted((abs(c["change_ns"]) for c in r["changes"]), reverse=True), r
marked = [c for c in r["changes"] if c["beyond_noise"]]
assert marked == r["changes"][:len(marked)], r
for c in marked:
    print(*(str(c[k]) for k in ("kind", "name", "detail", "b_name", "b_detail", "joined_by", "a_count", "b_count")))' 2>err || fail the_rows_add_up "$*: $(tail -n 1 err)"
}
# by NS: is the first row's change as much, within 15 %?
by() { python3 -c 'import json, sys; ns = json.load(open("json"))["changes"][0]["change_ns"]; print(abs(ns - int(sys.argv[1])) <= .15 * abs(int(sys.argv[1])) or ns)' "$1"; }
number() { python3 -c 'import json, sys; r = json.load(open("json")); print(*(eval(w, r) for w in sys.argv[1:]))' "$@"; }

made one 1
made same 2
equal two_runs_of_one_program_are_the_same "$(asked one same; echo $?)" 0
equal which_the_first_line_says "$("$tool" compare one same | sed -n '1s/.*; the same within what steps differ by themselves (24\..* us)$/so/p')" so
equal and_no_star "$("$tool" compare one same | grep -c '^\*')" 0
equal of_so_many_steps "$(number 'a["steps"]' 'b["steps"]' 'a["ranks"]' 'a["by_device"]' 'a["peak_bytes"]' beyond_noise)" '24 24 2 True 4096 False'

made slow 3 slow:norm:100000
equal a_slow_kernel_comes_first "$(asked one slow) $(by 100000) $(number beyond_noise)" 'kernel_time norm 64 None None sizes 1 1 True True'
equal and_is_the_only_one_with_a_star "$("$tool" compare one slow | sed -n 's/^\* .*us  kernel_time/x/p; s/^\* .* 1  kernel_time  \(.*\)/\1/p')" 'norm 64'
equal the_other_way_round_it_is_less "$(asked slow one) $(by -100000)" 'kernel_time norm 64 None None sizes 1 1 True'
made more 4 more:relu
equal one_launch_more_comes_first "$(asked one more | head -n 1; by 100000)" 'kernel_time relu 64 None None sizes 1 2
True'
made sizes 5 sizes:adam:90000
equal other_sizes_are_the_same_kernel "$(asked one sizes; by 90000)" 'kernel_time adam 64 adam 128 name 1 1
True'
made renamed 6 renamed:add:plus slow:add:50000
equal another_name_is_the_same_by_its_place "$(asked one renamed; by 50000)" 'kernel_time add 64 plus 128 role 1 1
True'
equal and_its_row_says_so "$("$tool" compare one renamed | grep -c 'add 64 -> plus 128 (by role)$')" 1
made pause 7 pause:300000 memory:100000
equal a_pause_is_told_by_the_calls_around_it "$(asked one pause; by 300000)" 'host_gap clReleaseMemObject clCreateBuffer None None sizes 1 1
True'
equal memory_is_told "$(number 'a["peak_bytes"]' 'b["peak_bytes"]')" '4096 100000'
equal the_first_rows_and_the_sum_of_the_others "$("$tool" compare --top 1 one pause | tail -n 2 | sed 's/  *[-+][^ ]* us in/n us in/')" "n us in 6 more rows: --top 7 shows them
* more than such steps differ by themselves: 3 spreads of both, and 1 % of A's step"
made meeting 12 meet exact
made link 13 meet exact in:: transfer:500000
equal a_slow_link_is_a_transfer "$(asked meeting link; by 500000)" 'transfer HcclAllReduce  None None sizes 1 1
True'
made behind 14 meet exact in::1 pause:800000
equal a_rank_that_comes_last_makes_others_wait "$(asked meeting behind --ranks 0; by 800000)" 'wait HcclAllReduce  None None None 0 1
True'

# Parts of one run; two vendors; times of the device on one side only.
equal steps_of_one_run "$(asked one --steps-a 3 --steps-b 4; number 'a["steps"]' 'b["steps"]' 'a["spread_ns"] == b["spread_ns"] > 0')" '2 2 True'
nested() { "$tool" compare "$@" 2>&1 >out; echo "$? $(grep -c '^Median step' out)"; }
equal a_side_that_is_in_the_other_is_told "$(nested one --steps-a 2-4; nested one --steps-a 2-4 --steps-b 5-9; nested one same --steps-a 2-4)" \
	"ranktrace: B contains A's steps: name others with --steps-b, or --ranks-b
0 1
0 1
0 1"
equal ranks_of_one_run "$(asked one --ranks-a 0 --ranks-b 1; number 'a["steps"]' 'b["ranks"]')" '12 1'
equal the_same_steps_of_two_runs "$(asked one slow --steps 3-5 --ranks 1; number 'a["steps"]' 'b["steps"]')" 'kernel_time norm 64 None None sizes 1 1
3 3'
RANK=0 "$run" --save-path windows --steps 2-3,5-8 --contents cpu,device -- "$lm" --quiet --steps 9 2>said
# shellcheck disable=SC2046 # two paths
equal two_windows_of_one_run_are_two_files "$(asked $(find windows -name '*.rtrace' | sort) >rows; number 'a["steps"]' 'b["steps"]' 'a["by_device"]')" '2 4 True'
mkdir ascend cuda
"$BUILD/tests/programs/two_ranks" ascend && "$BUILD/tests/programs/two_ranks" cuda 3 cuda
equal of_two_vendors_all_is_joined "$(asked ascend cuda; number '[c["kind"] for c in changes if c["name"] and not c["joined_by"]]' '[c["change_ns"] for c in changes if c["change_ns"]]')" '[] []'
equal by_what_it_does "$(number 'sorted((c["name"], c["b_name"]) for c in changes if c["kind"] in ("copy", "transfer"))')" \
	"[('HcclAllReduce', 'ncclAllReduce'), ('aclrtMemcpyAsync', 'cudaMemcpyAsync'), ('aclrtMemcpyAsync', 'cudaMemcpyAsync'), ('aclrtMemsetAsync', 'cudaMemsetAsync')]"
made host 8 host
equal without_device_times_both_are_split_by_calls "$(asked one host; number 'a["by_device"]' 'b["by_device"]')" 'False False'
equal and_that_is_said "$("$tool" compare one host | grep -c '^B has no device times: ')" 1
made short 9 steps:1 slow:norm:100000
made brief 10 steps:1
equal too_few_steps_are_judged_by_the_others "$(asked one short --ranks 0 | cut -d ' ' -f 1-2; number 'a["spread_ns"] > 0' 'b["spread_ns"]')" 'kernel_time norm
True None'
equal few_on_both_sides_tell_nothing_of_noise "$(asked brief short --ranks 0; "$tool" compare brief short --ranks 0 | grep -c 'fewer than 3 whole steps on both sides')" 1

# What cannot be compared.
refused() { "$tool" compare "$@" 2>&1 >out | head -n 1; "$tool" compare "$@" >>out 2>/dev/null; echo "$? $(wc -c <out)"; }
equal one_path_is_not_enough "$(refused one)" 'ranktrace: compare takes two paths: name a second one, or tell two parts of this one, as --steps-a 3 --steps-b 4
2 0'
equal nor_is_the_same_twice "$(refused one ./one/)" 'ranktrace: both paths are the same: name another one, or tell two parts of it, as --steps-a 3 --steps-b 4
2 0'
equal nor_may_there_be_three "$(refused one same slow)" 'ranktrace: compare takes two paths, not 3: name folders of two runs
2 0'
equal a_path_that_is_not_there "$(refused one nowhere)" 'ranktrace: nowhere: No such file or directory: name the --save-path of a run, or a trace file
1 0'
equal steps_that_are_not_there "$(refused one same --steps 77)" 'ranktrace: none of the --steps is in the trace, but steps 1-12
1 0'
equal the_option_of_its_side_is_named "$(refused one --steps-a 2-4 --steps-b 50)$(refused one --ranks-a 0 --ranks-b 7)" "ranktrace: none of the --steps-b is in the trace, but steps 1-12
1 0ranktrace: none of the --ranks-b is in the trace, but ranks 0, 1
1 0"
made open 11 steps:1 open
equal no_whole_step "$(refused one open)" 'ranktrace: open: there is no whole step (a step was not recorded to its end): record some from their begin to their end, as --steps 3-9
1 0'
finish
