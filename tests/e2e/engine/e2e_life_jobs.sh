#!/bin/sh
# Faults that want more than one program: Python, a scheduler, namespaces, restarts, setuid, C++. See tests/lib/life.sh.
. "$(dirname "$0")/../../lib/life.sh"
build_life
one_clock

# ranks EXPRESSION: what holds for the report's list of ranks `r`, or why not
ranks() {
	"$tool" report --format json out >report 2>errors || :
	/usr/bin/python3 -c "import json; r = json.load(open('report'))['ranks']; print($1)"
}

# ---- Python ----

cat >calls.py <<END
import ctypes
launch = ctypes.CDLL("$tmp/libOpenCL.so.1").clEnqueueNDRangeKernel
def calls(n):
    for i in range(n):
        launch(None, b"python", 0, None, None, None, 0, None, None)
calls(100)
END
{ cat calls.py; echo 'import os; os.abort()'; } >abort.py
live faulthandler_says_the_same_of_an_abort python_abort numbers $python -X faulthandler abort.py
[ "$want" = 134 ] && grep -q 'Fatal Python error: Aborted' plain && ok faulthandler_had_something_to_say ||
	fail faulthandler_had_something_to_say "status $want: $(head -n 1 plain)"
{ cat calls.py; echo 'import ctypes; ctypes.string_at(0)'; } >segv.py
live faulthandler_says_the_same_of_a_segmentation_fault python_segv numbers $python -X faulthandler segv.py
{ cat calls.py; cat <<'END'; } >children.py
import subprocess
for i in range(1000):
    subprocess.run(["/bin/true"], check=True)
    calls(2)
END
live a_thousand_python_subprocesses_run_and_leave_no_trace python_children '' $python children.py
{ cat calls.py; cat <<'END'; } >workers.py
import multiprocessing
def work(n):
    calls(n)
    return n
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(4) as pool:
        print(sum(pool.map(work, range(100), chunksize=1)))
        pool.close()
        pool.join()
END
live worker_processes_of_python_keep_their_own_calls python_workers '' $python workers.py

{ cat calls.py; echo "import os; os.execv('$python', ['$python', 'after.py'])"; } >exec.py
{ cat calls.py; echo 'print("ready", flush=True); input()'; } >after.py
rm -rf out
mkfifo word said
FAKE_COUNTS=$tmp/counts LD_PRELOAD=$agent RANKTRACE_SAVE_PATH=$tmp/out $python exec.py <word >said 2>/dev/null &
exec 8>word
read -r ready <said
"$tool" recover >recovered 2>&1
equal what_was_recorded_before_an_exec_is_saved_while_the_process_lives_on "$ready $(grep -c ': 100 events saved' recovered)" 'ready 1'
echo >&8
wait $!
exec 8>&-
rm word said

# ---- a scheduler ends the job ----

cat >scheduler.py <<'END'
"""TERM to all, as a scheduler does; when the program has said its last word, KILL to all."""
import os, signal, subprocess, sys
job = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, start_new_session=True)
assert job.stdout.readline() == "ready\n"
os.killpg(job.pid, signal.SIGTERM)
assert job.stdout.readline() == "still here\n"
os.killpg(job.pid, signal.SIGKILL)
sys.exit(-job.wait())
END
rm -rf out
ended traced env RANKTRACE_STEPS= /usr/bin/python3 scheduler.py "$run" --save-path "$tmp/out" --steps 2 --contents cpu -- ./life scheduler
equal a_job_ended_by_term_and_kill_ends_by_it "$status" 9
"$tool" recover >recovered 2>&1
equal of_a_job_ended_by_term_and_kill_the_step_in_progress_is_kept \
	"$(ranks '[(s["step"], s["events"]) for x in r for s in x["steps"]], [x["events"]["called"] - x["events"]["kept"] for x in r]')" \
	'[(2, 800)] [0]'
equal and_its_session_is_cleared_away "$(ls -d "$RANKTRACE_SESSION_ROOT"-*/[0-9]* 2>/dev/null)" ''

# ---- restarted with the same rank ----

export RANK=3
rm -rf out
ended traced env "LD_PRELOAD=$agent" RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_JOB=elastic ./life kill
ended traced2 env "LD_PRELOAD=$agent" RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_JOB=elastic ./life plain
"$tool" recover >recovered 2>&1
equal a_rank_that_is_restarted_has_a_second_file_beside_the_first \
	"$(find out/elastic -path '*/rank3/*.rtrace' | wc -l)" 2
