#!/bin/sh
# The driver's functions by name and version, of cuGetProcAddress in both of its forms and of the runtime: what is answered is ours and records
# each call once, also to who asks for more than we know of, as long as the driver has nothing newer; what is newer is left alone, and told.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts sim:symbolic
export LD_LIBRARY_PATH="$tmp/sim" SIM_CUDA_VERSION=14000
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I$here -Isim/rows"
program=$here/tests/programs/cuda_resolver.c
$cc -o asks "$program" -ldl || exit 1
for major in 12 13; do
	$cc -DRUNTIME="\"libcudart.so.$major.def\"" -o asks$major "$program" -Lsim -l:libcudart.so.$major -ldl || exit 1
done

# asked NAME COMMAND...: said without us to NAME.bare, recorded to NAME.out; what the driver was asked in NAME.asked
asked() {
	name=$1
	shift
	"$@" >"$name.bare"
	SIM_COUNTS=$name.counts SIM_ASKED=$name.asked "$run" --save-path "$name.out" --steps all --level level0 --contents cpu -- "$@" >"$name.said" 2>"$name.log"
	equal "${name}_answers_as_without_us" "$(sed 's/libranktrace.so/libcuda.so.1/' "$name.said" | diff - "$name.bare")" ''
}
# launched: of each launch the function and the block, the number of the question that it came of
launched() { "$tool" dump --format jsonl "$1.out" | python3 -c 'import json, sys
print(*("%s:%d" % (e["name"], e["local"][0]) for e in map(json.loads, sys.stdin)))'; }
theirs() { grep -n 'libcuda.so.1\|nobody' "$1.said" | sed 's/:.*//' | xargs; }

# ---- versions that we know of, and the resolver of itself ----

asked by_itself ./asks get:cuLaunchKernel:12000:0 get:cuGetProcAddress:11030:0 get:cuLaunchKernel:12000:0 get:cuGetProcAddress:12000:0 \
	get:cuLaunchKernel:13000:2 get:cuNobody:13000:0
equal the_resolver_s_answer_for_itself_is_ours_again "$(theirs by_itself)" 6
equal and_so_is_what_it_answers "$(launched by_itself)" 'cuLaunchKernel:1 cuLaunchKernel:3 cuLaunchKernel_ptsz:5'

# ---- newer ones ----

asked beyond ./asks get:cuLaunchKernel:14000:0 get:cuLaunchKernel:14000:2 get:cuNobody:14000:0
equal more_than_we_know_of_may_be_what_we_know "$(theirs beyond) $(launched beyond)" '3 cuLaunchKernel:1 cuLaunchKernel_ptsz:2'
equal the_driver_says_so "$(xargs -n 3 <beyond.asked | paste -sd' ')" \
	'cuLaunchKernel 14000 0 cuLaunchKernel 13000 0 cuLaunchKernel 14000 2 cuLaunchKernel 13000 2 cuNobody 14000 0'
equal and_there_is_nothing_to_tell_of "$("$tool" report beyond.out | grep -c 'newer than')" 0

export SIM_NEWER=cuLaunchKernel
asked newer ./asks get:cuLaunchKernel:13000:0 get:cuLaunchKernel:14000:0 get:cuLaunchKernel:13010:2 get:cuMemFree:14000:0
unset SIM_NEWER
equal what_is_newer_is_handed_on "$(theirs newer) $(launched newer)" '2 3 cuLaunchKernel:1'
equal and_reached "$(python3 "$here/tests/sims/lib/counts.py" newer.counts | grep cuLaunch | paste -sd' ')" 'cuLaunchKernel 1 cuLaunchKernel.other 1 cuLaunchKernel_ptsz.other 1'
equal and_that_is_in_the_report "$("$tool" report newer.out | sed -n 's/.*: \(.* newer than .*\):.*/\1/p')" \
	'2 look-ups by name got a function of the driver that is newer than this version knows'

# ---- by the runtime ----

for major in 12 13; do
	asked runtime$major ./asks$major entry:cuLaunchKernel:0:0 entry:cuLaunchKernel:0:2 by:cuLaunchKernel:12000:1 by:cuLaunchKernel:14000:0 entry:cuMemcpyBatchAsync:0:0
	equal "what_runtime_${major}_answers_is_ours" "$(theirs runtime$major) $(launched runtime$major)" ' cuLaunchKernel:1 cuLaunchKernel_ptsz:2 cuLaunchKernel:3 cuLaunchKernel:4'
done
# ---- a tool between, a copy in another namespace ----

mkdir roads
for part in "LIBRARY -shared -fPIC -Wl,-soname,libcudart.so.13 -o roads/libcudart.so.13" "TOOL -shared -fPIC -o roads/tool.so" "PROGRAM -o roads/program -Lroads -l:libcudart.so.13"; do
	# shellcheck disable=SC2086 # a list of words
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -w -I"$here" "$here/tests/programs/cuda_roads.c" -D$part -ldl || exit 1
done
export LD_LIBRARY_PATH="$tmp/roads"
for tool_there in '' "$tmp/roads/tool.so"; do
	bare=$(LD_PRELOAD=$tool_there roads/program)
	rm -rf roads.out
	equal "each_road_ends_where_it_does_without_us${tool_there:+_beside_a_tool}" \
		"$(LD_PRELOAD=$tool_there "$run" --save-path roads.out --steps all --contents cpu -- roads/program 2>log)" "$bare"
	equal "that_is${tool_there:+_beside_a_tool}" "$bare" "here 40, beside 20${tool_there:+
the tool saw 20}"
	report "and_is_recorded${tool_there:+_beside_a_tool}" roads.out 'sum(x["kind"] == "launch" for x in e) == 40'
done

# A handler's launch while its thread is inside of the loader; under qemu-user, where a handler takes longer than the time between two, more seldom.
echo 'int nothing;' | ${CC:-gcc} -shared -fPIC -o roads/nothing.so -x c - || exit 1
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -w -I"$here" -o roads/handler "$here/tests/programs/cuda_handler.c" -Lroads -l:libcudart.so.13 || exit 1
for steps in none all; do
	equal "a_handler_launches_while_its_thread_is_in_the_loader_steps_$steps" \
		"$(timeout 60 "$run" --save-path handler.$steps --steps $steps --contents cpu -- roads/handler "$tmp/roads/nothing.so" ${EMULATED:+3000} 2>log; echo $?)" 'each launch was one
0'
done
finish
