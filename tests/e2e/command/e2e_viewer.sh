#!/bin/sh
# The time line as the Perfetto UI's own engine reads it: every slice of the dump, no error.
. "$(dirname "$0")/../../lib/lib.sh"

need node
venv=${RANKTRACE_VENV:-$here/build/venv}
sh "$here/tests/helpers/python/venv.sh" "$venv" >"$tmp/venv" 2>&1 || { cat "$tmp/venv"; echo "skip: no Python packages"; exit 77; }

cat >"$tmp/job" <<EOF
RANK=0 WORLD_SIZE=2 $lm --quiet --steps 6 &
RANK=1 WORLD_SIZE=2 $lm --quiet --steps 6 && wait \$!
EOF
"$run" --save-path "$tmp/out" --steps 2-4 --ranks all --level level1 --contents cpu,npu,memory -- sh "$tmp/job" >/dev/null 2>&1
equal the_job_exits_as_without_us $? 0
holds export_writes_a_file "$tool" export --to chrome -o "$tmp/trace.json" "$tmp/out"
holds it_is_JSON /usr/bin/python3 -m json.tool "$tmp/trace.json" /dev/null
holds so_it_does_in_perfetto_s_own_format "$tool" export --to perfetto -o "$tmp/trace.pftrace" "$tmp/out"
holds which_takes_less_than_half_of_it test $((2 * $(stat -c %s "$tmp/trace.pftrace"))) -lt "$(stat -c %s "$tmp/trace.json")"

cat >"$tmp/compare.py" <<'EOF'
"""Host slices and device slices of the time line against the dump: name, duration, and what their arguments say."""
import collections, json, subprocess, sys
sys.path.insert(0, sys.argv[1])
import query
tool, out, trace = sys.argv[2:]
prefix = "debug" if trace.endswith("pftrace") else "args"
KEYS = ("step", "kernel", "global", "local", "bytes", "direction", "to_stream")
dump = subprocess.run([tool, "dump", "--format", "jsonl", out], capture_output=True, text=True, check=True).stdout
events = [json.loads(line) for line in dump.splitlines()]
slices, errors = query.run(trace, [
    "select s.name, s.dur, s.category, p.name, " + ", ".join("extract_arg(s.arg_set_id, '%s.%s')" % (prefix, key) for key in KEYS) +
    " from slice s join thread_track t on s.track_id = t.id join thread using (utid) join process p using (upid)",
    "select name, value from stats where value > 0 and (severity in ('error', 'data_loss') or name = 'tokenizer_skipped_packets')",
])
assert not errors[1], errors[1]

def sizes(x, key): return "x".join(map(str, x[key])) if key in x else None
def said(x): return tuple(None if v is None else str(v) for v in (x["step"], x.get("kernel"), sizes(x, "global"), sizes(x, "local")))
host = collections.Counter((x["name"], x["duration_ns"], *said(x), *(str(x[k]) if k in x else None for k in ("bytes", "direction", "stream")))
                           for x in events)
TITLES = {"h2d": "Memcpy HtoD", "d2h": "Memcpy DtoH"}
device = collections.Counter((TITLES.get(x.get("direction")) or x.get("kernel", x["name"]), x["device_duration_ns"], *said(x))
                             for x in events if "device_duration_ns" in x)
seen_host = collections.Counter()
seen_device = collections.Counter()
for name, duration, category, process, *arguments in slices[1]:
    arguments = [a if a is None else str(a) for a in arguments]
    if " device " in process:
        seen_device[(name, int(duration), *arguments[:4])] += 1
    elif category != "user_annotation":
        seen_host[(name, int(duration), *arguments)] += 1
assert sum(host.values()) == len(events) > 0
if seen_host != host:
    sys.exit(f"host slices differ: missing {list((host - seen_host).items())[:5]}, too many {list((seen_host - host).items())[:5]}")
if seen_device != device:
    sys.exit(f"device slices differ: missing {list((device - seen_device).items())[:5]}, too many {list((seen_device - device).items())[:5]}")
