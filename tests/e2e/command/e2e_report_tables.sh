#!/bin/sh
# The tables of a report hold what the events come to: figures are counted again from dump's lines.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages

golden=$here/tests/golden/2.5
# table NAME TABLE PATH...
table() {
	name=$1
	shift
	holds "$name" /usr/bin/python3 "$here/tests/helpers/python/report_tables.py" "$tool" "$@"
}
for rank in 0 3; do RANK=$rank recorded many --job one --steps all -- step:1 $((rank * 1000 + 301)) step:2 200 step:3; done
for rank in 0 1; do
	RANK=$rank WORLD_SIZE=2 "$run" --save-path lm --job lm --steps 1-3 --level level1 --contents cpu,device -- "$lm" --quiet --steps 4 >said 2>log
done

# ---- host time by entry point ----
table host_times_of_few_calls_are_exact host_times "$golden-ascend.rtrace"
table host_times_of_a_trainer host_times "$golden-trainer.rtrace"
table host_times_of_many_calls_are_near host_times many
equal calls_that_wait_and_build_come_first "$("$tool" report --top 1 "$golden-ascend.rtrace" | grep -A4 '^Host time' | awk 'NR > 2 { print $10 }' | paste -sd' ')" 'sync operator '
equal a_worst_call_of_a_step_that_lost_some_is_marked "$("$tool" report "$golden-ascend.rtrace" | grep -c ' aclrtSynchronizeStream  step 4, which lost calls$')" 1

# ---- what was asked for and is not there ----
RANKTRACE_STEP_SOURCE=api "$run" --save-path no_memory --steps 1 --contents cpu,device,memory -- ./stages step:1 3 step:2 >said 2>log
equal no_memory_is_told_to_who_asked "$("$tool" report --only memory no_memory | tail -n 2 | paste -sd' ') $("$tool" report many | grep -c ^Memory)" \
	"Memory (while recorded) none was allocated or freed by the vendor's calls: a framework's allocator hands out what it took before 0"

# ---- kernels ----
table kernels_of_operators_and_their_launches kernels "$golden-ascend.rtrace"
table kernels_of_a_trainer kernels "$golden-trainer.rtrace"
table kernels_of_two_ranks kernels lm

# ---- copies ----
table copies_have_rates_by_the_device copies lm
table copies_without_device_times_have_none copies "$golden-ascend.rtrace"

# ---- failed calls ----
for trace in "$golden-ascend.rtrace" "$golden-made.rtrace"; do table "failed_calls_of_$(basename "$trace")" failures "$trace"; done

# ---- from launch to start ----
table starts_of_two_ranks launch_to_start lm
table starts_on_two_streams launch_to_start "$golden-ascend.rtrace"
equal without_device_times_there_is_no_table "$("$tool" report --only launch_to_start many | grep -c LAUNCHES)" 0

# ---- steps that lost calls ----
mkdir lossy && "$BUILD/tests/programs/two_ranks" lossy 3 lossy
"$tool" report lossy >said
equal steps_and_stages_that_lost_calls_are_marked "$(sed -n 's/^ *\([01]\) *\([0-9]\) .*  \(.*\), lost calls$/\1 \2 \3/p' said | paste -sd,)" '1 2 device,1 2 critic.0'
equal each_table_that_they_touch_says_so "$(awk '/^[A-Z].*[a-z]/ && !/ {3}/ { table = $1 } /^incomplete: calls were lost in step 2 of rank 1$/ { print table }' said | paste -sd' ')" \
	'Gaps Host Top Copies From Collectives Memory'
equal tables_of_other_steps_do_not "$("$tool" report --steps 1,3 lossy | grep -c -e '^incomplete' -e 'lost calls')" 1
equal json_marks_the_same "$("$tool" report --format json lossy | /usr/bin/python3 -c 'import json, sys
for r in json.load(sys.stdin)["ranks"]:
    print(*[(r["rank"], s["step"], s.get("role")) for s in r["steps"] + r["stages"] if s.get("lost_calls")])' | xargs)" '(1, 2, None) (1, 2, critic)'
equal the_summary_leaves_it_out "$(grep -c '^5 whole steps of 2 ranks' said) $(grep -c '; left out: 1 step ' said)" '1 1'

# ---- gaps on the device ----
for trace in lossy "$golden-ascend.rtrace" "$golden-trainer.rtrace" "$golden-made.rtrace" lm; do table "gaps_on_the_device_of_$(basename "$trace")" device_gaps "$trace"; done
equal without_device_times_there_are_no_gaps "$("$tool" report --only device_gaps many | grep -c GAPS)" 0

# ---- memory ----
mkdir keeps && "$BUILD/tests/programs/made_run" keeps 1 keeps:1000
table memory_of_steps_that_keep_some memory keeps
equal each_second_step_keeps_some "$("$tool" report --only memory,allocators keeps | grep -o '1000 B .*' | sed 's/  */ /g' | sort | uniq -c | xargs)" \
	'2 1000 B 11.72 KiB, 12 2 1000 B 11.72 KiB, 12 framework'

