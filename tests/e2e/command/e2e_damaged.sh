#!/bin/sh
# Traces that are cut, have holes, names that are hardly texts, clocks set back: exports hold what is left, their readers take it, and what is
# missing is said in them.
# takes: 60 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/readers.sh"
cd "$tmp" || exit 1
readers pytorch
pytorch=$venv/bin/python
readers ascend

for trace in whole cut holes; do mkdir $trace && "$BUILD/tests/programs/two_ranks" $trace 60; done
mkdir wild && "$BUILD/tests/programs/two_ranks" wild 40 wild
mkdir huge && "$BUILD/tests/programs/two_ranks" huge 4 huge
cat >damage.py <<'END'
"""damage.py FOLDER cut|holes: rank 0's file ends at 6/10, or rank 1's has two stretches of nothing."""
import os, sys
of, how = sys.argv[1:]
path = f"{of}/rank{0 if how == 'cut' else 1}.rtrace"
size = os.path.getsize(path)
with open(path, "r+b") as f:
    if how == "cut":
        f.truncate(size * 6 // 10)
    for at in (size // 2, size * 7 // 10) if how == "holes" else ():
        f.seek(at)
        f.write(bytes(300))
END
for how in cut holes; do holds "a_trace_is_damaged_$how" python damage.py $how $how; done

# exported TRACE FORMAT NAME WHO: what it says and ends with; missing parts are told, in the export, too
exported() {
	"$tool" export --to "$2" -o "$1.$3" "$1" 2>said
	equal "$1_is_exported_to_$2" "$? $(grep -c '^ranktrace: of what was recorded something is missing' said)" '1 1'
}
for trace in cut holes wild huge; do
	exported $trace ascend-text text
	exported $trace ascend-db db
	exported $trace csv csv
	exported $trace chrome read/
	exported $trace perfetto pftrace
done
"$tool" export --to csv -o whole.csv whole
equal a_whole_one_ends_well $? 0
missing() { "$pytorch" -c 'import csv, re, sys; print(*(re.sub("[0-9]+", "N", row["missing"]) for row in csv.DictReader(open(sys.argv[1]))), sep="; ")' "$1.csv/processes.csv"; }
equal what_is_missing_stands_in_tables "$(for trace in whole cut holes wild; do missing $trace; done)" '; 
N files cut off; 
; N chunks missing, N records lost
N calls dropped; N calls dropped'
equal beside_the_name_of_a_process "$(grep -h -o 'incomplete: [^"]*' wild.read/*)" 'incomplete: 5 calls dropped
incomplete: 5 calls dropped'
equal in_what_the_profiler_says_of_itself "$(grep -h -o '"missing": .*' wild.text/*/profiler_info_*.json)" '"missing": "5 calls dropped"
"missing": "5 calls dropped"'
cat >engine.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import query
labels, errors = query.run(sys.argv[2], ["select a.string_value from process join args a using (arg_set_id) where a.key like 'chrome.process_label%'",
                                         "select name from stats where value > 0 and (severity in ('error', 'data_loss') or name = 'tokenizer_skipped_packets')"])
print(len(errors[1]), *(row[0] for row in labels[1]), sep="; ")
END
engine=${RANKTRACE_VENV:-$here/build/venv}
if command -v node >/dev/null && sh "$here/tests/helpers/python/venv.sh" "$engine" >engine.log 2>&1; then
	equal which_perfetto_shows "$("$engine/bin/python" engine.py "$here/tests/perfetto" wild.pftrace)" '0; incomplete: 5 calls dropped; incomplete: 5 calls dropped'
	equal names_of_2_MiB_too "$("$engine/bin/python" engine.py "$here/tests/perfetto" huge.pftrace)" '0; incomplete: 5 calls dropped; incomplete: 5 calls dropped'
	equal and_of_one_alone "$("$engine/bin/python" engine.py "$here/tests/perfetto" cut.pftrace)" '0; incomplete: 1 files cut off'
fi

equal names_of_2_MiB_are_whole_in_tables "$(tr , '\n' <huge.csv/launch.csv | awk 'length == 2097152' | wc -l)" 8

# What is left is what dump and report say, and what readers make of it.
for trace in cut holes; do
	holds "readers_of_pytorch_take_$trace" "$pytorch" "$here/tests/lib/pytorch_readers.py" "$tool" $trace $trace.read
done
for of in cut.text holes.text wild.db huge.db; do
	trace=${of%.*} kind=${of#*.}
	msprof-analyze cluster -m all -d $of -o $of.clustered >$of.log 2>&1
	holds "a_cluster_of_${trace}_${kind}_is_taken" python "$here/tests/lib/ascend_readers.py" no_errors $of.log
	[ $kind = db ] || holds "its_steps_are_the_report_s_${trace}" python "$here/tests/lib/ascend_readers.py" cluster_steps $of.clustered $trace
done
finish
