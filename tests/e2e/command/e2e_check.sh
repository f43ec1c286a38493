#!/bin/sh
# Every cause that `ranktrace check` knows, provoked or faked, and its exact line.
set -eu
export LC_ALL=C
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp"
export RANKTRACE_SESSION_ROOT="$tmp/sessions"
cc=${CC:-cc}
# Whoever opens the library counts as having loaded it: other tests do, at the same time.
mkdir own
cp "$BUILD"/ranktrace "$BUILD"/libranktrace*.so own
export RANKTRACE_BUILD="$tmp/own"
$cc -std=gnu11 -I "$here" -o fake "$here/tests/fakes/fake_session.c"

tests=0

# expect NAME STATUS WANTED-LINES: check's standard output and exit status for the newest run.
expect() {
	tests=$((tests + 1))
	status=0
	"$tool" check out >got 2>errors || status=$?
	printf '%s\n' "$3" >want
	if [ "$status" != "$2" ] || ! cmp -s want got; then
		echo "FAIL $1: status $status"
		diff want got || cat errors
		failures=$((failures + 1))
	else
		echo "ok $1"
	fi
}

# same NAME GOT WANT
same() {
	tests=$((tests + 1))
	[ "$2" = "$3" ] && echo "ok $1" && return
	printf 'FAIL %s: got %s\n' "$1" "$2"
	failures=$((failures + 1))
}

# traced OPTIONS... -- COMMAND...: a fresh save_path and a run whose stderr is kept.
traced() {
	rm -rf out
	"$run" --save-path "$tmp/out" "$@" 2>stderr || :
}

steps='--steps 2,4 --ranks 0' both='--steps 2,4 --ranks 0,1'

