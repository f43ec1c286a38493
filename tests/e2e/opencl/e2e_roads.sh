#!/bin/sh
# Every road that leads to a vendor function: linked, RTLD_LOCAL, dlsym, ctypes, two providers, RTLD_NEXT
# and RTLD_DEFAULT. Each call arrives at the library that it was meant for and is recorded once. The
# vendor library is a fake that counts its calls (tests/fakes/opencl/fake_opencl.c).
set -eu
export LC_ALL=C
. "$(dirname "$0")/../../lib/lib.sh"
# Another architecture: CC=aarch64-linux-gnu-gcc BUILD=build/arm64 TOOL=build/ranktrace
# RUNNER='qemu-aarch64 -L /usr/aarch64-linux-gnu'.
RUNNER=${RUNNER-}
tool=${TOOL:-$tool}
cc="${CC:-gcc} -std=gnu11 -O1 -g -w -I$here"

# ---- what is built ----

cd "$tmp"
mkdir one two few
fakes=$here/tests/fakes/opencl
# Without these three functions, but with all version nodes: an older vendor library.
sed '/clFlush;/d; /clCreateSubBuffer;/d; /clSVM[AF][a-z]*;/d; /clCreateCommandQueue;/d' "$fakes/opencl.map" >few.map
$cc -fPIC -shared -Wl,-Bsymbolic -DFAKE_NUMBER=777 -o one/libOpenCL.so.1 "$fakes/fake_opencl.c" \
	-Wl,-soname,libOpenCL.so.1 -Wl,--version-script="$fakes/opencl.map"
$cc -fPIC -shared -Wl,-Bsymbolic -DFAKE_NUMBER=888 -o two/libOpenCL-second.so.1 "$fakes/fake_opencl.c" \
	-Wl,-soname,libOpenCL-second.so.1 -Wl,--version-script="$fakes/opencl.map"
$cc -fPIC -shared -Wl,-Bsymbolic -o few/libOpenCL.so.1 "$fakes/fake_opencl.c" \
	-Wl,-soname,libOpenCL.so.1 -Wl,--version-script=few.map
programs=$here/tests/programs
$cc -fPIC -shared -o plugin.so "$programs/roads_plugin.c" one/libOpenCL.so.1 -Wl,-rpath,"$tmp/one"
$cc -fPIC -shared -o plugin_two.so "$programs/roads_plugin.c" two/libOpenCL-second.so.1 -Wl,-rpath,"$tmp/two"
$cc -fPIC -shared -DEARLY -o early.so "$programs/roads_plugin.c" one/libOpenCL.so.1 -Wl,-rpath,"$tmp/one"
$cc -fPIC -shared -DEARLY -o early_two.so "$programs/roads_plugin.c" two/libOpenCL-second.so.1 -Wl,-rpath,"$tmp/two"
$cc -fPIC -shared -DEARLY -DBY_THREAD -o early_thread.so "$programs/roads_plugin.c" two/libOpenCL-second.so.1 -Wl,-rpath,"$tmp/two" -pthread
mkdir hidden
$cc -fPIC -shared -o hidden/libhidden.so "$programs/roads_asker.c"
$cc -fPIC -shared -o seeker.so "$programs/roads_seeker.c" -Wl,--enable-new-dtags,-rpath,"$tmp/hidden"
$cc -fPIC -shared -o asker.so "$programs/roads_asker.c"
$cc -fPIC -shared -o interposer.so "$programs/roads_interposer.c"
$cc -fPIC -shared -o libOpenCL-loader.so.1 "$programs/roads_loader.c" -Wl,-soname,libOpenCL-loader.so.1
$cc -o roads "$programs/roads.c" -Wl,-rpath,"$tmp"
$cc -o reasons "$programs/reasons.c" -pthread
$cc -DLINKED -o linked "$programs/roads.c" one/libOpenCL.so.1 -Wl,--enable-new-dtags,-rpath,"$tmp/one"
echo 'char *getenv(const char *name) { return 0; }' >deaf.c
$cc -DLINKED -rdynamic -o deaf "$programs/roads.c" deaf.c one/libOpenCL.so.1 -Wl,--enable-new-dtags,-rpath,"$tmp/one"
one=$tmp/one/libOpenCL.so.1 two=$tmp/two/libOpenCL-second.so.1