equal the_report_tells_the_two_lives_of_a_rank_apart \
	"$(ranks 'sorted((x["rank"], x["events"]["kept"], x["clean_end"]) for x in r), len({x["pid"] for x in r})')" \
	'[(3, 500, False), (3, 1000, True)] 2'
unset RANK

# ---- pid namespaces ----

if unshare -pf --mount-proc true 2>/dev/null; then
	live two_pid_namespaces_write_into_one_directory_without_a_clash namespaces '' \
		sh -c 'unshare -pf --mount-proc ./life plain & unshare -pf --mount-proc ./life plain & wait $! && wait'
	equal both_processes_had_the_same_number "$(find out -name '*.rtrace' | sed 's/.*-\([0-9]*\)-[0-9a-f]*\.rtrace/\1/' | tr '\n' ' ')" '1 1 '
	mkfifo said
	FAKE_COUNTS=$tmp/counts LD_PRELOAD=$agent RANKTRACE_SAVE_PATH=$tmp/out \
		unshare -pf --kill-child --mount-proc ./life scheduler >said 2>/dev/null &
	read -r ready <said
	holds a_process_that_lives_in_a_pid_namespace_is_left_alone \
		sh -c "[ '$ready' = ready ] && '$tool' recover >recovered; cat recovered; grep -q 'still running' recovered"
	kill -9 $!
	wait $! 2>/dev/null
	rm -rf "$RANKTRACE_SESSION_ROOT"-*/[0-9]*
	killed_in_namespaces='for i in 1 2; do unshare -pf --mount-proc sh -c "./life kill; true"; done; true'
	if [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ]; then
		live processes_killed_in_pid_namespaces_are_recovered_by_who_sees_them namespaces_killed '' sh -c "$killed_in_namespaces"
	else # in a container of their own, they might live in one beside ours
		rm -rf out
		ended traced env "LD_PRELOAD=$agent" RANKTRACE_SAVE_PATH="$tmp/out" sh -c "$killed_in_namespaces"
		"$tool" recover >recovered 2>&1
		equal processes_killed_in_pid_namespaces_are_recovered_by_who_sees_them \
			"$(ls -d "$RANKTRACE_SESSION_ROOT"-*/[0-9]* | wc -l)" 2
		rm -rf "$RANKTRACE_SESSION_ROOT"-*/[0-9]*
	fi
else
	echo 'skip: no pid namespaces here'
	exit 77
fi

# ---- setuid ----

# A sanitizer wants to be preloaded, which a setuid program does not let it; qemu-user is no setuid program.
if [ "$(id -u)" = 0 ] && [ -z "${SAN-}${EMULATED-}" ]; then
	chmod 755 "$tmp"
	cp "$BUILD/libranktrace.so" . # where another user reaches it
	# shellcheck disable=SC2086
	$cc -rdynamic -o life_linked "$here"/tests/helpers/life/*.c -Wl,--no-as-needed ./libranktrace.so ./libOpenCL.so.1 \
		-pthread -Wl,-rpath,"$tmp"
	cp life_linked life_setuid
	chown 65534 life_setuid
	chmod u+s life_setuid
	rm -rf out
	ended plain ./life plain
	ended traced env RANKTRACE_SAVE_PATH="$tmp/out" ./life_linked plain
	equal a_program_linked_to_the_agent_is_recorded "$(ranks '[x["events"]["kept"] for x in r]')" '[1000]'
	rm -rf out
	mkdir -m 777 out
	chmod 666 counts
	ended traced env RANKTRACE_SAVE_PATH="$tmp/out" ./life_setuid plain
	equal a_setuid_program_is_not_recorded "$status $(cat traced) $(find out "$RANKTRACE_SESSION_ROOT"-65534 2>/dev/null | wc -l)" '0  1'
	rm -rf out
fi

# ---- C++ ----

live an_exception_through_our_functions_passes_and_later_calls_are_not_nested throw "dump=flat may=fly:100" ./throw
live after_exceptions_through_our_functions_sigkill_loses_no_call throw "killed may=fly:100" ./throw kill
if grep -q 'clEnqueueNativeKernel' recovered; then
	fail a_thread_that_left_a_call_by_an_exception_is_not_in_it "$(cat recovered)"
else
	ok a_thread_that_left_a_call_by_an_exception_is_not_in_it
fi
finish
