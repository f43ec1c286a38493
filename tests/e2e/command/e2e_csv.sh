#!/bin/sh
# The tables of `export --to csv` have what the dump has, cell by cell, for each kind of event; and SQL can read them.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/sim.sh"

cat >compare.py <<'EOF'
"""compare.py TOOL TRACE TABLES: every event of the dump against its row; says how many events, kinds and device times there are."""
import csv, glob, json, os, subprocess, sys
tool, trace, folder = sys.argv[1:]
dump = subprocess.run([tool, "dump", "--format", "jsonl", trace], capture_output=True, text=True).stdout
events = [e for e in map(json.loads, dump.splitlines()) if e["kind"] != "dropped"]
table = {os.path.basename(f)[:-4]: list(csv.DictReader(open(f, newline=""))) for f in glob.glob(folder + "/*.csv")}
process = {p["process"]: p for p in table["processes"]}
times = {(t["process"], t["id"]): t for t in table.get("device_times", [])}
rows = [dict(row, kind=kind) for kind, all in table.items() for row in all if "nested" in row]
assert len({(r["process"], r["id"]) for r in rows}) == len(rows), "an id comes twice"

def key(pid, tid, begin, name, duration): return int(pid), int(tid), int(begin), name, int(duration)
wanted = {}
for e in events:
    wanted.setdefault(key(e["pid"], e["tid"], e["begin_ns"], e["name"], e["duration_ns"]), []).append(e)

def shown(e, column):
    value = e.get(column)
    if value is None or value == "": return ""
    if column in ("global", "local"): return "x".join(map(str, value))
    if column in ("nested", "captured"): return "1" if value else "0"
    if column == "kernels":
        left_out = ["+%d" % e["kernels_left_out"]] if "kernels_left_out" in e else []
        return ";".join(["%d*%s" % (k["nodes"], k["name"]) for k in value] + left_out)
    if column == "stack":
        return ";".join("?" if f.get("function", 0) is None else f"{f['file']}({f['line']}): {f['function']}" if "function" in f
                        else f"{f['module'] or '?'}({f['offset']})" + (f": {f['symbol']}" if f["symbol"] else "") for f in value)
    if column == "shapes": return ";".join("%s[%s]%s" % (t["type"], ",".join(map(str, t["dims"])), "" if t["format"] == "ND" else ":" + t["format"]) for t in value)
    return str(value)

for r in rows:
    p = process[r["process"]]
    e = wanted[key(p["pid"], r["tid"], r["begin_ns"], r["name"], r["duration_ns"])].pop()
    e.setdefault("nested", False)
    if "captured" in r: e.setdefault("captured", False)
    for column, cell in r.items():
        if column in ("process", "id"): continue
        if column == "shapes" and e.get("tensors_left_out"): continue
        assert cell == shown(e, column), (r["kind"], column, cell, e)
    left = {k for k in e if k not in r and k not in ("pid", "tensors_left_out", "kernels_left_out", "stack_cut") and not k.startswith("device_") and shown(e, k)}
    assert not left, (r["kind"], left)
    t = times.pop((r["process"], r["id"]), None)
    assert (t and (t["begin_ns"], t["duration_ns"], t["source"])) == (
        "device_begin_ns" in e and (str(e["device_begin_ns"]), str(e["device_duration_ns"]), e.get("device_source", "")) or None), (r, t)
assert not any(wanted.values()), [w for w in wanted.values() if w][:1]
assert not times, list(times)[:1]
print(len(rows), "events of", len({r["kind"] for r in rows}), "kinds,", len(table.get("device_times", [])), "timed")
EOF

# same TRACE: do the tables say what the dump says? Of some of the traces something was lost: the status says so.
same() {
	rm -rf tables
	"$tool" export --to csv -o tables "$1" 2>/dev/null
	python3 compare.py "$tool" "$1" tables
}

# told TRACE: what the report says of it, in the same words
told() {
	"$tool" report --format json "$1" | python3 -c '
import json, sys
r = json.load(sys.stdin)["ranks"][0]
print(r["events"]["kept"], "events of", sys.argv[1], "kinds,", r["device_times"], "timed")' "$("$tool" dump --format jsonl "$1" | grep -o '"kind":"[a-z_]*"' | grep -v dropped | sort -u | wc -l)"
}

# Operators, collectives, communicators, markers, allocators, shapes: the simulated CANN.
build_layouts split
LD_LIBRARY_PATH=$tmp/split "$run" --save-path npu --steps all --level level2 --contents cpu,npu,memory,shapes -- env split/host split/looked.so handle 1 3 >run.log 2>&1
equal every_cell_of_a_run_with_most_kinds "$(same npu)" "$(told npu)"
equal the_command_is_that_of_the_report "$(/usr/bin/python3 -c 'import csv; print(*(p["command"] for p in csv.DictReader(open("tables/processes.csv"))))')" \
	"$("$tool" report --format json npu | /usr/bin/python3 -c 'import json, sys; print(*(r["command"] for r in json.load(sys.stdin)["ranks"]))')"