# ---- how it is judged ----

# traced COMMAND...: a run with everything recorded; its output is in got, its traces in out.
traced() {
	rm -rf out
	status=0
	if [ -n "$RUNNER" ]; then	# the wrapper refuses another architecture, rightly
		env -u LD_PRELOAD RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_STEPS=all RANKTRACE_LEVEL=level2 \
			RANKTRACE_CONTENTS=cpu,memory timeout 60 $RUNNER -E "LD_PRELOAD=$BUILD/libranktrace.so${LD_PRELOAD:+:$LD_PRELOAD}" \
			"$@" >got 2>errors || status=$?
		# A slow machine's exit does not wait for the flush thread. The clock is the other architecture's.
		! ls -d "$RANKTRACE_SESSION_ROOT"-*/[0-9]* >left 2>&1 || $RUNNER "$BUILD/ranktrace" recover >recovered 2>&1 || :
		return
	fi
	timeout 60 "$run" --save-path "$tmp/out" --steps all --level level2 --contents cpu,memory -- "$@" >got 2>errors || status=$?
}

# counts: what the vendor library counted, against what the report says, name by name.
counts() {
	"$tool" report --format json out >report.json 2>>errors
	"$tool" dump --format jsonl out >dump.jsonl 2>>errors
	python3 - <<'P'
import collections, json, sys
called, seen, dumped = collections.Counter(), collections.Counter(), collections.Counter()
for line in open("got"):
    word = line.split()
    if word[0] == "called":
        called[word[1]] += int(word[2])
for rank in json.load(open("report.json"))["ranks"]:
    seen.update(rank["entry_points"])
    e = rank["events"]
    if e["dropped"] or e["called"] != e["kept"] + e["in_flight"]:
        sys.exit(f"lost: {e}")
for line in open("dump.jsonl"):
    dumped[json.loads(line)["name"]] += 1
if not called:
    sys.exit("the vendor library counted no call")
for name in sorted(set(called) | set(seen) | set(dumped)):
    if not called[name] == seen[name] == dumped[name]:
        sys.exit(f"{name}: called {called[name]}, reported {seen[name]}, dumped {dumped[name]}")
P
}

# recorded NAME COMMAND...: traced, ended well, and each call was recorded as often as it was made.
recorded() {
	name=$1
	shift
	traced "$@"
	if [ "$status" != 0 ]; then
		fail "$name" "exit status $status: $(tail -n1 errors)"
	elif ! why=$(counts 2>&1); then
		fail "$name" "$(echo "$why" | tail -n1)"
	else
		ok "$name"
	fi
}

# says NAME TEXT: the last run printed this line.
says() {
	if grep -qxF -- "$2" got; then
		ok "$1"
	else
		fail "$1" "wanted '$2', got: $(grep -v '^called' got | head -n3 | tr '\n' '|')"
	fi
}

# same NAME COMMAND...: exit status and output are those of a run without us.
same() {
	name=$1
	shift
	plain=0
	timeout 60 $RUNNER "$@" >plain 2>&1 || plain=$?
	traced "$@"
	cat errors >>got
	sed -i '/^ranktrace: /d' got
	if [ "$status" != "$plain" ]; then
		fail "$name" "exit status $status, $plain without us"
	elif ! diff plain got >difference; then
		fail "$name" "$(grep '^[<>]' difference | head -n2 | tr '\n' '|')"
	else
		ok "$name"
	fi
}

# ---- one provider ----

