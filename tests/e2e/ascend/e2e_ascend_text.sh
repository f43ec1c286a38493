#!/bin/sh
# export --to ascend-text: what the files hold is what dump and report say, and msprof-analyze, the real one, makes of them what it should.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"
. "$here/tests/lib/readers.sh"
readers ascend
readers=$here/tests/lib/ascend_readers.py

# recorded NAME OPTION...: two ranks of the training program that communicate
recorded() {
	out=$1
	shift
	cat >job <<-END
		for rank in 0 1; do RANK=\$rank WORLD_SIZE=2 TRAIN_ROOT=$tmp/root.$out split/host split/looked.so handle 1 8 & done; wait
	END
	LD_LIBRARY_PATH=$tmp/split "$run" --save-path "$out" --ranks all "$@" -- sh job >"$out.log" 2>&1
}

build_layouts split
export SIM_KERNEL_NS=5300 SIM_COPY_NS=1700 SIM_COPY_KB_NS=90 SIM_CLOCK=1600000000 SIM_DEVICES=2
recorded run --steps 2-3 --level level1 --contents cpu,npu,memory,shapes
equal it_goes_beside_the_traces "$("$tool" export --to ascend-text run 2>&1 | sed -n 's/.*: exported to //p')" "$(echo run/*)/ascend-text"
text=$(echo run/*/ascend-text)
refused() { # NAME LINE WORDS...: nothing is exported, and why
	name=$1 line=$2
	shift 2
	"$tool" export --to ascend-text "$@" >/dev/null 2>said
	equal "$name" "$? $(cat said)" "2 ranktrace: $line"
}
refused what_is_there_of_before_is_not_mixed_up "$text is there already: remove it, or give another folder with -o" run
refused nor_a_part_with_the_whole '--to ascend-text of a part of a run goes into no folder of the run'"'"'s: give a folder with -o' --steps 2 run
equal another_folder_of_before_is_told "$("$tool" export --to ascend-text -o "$text" run 2>&1 | grep -c 'is not empty: folders of an earlier export stay there')" 1
mkdir both && cp -r run/* both/one && cp -r run/* both/two
refused kinds_would_leave_sums_wrong 'what ascend-text says of steps is summed up of all kinds: leave --kinds out' -o part --kinds launch run
refused nor_runs_with_one_another '--to ascend-text of several runs goes into no folder of one of them: give a folder with -o' both
rm -r both
for jobs in 1 2; do "$tool" export --to ascend-text --jobs $jobs -o jobs.$jobs run 2>said; done
equal ranks_side_by_side_make_the_same_files "$(cd jobs.1 && find . -type f | sort | xargs sha256sum)" "$(cd jobs.2 && find . -type f | sort | xargs sha256sum)"
refused a_run_is_not_overwritten_by_its_export "$(echo run/*/run.json) is a trace or an input and is not overwritten; give another file with -o" -o run/*/run.json run
equal each_folder_names_its_trace "$(sed -n 's/.*"trace": "\([a-z0-9-]*\).*/\1/p' "$text"/*/profiler_info_*.json | paste -sd' ')" 'steps-2-3 steps-2-3'
holds the_files_say_what_dump_and_report_say python "$readers" text "$text" run
equal the_owner_alone_reads_them "$(find "$text" -type d ! -perm 700 -o -type f ! -perm 600)" ''
equal no_other_file_is_left "$(find "$text" -type f ! -name '*.csv' ! -name '*.json')" ''