holds there_are_many_of_them test "$(find tables -name '*.csv' | wc -l)" -gt 15
equal the_owner_alone_reads_them "$(stat -c %a tables tables/launch.csv | paste -sd ' ')" '700 600'
equal no_other_file_is_left "$(find tables -type f ! -name '*.csv' | wc -l)" 0
"$tool" export --to csv --kinds launch,copy --steps 2 -o some npu
equal kinds_and_steps_that_are_asked_for "$(cd some && echo *.csv; cut -d, -f5 launch.csv copy.csv | sort -u | paste -sd ' ')" \
	'copy.csv device_times.csv launch.csv processes.csv steps.csv
2 step'
equal and_their_device_times_alone "$(cut -d, -f4,5 some/device_times.csv | sort -u | paste -sd ' ')" '2,copy 2,launch step,kind'
for golden in "$here"/tests/golden/2.*.rtrace; do
	equal "every_cell_of_$(basename "$golden" .rtrace)" "$(same "$golden")" "$(told "$golden")"
done

rm -rf tables
"$tool" export --to csv -o tables npu
equal what_a_step_s_operators_took_by_SQL "$(python3 - <<'EOF'
import csv, sqlite3
db = sqlite3.connect(":memory:")
for name in ("operator", "device_times"):
    rows = list(csv.reader(open(f"tables/{name}.csv", newline="")))
    db.execute("create table %s (%s)" % (name, ",".join('"%s"' % c for c in rows[0])))
    db.executemany("insert into %s values (%s)" % (name, ",".join("?" * len(rows[0]))), rows[1:])
print(*db.execute("select count(*), sum(t.duration_ns) from operator o join device_times t using (process, id) where o.step = '2'").fetchone())
EOF
)" "$("$tool" dump --format jsonl --steps 2 npu | python3 -c '
import json, sys
timed = [e["device_duration_ns"] for e in map(json.loads, sys.stdin) if e["kind"] == "operator" and "device_begin_ns" in e]
print(len(timed), sum(timed))')"

# ---- what is said ----

equal a_folder_is_needed "$("$tool" export --to csv npu 2>&1; echo $?)" 'ranktrace: --to csv makes several files: give a folder with -o
2'
: >file
equal a_file_is_no_folder "$("$tool" export --to csv -o file npu 2>&1; echo $?)" 'ranktrace: file/steps.csv: Not a directory; give another folder with -o
1'
equal an_input_is_no_place_for_them "$("$tool" export --to csv -o npu npu 2>&1; echo $?)" 'ranktrace: npu is a trace or an input and is not overwritten; give another file with -o
2'
equal kinds_that_are_none "$("$tool" export --to csv --kinds launch,kopy -o none npu 2>&1 | cut -d: -f1-3; ls none 2>&1)" "ranktrace: unknown --kinds 'kopy': use copy
ls: cannot access 'none': No such file or directory"
equal all_kinds_where_none_is_meant "$("$tool" export --to csv --kinds anything -o none npu 2>&1)" "ranktrace: unknown --kinds 'anything': use launch, copy, fill, map, alloc, free, operator, sync, stream, event, module, graph, resolve, reference, collective, communicator, marker, prepare, pool_alloc or pool_free"
equal kinds_that_are_not_there "$("$tool" export --to csv --kinds map -o none npu 2>&1; echo $?; ls none 2>&1)" "ranktrace: of what was asked for there is nothing of the --kinds: \`ranktrace report\` lists the calls that there are
1
ls: cannot access 'none': No such file or directory"
equal standard_output_is_no_folder "$("$tool" export --to csv -o - npu 2>&1; echo $?)" 'ranktrace: --to csv makes several files: give a folder with -o
2'
equal nothing_is_left_of_an_export_of_nothing "$("$tool" export --to csv --steps 77 -o nothing npu 2>/dev/null; echo $?; ls nothing 2>&1)" "1
ls: cannot access 'nothing': No such file or directory"
"$tool" export --to chrome --kinds launch -o launches.json npu
equal kinds_of_a_time_line "$(python3 -c '
import json
print(*sorted({e["cat"] for e in json.load(open("launches.json"))["traceEvents"] if e["ph"] == "X"}))')" 'kernel privateuse1_runtime user_annotation'
equal a_range_is_of_a_marker_s_kind "$(grep -o '"name":"[^"]*","cat":"user_annotation"' launches.json | grep -vc 'ProfilerStep#')" 0
holds and_ranges_there_are grep -q mstxRange tables/marker.csv
finish
