#!/bin/sh
# Stages of a process that calls no vendor, such as verl's driver: they have rows and slices, and no event. What imports nothing that the
# settings name pays nothing, and what enters no stage leaves nothing.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/lib/told_steps.sh"
told_python
unset RANKTRACE_RANK
python=/usr/bin/python3

cat >my_reward.py <<'END'
import asyncio

def compute_reward(calls=0, call=None):
    for _ in range(calls):
        call(None)

class Trainer:
    n = 0
    def step(self, calls=0, call=None):
        compute_reward(calls, call)
        self.advantage()
    def advantage(self):
        pass
    def fit(self, steps, calls=0, call=None):
        for _ in range(steps):
            self.n += 1
            self.step(calls, call)

class Engine:
    async def generate(self, n):
        for i in range(n):
            await asyncio.sleep(0)
            yield i
END
sources='--stage-source python:my_reward:compute_reward;python:my_reward:Trainer.advantage{role=compute_advantage};python:my_reward:Engine.generate --step-source python:my_reward:Trainer.step{step=attr:self.n}'

# traced OPTION... -- PYTHON WORD...: what it says is in said
traced() {
	rm -rf out
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	# shellcheck disable=SC2086 # lists of words
	"$run" --save-path out $sources $options -- "$@" >said 2>err
}
# stages: STEP, EVENTS and name of each row of the report, with the rank in front; some have a PID behind that
stages() { "$tool" report out 2>/dev/null | awk '/^Stages/ { on = 1; next } /^$/ { on = 0 } on && $1 == "RANK" { at = $2 == "PID" ? 3 : 2; next } on { print $1, $at, $(at + 3), $NF }'; }
files() { find out -name '*.rtrace*' | wc -l; }

# ---- rows ----