recorded every_row_of_a_linked_program_is_recorded_once ./linked linked . linked-print .
rows=$(grep -c '^called .* 1$' got) || rows=0
[ "$rows" -ge 70 ] && ok every_row_was_called || fail every_row_was_called "only $rows"
recorded a_program_with_a_getenv_of_its_own_is_recorded ./deaf linked-flush . linked-print .
recorded a_plugin_loaded_rtld_local_is_recorded ./roads plugin ./plugin.so
recorded functions_looked_up_by_handle_are_recorded ./roads handle "$one"
same a_plugin_linked_to_another_runtime_reaches_the_programs ./linked linked-flush . plugin-flush ./plugin_two.so
recorded and_is_recorded ./linked linked-flush . plugin-flush ./plugin_two.so linked-print . print "$two"
recorded a_linked_program_that_also_looks_up_is_recorded ./linked linked . handle "$one"
recorded a_look_up_with_a_version_is_recorded ./roads version-handle "$one" print "$one"
says a_look_up_with_a_version_works 'version clFlush answers 777'

cat >ctypes_road.py <<'P'
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
zeros = [ctypes.c_void_p(0)] * 14
names = [l.split()[0] for l in open(sys.argv[2]) if not l.startswith("#")]
for name in names:
    getattr(library, name)(*zeros)
library.fake_calls.restype = ctypes.c_ulong
for name in names:
    print("called", name, library.fake_calls(name.encode()))
P
if [ -x /usr/bin/python3 ] && [ -z "$RUNNER" ]; then
	recorded python_ctypes_is_recorded /usr/bin/python3 ctypes_road.py "$one" "$here/tests/data/opencl_entry_points.txt"
fi

# ---- two providers in one process ----

recorded two_linked_plugins_are_recorded ./roads open ./plugin.so open ./plugin_two.so \
	plugin-flush ./plugin.so plugin-flush ./plugin_two.so plugin-print ./plugin.so plugin-print ./plugin_two.so
says the_first_plugin_reaches_its_own_provider 'flush 777'
says the_second_plugin_reaches_its_own_provider 'flush 888'

recorded a_second_provider_that_comes_later_is_recorded ./roads plugin-flush ./plugin.so \
	plugin-flush ./plugin_two.so plugin-flush ./plugin.so plugin-print ./plugin.so plugin-print ./plugin_two.so
[ "$(grep flush got | tr '\n' ' ')" = 'flush 777 flush 888 flush 777 ' ] &&
	ok a_second_provider_that_comes_later_is_reached ||
	fail a_second_provider_that_comes_later_is_reached "$(grep flush got | tr '\n' ' ')"

recorded all_rows_of_two_plugins_are_recorded ./roads open ./plugin.so open ./plugin_two.so plugin ./plugin.so plugin ./plugin_two.so
recorded two_handles_are_recorded ./roads flush "$one" flush "$two" flush "$one" print "$one" print "$two"
[ "$(grep handle got | tr '\n' ' ')" = 'handle clFlush answers 777 handle clFlush answers 888 handle clFlush answers 777 ' ] &&
	ok two_handles_reach_their_own_providers || fail two_handles_reach_their_own_providers "$(tr '\n' '|' <got)"
recorded launches_of_two_handles_are_recorded ./roads launch "$one" launch "$two" launch "$one" launch "$two" print "$one" print "$two"
names=$(sed -n 's/.*"kernel":"\([^"]*\)".*/\1/p' dump.jsonl | tr '\n' ' ')
[ "$names" = 'kernel_of_777 kernel_of_888 kernel_of_777 kernel_of_888 ' ] &&
	ok kernels_are_named_by_their_own_provider || fail kernels_are_named_by_their_own_provider "$names"
