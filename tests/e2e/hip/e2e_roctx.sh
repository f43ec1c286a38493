#!/bin/sh
# roctx: ranges, nested ones and marks are recorded, tell of steps, and answer what they answer without us.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
cd "$tmp" || exit 1
"$here/tests/sims/hip/build.sh" sim >log 2>&1 && ${CC:-gcc} -std=gnu11 -O1 -g -Wall -o marks "$here/tests/programs/roctx_marks.c" -Lsim -lroctx64 \
	-Wl,-rpath,"$tmp/sim" -pthread || {
	fail the_simulated_libraries_are_built "$(grep -E 'error|ld:' log | head -n 3)"
	finish
}
holds it_runs_without_us ./marks 3
SIM_COUNTS=counts "$run" --save-path out --steps all -- ./marks 3 2>log
equal it_ends_as_without_us "$?" 0
equal calls_are_counted_and_recorded_alike "$(python3 "$here/tests/sims/lib/counts.py" counts | xargs)" \
	"$("$tool" dump --format jsonl out | python3 -c 'import json, sys, collections
found = collections.Counter(json.loads(x)["name"] for x in sys.stdin)
print(*sorted(f"{n} {c}" for n, c in found.items()))')"
report messages_are_told out '[x["message"] for x in e if x["name"] == "roctxRangePushA"] == ["step 1", "forward", "step 2", "forward", "step 3", "forward"] and {x["message"] for x in e if x["name"] == "roctxMarkA"} == {"inside"}'
report a_range_has_the_number_that_ends_it out 'sorted(x["range"] for x in e if x["name"] == "roctxRangePushA") == sorted(x["range"] for x in e if x["name"] == "roctxRangePop" and x.get("range")) and {x["range"] for x in e if x["name"] == "roctxRangeStartA"} == {x["range"] for x in e if x["name"] == "roctxRangeStop"}'
"$run" --save-path steps --steps 2 --step-source 'marker:^step ' -- ./marks 3 2>log
report steps_are_told_by_a_range steps '{x["step"] for x in e} == {2} and sum(x["name"] == "roctxMarkA" for x in e) == 1'
"$run" --save-path none --steps all -- ./marks 150 2>log
equal ranges_that_are_alike_but_for_their_numbers_are_suggested_as_steps "$("$tool" report none | grep -A 1 '^no step source fired')" \
	"no step source fired, so there are no steps. Name one: --step-source 'marker:^step.([0-9]+)\$@entry'
(suggested: of the ranges that come several times the one that lasts longest in all; it came 150 times),"
finish
