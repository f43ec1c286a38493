#!/bin/sh
# Exceptions, and threads that end, through every row's function and through operators, with the function called once
# more behind it: the program notices nothing, and of the calls all but one are recorded, that one is still under way for ever.
. "$(dirname "$0")/../../lib/lib.sh"

: "${CXX:=g++}"
need "${CXX%% *}"
cd "$tmp" || exit 1
${CC:-gcc} -std=gnu11 -O1 -g -w -fexceptions -I"$here" -fPIC -shared -Wl,-Bsymbolic -o libOpenCL.so.1 "$here/tests/fakes/opencl/fake_opencl.c" \
	-Wl,-soname,libOpenCL.so.1 -Wl,--version-script="$here/tests/fakes/opencl/opencl.map" || exit 1
$CXX -O1 -g -w -I"$here" -o unwind "$here/tests/programs/unwind.cc" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread || exit 1

# leaves HOW LEVEL NAME: every row is left HOW; level2 records them all
leaves() {
	rm -rf out
	./unwind "$1" >bare 2>&1
	equal "$3_works_by_itself" "$? $(grep -c 'caught\|ended' bare) $(sed -n 's/^destroyed //p' bare)" "0 $rows $((2 * rows))"
	"$run" --save-path out --steps "$2" --level level2 --contents cpu,memory -- ./unwind "$1" >got 2>err
	equal "$3_ends_as_without_us" $? 0
	holds "$3_prints_the_same" cmp bare got
}

rows=$(grep -c '^	cl[A-Za-z0-9]*;' "$here/tests/fakes/opencl/opencl.map")
for how in exception thread; do
	leaves $how 1000 "a_dormant_call_left_by_${how}"
	leaves $how all "a_recorded_call_left_by_${how}"
	report "of_calls_left_by_${how}_one_is_recorded_and_one_under_way" out \
		'ranks[0]["events"] == {"called": 2 * '"$rows"', "kept": '"$rows"', "dropped": 0, "in_flight": '"$rows"'} and set(ranks[0]["entry_points"].values()) == {1}'
	report "calls_behind_those_left_by_${how}_are_not_nested" out 'len(e) == '"$rows"' and not any(x.get("nested") for x in e)'
done

# ---- operators (aclnn): ways of assembly ----

${CC:-gcc} -O1 -g -fexceptions -fPIC -shared -Wl,-soname,libopapi.so -o libopapi.so "$here/tests/programs/unwind_opapi.c" || exit 1
$CXX -O1 -g -Wall -Wextra -o operators "$here/tests/programs/unwind_operators.cc" -Wl,-rpath,"$tmp" -pthread -ldl || exit 1
export LD_LIBRARY_PATH="$tmp"

# operators HOW PHASE LEVEL STEPS NAME: ends and says the same as without us
operators() {
	rm -rf out
	./operators "$1" "$2" >bare 2>&1
	"$run" --save-path out --steps "$4" --level "$3" -- ./operators "$1" "$2" >got 2>err
	equal "$5_ends_as_without_us" "$? $(cmp bare got 2>&1)" '0 '
}

hows='exception thread'
case ${SAN-} in
*address*) hows=exception ;; # of the end of a thread it does not hear: the frames that were left stay poisoned
esac
for how in $hows; do
	for phase in first second; do
		operators $how $phase level1 1000 "a_dormant_${phase}_phase_left_by_$how"
		operators $how $phase level1 all "a_recorded_${phase}_phase_left_by_$how"
		report "of_${phase}_phases_left_by_${how}_one_is_under_way" out \
			'(lambda x: (x["called"] - x["kept"], x["dropped"], x["in_flight"]) == (1, 0, 1))(ranks[0]["events"])'
	done
	operators $how second level0 all "a_phase_recorded_the_short_way_and_left_by_$how"
	report "of_phases_recorded_the_short_way_and_left_by_${how}_one_is_under_way" out \
		'ranks[0]["events"] == {"called": 5, "kept": 4, "dropped": 0, "in_flight": 1}'
done

# Where the stack ends at each instruction of ours is told right: a signal may come there, and its handler ask for the callers.
if [ "$(uname -m)" = x86_64 ] && [ -z "${SAN-}" ]; then
	for phase in first second; do
		for level in level0 level1; do
			operators step $phase $level all "at_each_instruction_of_a_${phase}_phase_at_${level}"
			equal "at_each_instruction_of_a_${phase}_phase_at_${level}_the_callers_are_known" \
				"$(grep -c '^stepped, 0 without the caller$' got)" 4
		done
		operators step $phase level0 1000 "at_each_instruction_of_a_dormant_${phase}_phase"
	done
fi
finish