folder() { dirname "$text"/*/profiler_info_"$1".json; }
msprof-analyze compare -d "$(folder 0)" -bp "$(folder 1)" -o compared >compared.log 2>&1 &
msprof-analyze advisor all -d "$(folder 0)" -o advised >advised.log 2>&1
wait
holds compare_has_all_its_sheets_and_the_report_s_figures python "$readers" compared compared run 1 0
holds and_complains_of_nothing python "$readers" no_errors compared.log
holds the_advisor_writes_its_page sh -c 'test -s advised/mstt_advisor_*.html'
holds and_complains_of_nothing_either python "$readers" no_errors advised.log
msprof-analyze cluster -m all -d "$text" -o clustered >clustered.log 2>&1
holds both_ranks_of_a_cluster_have_the_report_s_figures python "$readers" clustered clustered run
holds and_no_complaint python "$readers" no_errors clustered.log

# ---- the engine of the Perfetto UI ----

cat >engine.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import query
steps, arrows, early, stats = query.run(sys.argv[2], [
    "select count(*) from slice where name like 'ProfilerStep#%'", "select count(*) from flow", "select coalesce(sum(value), 0) from stats where name = 'flow_end_without_start'",
    "select name from stats where value > 0 and severity in ('error', 'data_loss')"])
# An arrow may go backwards, as far as the device's clock is known. The format has microseconds since 1970, in which a double has no
# nanoseconds: neighbours may cross, but for steps, which have room between them.
print(steps[1][0][0], arrows[1][0][0] + early[1][0][0] > 50, [n for (n,) in stats[1] if n != "slice_drop_overlapping_complete_event"])
END
if sh "$here/tests/helpers/python/venv.sh" "$here/build/venv" >"$tmp/venv" 2>&1 && command -v node >/dev/null; then
	for rank in 0 1; do
		equal "each_step_is_there_and_each_arrow_has_a_number_of_its_own_on_rank_$rank" \
			"$("$here/build/venv/bin/python" engine.py "$here/tests/perfetto" "$(folder $rank)/ASCEND_PROFILER_OUTPUT/trace_view.json")" '2 True []'
	done
else
	fail each_arrow_has_a_number_of_its_own "no node, or no Python packages"
fi

# ---- a trainer on another runtime: no collectives, no operators ----

cat >job <<END
RANK=0 WORLD_SIZE=2 $lm --quiet --steps 4 &
RANK=1 WORLD_SIZE=2 $lm --quiet --steps 4 && wait \$!
END
"$run" --save-path demo --steps 2-3 --ranks all --level level1 --contents cpu,npu,memory -- sh job >demo.log 2>&1
"$tool" export --to ascend-text demo 2>said
text=$(echo demo/*/ascend-text)
holds steps_of_OpenCL_have_the_report_s_figures python "$readers" demo "$text" demo
msprof-analyze compare -d "$(folder 0)" -bp "$(folder 1)" -o compared.demo >compared.log 2>&1
holds compare_has_the_report_s_figures_of_OpenCL python "$readers" compared compared.demo demo 1 0
holds and_no_complaint_of_it python "$readers" no_errors compared.log

# ---- as a step begins another thread is still in an operator, as torch_npu's is with a queue ----

mkdir late && "$BUILD/tests/programs/two_ranks" late 3 late
text=late.text
"$tool" export --to ascend-text -o $text late 2>said
msprof-analyze compare -d "$(folder 0)" -bp "$(folder 1)" -o compared.late >compared.log 2>&1
holds compare_knows_the_operators_of_a_step_that_begins_in_one python "$readers" compared compared.late late 1 0
equal an_operator_whose_bar_is_cut_says_how_long_it_was "$(grep -ho '"whole duration(us)":[0-9.]*' $text/*/*/trace_view.json | sort | uniq -c | xargs)" '2 whole duration(us):4.000'

# ---- beside ranktrace compare ----

mkdir usual slow
"$BUILD/tests/programs/kernel_times" usual $(for kernel in $(seq 14); do echo 100000; done)
"$BUILD/tests/programs/kernel_times" slow 103000 130000 99000 190000 40000 117000 100000 300000 108000 145000 75000 100500 100000 161000
for one in usual slow; do "$tool" export --to ascend-text -o $one.text $one 2>said; done
msprof-analyze compare -d slow.text/*_ascend_pt -bp usual.text/*_ascend_pt -o compared.slow >compared.log 2>&1
holds its_ten_largest_differences_are_those_of_ranktrace_compare python "$readers" largest_differences compared.slow usual slow

# ---- against CUDA, as which compare takes a file of Chrome's ----

mkdir cuda && "$BUILD/tests/programs/two_ranks" cuda 3 cuda
"$tool" export --to chrome --ranks 1 -o cuda.json cuda 2>said
msprof-analyze compare -d cuda.json -bp "$(folder 0)" -o compared.cuda >compared.log 2>&1
holds compare_has_operators_and_times_of_CUDA python "$readers" against_gpu compared.cuda cuda 1

# ---- without times of the device nothing is said of them ----

"$run" --save-path host --steps 2 --ranks 0 --contents cpu -- sh job >host.log 2>&1
"$tool" export --to ascend-text -o host.text host 2>said
equal there_is_no_figure_and_no_zero "$(find host.text -name 'step_trace_time*' -o -name 'kernel_details*'; grep -c '"Overlap Analysis"\|"Ascend Hardware"' host.text/*/ASCEND_PROFILER_OUTPUT/trace_view.json)" 0

# ---- a step goes on behind its last call ----