recorded all_rows_of_two_handles_are_recorded ./roads handle "$one" handle "$two"
if [ -z "$RUNNER${SANITIZER-}" ] && [ "$(uname -m)" = x86_64 ]; then # stepping is x86's; a sanitizer keeps signals back
	$cc -o step "$programs/roads_step.c"
	traced ./step "$one" "$two"
	says a_handler_that_calls_one_provider_leads_no_call_of_the_other_astray 'many steps, 0 astray'
	"$tool" report --format json out >report.json || : # it says so where calls are lost: some are, but counted
	seen=$(python3 -c 'import json; print(*(r["events"]["called"] for r in json.load(open("report.json"))["ranks"]))') || seen=none
	says every_call_of_a_handler_at_any_instruction_is_counted "called $seen"
fi
recorded a_linked_program_and_a_second_handle ./linked linked-flush . flush "$two" linked-flush . linked-print . print "$two"
[ "$(grep -v called got | tr '\n' ' ')" = 'flush 777 handle clFlush answers 888 flush 777 ' ] &&
	ok a_linked_call_and_a_second_handle_reach_their_own || fail a_linked_call_and_a_second_handle_reach_their_own "$(tr '\n' '|' <got)"

# ---- RTLD_NEXT, RTLD_DEFAULT, feature tests ----

LD_PRELOAD=$tmp/interposer.so recorded an_interposer_behind_us_still_works ./linked linked-flush . linked-print .
says an_interposer_finds_the_next_function 'flush 1777'
same next_from_the_executable ./linked next clFlush
recorded what_next_gave_the_executable_is_recorded ./linked next clFlush linked-print .
same a_default_look_up_with_a_vendor_linked ./linked default clFlush
recorded a_default_look_up_is_recorded ./linked default clFlush linked-print .
same a_look_up_in_the_program_itself ./linked self clFlush
recorded a_look_up_in_the_program_itself_is_recorded ./linked self clFlush linked-print .
same a_default_look_up_with_a_global_vendor ./roads open-global "$one" default clFlush
recorded a_plugins_default_look_up_is_recorded ./roads plugin-default ./plugin.so plugin-print ./plugin.so
says a_plugins_default_look_up_works 'default 777'
same a_default_look_up_with_no_vendor_finds_nothing ./roads default clFlush
same a_look_up_in_a_program_with_no_vendor_finds_nothing ./roads self clFlush
same a_next_look_up_with_no_vendor_finds_nothing ./roads next clFlush
same a_library_that_asks_finds_no_vendor ./roads asker clFlush
same a_library_that_asks_does_not_see_a_local_vendor ./roads open "$one" asker clFlush
same a_library_that_asks_sees_a_global_vendor ./roads open-global "$one" asker clFlush
same a_library_that_asks_sees_a_linked_vendor ./linked asker clFlush
same a_default_look_up_does_not_see_a_local_vendor ./roads open "$one" default clFlush
same a_look_up_in_the_program_does_not_see_a_local_vendor ./roads open "$one" self clFlush
same a_next_look_up_does_not_see_a_local_vendor ./roads open "$one" next clFlush
same a_plugins_default_look_up_sees_its_own_vendor ./roads open "$one" plugin-default ./plugin_two.so
same a_versioned_default_of_a_plugin_sees_its_own_vendor ./roads plugin-version ./plugin_two.so
recorded a_versioned_default_of_a_plugin_is_recorded ./roads plugin-version ./plugin_two.so plugin-print ./plugin_two.so
long=a_program_of_a_name_that_is_much_longer_than_the_path_of_the_library_that_looks_after_it_which_tests_write_in_full
ln -s "$tmp/roads" $long
ln -s "$tmp/reasons" $long.reasons
same a_long_program_name_is_told_in_full "$tmp/$long" default clFlush
for name in nameless renamed overwritten retitled started-without; do
	[ -n "$RUNNER" ] && [ $name = started-without ] && continue	# what it starts the host would run
	same a_reason_names_the_program_as_libc_does_when_it_is_$name ./reasons $name
