#!/bin/sh
# CUDA's graphs: a launch tells the kernels that it runs, whenever the graph was made, by what the simulated device says that ran; what a
# capture keeps is marked, and nothing else.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/cuda
export SIM_CLOCK=0 # times are to be the same each time
cd "$tmp" || exit 1
"$sim/build.sh" sim >log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 log)"
	finish
}
export LD_LIBRARY_PATH="$tmp/sim"
ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=0:thread_local_quarantine_size_kb=0 # memory that was freed comes again, as without it
# form NAME PROTOTYPES FLAGS LIBRARIES
form() {
	# shellcheck disable=SC2086
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isim/rows -DDECLARED="\"$2.def\"" $3 -o "$1" "$here/tests/programs/cuda_graphs.c" \
		-Lsim $4 -Wl,-rpath,"$tmp/sim" -ldl -lm -pthread || exit 1
}
for major in 12 13; do
	form runtime$major libcudart.so.$major '' -l:libcudart.so.$major
done
form thread libcudart.so.13 -DPER_THREAD -l:libcudart.so.13
form static libcudart.so.13 '' '-lcudart_sim -lsimdevice'
form driver libcuda.so.1 -DDRIVER -lcuda

cat >graphs.py <<'P'
"""graphs.py DUMP REPORT TASKS: which kernels ran in graphs, and what was captured, in each step, by the device and by the trace."""
import collections, json, sys

Counter = collections.Counter
STEPS = range(2, 7)

def of_device(path):
    """Each step begins with a launch of `mark`. {step: kernels of graphs}, {step: what was captured}"""
    ran, captured, step = Counter(), Counter(), 0
    for line in open(path):
        _, _, begin, _, name, *calls = line.split()
        step += name == "mark"
        if step in STEPS and begin == "-":
            captured[step, name] += 1
        elif step in STEPS and any("GraphLaunch" in call for call in calls) and name.startswith("_Z"):
            ran[step, name] += 1
    return ran, captured

def of_trace(path):
    ran, captured, timed = Counter(), Counter(), []
    for e in map(json.loads, open(path)):
        if e.get("captured"):
            captured[e["step"], e.get("kernel") or {"fill": "memset", "launch": "graph"}[e["kind"]]] += 1
            assert "device_begin_ns" not in e, e
        elif "GraphLaunch" in e["name"]:
            assert "kernel" not in e and sum(k["nodes"] for k in e["kernels"]) == e["nodes"] - 1 - (e["step"] != 5), e
            for k in e["kernels"]:
                ran[e["step"], k["name"]] += k["nodes"]
            timed += [e["device_duration_ns"]] if "device_duration_ns" in e else []
    return ran, captured, timed

dump, report, tasks = sys.argv[1:]
wanted, got = of_device(tasks), of_trace(dump)
assert len(wanted[0]) > 10 and wanted[0] == got[0], (wanted[0] - got[0], got[0] - wanted[0])
assert len(wanted[1]) > 5 and wanted[1] == got[1], (wanted[1] - got[1], got[1] - wanted[1])
assert set(got[2]) <= {61000, 21000}, set(got[2])
rank, = json.load(open(report))["ranks"]
assert rank["captured"] == sum(got[1].values()), rank["captured"]
sums = Counter()
for g in rank["graphs"]:
    assert g["kernels"] == sum(n["nodes"] for n in g["names"]), g
    for n in g["names"]:
        sums[n["name"]] += g["count"] * n["nodes"]
assert sums == sum((Counter({name: n}) for (_, name), n in got[0].items()), Counter()), sums
assert {k["name"] for k in rank["kernels"]} <= {"cudaGraphLaunch", "cudaGraphLaunch_ptsz", "cuGraphLaunch", "mark", "_Z6samplePf"}, rank["kernels"]
print(len(got[2]), "timed")
P