# shellcheck disable=SC2086
{
traced $steps -- ./fake rank=0 kept=10 entered=10 windows=2 last_step=4 cause=none
expect a_good_run_is_said_so 0 'recorded 10 events of rank 0'

traced $both -- sh -c './fake rank=0 kept=10 entered=10; ./fake rank=1 kept=5 entered=5'
expect ranks_are_listed 0 'recorded 15 events of ranks 0, 1'

traced $steps -- sh -c './fake rank=0 kept=10 entered=10; ./fake rank=7 cause=rank-not-selected'
expect a_rank_that_nobody_wanted_is_no_cause 0 'recorded 10 events of rank 0'

traced $both -- sh -c './fake rank=2 cause=rank-not-selected; ./fake rank=3 cause=rank-not-selected'
expect rank_not_selected 1 'rank 2, rank 3: not among the selected ranks 0,1: give --ranks with this rank, or all'

traced $both -- ./fake cause=rank-unknown pid=4000001
expect rank_unknown 1 'process 4000001: the rank is unknown and ranks 0,1 are selected: set RANKTRACE_RANK in each process, or give --ranks all'

traced $steps -- ./fake rank=0 cause=step-not-reached last_step=1 boundaries=2 step_source=api
expect step_not_reached 1 'rank 0: steps 2,4 were selected, the last step seen was 1 (counted by api): run longer, or select steps up to 1'
traced $steps -- sh -c './fake rank=0 cause=step-not-reached last_step=1 boundaries=2 step_source=api; exit 3'
expect a_command_that_failed_before 1 'rank 0: steps 2,4 were selected, the last step seen was 1 (counted by api): the command ended with status 3, before the others came'

traced $steps -- ./fake rank=0 cause=step-not-reached step_source=python:torch.optim.optimizer:Optimizer+.step@return
expect no_step_ended 1 'rank 0: steps 2,4 were selected, and python:torch.optim.optimizer:Optimizer+.step@return was met, but not the end of a step: run longer, or give another --step-source'

traced $steps -- ./fake rank=0 cause=no-step-source-fired
expect no_step_source_fired 1 'rank 0: steps 2,4 were selected, but no step source fired: call ranktrace_step(n) (in Python: ranktrace.step(n)), or give --step-source kernel:REGEX with a kernel that ends each step: `ranktrace report` of a run with --steps all suggests one'
traced $steps --step-source 'kernel:adamm;api' -- ./fake rank=0 cause=no-step-source-fired
expect a_step_source_that_never_fired_is_named 1 'rank 0: steps 2,4 were selected, but --step-source kernel:adamm;api never fired: no kernel matches it (`ranktrace dump` of a run with --steps all has the names, those of C++ as they are matched: mangled), or nothing else is launched, and the run of matching launches never ends: then give --step-source symbol:LIB:NAME@return, or call ranktrace_step(n)'
traced $steps --step-source api -- ./fake rank=0 cause=no-step-source-fired
expect one_that_names_no_kernel_is_told_otherwise 1 'rank 0: steps 2,4 were selected, but --step-source api never fired: compare it with the names in `ranktrace report` of a run with --steps all, or call ranktrace_step(n)'

traced $steps -- ./fake rank=0 cause=bad-configuration "facts=error=RANKTRACE_LEVEL: 'x' is not a level"
expect bad_configuration 1 "rank 0: the settings were refused: RANKTRACE_LEVEL: 'x' is not a level"

traced $steps -- ./fake rank=0 cause=save-path error=13 entered=3 dropped=3
expect save_path_unwritable 1 "rank 0: $tmp/out cannot be written: Permission denied: 3 of 3 calls are lost: give another --save-path"

traced $steps -- ./fake rank=0 cause=disk-full error=28 kept=6 entered=10 dropped=4
expect disk_full 1 "recorded 6 events of rank 0
rank 0: the disk of $tmp/out is full (No space left on device): 4 of 10 calls are lost: make room, or select fewer steps"

traced $steps --max-size 64K -- ./fake rank=0 cause=max-size-reached kept=6 entered=10 dropped=4
expect max_size_reached 1 'recorded 6 events of rank 0
rank 0: max_size 65536 bytes was reached: 4 of 10 calls are lost: raise --max-size, or select fewer steps'

traced $steps -- ./fake rank=0 cause=no-ring-memory error=28 entered=9 dropped=9 no_ring=9
expect no_ring_memory 1 'rank 0: no memory for buffers (No space left on device): 9 of 9 calls are lost: make /dev/shm larger, or raise --shm-size or the limits of memory (ulimit -d, -v)'

traced $steps -- ./fake rank=0 cause=no-flush-thread error=11 entered=3 dropped=3
expect no_flush_thread 1 'rank 0: the flush thread could not start (Resource temporarily unavailable): 3 of 3 calls are lost: raise the limit of processes (ulimit -u)'

traced $steps -- ./fake rank=0 cause=second-copy
expect second_copy 1 'rank 0: a second libranktrace.so is loaded and stays silent: keep one in LD_PRELOAD'

traced $steps -- ./fake rank=0 cause=disabled
expect disabled_in_a_process 1 'rank 0: recording is switched off: set enable to true'

traced $steps -- ./fake rank=0 cause=no-steps-selected
expect no_steps_in_a_process 1 'rank 0: no steps are selected: give --steps 2,4 or --steps all'

traced $steps -- ./fake rank=0 kept=90 entered=100 dropped=10
expect dropped_events 1 'recorded 90 events of rank 0
rank 0: 10 of 100 calls are lost because buffers were full: raise --shm-size, or record less with --level or --contents'

traced $steps -- ./fake rank=0 kept=90 entered=100 dropped=10 no_ring=10
expect threads_beyond_the_caps 1 'recorded 90 events of rank 0
rank 0: 10 of 100 calls are lost because no buffer was left for their threads: raise --shm-size'
cp got told
find out -name 'run*.json' -exec sed -i 's/"no_ring":/"homeless":/' {} +
same a_run_json_of_an_older_release_says_the_same "$(grep -rc homeless out | grep -c ':1$') $("$tool" check out)" "1 $(cat told)"

traced $steps -- ./fake rank=0 windows=2 unrecorded=7
expect level_leaves_out 1 'rank 0: level level0 leaves out all 7 calls that were made in the window: give --level level1 or level2'

traced $steps -- ./fake rank=0 windows=2
expect empty_windows 1 'rank 0: 2 windows were opened, but no hooked function was called in them'

traced $steps -- ./fake rank=0
expect no_window 1 'rank 0: the process ended before a selected step began'

traced $steps -- ./fake rank=0 kept=3 entered=3 untimed=2
expect untimed 1 'recorded 3 events of rank 0
rank 0: 2 calls have no device time'

traced --steps 2,4 --ranks 0,1,17-19 -- sh -c './fake rank=0 kept=10 entered=10; ./fake rank=1 kept=5 entered=5'
expect a_selected_rank_that_never_came_is_told 0 'recorded 15 events of ranks 0, 1
rank 17, rank 18, rank 19: selected, but not seen among the processes started here'
same so_does_the_launcher "$(grep -c '^ranktrace: rank 17, rank 18, rank 19: selected, but not seen' stderr)" 1

traced --steps 2 --ranks 0- -- ./fake rank=0 kept=10 entered=10
expect of_an_open_range_nobody_is_missed 0 'recorded 10 events of rank 0'

traced --steps 2 --ranks '' -- ./fake cause=rank-unknown pid=4000001
expect an_empty_list_of_ranks_is_told 1 'process 4000001: no ranks are selected: give --ranks 0 or --ranks all'

traced $steps --step-source symbol:libfoo.so:bar@entry -- ./fake rank=0 cause=no-step-source-fired
expect a_symbol_that_never_fired_is_told 1 'rank 0: steps 2,4 were selected, but --step-source symbol:libfoo.so:bar@entry never fired: the library was not loaded, the symbol is not in it (nm -D lists them), or it was never called: give another --step-source, or call ranktrace_step(n)'

# shellcheck disable=SC2016
traced $steps -- sh -c 'for r in 0 1 2 3 4 5 6 7 8 9 10; do ./fake rank=$r cause=second-copy; done; exit 0'
grep -c 'rank .* and 3 more: a second' stderr >/dev/null || { echo 'FAIL many_ranks_are_put_together'; failures=$((failures + 1)); }

traced $steps -- true
expect no_hooked_call 1 'libranktrace.so was loaded, but no hooked function was called: ranktrace hooks lists them; does the program use an accelerator at all? Libraries opened with RTLD_DEEPBIND are seen with --undo-deepbind true, or those of OpenCL by OPENCL_LAYERS naming libranktrace.so'

traced $steps --stage-source python:nowhere:f -- true
expect no_hooked_call_and_no_stage 1 'libranktrace.so was loaded, but no hooked function was called, and no stage entered: a run with --steps none, and `ranktrace check --sources`, say which of the functions that are named are there; ranktrace hooks lists those that are hooked'

traced --enable false $steps -- true
expect disabled 1 'recording is switched off: set enable to true'

traced --steps '' -- true
expect no_steps 1 'no steps are selected: give --steps 2,4 or --steps all'

traced --steps 1 --ranks '' -- true
expect no_ranks 1 'no ranks are selected: give --ranks 0 or --ranks all'

echo 'int main(void) { return 0; }' >plain.c
if $cc -static -o plain_static plain.c 2>/dev/null; then
	traced $steps -- ./plain_static
	expect static_binary 1 './plain_static is linked statically, so no library can be preloaded into it: link it dynamically'
fi

$cc -o plain plain.c
printf '\267\000' | dd of=plain bs=1 seek=18 conv=notrunc 2>/dev/null
[ "$(uname -m)" = aarch64 ] && printf '\076\000' | dd of=plain bs=1 seek=18 conv=notrunc 2>/dev/null
tests=$((tests + 1))
[ "$("$tool" check -- ./plain)" = './plain is built for another architecture than libranktrace.so: build ranktrace for that one' ] ||
	{ echo 'FAIL another_architecture'; failures=$((failures + 1)); }
printf '#!/bin/sh\n' >script && chmod +x script
equal a_script_is_named_with_what_runs_it "$("$tool" check -- ./script)" './script can be traced (it runs by /bin/sh)'
[ "$("$tool" check -- sh)" = "$(command -v sh) can be traced" ] || { echo 'FAIL a_plain_program'; failures=$((failures + 1)); }
[ "$("$tool" check -- ./nowhere)" = 'the program ./nowhere does not exist or may not be run' ] ||
	{ echo 'FAIL a_missing_program'; failures=$((failures + 1)); }

# tinygrad's own drivers go past libraries: told by the variables that choose one, or by the package where none does.
nv='DEV=NV (or NV=1) has tinygrad drive the GPU itself, past libcuda, where nothing is seen of it: set DEV=CUDA'
amd='DEV=AMD (or AMD=1) has tinygrad drive the GPU itself, past libamdhip64, where nothing is seen of it: set DEV=HIP'
there='this Python has tinygrad, which drives a GPU itself unless it is told otherwise, past libcuda and libamdhip64, where nothing is seen of it: set DEV=CUDA or DEV=HIP if the program uses it'
mkdir -p packages/tinygrad && : >packages/tinygrad/__init__.py
python=/usr/bin/python3
# road NAME WANTED [VARIABLE...]: of a command of that Python
road() {
	name=$1 wanted=$2
	shift 2
	same "$name" "$(env -u DEV -u NV -u AMD "$@" "$tool" check -- $python train.py || echo "status $?")" "$wanted"
}
fine="$python can be traced"
road tinygrad_on_its_driver_for_nvidia_is_told "$nv
status 1" DEV=nv
road in_the_words_of_older_releases_too "$amd
status 1" AMD=1
road with_an_interface_and_a_compiler "$amd
status 1" DEV=PCI+AMD:LLVM
road the_newer_word_counts "$fine" DEV=CUDA NV=1
road a_driver_that_is_called_alike_is_another "$fine" DEV=NVX
road a_python_with_tinygrad_that_is_told_nothing_is_told_of "$there
$fine" PYTHONPATH="$tmp/packages"
road and_not_where_it_is_told "$fine" PYTHONPATH="$tmp/packages" DEV=CUDA
road nor_by_an_older_word "$fine" PYTHONPATH="$tmp/packages" CL=1
road a_tool_that_hears_nvtx_in_our_place_is_told "NVTX_INJECTION64_PATH is set already, to /opt/nsys/libToolsInjection64.so: ranges and marks of NVTX go there, and will not be recorded
$fine" NVTX_INJECTION64_PATH=/opt/nsys/libToolsInjection64.so
road and_not_where_it_is_ours "$fine" NVTX_INJECTION64_PATH="$BUILD/libranktrace.so"
same of_a_variable_in_the_command_it_is_told "$("$tool" check -- env DEV=NV $python train.py)" "$nv"
same but_not_where_it_is_a_script_s_own "$("$tool" check -- $python train.py DEV=NV)" "$fine"
same nor_where_it_is_taken_away "$(DEV=NV "$tool" check -- env -u DEV $python train.py)" "$("$tool" check -- env $python train.py)"
same a_program_that_is_no_python_has_no_packages "$(PYTHONPATH=$tmp/packages "$tool" check -- ./fake)" './fake can be traced'
traced $steps -- env DEV=NV true
same a_run_that_recorded_nothing_names_it "$("$tool" check out | tail -n 1)" "$nv"
same and_so_does_the_launcher "$(tail -n 1 stderr)" "ranktrace: nothing was recorded: $nv"
traced $steps -- env DEV=NV ./fake rank=0 kept=10 entered=10
expect where_something_was_recorded_it_is_no_cause 0 'recorded 10 events of rank 0'

# Started without the wrapper nobody can count who loads the library.
rm -rf out
RANKTRACE_STEPS=1 RANKTRACE_RESOLVED=1 RANKTRACE_JOB=j RANKTRACE_SAVE_PATH="$tmp/out" \
	"$tool" supervise -- true 2>/dev/null
expect not_watched 1 'no process reported a hooked call: either LD_PRELOAD was dropped on the way (sudo, env -i, a container, ssh) or no function of ranktrace hooks was called'
}

