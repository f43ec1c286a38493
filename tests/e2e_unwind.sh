#!/bin/sh
# Exceptions, and threads that end, through every row's function, with the function called once more behind it:
# the program notices nothing, and of the two calls one is recorded, the other still under way for ever.
. "$(dirname "$0")/lib.sh"

need "${CXX:=g++}"
cd "$tmp" || exit 1
${CC:-gcc} -std=gnu11 -O1 -g -w -fexceptions -I"$here" -fPIC -shared -Wl,-Bsymbolic -o libOpenCL.so.1 "$here/tests/fakes/fake_opencl.c" \
	-Wl,-soname,libOpenCL.so.1 -Wl,--version-script="$here/tests/fakes/opencl.map" || exit 1
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

rows=$(grep -c '^	cl[A-Za-z0-9]*;' "$here/tests/fakes/opencl.map")
for how in exception thread; do
	leaves $how 1000 "a_dormant_call_left_by_${how}"
	leaves $how all "a_recorded_call_left_by_${how}"
	report "of_calls_left_by_${how}_one_is_recorded_and_one_under_way" out \
		'ranks[0]["events"] == {"called": 2 * '"$rows"', "kept": '"$rows"', "dropped": 0, "in_flight": '"$rows"'} and set(ranks[0]["entry_points"].values()) == {1}'
	report "calls_behind_those_left_by_${how}_are_not_nested" out 'len(e) == '"$rows"' and not any(x.get("nested") for x in e)'
done
finish