done
same a_reason_is_that_of_its_thread "$tmp/$long.reasons" threads
cat >none.py <<'P'
import ctypes
for name in ("clFlush", "clNoSuchThing", "no_such_thing"):
    try:
        print(getattr(ctypes.CDLL(None), name))
    except AttributeError as e:
        print(e)
P
[ ! -x /usr/bin/python3 ] || [ -n "$RUNNER" ] || same python_that_looks_in_itself_finds_nothing /usr/bin/python3 none.py
same a_versioned_look_up_with_no_vendor_finds_nothing ./roads version-default clFlush
same a_versioned_next_with_no_vendor_finds_nothing ./roads version-next clFlush
same a_versioned_default_with_a_vendor_linked ./linked version-default clFlush
recorded a_versioned_default_is_recorded ./linked version-default clFlush linked-print .
same a_missing_symbol_gives_null_and_the_same_reason ./roads missing "$one"
same a_library_that_lacks_the_function_gives_null ./roads lacks libm.so.6
same a_library_that_lacks_it_with_a_vendor_loaded ./roads open "$one" lacks libm.so.6
same a_version_that_is_not_there_gives_the_same_reason ./roads version-wrong "$one"
same a_missing_row_of_an_old_vendor_gives_the_same_reason ./roads lacks "$tmp/few/libOpenCL.so.1"
same a_missing_row_beside_a_newer_vendor ./roads open "$two" lacks "$tmp/few/libOpenCL.so.1"
same a_default_look_up_that_an_old_vendor_lacks ./roads open-global "$tmp/few/libOpenCL.so.1" default clFlush
traced ./roads loader "$two"
says a_vendors_loader_sees_its_drivers_own_function 'driver libOpenCL-second.so.1'

# ---- early, late, again, absent ----

LD_PRELOAD=$tmp/early.so recorded a_call_from_an_early_constructor_is_recorded ./linked linked . linked-print .
says a_call_from_an_early_constructor_arrives 'early 777'
recorded a_constructor_of_a_later_plugin_is_recorded ./roads plugin-flush ./plugin.so open ./early_two.so \
	plugin-flush ./plugin.so plugin-print ./plugin.so plugin-print ./early_two.so
[ "$(grep -v called got | tr '\n' ' ')" = 'flush 777 early 888 flush 777 ' ] &&
	ok a_constructor_of_a_later_plugin_reaches_its_own_provider ||
	fail a_constructor_of_a_later_plugin_reaches_its_own_provider "$(grep -v called got | tr '\n' ' ')"
recorded a_constructor_that_waits_for_a_thread_that_calls ./roads plugin-flush ./plugin.so open ./early_thread.so \
	plugin-print ./plugin.so plugin-print ./early_thread.so
says a_thread_of_a_constructor_reaches_its_own_provider 'early 888'
recorded a_constructor_that_waits_for_a_thread_that_calls_first ./roads open ./early_thread.so plugin-print ./early_thread.so
recorded a_provider_opened_a_hundred_times_is_recorded ./roads reopen "$one" print "$one"
says a_provider_opened_a_hundred_times_is_called 'called clFinish 100'
recorded a_second_provider_that_comes_and_goes_is_recorded ./roads flush "$two" print "$two" open "$two" come-and-go "$one"
grep -qx 'called clFlush 100' got && ok a_second_provider_that_comes_and_goes_is_called ||
	fail a_second_provider_that_comes_and_goes_is_called "$(tail -n1 got)"
recorded a_second_provider_that_comes_and_goes_more_often_than_there_are_ways_in ./roads flush "$two" print "$two" open "$two" \
	come-and-go-often "$one"
grep -qx 'called clFlush 600' got && ok a_second_provider_that_comes_and_goes_often_is_called ||
	fail a_second_provider_that_comes_and_goes_often_is_called "$(tail -n1 got)"
recorded a_plugin_opened_a_hundred_times_is_recorded ./roads reopen-plugin ./plugin.so plugin-print ./plugin.so
says a_plugin_opened_a_hundred_times_is_called 'called clFlush 100'
recorded both_providers_opened_again_and_again ./roads reopen "$one" reopen-plugin ./plugin_two.so reopen "$one" \
	print "$one" plugin-print ./plugin_two.so

