#!/bin/sh
# What the commands answer to a question that goes wrong: nothing is destroyed, nothing false is said.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
ulimit -c 0
. "$here/tests/helpers/storage/lib.sh"
export RANKTRACE_CONTENTS=cpu LC_ALL=C
unset RANK

# answer COMMAND...: all that it says, and its exit status
answer() {
	{ "$@"; echo "status $?"; } 2>&1
}

# ---- export onto a trace ----

mkdir traces
cp "$here/tests/golden/2.0-trainer.rtrace" traces/input.rtrace
cp traces/input.rtrace other.json
head -c 10 traces/input.rtrace >traces/damaged.rtrace
echo old >old.json
for file in traces/input.rtrace other.json traces/damaged.rtrace; do
	cp "$file" before
	equal "export_onto_${file##*/}_is_refused" "$(answer "$tool" export --to chrome -o "$file" traces/input.rtrace)" \
		"ranktrace: $file is a trace or an input and is not overwritten; give another file with -o
status 2"
	holds "and_${file##*/}_is_as_it_was" cmp before "$file"
done
ln other.json link.json
equal an_input_under_another_name_is_refused "$(answer "$tool" export --to chrome -o link.json other.json | tail -n 1)" 'status 2'
"$tool" export --to chrome -o old.json traces/input.rtrace
holds an_older_time_line_is_replaced /usr/bin/python3 -m json.tool old.json json

# ---- a report of what is not over ----

mkfifo word && exec 8<>word
# by_hand CASE SOURCE: starts it without a launcher, until it has called and its file is there; its number is in $pid
by_hand() {
	rm -rf out said
	env RANK=0 LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_JOB=j \
		RANKTRACE_STEPS=all RANKTRACE_STEP_SOURCE="$2" ./store "$1" <word >said 2>err &
	pid=$!
	until grep -qs called said && "$tool" report out 2>/dev/null | grep -q ' none: still running$'; do :; done
}
# told EXPRESSION: of the one process in the report
told() {
	"$tool" report --format json out | /usr/bin/python3 -c 'import json, sys; x = json.load(sys.stdin)["ranks"][0]; print('"$1"')'
}
# source_said: what stands below "Step source"
source_said() { "$tool" report out | sed -n '/^Step source/{n;p;}'; }

by_hand waiting_in_steps 'api;kernel:^sgd$'
equal a_source_that_fired_is_known_while_the_process_runs "$(source_said)" api
equal and_json_tells_it_too "$(told 'x["step_source"], x["runs"], x["clean_end"]')" 'api True False'
equal what_a_running_process_has_in_memory_is_counted "$(told 'x["in_memory"] + x["events"]["kept"]')" 60
holds and_told grep -qx 'rank 0: [0-9]* calls are not in a file yet' <<-END
	$("$tool" report out)
END
kill -9 "$pid"
wait "$pid" 2>/dev/null
equal a_source_that_fired_is_known_when_the_process_is_dead "$(source_said)" api
equal what_a_dead_process_left_in_memory_is_counted "$(told 'x["in_memory"] + x["events"]["kept"], x["runs"]')" '60 False'
answer "$tool" report out >got
holds and_who_saves_it_is_told grep -q 'events are still in memory: run `ranktrace recover`$' got
equal and_something_is_missing "$(tail -n 1 got)" 'status 1'
"$tool" recover out >/dev/null
cp -r out recovered
equal after_recover_nothing_is_in_memory "$(told 'x["in_memory"], x["events"]["kept"], x["step_source"]')" '0 60 api'

by_hand waiting api
equal that_no_source_fired_so_far_is_told "$(source_said)" 'none has fired yet'
equal without_its_session_the_source_is_not_known "$(RANKTRACE_SESSION_ROOT=$tmp/none source_said)" \
	'unknown: the file was not closed'
echo >&8
wait "$pid"
holds at_its_end_it_is_known_that_none_fired grep -q '^no step source fired' <<-END
	$(source_said)
END

# ---- killed when its files were whole ----