# told NAME FORM TIMED OPTION...: traces say what the device does; the program says and ends as alone
told() {
	name=$1 form=$2 timed=$3
	shift 3
	said=$(SIM_TASKS=$name.tasks "$run" --save-path "$name.out" --step-source api --steps 2-6 "$@" -- "./$form" 2>"$name.log"; echo "ends with $?")
	equal "${name}_says_the_same" "$said" "$alone"
	"$tool" dump --format jsonl "$name.out" >"$name.dump" && "$tool" report --format json "$name.out" >"$name.report"
	equal "${name}_tells_the_kernels_of_graphs" "$(python3 graphs.py "$name.dump" "$name.report" "$name.tasks" 2>&1 | tail -n 1)" "$timed timed"
}
alone='the same handle
ends with 0'
for form in runtime12 runtime13 thread static driver; do
	equal "a_handle_is_used_again_${form}" "$("./$form"; echo "ends with $?")" "$alone"
	told "$form" $form 0 --level level1 --contents cpu
	told "${form}_timed" $form 17 --level level0 --contents cpu,device
done

# ---- drivers that tell no names: the runtime knows its own kernels, and the program's last error stays ----

SIM_FAIL=cuFuncGetName:0:801,cuKernelGetName:0:801 told by_the_runtime runtime12 0 --level level1 --contents cpu

# ---- after some changes nobody knows what an executable's kernels are: they are not told then ----

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isim/rows -DDECLARED='"libcudart.so.13.def"' -o gone "$here/tests/programs/cuda_graph_gone.c" \
	-Lsim -l:libcudart.so.13 -Wl,-rpath,"$tmp/sim" || exit 1
gone='of no kernel: 98
ends with 0'
equal a_program_has_graphs_that_are_gone "$(./gone; echo "ends with $?")" "$gone"
equal and_ends_as_alone "$("$run" --save-path gone.out --step-source api --steps all --level level1 --contents cpu -- ./gone 2>gone.log; echo "ends with $?")" "$gone"
equal only_what_is_known_is_told "$("$tool" dump --format jsonl gone.out | grep GraphLaunch | sed 's/.*"kernels":\[{"name":"\([a-z]*\)".*/\1/; s/^{.*/not known/')" 'first
second
not known
first
not known
second
third
not known
not known
not known'

# ---- what people and other programs read ----

"$tool" report runtime13.out >text
holds the_report_lists_kernels_under_their_graph sh -c "grep -A20 '^Graphs' text | tr -s ' ' | grep -A1 '^ 6 .* 8 6' | grep '^ 2 norm(float\*)$'"
holds and_says_what_was_captured grep -q '^19 calls gave their work to streams that were captured' text
"$tool" dump runtime13.out | grep GraphLaunch >lines
holds a_line_of_the_dump_has_them grep -q 'nodes=8 kernels=2\*_Z4normPf;2\*_Z6attendPf;1\*_Z6decodePf;1\*_Z6samplePf$' lines
holds and_a_captured_one_is_marked grep -q 'nodes=2 kernels=2\*_Z4normPf captured$' lines
"$tool" export --to chrome -o chrome runtime13_timed.out 2>log
holds viewers_show_them python3 -c 'import json, sys
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e.get("args", {}).get("kernels")]
both = {e.get("cat") for e in events if e["args"]["nodes"] == 8 and e["args"]["kernels"].startswith("2*_Z4normPf;")}
assert len(both) == 2, both
assert any(e["args"].get("captured") for e in events), events' "$(find chrome* -type f | head -n 1)"
"$tool" export --to csv -o csv runtime13.out 2>log
holds tables_have_them grep -q ',8,"\{0,1\}2\*_Z4normPf;2\*_Z6attendPf' csv/launch.csv

# ---- dormant: nothing is written ----

equal dormant_nothing_is_written "$(RANKTRACE_STEPS=1000000 RANKTRACE_STEP_SOURCE=api "$run" --save-path none -- ./runtime13 2>log; find none -name '*.rtrace*')" 'the same handle'
finish