# ---- roads that pass us by, and what the report says of them ----

# AddressSanitizer's own dlopen takes the RUNPATH from whoever calls it, with us and without.
[ -n "${SANITIZER-}" ] || same a_library_finds_others_by_its_own_runpath ./roads seek libhidden.so
same opening_nothing_gives_the_same_reason ./roads seek libnothing.so
same opening_the_program_itself_works ./roads self no_such_name
if [ -z "${SANITIZER-}" ]; then # which refuses RTLD_DEEPBIND
	same a_library_opened_with_deepbind_works_as_without_us ./roads deep ./plugin.so
	! find out -name '*.rtrace' | grep -q . && ok calls_behind_deepbind_are_not_seen || fail calls_behind_deepbind_are_not_seen "there is a trace"
	recorded a_program_beside_a_deepbind_library_is_recorded ./linked linked-flush . open-deep ./plugin_two.so linked-print .
	"$tool" report out >report.txt
	grep -q '1 library was opened with RTLD_DEEPBIND, and calls from there are not seen' report.txt &&
		ok the_report_tells_of_deepbind || fail the_report_tells_of_deepbind "$(tail -n8 report.txt | tr '\n' '|')"
	RANKTRACE_UNDO_DEEPBIND=true recorded a_library_opened_with_deepbind_is_recorded_if_asked ./roads deep ./plugin.so
	says a_library_without_its_deepbind_reaches_its_own_provider 'deep 777'
	RANKTRACE_UNDO_DEEPBIND=true recorded two_deepbind_libraries_are_recorded_if_asked ./linked linked-flush . deep ./plugin_two.so linked-print .
	"$tool" report out >report.txt
	! grep -q DEEPBIND report.txt && ok the_report_does_not_tell_of_undone_deepbind || fail the_report_does_not_tell_of_undone_deepbind "$(grep DEEPBIND report.txt)"
fi
recorded a_program_with_a_second_namespace_is_recorded ./linked linked-flush . namespace ./plugin_two.so linked-print .
says a_second_namespace_works 'namespace 888'
"$tool" report out >report.txt
grep -q '1 library was opened by dlmopen() in a separate namespace, and calls from there are not seen' report.txt &&
	ok the_report_tells_of_a_second_namespace || fail the_report_tells_of_a_second_namespace "$(tail -n8 report.txt | tr '\n' '|')"

LD_LIBRARY_PATH=$tmp/few traced ./linked absent .
says an_absent_function_is_an_invalid_operation 'clFlush -59'
says an_absent_creator_sets_err 'clCreateSubBuffer (nil) -59'
says an_absent_allocator_gives_null 'clSVMAlloc (nil)'
says an_absent_queue_creator_gives_null 'clCreateCommandQueue (nil)'
[ "$status" = 0 ] && ok absent_functions_end_nobody || fail absent_functions_end_nobody "exit status $status"

same null_arguments_of_a_fake_vendor_give_the_same ./linked linked-results .
if [ -n "$RUNNER" ]; then
	:
elif [ -e /usr/lib/x86_64-linux-gnu/libOpenCL.so.1 ] || [ -e /usr/lib/aarch64-linux-gnu/libOpenCL.so.1 ]; then
	cat >null.py <<'P'
import ctypes, sys
library = ctypes.CDLL("libOpenCL.so.1")
library.clSVMFree.restype = None
for name in (l.split()[0] for l in open(sys.argv[1]) if not l.startswith("#")):
    if hasattr(library, name):
        print(name, getattr(library, name)(*[ctypes.c_void_p(0)] * 14), flush=True)
P
	same null_arguments_of_a_real_vendor_give_the_same /usr/bin/python3 null.py "$here/tests/data/opencl_entry_points.txt"
fi

finish