rm -rf out said
# shellcheck disable=SC2016
RANK=0 "$run" --save-path "$tmp/out" --job j --steps 1 -- sh -c 'echo $$ >pid; exec ./store waiting_in_steps' <word >said 2>err &
launcher=$!
until grep -qs called said && [ -n "$(find out -name '*.rtrace')" ]; do :; done
# end_said: the column END
end_said() { "$tool" report out | sed -n '/ END$/{n;s/.*[0-9]  //;p;}'; }
equal between_windows_a_process_is_said_to_run "$(end_said)" 'none: still running'
kill -9 "$(cat pid)"
wait "$launcher" 2>/dev/null
equal a_process_killed_behind_its_last_window_has_no_clean_end "$(end_said)" 'killed, signal 9'
equal and_json_tells_by_what "$(told 'x["signal"], x["clean_end"], x["events"]["kept"]')" '9 True 30'

# ---- two processes of one rank ----

twins='several processes recorded as this rank: set a RANK for each, unless the processes belong together'
rm -rf out
RANK=3 "$run" --save-path "$tmp/out" --steps all -- sh -c './store few; ./store few' >said 2>err
equal ranks_are_counted_not_processes "$(sed -n 's/ in .*//p' err)" 'ranktrace: 2 processes of 1 rank, 10000 events, 0 lost'
holds and_that_two_are_of_one_rank_is_told grep -qx "ranktrace: rank 3: $twins" err
equal check_tells_it_and_finds_no_cause "$(answer "$tool" check out)" "recorded 10000 events of rank 3
rank 3: $twins
status 0"
"$tool" report out >said
equal the_report_tells_it "$(grep -c "^rank 3: $twins\$" said)" 1
pids=$("$tool" report --format json out | python3 -c 'import json, sys; print(*sorted(r["pid"] for r in json.load(sys.stdin)["ranks"]))')
equal and_which_of_them_a_row_is_of "$(sed -n '/^Steps/,/^$/p' said | awk '$1 == 3 { print $2 }' | sort -n | paste -sd' ')" "$pids"
equal or_a_line "$(sed -n '/^Host time/,/^$/p' said | grep -o 'outside of steps.*' | sed 's/[0-9]*)$/N)/' | sort -u)" 'outside of steps of rank 3 (PID N)'
rm -rf out
RANK=3 "$run" --save-path "$tmp/out" --steps all -- sh -c './store few; RANK=4 ./store few' >said 2>err
equal of_two_ranks_nothing_is_told "$("$tool" report out | grep -c "$twins") $(sed -n 's/ in .*//p' err)" \
	'0 ranktrace: 2 ranks, 10000 events, 0 lost'

# ---- steps that are not there ----

equal steps_that_are_not_there_are_told "$(answer "$tool" report --steps 99 recovered | grep -v '^ ' | sed -n '/^ranktrace/p;$p')" \
	"ranktrace: none of the --steps is in the trace, but steps 1, 2
status 1"
equal one_that_is_there_is_enough "$(answer "$tool" report --steps 2,99 recovered | tail -n 1)" 'status 0'
equal that_no_step_is_told_apart_is_told "$(answer "$tool" report --steps 99 out | sed -n '/^ranktrace/p;$p')" \
	"ranktrace: none of the --steps is in the trace: no step source fired
status 1"

# ---- words that nobody need look up ----

equal where_device_times_are_from_is_told_in_words "$("$tool" report "$here"/tests/golden/2.2-trainer.rtrace | sed -n '/^TIMES device/p')" \
	"TIMES device: from OpenCL's profiling of commands (31 device times)"
sed -n '/^| kind | level/,/^$/p' "$here/docs/output.md" | awk -F'|' 'NR > 2 && $2 !~ /unknown/ { split($2, k, ","); for (i in k) { gsub(" ", "", k[i]); split($3, l, ","); gsub(" ", "", l[1]); print k[i], l[1] } }' | sort >kinds.told
"$tool" hooks | awk 'NR > 1 && $2 !~ /^(question|tensor)$/ { sub("[+]memory", "", $3); print $2, $3 }' | sort -u >kinds
equal every_kind_is_explained_with_its_level "$(diff kinds kinds.told)" ''

# ---- steps and ranks, for every reader ----

