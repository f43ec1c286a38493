#!/bin/sh
# Which line of Python made a call: each call's stack is the one that Python itself had there, to the line, in every Python that is here.
# PYTHONS="PATH...": more of them.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/helpers/python/trained.sh"

helpers=$here/tests/helpers/python

# asked NAME CONTENTS "PYTHON FLAGS" [WORD]: runs it, and dumps
asked() {
	"$run" --save-path "$1" --steps all --contents "cpu,$2" -- $3 "$helpers/asked_from.py" "$tmp/cann/libascendcl.so" "$1.said" ${4-} >"$1.out" 2>"$1.log" ||
		fail "$1_runs" "$(tail -n 1 "$1.log")"
	"$tool" dump --format jsonl "$1" >"$1.dump" 2>/dev/null
}

# exact NAME: ... and each has the stack that it had; there are some, by what Python counted
exact() { equal "$1_has_each_calls_own_stack" "$(python3 "$helpers/asked_compare.py" "$1.said" "$1.dump")" "$(wc -l <"$1.said") of $(wc -l <"$1.said")"; }

# Under the sanitizer of threads no native stacks, for it ends with a thread before the unwinder does, which takes a lock; and a forked
# child of a process with threads may be ended early by it.
native=stack
case ${SAN-} in *thread*) native='' ;; esac