# ---- steps and stages ----
recorded staged --job one --steps all -- step:1 begin:a 9 end begin:b 5 end 3 step:2 begin:a 4 end begin:a 2 end step:3
for trace in lossy keeps staged lm "$golden-ascend.rtrace" "$golden-made.rtrace"; do table "steps_of_$(basename "$trace")" steps "$trace"; done
table stages_of_two_steps stages staged
table stages_without_calls stages lossy
equal steps_that_are_not_told_are_not_named "$("$tool" report --only kernels "$golden-made.rtrace" | grep '^incomplete')" 'incomplete: calls were lost in steps that are not told'

mkdir still && "$BUILD/tests/programs/made_run" still 1 exact ranks:1 steps:6 in:2: still:1 in:4: still:1
equal steps_without_work_among_others_are_named "$("$tool" report --only steps still | sed -n '/^TIMES host/,$p;/^TIMES device/p' | sed 1d)" \
	'no launch or copy was recorded in steps 2, 4.'
equal device_times_are_counted_in_words "$("$tool" report --only steps "$golden-trainer.rtrace" | tail -n 1)" "TIMES device: from OpenCL's profiling of commands (31 device times)"

# ---- shapes, graphs, collectives, ranges ----
mkdir marked products && "$BUILD/tests/programs/two_ranks" marked 3 marked && "$BUILD/tests/programs/two_ranks" products 3 products
table operators_by_shapes operator_shapes products
for name in operator_shapes graphs collectives ranges; do table "${name}_of_ascend" "$name" "$golden-ascend.rtrace"; done
table collectives_of_two_ranks collectives lossy
table ranges_of_two_ranks ranges marked

# ---- matrix products ----
table products_of_matrices_that_fit matrix_products products
equal of_others_nothing_is_guessed "$("$tool" report --only matrix_products products | tail -n 1 | xargs)" '6 3 3 1.573 MFLOP 60.000 us 0.026 fp16 aclnnMatmul'
equal without_shapes_there_is_no_such_table "$("$tool" report --only matrix_products lossy | grep -c TFLOP)" 0

# ---- as CSV ----
for trace in lossy keeps "$golden-ascend.rtrace" lm; do table "csv_has_what_json_has_of_$(basename "$trace")" as_csv "$trace"; done
equal one_table_is_plain_csv "$("$tool" report --format csv --only kernels "$golden-ascend.rtrace" | sed -n '1p;$=')" \
	'rank,worker_group,pid,name,kind,count,host_ns,device_ns,timed,median_ns,p99_ns,share
4'
equal without_data_there_is_no_csv "$("$tool" report --format csv --only kernels nowhere 2>/dev/null || echo $?)" 1

# ---- parts of a report ----
equal only_one_section_is_shown "$("$tool" report --only copies "$golden-ascend.rtrace" | sed '1d;/^$/d;s/ .*//' | paste -sd' ')" 'Copies DIRECTION d2h fill incomplete:'
equal one_that_has_nothing_says_so "$("$tool" report --only device_gaps,graphs,copies many | sed -n 's/: nothing.*/&/p'; echo $?)" 'device_gaps: nothing to show
graphs: nothing to show
copies: nothing to show
0'
equal what_stands_in_another_format_is_told "$(for words in 'text facts,files,time_sources,steps' 'csv summary,steps' 'json launch_queue,steps'; do
	"$tool" report --format ${words% *} --only "${words#* }" "$golden-ascend.rtrace" 2>&1 >/dev/null
done)" 'ranktrace: --only facts: it is in JSON and CSV only: give --format json or csv
ranktrace: --only files: it is in JSON and CSV only: give --format json or csv
ranktrace: --only time_sources: it is in JSON and CSV only: give --format json or csv
ranktrace: --only summary: it is in text only: leave --format out
ranktrace: --only launch_queue: it is in text only: leave --format out'
equal two_of_them_as_json "$("$tool" report --format json --only copies,entry_points "$golden-ascend.rtrace" | python3 -c 'import json, sys
print(*json.load(sys.stdin)["ranks"][0])')" 'rank entry_points host_times copies fills'
equal a_wrong_word_is_answered_by_the_nearest "$("$tool" report --only copies,kernel "$golden-ascend.rtrace" 2>&1 || echo $?)" "ranktrace: unknown --only 'kernel': use kernels
2"
equal every_section_has_a_word "$("$tool" report --values-of=--only | sort)" "$(sed -n 's/^[A-Z]*(\(.*\))$/\1/p' "$here/analysis/report/sections.def" | sort -u)"
equal all_rows_are_shown "$("$tool" report --all --only kernels "$golden-trainer.rtrace" | grep -o 'Top kernels.*\| launch ' | sort | uniq -c | xargs)" '12 launch 1 Top kernels (12 of 12)'
finish