# lines COMMAND...: what it prints of each step, as "step count", from dump
lines() { "$tool" dump --format jsonl "$@" | sed 's/.*"step":\([^,]*\),.*/\1/' | sort | uniq -c | awk '{ print $2, $1 }'; }
"$tool" dump --format jsonl recovered >all
equal dump_has_the_steps_that_are_asked_for "$(lines --steps 2 recovered)" "$(lines recovered | grep '^2 ')"
equal and_so_in_columns "$("$tool" dump -s 2 recovered | awk 'NR > 1 { n[$6]++ } END { for (s in n) print s, n[s] }')" "$(lines recovered | grep '^2 ')"
equal dump_has_the_ranks_that_are_asked_for "$("$tool" dump -r 3 --format jsonl out | cut -d, -f1 | sort | uniq -c | awk '{ print $1, $2 }')" '5000 {"rank":3'
# slices ARGUMENT...: "rank step" of the slices of calls in the time line, counted
slices() {
	"$tool" export --to chrome "$@" | /usr/bin/python3 -c 'import collections, json, sys
e = json.load(sys.stdin)["traceEvents"]
names = {x["pid"]: x["args"]["name"] for x in e if x["name"] == "process_name"}
n = collections.Counter((names[x["pid"]].split(" (")[0], x["args"].get("step")) for x in e if x["ph"] == "X" and x["cat"] != "user_annotation")
print(*sorted((r, s, c) for (r, s), c in n.items()), sorted(x["name"] for x in e if x["ph"] == "X" and x["cat"] == "user_annotation"))'
}
equal export_has_the_steps_that_are_asked_for "$(slices --steps 2 recovered)" "('rank 0', 2, $(grep -c '"step":2,' all)) ['ProfilerStep#2']"
equal export_has_the_ranks_that_are_asked_for "$(slices --ranks 4 out)" "('rank 4', None, 5000) []"
for command in dump 'export --to chrome'; do
	word=${command%% *}
	# shellcheck disable=SC2086
	{
		equal "${word}_says_that_the_steps_are_not_there" "$(answer "$tool" $command --steps 99 recovered | sed -n '/^ranktrace/p;$p')" \
			'ranktrace: none of the --steps is in the trace, but steps 1, 2
status 1'
		equal "${word}_says_that_the_ranks_are_not_there" "$(answer "$tool" $command --ranks 99 recovered | sed -n '/^ranktrace/p;$p')" \
			'ranktrace: none of the --ranks is in the trace, but rank 0
status 1'
		equal "${word}_of_no_list_says_so" "$(answer "$tool" $command --steps x recovered | sed -n '1p;$p')" \
			"ranktrace: --steps: 'x' is not a number from 0 to 2^53: write numbers, ranges like 5-9, or all
status 2"
	}
done
for command in report dump 'export --to chrome' recover hooks; do
	# shellcheck disable=SC2086
	equal "an_unknown_option_of_${command%% *}_is_told_by_ranktrace" "$(answer "$tool" $command --foo x | sed -n '1p;$p')" \
		"ranktrace: unknown option '--foo': --help lists them
status 2"
done
equal an_option_that_is_misspelt_is_answered_by_the_one_that_is_meant "$(answer "$tool" report --step 1 --formt json recovered)" \
	"ranktrace: unknown option '--formt': write --format
status 2"
equal an_option_without_its_value_is_told "$(answer "$tool" dump recovered --steps)" \
	'ranktrace: --steps needs a value: --help tells which
status 2'
equal check_says_so_too "$(answer "$tool" check --foo)
$(answer "$tool" check --pid)" "ranktrace: unknown option '--foo': --help lists them
status 2
ranktrace: --pid needs a value: --help tells which
status 2"
equal a_command_that_is_misspelt_is_answered_by_the_one_that_is_meant "$(answer "$tool" reprot recovered)" \
	'ranktrace: reprot: no such command: write ranktrace report
status 2'

# ---- where there is nothing to read ----

mkdir nothing begun
: >begun/x.rtrace.part
for command in report dump 'dump --format jsonl' 'export --to chrome'; do
	# shellcheck disable=SC2086
	{
		word=$(echo $command | tr -d - | tr ' ' _)
		equal "${word}_of_an_empty_folder_says_what_to_do" "$(answer "$tool" $command nothing)" \
			'ranktrace: nothing: no *.rtrace file; `ranktrace check` says why a run recorded nothing
status 1'
		equal "${word}_of_a_file_that_was_just_begun_says_so" "$(answer "$tool" $command begun)" \
			"ranktrace: $tmp/begun/x.rtrace.part: empty so far; \`ranktrace check\` says what its process is doing
status 1"
	}