# What a dropped LD_PRELOAD looks like: no process opened the library.
traced --steps 1 -- true
sed -i 's/"loads":[0-9]*/"loads":0/' out/*/run.json
expect not_preloaded 1 'no process loaded libranktrace.so: something between ranktrace-run and the program drops LD_PRELOAD (sudo, env -i, a container, ssh): set the variables of ranktrace-run --print-env there'

# setuid needs another user, so only root can arrange it.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$tmp"
	cp "$tool" theirs # where another user reaches it
	printf 'int main(void) { return 0; }' >suid.c && $cc -o suid suid.c && chmod 4755 suid
	got=$(setpriv --reuid=65534 --regid=65534 --clear-groups ./theirs check -- "$tmp/suid") || :
	[ "$got" = "$tmp/suid is setuid, setgid or has capabilities, so the loader ignores LD_PRELOAD: run a copy without them" ] ||
		{ echo "FAIL setuid: $got"; failures=$((failures + 1)); }
fi

# --pid: a live process, known by its session; then one that has none.
mkfifo hold said
./fake rank=5 cause=no-step-source-fired state=dormant wait <hold >said &
pid=$!
exec 9>hold
read -r ready <said && [ "$ready" = ready ]
RANKTRACE_STEPS=3 "$tool" check --pid "$pid" >got || :
grep -q '^rank 5: steps .* were selected, but no step source fired' got || { echo 'FAIL pid'; cat got; failures=$((failures + 1)); }
exec 9>&-
wait "$pid"
# A plain process: whatever this script runs under.
env -u LD_PRELOAD sleep 1000 &
pid=$!
until [ "$(cat /proc/$pid/comm)" = sleep ]; do :; done # before that the shell's own trap would take the signal
same a_process_that_is_not_traced_is_told_apart "$("$tool" check --pid "$pid")" \
	"process $pid has not loaded libranktrace.so, so it is not traced: start it with ranktrace-run"
kill "$pid"
status=0
"$tool" check --pid 4194305 2>/dev/null || status=$?
[ $status = 2 ] || { echo 'FAIL pid_of_nobody'; failures=$((failures + 1)); }

# A folder of several save_paths: the newest run, and not a mixture.
mkdir many
for one in first second; do
	"$run" --save-path "many/$one" --job "$one" --steps 2 --ranks 0 -- ./fake rank=0 cause=second-copy 2>/dev/null
done
"$run" --save-path many/third --job third --steps 2 --ranks 0 -- ./fake rank=0 kept=3 entered=3 2>/dev/null
touch -d '1 hour ago' many/first/first/run.json many/second/second/run.json
same of_a_folder_of_save_paths_the_newest_run_is_told "$("$tool" check many)" 'recorded 3 events of rank 0'

# ---- files of others, files that are broken ----

traced $steps -- ./fake rank=0 kept=10 entered=10 windows=2 last_step=4 cause=none
echo '{"a":1}' >"$(dirname out/*/run.json)/run-20.json"
mkdir out/wandb
echo '{"a":1}' >out/wandb/run-21.json
expect files_of_others_are_none_of_ours 0 'recorded 10 events of rank 0'
same a_folder_that_is_named_twice_is_told_once "$("$tool" check out ./out "$tmp/out")" 'recorded 10 events of rank 0'
: >"$(echo out/*/run.json)"
status=0
"$tool" check out >got 2>errors || status=$?
same a_broken_file_leaves_nothing_to_tell "$status $(cat got)" '1 '
same and_it_is_named "$(sed "s|out/.*/run|out/JOB/run|" errors)" "ranktrace: out/JOB/run.json is broken: what follows is what the traces tell"

mkdir empty
status=0
"$tool" check empty 2>got || status=$?
if [ $status != 2 ] || ! grep -q 'empty: no run.json here or above' got; then
	echo 'FAIL no_run_json'
	failures=$((failures + 1))
fi

[ "$failures" = 0 ] && echo "e2e_check: $tests causes"