printf 'import _ctypes\nimport my_reward\nmy_reward.Trainer().fit(3)\n' >driver.py
rows='- 2 0 compute_reward.0
- 2 0 compute_advantage.0
- 3 0 compute_reward.0
- 3 0 compute_advantage.0'
for named in $(pythons); do
	v=${named%%:*} p=${named#*:}
	traced --steps 2,3 -- "$p" driver.py
	equal "stages_without_a_call_have_rows_in_$v" "$(stages)" "$rows"
done
all_sources=$sources sources='--stage-source python:my_reward:compute_reward'
traced --steps all -- $python driver.py
equal where_nobody_tells_of_steps_they_are_in_none "$(stages)" '- - 0 compute_reward.0
- - 0 compute_reward.1
- - 0 compute_reward.2'
sources=$all_sources
traced --steps 2,3 -- $python driver.py
equal the_launcher_says_what_there_is "$(sed 's/ in .*//; 2d' err)" 'ranktrace: stages of 1 process, 0 events, 0 lost'
equal check_has_nothing_to_complain_of "$("$tool" check out; echo "status $?")" 'recorded stages of 1 process that called no hooked function
status 0'
equal an_export_has_slices "$("$tool" export --to chrome -o out.json out && $python -c '
import json
for e in json.load(open("out.json"))["traceEvents"]:
    if e["ph"] == "X": print(e["cat"], e["name"], e["args"]["step"], e["dur"] > 0)')" 'user_annotation compute_reward.0 2 True
user_annotation compute_advantage.0 2 True
user_annotation compute_reward.0 3 True
user_annotation compute_advantage.0 3 True'
traced --steps 2 --discrete true -- $python driver.py
equal a_file_of_each_stage "$(windows_in out)" 'step-2.compute_advantage.0 0
step-2.compute_reward.0 0'
traced --steps 2 --roles reward -- $python driver.py
equal a_role_has_its_whole_step "$(files) $(stages | head -n 1)" '1 - 2 0 compute_reward.0'

# ---- ways in which the module comes ----

# the module is the last that is imported, and imported by a name; in a thread; by a reload; behind python's own options
printf 'import _ctypes\nfrom my_reward import compute_reward\ncompute_reward()\n' >last.py
traced --steps all -- $python last.py
equal the_last_import_of_all "$(stages)" '- - 0 compute_reward.0'
printf 'import _ctypes, threading\ndef late():\n\timport my_reward\n\tmy_reward.Trainer().fit(1)\nt = threading.Thread(target=late)\nt.start()\nt.join()\n' >threaded.py
traced --steps all -- $python threaded.py
equal an_import_in_a_thread "$(stages)" '- 1 0 compute_reward.0
- 1 0 compute_advantage.0'
printf 'import my_reward\nimport _ctypes\nimport json\nmy_reward.Trainer().fit(1)\n' >first.py
traced --steps all -- $python first.py
equal the_module_before_the_first_library "$(stages | wc -l)" 2
# the module of the steps imports that of the stages, and nothing is imported behind that
printf 'import _ctypes\nimport my_reward\nclass Loop(my_reward.Trainer):\n\tdef step(self, *words): super().step(*words)\n' >my_loop.py
printf 'import my_loop\nmy_loop.Loop().fit(2)\n' >loop.py
for named in $(pythons); do
	v=${named%%:*} p=${named#*:} all_sources=$sources
	sources="--stage-source python:my_reward:compute_reward --step-source python:my_loop:Loop.step{step=attr:self.n}"
	traced --steps 2 -- "$p" -c 'exec(open("loop.py").read())'
	equal "the_module_of_the_steps_is_half_imported_in_$v" "$(stages)" '- 2 0 compute_reward.0'
	sources=$all_sources
done
printf 'import sys\nsys.path.insert(0, ".")\n' | cat - driver.py >isolated.py
traced --steps 2,3 -- $python -I -S isolated.py
equal behind_options_of_pythons_own "$(stages)" "$rows"
printf 'import _ctypes, asyncio, my_reward\nasync def ask(n):\n\tasync for i in my_reward.Engine().generate(n): pass\nasync def both():\n\tawait asyncio.gather(ask(2), ask(3))\nasyncio.run(both())\n' >engine.py
traced --steps all -- $python engine.py
equal generators_that_overlap "$(stages)" '- - 0 generate.0
- - 0 generate.1'
# 20 at once, then 3 more, as a server has requests: those of the 20 that find no room are told as so many, and nothing else is wrong
printf 'import _ctypes, asyncio, my_reward\nasync def ask():\n\tasync for i in my_reward.Engine().generate(2): pass\nasync def all_of(n):\n\tawait asyncio.gather(*(ask() for i in range(n)))\nasyncio.run(all_of(20))\nasyncio.run(all_of(3))\n' >server.py
rm -rf out
"$run" --save-path out --stage-source 'python:my_reward:Engine.generate' --steps all -- $python server.py >said 2>err
equal more_than_16_at_once_are_counted "$(stages | grep -c ' generate[.]') $("$tool" report out | grep -o '[0-9]* stages are not told')" '19 4 stages are not told'
traced --steps all --stage-source python:__main__:own -- $python -c 'import _ctypes
def own(): pass
own()'
equal a_program_without_a_file_is_no_main "$(files)" 0
printf 'import _ctypes\ndef own(): pass\nimport json\nown()\n' >main.py
traced --steps all --stage-source python:__main__:own -- $python main.py
equal a_function_of_main "$(stages)" '- - 0 own.0'
cat >finders.py <<'END'
import _ctypes, sys, importlib.util
class Finder:
    seen = []
    def find_spec(self, name, path=None, target=None):
        self.seen.append(name)
sys.meta_path.append(Finder())
for name in "my_absent", "my_reward":
    try:
        __import__(name)
    except ImportError as error:
        print(error)
print(importlib.util.find_spec("my_other"), sorted({name for name in Finder.seen if name[:3] == "my_"}))
sys.modules["my_reward"].Trainer().fit(1)
END
traced --steps all -- $python finders.py
equal other_finders_are_asked_as_ever "$(cat said)" "No module named 'my_absent'
None ['my_absent', 'my_other']"

# ---- programs that change what imports are made of: each says the same with us and without ----

cat >no_main.py <<'END'
import sys
sys.modules["__main__"] = type("Other", (), {})()
import _ctypes
import json
print("goes on")
END
cat >no_list.py <<'END'
import sys, _ctypes, json
sys.meta_path = tuple(sys.meta_path)
import colorsys, my_reward
print("goes on")
END
cat >hook.py <<'END'
import sys, _ctypes
class Loader:
    def __init__(self, inner): self.inner = inner
    def create_module(self, spec): return self.inner.create_module(spec)
    def exec_module(self, module):
        self.inner.exec_module(module)
        module.hooked = getattr(module, "hooked", 0) + 1
class Hook:
    asked = 0
    def find_spec(self, name, path=None, target=None):
        if name != "my_reward":
            return None
        Hook.asked += 1
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self else None
            if spec is not None:
                spec.loader = Loader(spec.loader)
                return spec
sys.meta_path.insert(0, Hook())
import my_reward
print(Hook.asked, my_reward.hooked)
END
cat >legacy.py <<'END'
import sys, types
class Legacy:
    def find_module(self, name, path=None):
        return self if name == "my_reward" else None
    def load_module(self, name):
        sys.modules[name] = module = types.ModuleType(name)
        module.legacy = True
        return module
sys.meta_path.insert(0, Legacy())
import _ctypes, my_reward
print(hasattr(my_reward, "legacy"))
END
for named in $(pythons); do
	v=${named%%:*} p=${named#*:}
	for program in no_main no_list hook legacy; do
		traced --steps all --stage-source "python:__main__:own;python:my_reward:compute_reward" -- "$p" -W ignore $program.py
		equal "${program}_is_as_without_us_in_$v" "$(cat said)" "$("$p" -W ignore $program.py)"
	done
done

# ---- who is recorded ----

traced --steps 2,3 --ranks 0 -- $python driver.py
equal a_process_without_a_rank_is_not_rank_0 "$(files) $(grep -c 'rank is unknown' err)" '0 0'
traced --steps 2,3 --ranks 0,unknown -- $python driver.py
equal it_is_one_whose_rank_is_unknown "$(stages)" "$rows"
equal and_the_report_can_choose_it "$("$tool" report --ranks unknown out | grep -c compute_) $("$tool" report --ranks 0 out 2>&1 | grep -c compute_)" '4 0'
RANK=1 traced --steps 2,3 --ranks 1 -- $python driver.py
equal one_that_has_a_rank_is_that_rank "$(stages | head -n 1)" '1 2 0 compute_reward.0'
equal unknown_is_a_word_for_ranks "$("$run" --steps unknown -- true 2>&1)" "ranktrace: --steps: 'unknown' is a word for ranks: write numbers, ranges like 5-9, or all"

# ---- beside calls ----

cat >calls.py <<'END'
import ctypes, os, sys
library = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"])
import my_reward
trainer = my_reward.Trainer()
if sys.argv[1] == "stage":
    trainer.fit(2)                         # in steps 1 and 2, nothing is called
for _ in range(3):
    library.clFinish(None)                 # where nothing has told of a step: of step 2, or of none
trainer.fit(3, 5, library.clFinish)
END
traced --steps all --level level1 -- $python calls.py none
equal calls_that_come_first "$(RANK= told_places)" '- - - -: 3
1 compute_reward.0 - -: 5
2 compute_reward.0 - -: 5
3 compute_reward.0 - -: 5'
traced --steps 2-4 --level level1 -- $python calls.py stage
equal calls_that_come_behind_a_stage "$(told_places)" '2 - - -: 3
3 compute_reward.0 - -: 5
4 compute_reward.0 - -: 5'
equal and_the_stages_before_them_have_rows "$(stages | grep -c '^- 2 0 compute_')" 2

# ---- children ----

cat >children.py <<'END'
import _ctypes, multiprocessing, os, sys
import my_reward

def work(steps):
    my_reward.Trainer().fit(steps)

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    if sys.argv[2:]:
        my_reward.Trainer().fit(1)
    children = [context.Process(target=work, args=(n,)) for n in (1, 2)]
    [child.start() for child in children]
    [child.join() for child in children]
    context.SimpleQueue()                  # brings a helper of multiprocessing's
END
for way in fork spawn forkserver; do
	traced --steps all -- $python children.py $way
	equal "each_child_has_its_own_$way" "$(stages | sort | uniq -c | sed 's/^ *//')" '2 - 1 0 compute_advantage.0
2 - 1 0 compute_reward.0
1 - 2 0 compute_advantage.0
1 - 2 0 compute_reward.0'
	equal "and_nobody_else_a_row_$way" "$($python -c 'import glob, json; print(len(json.load(open(glob.glob("out/*/run.json")[0]))["processes"]))')" 2
done
traced --steps all -- $python children.py fork parent
equal a_parent_that_recorded_too "$(files) $(stages | wc -l)" '3 8'

# ---- what it costs those who have none ----

printf 'import _ctypes\nimport my_reward\n' >none.py
traced --steps all -- $python none.py
equal who_enters_no_stage_leaves_nothing "$(files) $(grep -c '"pid"' out/*/run.json) $(find "$RANKTRACE_SESSION_ROOT"-* -mindepth 1 2>/dev/null | wc -l)" '0 0 0'
printf 'import _ctypes, os\nimport my_reward\nos.kill(os.getpid(), 9)\n' >killed.py
traced --steps all -- $python killed.py
equal nor_does_one_that_is_killed "$(files) $(grep -c '"pid"' out/*/run.json) $(find "$RANKTRACE_SESSION_ROOT"-* -mindepth 1 2>/dev/null | wc -l)" '0 0 0'
cat >helper.py <<'END'
import _ctypes, json, sqlite3, sys, os, multiprocessing.resource_tracker, threading
print(len(os.listdir("/proc/self/task")), [fd for fd in os.listdir("/proc/self/fd") if "/dev/shm" in os.path.realpath("/proc/self/fd/" + fd)], file=sys.stderr)
END
# system_calls VARIABLE: of the helper, each by its name, in their order
system_calls() {
	strace -f -qq -o calls -E "LD_PRELOAD=$SANITIZER$BUILD/libranktrace.so" -E RANKTRACE_STEPS=all -E "RANKTRACE_SAVE_PATH=$tmp/out" -E "$1" $python helper.py 2>said >/dev/null
	sed 's/^[0-9]* *//; s/(.*//' calls | grep -v 'brk\|mmap\|munmap'
}
if [ -z "${SAN-}" ]; then
	need strace
	rm -rf out
	system_calls RANKTRACE_STAGE_SOURCES=python:my_reward:compute_reward >without
	system_calls RANKTRACE_STAGE_SOURCE=python:my_reward:compute_reward >with
	equal a_helper_makes_no_system_call_more "$(wc -l <without | awk '{ print ($1 > 100) }') $(diff without with)" '1 '
	equal and_has_no_thread_descriptor_or_file "$(cat said) $(find out "$RANKTRACE_SESSION_ROOT"-* -mindepth 1 2>/dev/null | wc -l)" '1 [] 0'
	printf 'import my_reward\n' >>helper.py
	system_calls RANKTRACE_STAGE_SOURCE=python:my_reward:compute_reward >with
	equal where_the_module_is_there_more "$(diff without with | grep -c '^>' | awk '{ print ($1 > 9) }')" 1
fi
finish
