#!/bin/sh
# Names, sizes and steps without end: what is written makes room, a file has what its events name, and what found none is counted.
# usage: e2e_definitions.sh; STEPS and LAUNCHES: so many, SHM_SIZE: with this much memory
. "$(dirname "$0")/../../lib/lib.sh"

steps=${STEPS:-100000} launches=${LAUNCHES:-100000}
export RANKTRACE_SHM_SIZE="${SHM_SIZE:-6M}"
cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
cd "$tmp" || exit 1
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc -o many "$here/tests/helpers/adversary/many.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -ldl

# traced STEPS COMMAND...
traced() {
	export RANKTRACE_STEPS="$1"
	shift
	rm -rf out
	RANKTRACE_STEP_SOURCE=api RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out \
		timeout 500 env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" "$@"
}

# A definition of each is some 100 bytes: together twice as many as there is memory.
traced all ./many sparse_steps "$steps" >said
"$tool" dump --format jsonl out >events
equal each_call_has_its_step_of_many "$(python3 - <<'T'
import json
n = wrong = 0
for e in map(json.loads, open("events")):
    n += 1
    wrong += e["step"] != e["bytes"]
print(n, wrong)
T
)" "$((steps / 10)) 0"
"$tool" report --format json out >report.json
equal each_of_many_steps_is_told_and_ended "$(python3 - <<'T'
import json
p, = json.load(open("report.json"))["ranks"]
print(len(p["steps"]), all(s["ended"] for s in p["steps"]), p["events"]["dropped"], p["facts"].get("lost_definitions", 0))
T
)" "$steps True 0 0"

traced 1,3 ./many sizes_at_once "$launches" >said
"$tool" dump --format jsonl out >events
"$tool" report --format json out >report.json
equal launches_beyond_the_room_for_sizes_have_names_and_are_counted "$(python3 - <<'T'
import json
p, = json.load(open("report.json"))["ranks"]
n = bare = wrong = 0
for e in map(json.loads, open("events")):
    n += e["step"] == 1
    bare += "global" not in e
    wrong += e["kernel"] != {1: "first", 3: "second"}[e["step"]] or e.get("global", [n]) != [n]
print(n, wrong, bare == int(p["facts"].get("lost_definitions", 0)), 0 < bare < n)
T
)" "$launches 0 True True"
equal a_file_has_what_its_own_events_name "$(sed -n '$p' events | python3 -c 'import json; e = json.loads(input()); print(e["kernel"])') \
$(find out -name 'step-3.*' -size -16k | wc -l)" "second 1"

# Behind what max_size let in nobody knows whether a step had calls; and names and steps count, too.
RANKTRACE_MAX_SIZE=256K RANKTRACE_SHM_SIZE=64M traced 1-1000 ./many sizes 100000 >said
"$tool" report --format json out >report.json 2>/dev/null
equal no_step_is_called_empty_whose_calls_were_dropped "$(python3 - <<'T'
import json
p, = json.load(open("report.json"))["ranks"]
print(p["events"]["kept"] > 0, p["events"]["dropped"] > 0, 10 < len(p["steps"]) < 1000, p["steps"][-1]["events"] > 0)
T
)" 'True True True True'
RANKTRACE_MAX_SIZE=64K traced 1-100000 ./many sparse_steps 100000 >said
equal max_size_is_of_all_that_is_written "$(find out -name '*.rtrace' -size -66k | wc -l)" 1
finish