EOF
# A trace that was cut for two jobs: what the engine makes of both is the same.
"$BUILD/tests/bench/stream" -d -s 40 "$tmp/long" >/dev/null
for jobs in 1 2; do "$tool" export --to perfetto --jobs $jobs -o "$tmp/$jobs.pftrace" "$tmp/long" 2>/dev/null; done
cat >"$tmp/same.py" <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import query
told = [query.run(trace, [
    "select p.name, t.name, s.name, s.category, count(*), sum(s.ts % 1000003), sum(s.dur) from slice s join thread_track k on s.track_id = k.id"
    " join thread t using (utid) join process p using (upid) group by 1, 2, 3, 4 order by 1, 2, 3, 4",
    "select flat_key, coalesce(string_value, int_value), count(*) from args group by 1, 2 order by 1, 2",
    "select s.name, e.name, count(*), sum(e.ts - s.ts) from flow f join slice s on f.slice_out = s.id join slice e on f.slice_in = e.id group by 1, 2 order by 1, 2",
    "select c.name, count(*), sum(n.value) from counter n join counter_track c on n.track_id = c.id group by 1 order by 1",
    "select name, value from stats where value > 0 and (severity in ('error', 'data_loss') or name = 'tokenizer_skipped_packets')",
]) for trace in sys.argv[2:]]
assert all(rows for _, rows in told[0][:4]) and not told[0][4][1], [len(rows) for _, rows in told[0]]
sys.exit("\n".join("%r, not %r" % (a[1][:3], b[1][:3]) for a, b in zip(*told) if a != b) or None)
EOF
holds which_it_was test "$(stat -c %s "$tmp/1.pftrace")" -lt "$(stat -c %s "$tmp/2.pftrace")" # texts are told anew
holds parts_of_one_process_say_what_the_whole_says "$venv/bin/python" "$tmp/same.py" "$here/tests/perfetto" "$tmp/1.pftrace" "$tmp/2.pftrace"

for trace in trace.json trace.pftrace; do
	holds "slices_durations_and_arguments_of_a_${trace#*.}_equal_the_dump_no_error_statistic" \
		"$venv/bin/python" "$tmp/compare.py" "$here/tests/perfetto" "$tool" "$tmp/out" "$tmp/$trace"
done
cat >"$tmp/steps.py" <<'EOF'
"""The steps of the device's slices in the time line against the dump."""
import collections, json, subprocess, sys
tool, out, trace = sys.argv[1:]
dump = subprocess.run([tool, "dump", "--format", "jsonl", out], capture_output=True, text=True, check=True).stdout
wanted = collections.Counter((x.get("kernel", x["name"]), x["step"]) for x in map(json.loads, dump.splitlines()) if "device_duration_ns" in x)
seen = collections.Counter((x["args"].get("kernel", x["args"]["entry_point"]), x["args"].get("step")) for x in json.load(open(trace))["traceEvents"] if "entry_point" in x.get("args", {}))
assert {step for _, step in wanted} == {2, 3, 4}, wanted
sys.exit(0 if seen == wanted else f"{seen} instead of {wanted}")
EOF
cat >"$tmp/arrows.py" <<'EOF'
"""Arrows from calls to what the device did, and counters, of a time line against the dump, which is counted through here."""
import collections, json, subprocess, sys
sys.path.insert(0, sys.argv[1])
import query
tool, out, trace = sys.argv[2:]
lines = map(json.loads, subprocess.run([tool, "dump", "--format", "jsonl", out], capture_output=True, text=True, check=True).stdout.splitlines())
events = [x for x in lines if x["kind"] != "dropped"]
arrows, counters = query.run(trace, [
    "select a.name, a.dur, b.dur from flow f join slice a on f.slice_out = a.id join slice b on f.slice_in = b.id where a.name not like '%GetWorkspaceSize'",
    "select p.name, t.name, c.value from counter c join track t on c.track_id = t.id "
    "join process p on p.upid = extract_arg(t.dimension_arg_set_id, 'upid') order by c.ts, c.id",
])
# The reader shows no arrow that goes back in time, as one between a real and a simulated clock may.
wanted = collections.Counter((x["name"], x["duration_ns"], x["device_duration_ns"])
                             for x in events if "device_duration_ns" in x and x["device_begin_ns"] > x["begin_ns"])
seen = collections.Counter((name, int(call), int(device)) for name, call, device in arrows[1])
assert seen == wanted and wanted, f"arrows: missing {list((wanted - seen).items())[:5]}, too many {list((seen - wanted).items())[:5]}"

def numbers_of(changes):
    """What a counter has said when these changes, (time, order, by), are all in."""
    total, said = 0, []
    for _, _, by in sorted(changes):
        total += by
        said.append(max(total, 0))
    return said

told, wanted = collections.defaultdict(list), collections.defaultdict(list)
for process, counter, value in counters[1]:
    told[(process, counter)].append(int(value))
