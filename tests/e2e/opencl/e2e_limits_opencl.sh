#!/bin/sh
# More libraries, threads, names and properties than tables have room for: calls arrive where they should, and what is left
# out of the trace is counted and told by report and check.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/limits.sh"

cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -I$here"
cd "$tmp" || exit 1

# ---- many libraries that define the same names ----

count=96
sed -n 's/^HOOK(cl_int, \(cl[A-Za-z]*\),.*/NAME(\1)/p' "$here/hooks/opencl/opencl.def" >names.h
names=$(grep -c . names.h)
mkdir many
{
	$cc -w -I. -shared -fPIC -DVENDOR -Wl,-soname,libOpenCL-v00.so.1 -o many/libOpenCL-v00.so.1 "$here/tests/programs/many_libraries.c" &&
		$cc -shared -fPIC -DPLUGIN -o many/plugin-v00.so "$here/tests/programs/many_libraries.c" many/libOpenCL-v00.so.1 -Wl,-rpath,"$tmp/many" &&
		echo 'int middle(void) { return 0; }' >middle.c && echo 'int filler(void) { return 0; }' >filler.c &&
		$cc -shared -fPIC -Wl,-soname,middle-v00.so -o many/middle-v00.so middle.c -Wl,--no-as-needed many/libOpenCL-v00.so.1 -Wl,-rpath,"$tmp/many" &&
		$cc -shared -fPIC -DPLUGIN -o many/deep-v00.so "$here/tests/programs/many_libraries.c" -Wl,--no-as-needed many/middle-v00.so -Wl,-rpath,"$tmp/many" &&
		$cc -shared -fPIC -o filler.so filler.c &&
		$cc -w -I. -o many_libraries "$here/tests/programs/many_libraries.c" -ldl
} 2>build.log || { fail the_libraries_are_built "$(tail -n 3 build.log)"; finish; }
python3 - $count <<'END_OF_PYTHON'
"""Copies of the libraries, each with a number of its own in its names."""
import shutil, sys
for name in "libOpenCL-%s.so.1", "plugin-%s.so", "middle-%s.so", "deep-%s.so":
    data = open("many/" + name % "v00", "rb").read()
    for i in range(int(sys.argv[1])):
        open("many/" + name % ("v%02d" % i), "wb").write(data.replace(b"v00", b"v%02d" % i))
for i in range(500):
    shutil.copy("filler.so", "many/filler-%03d.so" % i)
END_OF_PYTHON
./many_libraries many $count 500 >bare
traced ./many_libraries "$tmp/many" $count 500 RANKTRACE_CONTENTS=cpu,memory # the full path: libraries are listed by it
equal a_call_arrives_at_its_own_of_many_libraries "$(cat said)" "$(cat bare)"
equal the_program_itself_reaches_them_all "$(cat bare)" $((count * (names + 2) + 1))
unwrapped=$(((count - 1) * names - 4096))
report each_of_them_is_recorded_but_those_that_found_no_trampoline out "len(e) == $(cat bare) - $unwrapped"
holds look_ups_that_found_no_trampoline_are_told told unwrapped_functions 'look-ups of functions that several libraries have got no wrapper' $unwrapped
report every_library_is_listed out "len([l for l in ranks[0]['libraries'] if 'libOpenCL-v' in l]) == $count"
listed=$("$tool" report --format json out | grep -o '"unlisted_libraries":"[0-9]*"' | tr -dc 0-9)
equal what_run_json_has_no_room_for_is_counted "$((listed > 0 && listed < count)) $(told unlisted_libraries 'libraries are not listed in run.json' "$listed")" '1 '

# ---- many of other things ----

{ $cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/programs/many_handles_cl.c" &&
	$cc -o limits "$here/tests/programs/limits.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread; } 2>build.log ||
	{ fail the_program_is_built "$(tail -n 3 build.log)"; finish; }
traced ./limits names
"$tool" dump --format jsonl out | python3 -c '
import json, sys
for e in map(json.loads, sys.stdin):
    if e["kind"] == "launch":
        print(e["kernel"])' >kernels
cut -c 1-60000 said >cut
equal names_of_any_length_are_recorded_up_to_60000_letters "$(cmp cut kernels 2>&1) $(grep -c . kernels)" ' 18'
if [ -z "${SAN-}" ]; then # which makes threads of its own size
	traced ./limits threads
	[ "$status" = 77 ] || report each_of_1100_threads_that_record_at_once_has_its_call out "len({x['tid'] for x in e}) == len(e) == 1 + $(cat said)"
fi
traced ./limits queues RANKTRACE_CONTENTS=cpu,device
holds queues_made_with_long_lists_are_told told unprofiled_queues 'queues have no device times' 3
traced ./limits strings RANKTRACE_SHM_SIZE=4M
report events_whose_names_found_no_room_are_recorded_without out "len(e) == 8000 and 500 < sum(not x.get('kernel') for x in e if x['kind'] == 'launch') < 4000"
lost=$("$tool" report --format json out | grep -o '"lost_definitions":"[0-9]*"' | tr -dc 0-9)
equal definitions_that_found_no_room_are_told "$(told lost_definitions 'definitions (names, sizes, shapes, steps) found no room' "$lost")" ''

# ---- long paths and lists ----

# The longest: 767 bytes, in names of 200 at most.
folder=$tmp/$(printf '%0200d/%0200d/%0200d' 1 2 3)
folder=$folder/$(printf "%0$((766 - ${#folder}))d" 4)
traced ./limits names RANKTRACE_SAVE_PATH="$folder" RANKTRACE_JOB=a_job_of_a_rather_long_name_that_takes_all_the_room_of_a_job_n RANK=9999999
equal the_longest_path_has_room_for_every_name "${#folder} $(cat errors) $("$tool" dump "$tmp" | tail -n +2 | wc -l)" '767  27'
traced ./limits names RANKTRACE_SAVE_PATH="${folder}5"
equal a_longer_one_is_refused "$(cat errors)" \
	'ranktrace: RANKTRACE_SAVE_PATH: longer than 767 bytes: write a shorter one; nothing is recorded, the job runs on'
rm -rf "${folder%%/000*}"/000*
steps=$(seq -s , 1001 2 1253)
traced ./limits names RANKTRACE_STEPS="2,$steps"
report a_long_list_of_steps_is_told_whole out "ranks[0]['facts']['steps'] == '2,$steps'"
finish
