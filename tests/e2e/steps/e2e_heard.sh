#!/bin/sh
# What each process heard of steps, stages and batches, and by which functions: of a run that records, and of one that only asks.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_python
cat >trainer.py <<'E2'
import ctypes, json, os, sys
library = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"])
class Trainer:
    def step(self): pass
    def rollout(self): library.clFinish(None)
    def update(self):
        for micro in range(3): self.forward()
    def forward(self): library.clFinish(None)
    def validate(self): pass
trainer = Trainer()
library.clFinish(None)
for step in range(2):
    trainer.step()
    trainer.rollout()
    trainer.update()
if sys.argv[1:] == ["forked"]:
    if not os.fork():
        library.clFinish(None)
        trainer.step()
        trainer.update()
        sys.stdout.flush()
        os._exit(0)
    os.wait()
if sys.argv[1:] == ["killed"]:
    os.kill(os.getpid(), 9)
if sys.argv[1:] == ["asked"]:
    os.system(os.environ["TOOL"] + " check --sources --pid %d" % os.getpid())
    os.system(os.environ["TOOL"] + " check --pid %d --sources" % os.getpid())
E2
# heard OPTION... -- WORD...: what is told of the process, but for its number and host
heard() {
	rm -rf out
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	# shellcheck disable=SC2086 # lists of words
	TOOL=$tool RANK=0 "$run" --save-path out --level level1 --step-source python:__main__:Trainer.step $options -- "$python" trainer.py "$@" >said 2>err
	"$tool" check --sources out | sed 's/process [0-9]* of [^:]*/process/'
}
sources='--stage-source python:__main__:Trainer.rollout;python:__main__:Trainer.update{role=actor_update};python:__main__:Trainer.validate;python:nowhere:f;python:__main__:Trainer.absent;python:json:absent --micro-source python:__main__:Trainer.forward@return'
rows='rank 0, process: 2 steps, the last one 2, told by python:__main__:Trainer.step; 0 mini-batches, 6 micro-batches
  stage rollout: entered 2 times
  stage actor_update: entered 2 times
  step python:__main__:Trainer.step: called 2 times
  stage python:__main__:Trainer.rollout: called 2 times
  stage python:__main__:Trainer.update{role=actor_update}: called 2 times
  stage python:__main__:Trainer.validate: not called
  stage python:nowhere:f: not there: its module was not imported
  stage python:__main__:Trainer.absent: not there: __main__ had no such function, neither at the last import of a module nor at the first hooked call
  stage python:json:absent: not there: its module has no such function
  micro python:__main__:Trainer.forward@return: called 6 times'