titles = {x["pid"]: process for x in events for process, _ in told if process.endswith(":%d)" % x["pid"])}
flights, memory = collections.defaultdict(list), collections.defaultdict(list)
for x in events:
    if "device_duration_ns" in x and x["kind"] not in ("operator", "marker"):
        flights[x["pid"]] += [(x["begin_ns"], 0, 1), (x["device_begin_ns"] + x["device_duration_ns"], 1, -1)]
for pid, changes in flights.items():
    wanted[(titles[pid], "in flight calls")] = numbers_of(changes)
    last = told[(titles[pid], "in flight calls")]
    assert len(last) == len(changes) and max(last) > 0, (len(last), len(changes), last[-1])
    # Slices that ran into each other by rounding were moved: a call may end a bit later than the dump says.
    assert sum(a != b for a, b in zip(last, numbers_of(changes))) <= len(changes) / 20, "in flight calls"
live = collections.defaultdict(dict)
for x in sorted((x for x in events if x["kind"] in ("alloc", "free") and not x.get("result") and not x.get("nested")),
                key=lambda x: x["begin_ns"] + (x["duration_ns"] if x["kind"] == "alloc" else 0)):
    if x["kind"] == "alloc":
        live[x["pid"]][x["address"]] = x["bytes"]
    else:
        live[x["pid"]].pop(x["address"], None)
    memory[x["pid"]].append(sum(live[x["pid"]].values()))
for pid, said in memory.items():
    places = [numbers for (process, counter), numbers in told.items() if process == titles[pid] and counter in ("device memory bytes", "host memory bytes")]
    assert sum(map(len, places)) == len(said), (list(map(len, places)), len(said))
    assert len(places) > 1 or places[0] == said, (places[0][:9], said[:9])
print(len(arrows[1]), len(memory))
EOF
for trace in trace.json trace.pftrace; do
	holds "arrows_and_counters_of_a_${trace#*.}_equal_the_dump" \
		"$venv/bin/python" "$tmp/arrows.py" "$here/tests/perfetto" "$tool" "$tmp/out" "$tmp/$trace"
done
holds slices_of_the_device_name_their_step /usr/bin/python3 "$tmp/steps.py" "$tool" "$tmp/out" "$tmp/trace.json"

# ---- what the simulated CANN has besides: operators in operators, ranges that cross, arrows, streams that overlap ----

. "$here/tests/lib/sim.sh"
build_layouts split
LD_LIBRARY_PATH=$tmp/split "$run" --save-path npu --steps all --level level2 --contents cpu,npu,memory,shapes -- split/host split/looked.so handle 1 3 >npu.log 2>&1
"$tool" export --to chrome -o npu.json npu
"$tool" export --to perfetto -o npu.pftrace npu
cat >both.py <<'EOF'
"""Both formats of one trace, as the engine sees them: slices with their depth and times, arrows, marks; nothing is complained of.

Only in Chrome's, which readers of PyTorch's profiles take, names of collectives begin with a word for these.
"""
import sys
sys.path.insert(0, sys.argv[1])
import query
queries = [
    "select p.name, t.name, s.name, s.category, s.depth, s.dur, s.ts - (select min(ts) from slice) from slice s join thread_track k on s.track_id = k.id "
    "join thread t using (utid) join process p using (upid) order by 1, 2, 7, 5, 3",
    "select a.name, b.name, b.ts - a.ts from flow f join slice a on f.slice_out = a.id join slice b on f.slice_in = b.id order by 1, 2, 3",
    "select name, value from stats where value > 0 and (severity in ('error', 'data_loss') or name = 'tokenizer_skipped_packets')",
]
chrome, perfetto = (query.run(path, queries) for path in sys.argv[2:])
assert "ncclKernel_HcclAllReduce" in str(chrome) and "ncclKernel" not in str(perfetto)
def plain(rows): return sorted(str(row).replace("'ncclKernel_", "'") for row in rows)
for which, a, b in zip(("slices", "arrows", "complaints"), chrome, perfetto):
    a, b = plain(a[1]), plain(b[1])
    assert a == b, (which, len(a), len(b), sorted(set(a) - set(b))[:3], sorted(set(b) - set(a))[:3])
assert not chrome[2][1]
print(len(chrome[0][1]) > 300, len(chrome[1][1]) > 10)
EOF
equal both_formats_say_the_same_of_slices_depths_and_arrows "$("$venv/bin/python" both.py "$here/tests/perfetto" npu.json npu.pftrace)" 'True True'
for trace in npu.json npu.pftrace; do
	holds "arrows_and_counters_of_the_npu_s_${trace#*.}_equal_the_dump" \
		"$venv/bin/python" "$tmp/arrows.py" "$here/tests/perfetto" "$tool" npu "$trace"
done
finish
