#!/bin/sh
# Which gate of torch_npu's markers is opened where nothing is said of it: where this torch_npu asks, markers outside of windows
# reach nobody; where it does not, those inside are recorded all the same. What is said where the guess was wrong.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/ascend
cd "$tmp" || exit 1
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1"
# torch_npu MADE TEXT: in the folder MADE, as pip installs it; it must not be imported
torch_npu() {
	mkdir -p "$1/torch_npu/lib"
	echo "open('$tmp/imported', 'w')" >"$1/torch_npu/__init__.py"
	echo "const char *text(void); const char *text(void) { return \"$2\"; }" >text.c
	$cc -shared -fPIC -Wl,-soname,libtorch_npu.so -o "$1/torch_npu/lib/libtorch_npu.so" text.c
}
{ "$sim/build.sh" cann split && $cc -o npu_gate "$here/tests/programs/npu_gate.c" -ldl && torch_npu older mstxMarkA &&
	torch_npu newer msptiActivityIsEnabled; } >build.log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
	finish
}
"$tool" hooks >hooks
mkdir -p home/runtime home/opp without/lib64 without/runtime
ln -s ../cann home/lib64
for library in cann/*.so; do
	[ "$library" = cann/libmspti.so ] || ln -s "../../$library" without/lib64
done
export LD_LIBRARY_PATH="$tmp/cann" ASCEND_HOME_PATH="$tmp/home" ASCEND_OPP_PATH="$tmp/home/opp" LC_ALL=C
export TASK_QUEUE_ENABLE=0 # as in this program, which has none
unset ASCEND_TOOLKIT_HOME

# gate NAME GENERATION INSTALLED LOADED [OPTION...]: recorded to $out, said in $out.said
when=TORCH_NPU
gate() {
	out=$1 generation=$2 installed=$3 library=${4:+$tmp/$4/torch_npu/lib/libtorch_npu.so}
	shift 4
	SIM_COUNTS=$out.counts env "$when=$library" PYTHONPATH="$tmp/$installed" \
		"$run" --save-path "$out" --steps 2 "$@" -- ./npu_gate "$generation" 5 >"$out.said" 2>"$out.log"
	status=$?
	"$tool" dump --format jsonl "$out" >"$out.dump" 2>/dev/null
}

# marks: before, inside and after the window
marks() {
	for phase in before inside after; do
		awk -v p=$phase '$1 == p && $2 == "mstxMarkA" { n = $3 } END { printf "%d ", n }' "$out.said"
	done
}

# told NAME MARKS FACT: how many it told of, all of the window are recorded, and the file says which gate it was
told() {
	equal "$1" "$status $(marks)" "0 $2 "
	holds "$1_and_those_of_the_window_are_recorded_exactly" python3 "$here/tests/helpers/python/told.py" "$out.said" "$out.dump" "$out.counts" hooks
	report "$1_and_the_file_says_so" "$out" "(ranks[0]['facts']['ascend_gate'] == '$3')"
	equal "$1_and_all_is_well" "$("$tool" check "$out" | grep -v '^recorded')" ''
}

always='5 5 5' in_windows='0 5 0'
gate A A older older
told generation_A_tells_of_markers_always "$always" markers
equal the_report_says_what_torch_npu_could_tell "$("$tool" report A | grep -A1 'What torch_npu could tell' | tail -n 1 | sed 's/^[^:]*: //')" \
	"markers; for its allocator's memory give --torch-npu-markers allocator"
for generation in B C; do
	gate $generation $generation newer newer
	told generation_${generation}_tells_of_markers_in_windows_only "$in_windows" ask
	equal "the_report_says_plainly_what_generation_${generation}_told" "$("$tool" report $generation | grep -A1 'What torch_npu could tell' | tail -n 1 | sed 's/^[^:]*: //')" \
		"markers inside windows; for its allocator's memory give --torch-npu-markers allocator"
done
gate unknown C cann newer
told one_that_no_Python_finds_tells_always "$always" markers
ASCEND_HOME_PATH=$tmp/without gate without B newer newer
told one_that_has_no_mspti_to_ask_tells_always "$always" markers
equal torch_npu_is_not_imported_to_find_it "$(ls imported 2>&1 | grep -c '^imported')" 0

# ---- a wrong guess ----

lost='torch_npu set no markers, because it does not ask whether they are wanted: it is older than 2.7.1.post8, or ASCEND_HOME_PATH has no lib64/libmspti.so: give --torch-npu-markers markers'
# wrong NAME: nothing is told of, and that is said wherever one may look
wrong() {
	equal "$1" "$status $(marks)" '0 0 0 0 '
	report "$1_and_the_file_says_so" "$out" "((lambda f: (f['ascend_gate'], f['note'].split()))(ranks[0]['facts']) == ('ask', ['gate-unasked']))"
	equal "$1_and_check_says_so" "$("$tool" check "$out" | grep torch_npu | sed 's/^process [0-9]*: //')" "$lost"
	equal "$1_and_the_report_says_so" "$("$tool" report "$out" | grep -A1 'What torch_npu' | tail -n 1 | sed 's/^[^:]*: //')" \
		'no markers, because this torch_npu does not ask whether they are wanted: give --torch-npu-markers markers'
}
gate guess A newer older --level level1
wrong an_older_one_than_the_guess
when=TORCH_NPU_LATE gate late A newer older --level level1
wrong an_older_one_that_is_imported_late
ASCEND_HOME_PATH=$tmp/without gate nobody B newer newer --level level1 --torch-npu-markers ask
wrong one_that_has_no_mspti_to_ask

# ---- which Python is asked ----

# A Python that knows a torch_npu of its own, and says what was preloaded.
mkdir py bin
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "${LD_PRELOAD-nothing}" >>%s\nPYTHONPATH=%s exec "%s" "$@"\n' "$tmp/preloaded" "$tmp/newer" "$(command -v python3)" >py/python3.9
printf '#!/bin/sh\nexec sleep 100\n' >bin/python3
printf '#!%s\nimport os; os.write(1, os.environ["LD_PRELOAD"].encode())\n' "$tmp/py/python3.9" >script
printf '#!/bin/sh\nexec %s/script\n' "$tmp" >wrapper
chmod +x py/python3.9 bin/python3 script wrapper
# preloads NAME WANTED COMMAND...: behind our library
preloads() {
	name=$1 wanted=$2
	shift 2
	# shellcheck disable=SC2016
	equal "$name" "$("$run" --save-path none --steps 2 -- "$@" 2>/dev/null | sed "s|.*/libranktrace.so||; s|$BUILD|BUILD|g")" "$wanted"
}
always=:BUILD/libranktrace-libmspti.so
say='import os; os.write(1, os.environ["LD_PRELOAD"].encode())'
preloads the_Python_that_is_run_is_asked '' py/python3.9 -c "$say"
preloads the_Python_of_a_script_is_asked '' ./script
preloads the_Python_behind_a_launcher_is_asked '' env A=B nice -n 0 "$tmp/py/python3.9" -c "$say"
preloads the_Python_of_a_script_behind_a_launcher_is_asked '' nice -n 0 ./script
preloads else_that_of_PATH_is_asked "$always" ./wrapper
PYTHONPATH=$tmp/newer preloads that_of_PATH_may_have_it '' ./wrapper
equal Python_is_asked_without_what_is_preloaded_for_the_job "$(sort -u preloaded | grep -c nothing)" 1
PATH=$tmp/bin:$PATH preloads a_Python_that_does_not_answer_is_not_waited_for "$always" sh ./wrapper
mkdir -p "here/torch_npu/lib" && cp newer/torch_npu/lib/libtorch_npu.so here/torch_npu/lib && touch here/torch_npu/__init__.py && cd here || exit 1
preloads the_working_directory_is_not_looked_into "$always" "$tmp/wrapper"
cd ..
rm preloaded
"$run" --save-path none --steps 2 --torch-npu-markers markers -- py/python3.9 -c "$say" >said 2>log
"$run" --save-path none --enable false -- py/python3.9 -c "$say" >said 2>log
ASCEND_HOME_PATH='' ASCEND_OPP_PATH='' "$run" --save-path none --steps 2 -- py/python3.9 -c "$say" >said 2>log
equal Python_is_not_asked_where_nothing_depends_on_it "$(grep -c . preloaded)" 3
PYTHONPATH=$tmp/newer "$run" --print-env --steps 2 >env
equal the_variables_for_a_scheduler_say_what_was_chosen "$(grep -c '^RANKTRACE_TORCH_NPU_MARKERS=ask' env) $(grep -c libranktrace-libmspti env)" '1 0'
finish