for named in $(pythons); do
	v=${named%%:*} version=${named#*:}
	echo "$v: $version, $("$version" -V)"
	for contents in module $native; do
		asked ${contents}_$v "$contents" "$version"
		exact ${contents}_$v
	done
done
holds there_are_a_thousand_calls test "$(wc -l <module_system.said)" -gt 1000

asked isolated module "$python -I -S"
exact isolated
asked forked module "$python" forked
exact forked
asked spawned module "$python" spawned
exact spawned
[ -z "$native" ] || equal a_child_has_as_many_calls "$(wc -l <forked.said) $(wc -l <spawned.said)" "$((2 * $(wc -l <module_system.said))) $(wc -l <module_system.said)"

# Threads do not get each other's.
"$run" --save-path threads --steps all --contents cpu,module -- "$python" "$helpers/asked_threads.py" "$tmp/cann/libascendcl.so" 8 2000 >threads.out 2>&1
equal each_call_has_its_own_threads_stack "$("$tool" dump --format jsonl threads 2>/dev/null | python3 "$helpers/asked_threads.py" - 8 2000)" \
	'16000, 0 wrong, each thread its own'

equal why_says_of_calls_outside_of_steps_that_there_is_no_step "$("$tool" why threads 2>&1 || echo $?)" \
	"ranktrace: no call of these is in a step: \`ranktrace report\` says which step source to name
1"

# Of long windows some: the first of each thread and entry point, and every hundredth of each thread.
"$run" --save-path some --steps all --contents cpu,module --stack-every 100 -- "$python" "$helpers/asked_threads.py" "$tmp/cann/libascendcl.so" 4 4000 >some.out 2>&1
equal every_nth_call_has_a_stack "$("$tool" dump --format jsonl some 2>/dev/null | awk '/"stack":/ { n++ } END { print NR, n }')" '16001 164'

# What has none says why: the call that had ranktrace ask Python, before any answer.
equal a_call_before_python_was_asked_says_so "$(grep -c '"stack_of":"too_early"' module_system.dump) $(grep -vc '"stack":' module_system.dump)" '1 1'

# Of code that goes when it has run, the memory serves the next.
cat >made.py <<'END'
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
to = ctypes.create_string_buffer(8)
library.aclrtMemcpy(to, ctypes.c_size_t(8), to, ctypes.c_size_t(0), 2)
for _ in range(1000): pass
for n in range(2000):
    space = {"copy": library.aclrtMemcpy, "to": to, "size": ctypes.c_size_t(4)}
    exec(compile("\n" * (n % 200) + "def f%d(): copy(to, size, to, size, 2)\nf%d()" % (n, n), "<%d>" % (n % 7), "exec"), space)
for n in range(300):
    exec(compile("\n" * n + "def f(): copy(to, size, to, size, 2)\nf()", "moved", "exec"), {**space})
END
for named in $(pythons); do
	"$run" --save-path made --steps all --contents module -- "${named#*:}" made.py "$tmp/cann/libascendcl.so" >made.log 2>&1
	equal "code_in_anothers_place_is_its_own_${named%%:*}" "$("$tool" dump --format jsonl made 2>/dev/null | python3 -c '
import json, sys
stacks = [json.loads(line).get("stack") for line in sys.stdin][1:]
print(sum([(f["file"], f["line"]) for f in s[:2]] == [("<%d>" % (n % 7), n % 200 + 1), ("<%d>" % (n % 7), n % 200 + 2)] for n, s in enumerate(stacks[:2000])),
    [s[0]["line"] for s in stacks[2000:]] == [*range(1, 301)])')" '2000 True'
	equal "and_counts_for_the_line_of_a_file_that_ran_it_${named%%:*}" "$("$tool" report --only lines made | awk '$1 == 2000 { sub(".*/", "", $(NF - 1)); print $1, $NF, $(NF - 1) }')" '2000 <module> made.py:8'
	rm -rf made
done

# Native frames lie around Python's, and none of them is ours.
if [ -z "$native" ]; then
	ok native_stacks_are_not_taken_under_this_sanitizer
elif grep -q libunwind stack_system.log; then
	echo "skip: native stacks: no libunwind.so.8"
else
	holds frames_of_ctypes_lie_below_python grep -q '"module":"[^"]*/libffi.so[^{]*{.*"function":"copy".*{"module":"[^"]*/libc.so.6"' stack_system.dump
	# What is emulated has its libraries elsewhere than this machine.
	[ -n "${EMULATED-}" ] || holds and_are_named grep -q '"symbol":"ffi_call".*"function":"copy".*"symbol":"__libc_start_main"' stack_system.dump
	equal no_frame_is_ours "$(grep -c 'libranktrace\|<ranktrace>' stack_system.dump)" 0
fi

# Without the unwinder stacks are Python's, and that is said.
mkdir broken
echo broken >broken/libunwind.so.8
LD_LIBRARY_PATH=$tmp/broken:$LD_LIBRARY_PATH
asked alone stack "$python"
LD_LIBRARY_PATH=$tmp/cann
exact alone
equal without_an_unwinder_it_is_said_once "$(grep -c '^ranktrace: libunwind.so.8 is not here' alone.log)" 1

# A thread's first walk takes long: it is in the step before the first window, for nobody. Later windows find it done.
mkdir counted
cat >walks.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/syscall.h>
#ifdef __aarch64__
#define NAMED(prefix, name) prefix##aarch64_##name
#else
#define NAMED(prefix, name) prefix##x86_64_##name
#endif
static void *accessors[4];
void *NAMED(_UL, local_addr_space) = accessors;
void *NAMED(_U, get_accessors)(void *space) { return space; }
int unw_backtrace(void **frames, int most)
{
	int file = open("walks", O_WRONLY | O_CREAT | O_APPEND, 0600);
	(void)most;
	frames[0] = __builtin_return_address(0);
	dprintf(file, "%ld\n", syscall(SYS_gettid));
	close(file);
	return 1;
}
END
${CC:-gcc} -shared -fPIC -Wl,-soname,libunwind.so.8 -o counted/libunwind.so.8 walks.c
cat >steps.py <<'END'
import ctypes, sys, threading
library, agent = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(None)
barrier = threading.Barrier(2)
def run(steps):
    for step in range(1, 7):
        if steps: agent.ranktrace_step(ctypes.c_int64(step))
        barrier.wait()
        for _ in range(step): library.aclrtLaunchKernel(None, 1, None, 0, None)
        barrier.wait()
        if steps: print(step, sum(1 for _ in open("walks")))
other = threading.Thread(target=run, args=(False,))
other.start()
run(True)
other.join()
END
LD_LIBRARY_PATH=$tmp/counted:$tmp/cann "$run" --save-path walked --steps 3,6 --contents cpu,stack -- "$python" steps.py "$tmp/cann/libascendcl.so" >walked.out 2>walked.log
# A launch by AscendCL makes one by the runtime, which looks, too: 2 threads, 2 launches in step 2 make 8, 3 in step 3 make 6 that are recorded.
equal threads_walk_in_the_step_before_a_window_and_in_it "$(echo $(cat walked.out))" '1 1 2 9 3 15 4 15 5 15 6 27'

# A Python that is not known has no stacks, and its program runs on.
old=$([ -n "${EMULATED-}" ] || ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.7.*/bin/python3 2>/dev/null | head -n 1)
if [ -n "$old" ]; then
	"$run" --save-path old --steps all --contents cpu,module -- "$old" -c "
import ctypes
library = ctypes.CDLL('$tmp/cann/libascendcl.so')
to = ctypes.create_string_buffer(8)
for number in range(100): library.aclrtMemcpy(to, ctypes.c_size_t(8), to, ctypes.c_size_t(4), 2)" 2>old.log
	equal a_python_that_is_not_known_is_told "$? $(grep -c '^ranktrace: stacks of Python are not recorded: ' old.log)" '0 1'
	equal and_its_calls_are_there "$("$tool" dump --format jsonl old 2>/dev/null | wc -l)" 100
fi

# Functions that are watched have no frame of ours in what is shown.
cat >watched.py <<'END'
import asked_from
def step(): asked_from.copy()
if __name__ == "__main__":
    import watched
    asked_from.copy()
    for _ in range(1000): pass
    for _ in range(5): watched.step()
END
PYTHONPATH=$helpers "$run" --save-path watched --steps 2,3 --step-source python:watched:step --contents module -- "$python" watched.py "$tmp/cann/libascendcl.so" none >watched.log 2>&1
"$tool" dump --format jsonl watched >watched.dump 2>/dev/null
equal calls_inside_a_watched_function_have_its_frame "$(python3 -c "
import json
for line in open('watched.dump'):
    event = json.loads(line)
    print(event['step'], [frame['function'].split('.')[-1] for frame in event['stack']])")" "2 ['copy', 'step', '<module>']
3 ['copy', 'step', '<module>']"

# What a slow step's host did between two calls is told by the lines between which it was.
cat >slow.py <<'END'
import asked_from, time
def step(n):
    asked_from.copy()
    if n == 4: time.sleep(0.2)
    asked_from.copy()
if __name__ == "__main__":
    import slow
    asked_from.copy()
    for _ in range(1000): pass
    for n in range(1, 9): slow.step(n)
END
PYTHONPATH=$helpers "$run" --save-path slow --steps all --step-source python:slow:step --contents cpu,module -- "$python" slow.py "$tmp/cann/libascendcl.so" none >slow.log 2>&1
holds why_names_the_lines_between_which_the_host_was sh -c '"$1" why --step 4 slow | grep -q "host made no .*call between aclrtMemcpy and aclrtMemcpy: .*, between lines 3 and 5 of step in .*/slow.py) (certain)"' - "$tool"

# Where the later line comes first the function was called once more, or went round: where from is told, and the stage that took the time.
cat >again.py <<'END'
import asked_from, time
def load(n):
    if n == 4: time.sleep(0.2)
def step(n):
    asked_from.copy()
    asked_from.copy()
def main():
    for n in range(1, 9):
        load(n)
        step(n)
if __name__ == "__main__":
    import again
    asked_from.copy()
    for _ in range(1000): pass
    again.main()
END
PYTHONPATH=$helpers "$run" --save-path again --steps all --step-source python:again:load --stage-source 'python:again:load{role=load}' --contents cpu,module -- \
	"$python" again.py "$tmp/cann/libascendcl.so" none >again.log 2>&1
holds why_names_where_a_function_was_called_again_and_the_stage_meanwhile sh -c '"$1" why --step 4 again |
	grep -q "inside load, behind line 6 of step in .*/again.py, before line 5 of its next round, or of its next call at .*/again.py:10 main) (certain)"' - "$tool"

# Two calls from one place have nothing but that between them.
cat >once.py <<'END'
import asked_from, time
def load(n):
    if n == 4: time.sleep(0.2)
if __name__ == "__main__":
    import once
    asked_from.copy()
    for _ in range(1000): pass
    for n in range(1, 9): once.load(n); asked_from.copy(); asked_from.copy()
END
PYTHONPATH=$helpers "$run" --save-path once --steps all --step-source python:once:load --contents cpu,module -- "$python" once.py "$tmp/cann/libascendcl.so" none >once.log 2>&1
holds why_names_the_place_that_two_calls_have_in_common sh -c '"$1" why --step 4 once | grep -q ", between two calls at .*/once.py:8 <module>) (certain)"' - "$tool"

# A backward pass is done by threads that have no name for it before PyTorch 2.6: they have a task of it. One without is nobody's worker. So it is with
# an operator whose plan nobody has asked for.
mkdir -p pass/torch/autograd
touch pass/torch/__init__.py pass/torch/autograd/__init__.py
cat >backward.c <<'END'
#include <pthread.h>
#include <stddef.h>
int aclrtMemcpy(void *to, size_t most, const void *from, size_t count, int way);
int aclnnRelu(void *workspace, size_t size, void *plan, void *stream);
static __thread int task = -1;
int _ZN5torch8autograd25get_current_graph_task_idEv(void) { return task; }
static void *works(void *its)
{
	char a[8], b[8] = "";
	task = *(int *)its;
	aclrtMemcpy(a, 8, b, 5 + task, 2);
	if (task == 1) aclnnRelu(NULL, 0, NULL, NULL);
	return NULL;
}
void work(int its) { pthread_t t; if (!pthread_create(&t, NULL, works, &its)) pthread_join(t, NULL); }
END
${CC:-gcc} -shared -fPIC -o libbackward.so backward.c -L"$tmp/cann" -Wl,--no-as-needed -lacl_rt -lopapi -pthread
cat >pass/torch/autograd/variable.py <<'END'
import ctypes
library = ctypes.CDLL("./libbackward.so")
class ImperativeEngine:
    def run_backward(self, *tasks):
        for task in tasks: library.work(task)
class Variable: _execution_engine = ImperativeEngine()
END
cat >pass/job.py <<'END'
import torch.autograd.variable as variable
def learn(): variable.Variable._execution_engine.run_backward(0, -1, 1)
variable.library.work(0)
for _ in range(1000): pass
learn()
variable.library.work(2)
END
"$run" --save-path pass.out --steps all --contents module -- "$python" pass/job.py >pass.log 2>&1
equal a_thread_with_a_task_of_a_backward_pass_works_for_who_is_inside "$("$tool" dump --format jsonl pass.out 2>/dev/null | python3 -c '
import json, sys
print(*(" ".join([str(e["bytes"] - 5) if "bytes" in e else e["name"], e["stack_of"], *("%s:%d" % (f["function"], f["line"]) for f in e.get("stack", []))]) for e in map(json.loads, sys.stdin)), sep="; ")')" \
	'0 too_early; 0 backward learn:2 <module>:5; -1 no_frames; 1 backward learn:2 <module>:5; aclnnRelu backward learn:2 <module>:5; 2 no_frames'

# Python frees what it has of threads that are still in a call when it ends; what it has freed is overwritten here.
cat >copies.c <<'END'
#include <stddef.h>
int aclrtMemcpy(void *to, size_t most, const void *from, size_t count, int way);
void copies(long n) { char a[8], b[8] = ""; while (n--) aclrtMemcpy(a, 8, b, 8, 2); }
END
${CC:-gcc} -shared -fPIC -o libcopies.so copies.c -L"$tmp/cann" -Wl,--no-as-needed -lacl_rt
cat >ends.py <<'END'
import ctypes, sys, threading, time
if "told" in sys.argv: import atexit
library, c = ctypes.CDLL("./libcopies.so"), ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
library.copies(ctypes.c_long(1))
for _ in range(1000): pass
class Overwrites:
    def __del__(self, malloc=c.malloc, memset=c.memset, address=ctypes.c_void_p, sleep=time.sleep, copies=library.copies):
        copies(7)
        for size in list(range(128, 1400, 8)) * 5: memset(address(malloc(size)), 0x41, size)
        sleep(0.05)
def copies(started):
    started.set()
    library.copies(ctypes.c_long(10**9))
for _ in range(2):
    started = threading.Event()
    threading.Thread(target=copies, args=(started,), daemon=True).start()
    started.wait()
sys.overwrites = Overwrites()
END
for told in told untold; do
	for named in $(pythons); do
		"$run" --save-path ends --steps all --level level0 --contents module --shm-size 16M -- "${named#*:}" ends.py $told >ends.log 2>&1
		equal "threads_in_calls_at_${told}_pythons_end_${named%%:*}" "$?" 0
		rm -rf ends
	done
done
finish