# shellcheck disable=SC2086 # lists of words
{
	equal of_a_run_that_records "$(heard --steps 1,2 $sources --)" "recorded 8 events of rank 0
$rows"
	equal behind_the_last_selected_step_none_is_counted "$(heard --steps 1 -- | sed -n 2p)" \
		'rank 0, process: 2 steps, the last one 2 (behind the selected ones none is counted), told by python:__main__:Trainer.step; 0 mini-batches, 0 micro-batches'
	heard --steps 1,2 $sources -- >/dev/null
	equal run_json_has_them "$(/usr/bin/python3 -c '
import glob, json
one = json.load(open(glob.glob("out/*/run.json")[0]))["processes"][0]
print(one["stages"], one["minis"], one["micros"], len(one["sources"]), [one["sources"]["stage python:" + name] for name in ("__main__:Trainer.validate", "nowhere:f", "__main__:Trainer.absent", "json:absent")])')" \
		"{'rollout': 2, 'actor_update': 2} 0 6 8 [0, -1, -2, -2]"
	equal of_one_that_only_asks "$(heard --steps none $sources --)" "steps are none: \`ranktrace check --sources\` says what was heard of steps and stages
$rows"
	equal which_leaves_no_trace "$(find out -name '*.rtrace*' | wc -l) $("$tool" check out >/dev/null; echo "status $?")" '0 status 0'
	equal and_says_where_to_look "$(sed "1d; s|$tool|TOOL|; s|out/.*|out/RUN|" err)" 'ranktrace: nothing was recorded: steps are none: `ranktrace check --sources` says what was heard of steps and stages
ranktrace: next: TOOL check --sources ./out/RUN'
	equal of_one_that_is_killed "$(heard --steps none $sources -- killed | sed 1d)" "$rows"
	equal of_a_forked_child "$(heard --steps none --ranks all $sources -- forked | awk '/^rank/ { on = / 1 step,/ } on')" 'rank 0, process: 1 step, the last one 1, told by python:__main__:Trainer.step; 0 mini-batches, 3 micro-batches
  stage actor_update: entered 1 time
  step python:__main__:Trainer.step: called 1 time
  stage python:__main__:Trainer.rollout: not called
  stage python:__main__:Trainer.update{role=actor_update}: called 1 time
  stage python:__main__:Trainer.validate: not called
  stage python:nowhere:f: not there: its module was not imported
  stage python:__main__:Trainer.absent: not there: __main__ had no such function, neither at the last import of a module nor at the first hooked call
  stage python:json:absent: not there: its module has no such function
  micro python:__main__:Trainer.forward@return: called 3 times'
	equal of_one_that_runs "$(heard --steps none $sources -- asked >/dev/null; grep -c 'stage actor_update: entered 2 times' said)" 2
	equal of_a_rank_that_is_not_selected "$(heard --steps 1 --ranks 3 $sources -- | tail -n 1)" \
		'rank 0, process: no step source was listened to: not among the selected ranks 3: give --ranks with this rank, or all'
	equal an_empty_list_asks_nothing "$(heard --steps '' $sources -- | grep -c called)" 0
	equal of_a_name_that_is_no_argument "$(heard --steps 2 --step-source 'python:__main__:Trainer.step{step=arg:number}' -- >/dev/null; sed -n 's/.*, names was called, //p' err)" \
		"but arguments of it could not be read (the job's standard error says why): correct what stands behind arg: or attr: (\`ranktrace check --sources\` says of which)"
}
cat >grows.py <<'E3'
def __getattr__(name): raise AttributeError(name)
class Base: pass
E3
cat >driver.py <<'E4'
import _ctypes, grows
class Worker:
    def train(self, data): pass
def run():
    for n in range(3): Worker().train(n)
E4
# asked: what a process is told of that calls no vendor
asked() {
	rm -rf out
	"$run" --save-path out --steps none "$@" -- "$python" -c 'import driver; driver.run()' >said 2>err
	"$tool" check --sources out | sed '1d; s/process [0-9]* of [^:]*/process/'
}
equal who_only_asks_is_told_of_names_that_are_nowhere "$(asked --step-source python:driver:Worker.tarin \
	--stage-source 'python:driver:Worker.trian;python:grows:absent;python:grows:Base+.f')" 'process: no step source fired; 0 mini-batches, 0 micro-batches
  step python:driver:Worker.tarin: not there: its module has no such function
  stage python:driver:Worker.trian: not there: its module has no such function
  stage python:grows:absent: not there: its module has no such function
  stage python:grows:Base+.f: not there: its module has no such function'
equal and_of_calls_that_said_nothing "$(asked --step-source 'python:driver:Worker.train{step=arg:number}' \
	--stage-source 'python:driver:Worker.train{role=arg:kind,skip=arg:data==1}')" 'process: no step source fired; 0 mini-batches, 0 micro-batches
  step python:driver:Worker.train{step=arg:number}: 3 calls said nothing, as arguments could not be read
  stage python:driver:Worker.train{role=arg:kind,skip=arg:data==1}: 2 calls said nothing, as arguments could not be read'
equal none_is_none "$("$run" --steps none,2 -- true 2>&1)" "ranktrace: --steps: 'none,2' says none, and some: keep one"
finish