${CC:-gcc} -std=gnu11 -O1 -Wall -I"$here" -o stage_then_load "$here/tests/programs/stage_then_load.c" -lOpenCL || exit 1
RANK=0 "$run" --save-path loads --steps all --contents cpu,npu -- ./stage_then_load 2>loads.log
"$tool" export --to ascend-text -o loads.text loads 2>said
report a_step_that_loads_behind_a_stage_is_as_long_as_in_the_report loads \
	"[round(s['duration_ns'] / 1000) for s in ranks[0]['steps'] if s['step']] == [$(tail -qn +2 loads.text/*/*/step_trace_time.csv | cut -d, -f8 | xargs printf '%.0f,')]"

# ---- which folder ----

recorded windows --steps 2,4-5,7
"$tool" export --to ascend-text windows 2>said
text=$(echo windows/*/ascend-text)
steps_of() { for f in "$@"; do tail -n +2 "$f/ASCEND_PROFILER_OUTPUT/step_trace_time.csv" | cut -d, -f2 | paste -sd ' '; done; }
equal a_folder_a_window "$(steps_of "$text"/*)" '2
4 5
7
2
4 5
7'
equal which_is_told "$(grep -c -- --merge-windows said)" 1
equal each_has_the_next_time_in_its_name "$(for f in "$text"/*; do echo "${f##*/}" | sed 's/_[0-9]*_ascend_pt$//'; done | uniq -c | awk '{ print $1 }' | xargs)" '3 3'
"$tool" export --to ascend-text --merge-windows -o merged windows 2>said
equal one_folder_for_all_windows_of_a_rank "$(steps_of merged/*)" '2 4 5 7
2 4 5 7'
equal of_which_nothing_need_be_told "$(grep -c -- --merge-windows said)" 0
"$tool" export --to ascend-text --merge-windows --steps 5 --ranks 1 -o some windows 2>said
equal steps_and_ranks_that_are_asked_for "$(steps_of some/*)" 5
equal what_is_not_in_calls_is_named "$(grep -c 'raw data (FRAMEWORK, PROF_\*) and logs$' said)" 1
equal cache_hits_are_missed_at_level2_alone "$(grep -c l2_cache said)" 0
equal several_runs_have_no_folder_of_their_own "$("$tool" export --to ascend-text run windows 2>&1; echo $?)" \
	'ranktrace: --to ascend-text of several runs goes into no folder of one of them: give a folder with -o
2'

equal memory_of_no_stage_is_of_no_role \
	"$("$tool" export --to ascend-text --roles ref -o nothing "$here"/tests/golden/2.3-ascend.rtrace 2>&1; echo $?; ls nothing 2>/dev/null)" 'ranktrace: nothing of the --roles is in the trace: it has no stages
ranktrace: of what was recorded something is missing: `ranktrace report` says what, of whom
1'

# ---- several processes of a rank: cluster tools take one of them ----

for i in 1 2; do RANK=3 WORLD_SIZE=5 "$BUILD/tests/bench/stream" -d -s $((2 * i)) twins/$i >/dev/null; done
RANK=4 WORLD_SIZE=5 "$BUILD/tests/bench/stream" -d -s 2 twins/3 >/dev/null
for kind in text db; do
	for jobs in 1 2; do
		"$tool" export --to ascend-$kind --jobs $jobs -o twins.$kind.$jobs twins 2>said
		equal "which_ranks_have_several_is_told_by_${kind}_$jobs" "$(grep 'cluster tools' said)" "ranktrace: rank 3: folders of several processes, of which cluster tools \
read the newest: export the traces of one process, or one of the --roles, to a folder of its own (-o)"
	done
	"$tool" export --to ascend-$kind -o alone.$kind twins/1 twins/3 2>said
	equal "of_one_process_nothing_need_be_told_by_$kind" "$(grep -c 'cluster tools' said)" 0
done
for path in twins.text.1 alone.text; do msprof-analyze cluster -m all -d $path -o out.$path >$path.log 2>&1 & done
wait
equal it_is_the_newest_that_they_read "$(cut -d, -f1-3 out.twins.text.1/*/cluster_step_trace_time.csv | tail -n +2 | sort | paste -sd ' ')" '1,rank,3 1,rank,4 2,rank,3 2,rank,4 3,rank,3 4,rank,3'
equal alone_the_other_is_read "$(cut -d, -f1-3 out.alone.text/*/cluster_step_trace_time.csv | tail -n +2 | sort | paste -sd ' ')" '1,rank,3 1,rank,4 2,rank,3 2,rank,4'
finish
