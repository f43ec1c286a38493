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

cat >"$tmp/compare.py" <<'EOF'
"""Host slices and device slices of the time line against the dump: how many, and how long in all."""
import collections, json, subprocess, sys
sys.path.insert(0, sys.argv[1])
import query
tool, out, trace = sys.argv[2:]
dump = subprocess.run([tool, "dump", "--format", "jsonl", out], capture_output=True, text=True, check=True).stdout
events = [json.loads(line) for line in dump.splitlines()]
slices, errors = query.run(trace, [
    "select s.name, s.dur, s.category, p.name from slice s join thread_track t on s.track_id = t.id "
    "join thread using (utid) join process p using (upid)",
    "select name, value from stats where value > 0 and severity in ('error', 'data_loss')",
])
assert not errors[1], errors[1]
host = collections.Counter((x["name"], x["duration_ns"]) for x in events)
device = collections.Counter((x.get("kernel", x["name"]), x["device_duration_ns"]) for x in events if "device_duration_ns" in x)
seen_host = collections.Counter()
seen_device = collections.Counter()
for name, duration, category, process in slices[1]:
    if category != "step":
        (seen_device if " device " in process else seen_host)[name, int(duration)] += 1
assert sum(host.values()) == len(events) > 0
if seen_host != host:
    sys.exit(f"host slices differ: missing {list((host - seen_host).items())[:5]}, too many {list((seen_host - host).items())[:5]}")
if seen_device != device:
    sys.exit(f"device slices differ: missing {list((device - seen_device).items())[:5]}, too many {list((seen_device - device).items())[:5]}")
EOF
holds slices_and_durations_equal_the_dump_no_error_statistic \
	"$venv/bin/python" "$tmp/compare.py" "$here/tests/perfetto" "$tool" "$tmp/out" "$tmp/trace.json"
cat >"$tmp/steps.py" <<'EOF'
"""The steps of the device's slices in the time line against the dump."""
import collections, json, subprocess, sys
tool, out, trace = sys.argv[1:]
dump = subprocess.run([tool, "dump", "--format", "jsonl", out], capture_output=True, text=True, check=True).stdout
wanted = collections.Counter((x.get("kernel", x["name"]), x["step"]) for x in map(json.loads, dump.splitlines()) if "device_duration_ns" in x)
seen = collections.Counter((x["name"], x["args"].get("step")) for x in json.load(open(trace))["traceEvents"] if "entry_point" in x.get("args", {}))
assert {step for _, step in wanted} == {2, 3, 4}, wanted
sys.exit(0 if seen == wanted else f"{seen} instead of {wanted}")
EOF
holds slices_of_the_device_name_their_step /usr/bin/python3 "$tmp/steps.py" "$tool" "$tmp/out" "$tmp/trace.json"
finish