done
equal names_of_48_letters_keep_the_columns "$("$tool" dump traces/input.rtrace | awk 'NR == 1 { print index($0, "DETAILS") - index($0, "NAME") }')" 49

# ---- check of a broken file ----

mkdir broken
head -c 700 "$here/tests/golden/2.0-trainer.rtrace" >broken/cut.rtrace
for path in broken broken/cut.rtrace; do
	equal "check_says_that_a_file_is_broken_given_${path##*/}" "$(answer "$tool" check $path)" \
		"rank 0: $tmp/broken/cut.rtrace is broken: parts of it are missing, or it was cut off: \`ranktrace report\` shows what is left
status 1"
done
head -c 10 broken/cut.rtrace >traces/short.rtrace
equal check_says_that_a_file_cannot_be_read "$(answer "$tool" check traces/short.rtrace)" \
	"ranktrace: $tmp/traces/short.rtrace: no whole chunk: no trace file, or cut off right at its start
status 1"
file=$(find out -name '*.rtrace' | head -n 1)
head -c -400 "$file" >cut && mv cut "$file"
for given in "$file" out "${file%/*/*}"; do
	answer "$tool" check "$given" >got
	what=$(basename "$given" | sed 's/.*rtrace$/file/; s/^[0-9].*/run/')
	holds "a_broken_file_is_told_although_its_run_is_written_down_beside_it_given_the_$what" \
		grep -q "^rank [34]: $tmp/$(echo "${file#"$tmp"/}" | sed 's/[.]/[.]/g') is broken: parts of it" got
	equal "and_the_status_tells_it_given_the_$what" "$(tail -n 1 got)" 'status 1'
done
head -c 10 "$here/tests/golden/2.0-trainer.rtrace" >"$file"
equal a_file_of_a_run_that_cannot_be_read_is_told "$(answer "$tool" check out | sed -n '/no whole chunk/p;$p' | sed "s|$tmp/||")" \
	"ranktrace: ${file#"$tmp"/}: no whole chunk: no trace file, or cut off right at its start
status 1"

# ---- words that make no sense ----

equal recover_of_a_path_that_is_not_there_complains "$(answer "$tool" recover nope)" \
	'ranktrace: nope: No such file or directory: name the --save-path of a run
status 1'
equal recover_where_nothing_is_to_be_recovered_is_content "$(answer "$tool" recover traces)" 'nothing to recover
status 0'
equal a_process_that_is_no_number_is_refused "$(answer "$tool" check --pid x)" \
	"ranktrace: unknown --pid 'x': use the number of a process, as ps shows it
status 2"
for command in report dump export html view recover check hooks env supervise; do
	[ "$("$tool" help $command)" = "$("$tool" $command --help)" ] || echo $command
done >differ
equal help_of_a_command_is_its_own_help "$(cat differ)" ''
equal help_of_what_is_no_command_says_so "$(answer "$tool" help nonsense | sed -n '1p;$p')" 'ranktrace: nonsense: no such command: ranktrace --help lists them; to record, run ranktrace-run
status 2'

# ---- what level and contents leave out ----

# left_out OPTIONS...: what the report says of it
left_out() {
	rm -rf out
	RANK=0 "$run" --save-path "$tmp/out" --steps all "$@" -- "$lm" --quiet --steps 2 >/dev/null 2>&1
	"$tool" report out | sed -n 's/.*not recorded because of level or contents (most: [^)]*)//p'
}
equal the_level_that_brings_what_is_left_out_is_told "$(left_out --contents cpu,memory)" ': give --level level1'
equal the_contents_that_bring_it_are_told "$(left_out --level level1)" ': give memory in --contents'
equal both_are_told "$(left_out)" ': give --level level1 and memory in --contents'
equal nothing_is_told_where_nothing_is_left_out "$(left_out --level level1 --contents cpu,memory)" ''

finish
