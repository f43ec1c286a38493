#!/bin/sh
# Functions of Python that the settings name: each call is told with the step, the stage, the mini- and micro-batch in which the
# program made it. By sys.monitoring where Python has that, else by functions in their place; both in every Python that is here.
# takes: 40 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/lib/told_steps.sh"
told_python
watched=$here/tests/helpers/python/watched

# places CASE OPTION...
places() {
	rm -rf out
	case=$1
	shift
	"$run" --save-path out --level level1 --steps all "$@" -- $python "$watched/cases.py" "$case" ${words-} >said 2>err
	told_places
}
worker=python:worker:Worker
cat >zipped_a.py <<'E'
import zipped_b
from calls import call


def fa():
    call(2)
    zipped_b.fb()
E
cat >zipped_b.py <<'E'
from calls import call


def fb():
    call(3)
E
/usr/bin/python3 -m zipfile -c zipped.zip zipped_a.py zipped_b.py && rm zipped_a.py zipped_b.py
cat >often.py <<'E'
import sys
from calls import call


def work(times):
    call(times)


class Once:
    def method(self, times):
        call(times)


class Kept:
    @staticmethod
    def method(times):
        call(times)


def within(reload):
    call(1)
    reload(sys.modules["often"])
    call(3)
    sys.modules["often"].work(2)
E
cat >loop.py <<'E'
from calls import call

ARGS = None


def train_step(times):
    call(times)


def forward_step(times):
    call(times)
E
mkdir core && cat >core/schedule.py <<'E'
from loop import forward_step


def forward_backward(*times):
    for n in times:
        forward_step(n)
E
cat >by_name.py <<'E'
import sys
import types

sys.path.insert(0, sys.argv[1])
import loop
from calls import call
from core.schedule import forward_backward
from loop import train_step

call(1)  # with the first one functions are looked for
loop.ARGS = types.SimpleNamespace(now={"iteration": 4})
train_step(2)
loop.ARGS.now["iteration"] += 1
train_step(3)
forward_backward(4, 5)
E
cat >inner.py <<'E'
import ctypes
import sys

sys.path.insert(0, sys.argv[1])
from calls import call

told = ctypes.CDLL(None)
told.ranktrace_stage_begin.restype = ctypes.c_uint64


def outer():
    call(2)
    stage = told.ranktrace_stage_begin(b"inner")
    call(3)
    told.ranktrace_stage_end(ctypes.c_uint64(stage))
    call(4)


call(1)
outer()
E
cat >places.yaml <<'E'
step: {sources: [api]}
stage_source:
  - python:worker:Worker.update_actor
  - python:worker:Worker.compute_log_prob{when=attr:self.kind==critic,skip=arg:data.meta_info[validate]==True,role=attr:self.kind}
E

for named in $(pythons); do
	v=${named%%:*} python=${named#*:}
	echo "$v: $python"
	equal a_call_begins_a_step_in_$v "$(places steps --step-source python:worker:iteration)" '- - - -: 1
1 - - -: 10
2 - - -: 11
3 - - -: 12'
	equal one_imported_by_its_name_is_heard_with_a_number_of_its_module_in_$v "$(rm -rf out
		"$run" --save-path out --level level1 --steps all --step-source 'python:loop:train_step{step=global:loop:ARGS.now[iteration]}' \
			--micro-source python:loop:forward_step -- $python by_name.py "$watched" 2>err
		told_places)" '- - - -: 1
4 - - -: 2
5 - - -: 3
5 - - 0: 4
5 - - 1: 5'
	equal a_stage_told_inside_one_belongs_to_it_in_$v "$(rm -rf out
		"$run" --save-path out --level level1 --steps all --step-source api --stage-source python:__main__:outer -- $python inner.py "$watched" 2>err
		told_places)" '- - - -: 1
- outer.0 - -: 9'
	equal a_return_ends_one_in_$v "$(places steps --step-source python:worker:iteration@return)" '1 - - -: 11
2 - - -: 11
3 - - -: 12'
	equal its_argument_is_the_number_in_$v "$(places numbered --step-source 'python:worker:iteration{step=arg:number}')" '- - - -: 1
40 - - -: 3
41 - - -: 6
42 - - -: 3'
	equal or_one_less_in_$v "$(places numbered --step-source 'python:worker:iteration@return{step=arg:number+1}')" '- - - -: 3
41 - - -: 3
42 - - -: 6
43 - - -: 1'
	equal calls_of_a_stage_in_$v "$(places stages --step-source python:worker:iteration \
		--stage-source "$worker.compute_log_prob;$worker.compute_ref_log_prob{role=ref};$worker.update_actor{role=actor}" \
		--mini-source "$worker.optimizer_step@return{role=actor}" --micro-source 'python:worker:BaseEngine+.forward_step')" '- - - -: 1
1 - - -: 2
1 compute_log_prob.0 - -: 3
1 ref.0 - -: 4
1 actor.0 0 -: 1
1 actor.0 0 0: 3
1 actor.0 0 1: 6
1 actor.0 1 2: 7
1 compute_log_prob.1 - -: 7
2 - - -: 2
2 compute_log_prob.0 - -: 3
2 ref.0 - -: 4
2 actor.0 0 -: 1
2 actor.0 0 0: 3
2 actor.0 0 1: 6
2 actor.0 1 2: 7
2 compute_log_prob.1 - -: 7'
	equal subclasses_that_come_late_in_$v "$(places subclasses --step-source api --stage-source "$worker.update_actor" \
		--micro-source 'python:worker:BaseEngine+.forward_step')" '- - - -: 1
- update_actor.0 - -: 1
- update_actor.0 - 0: 2
- update_actor.0 - 1: 5
- update_actor.1 - -: 1
- update_actor.1 - 0: 3
- update_actor.1 - 1: 6'
	equal coroutines_that_overlap_in_$v "$(places coroutines --step-source api --stage-source "$worker.generate;$worker.update_weights")" '- - - -: 2
- generate.0 - -: 2
- generate.1 - -: 8
- update_weights.0 - -: 1'
	equal one_that_is_cancelled_in_$v "$(places cancelled --step-source api --stage-source "$worker.generate") $(cat said)" '- - - -: 6
- generate.0 - -: 2 cancelled'
	equal one_that_an_exception_leaves_in_$v "$(places failing --step-source api --stage-source "$worker.fails;$worker.update_actor") $(cat said)" '- - - -: 4
- fails.0 - -: 4
- update_actor.0 - -: 1 failed '"'as it does without us'"'
not implemented'
	equal generators_in_$v "$(places generators --step-source api --stage-source "$worker.batches")" '- - - -: 2
- batches.0 - -: 23'
	equal methods_of_all_kinds_in_$v "$(places kinds --step-source api --stage-source "$worker.score;$worker.values;$worker.update_weights;$worker.update_actor;$worker.compute_log_prob")" '- - - -: 1
- score.0 - -: 2
- values.0 - -: 3
- score.1 - -: 4'
	equal which_stay_what_they_were_in_$v "$(cat said)" "$("$python" "$watched/cases.py" kinds)"
	equal by_what_a_call_says_in_$v "$(places arguments --step-source api --stage-source \
		"$worker.compute_log_prob{when=attr:self.kind==critic,skip=arg:data.meta_info[validate]==True,role=attr:self.kind}")" '- - - -: 11
- critic.0 - -: 4
- critic.1 - -: 5'
	places threads --step-source api --stage-source "$worker.compute_log_prob" >/dev/null
	report of_two_threads_in_$v out "[len(ranks[0]['stages']), sum(s['events'] for s in ranks[0]['stages'])] == [100, 200]"
	equal stages_where_debuggers_have_taken_the_tools_in_$v "$(places taken --step-source api --stage-source "$worker.update_actor")" '- - - -: 1
- update_actor.0 - -: 17'
	equal a_name_that_is_not_there_in_$v "$(places steps --step-source python:worker:iterations; grep -c "^ranktrace: python:worker:iterations: is not there: worker has no iterations$" err)" '- - - -: 34
1'
	equal check_says_so_of_$v "$("$tool" check out | grep -c 'no function of Python that --step-source, or the preset, names was found')" 1
	equal who_leaves_a_generator_ends_it_in_$v "$(places left_early --step-source api --stage-source "$worker.batches;$worker.later")" '- - - -: 41
- batches.0 - -: 1
- later.0 - -: 23' # asyncio closes its own when the loop comes to it
	equal an_inherited_function_is_its_class_s_in_$v "$(places inherited --step-source api --stage-source "python:worker:Child.train")" '- - - -: 4
- train.0 - -: 2'
	equal one_that_calls_others_of_its_kind_ends_one_step_in_$v "$(places chained --step-source 'python:worker:BaseEngine+.forward_step@return')" '1 - - -: 9
2 - - -: 11
3 - - -: 14'
	equal what_is_watched_looks_as_before_in_$v "$(places unchanged --step-source api --stage-source "$worker.batches;$worker.train;$worker.compute_log_prob" \
		--micro-source python:worker:counted >/dev/null; cat said)" "$("$python" "$watched/cases.py" unchanged)"
	equal batches_before_an_optimizer_first_steps_are_of_step_1_in_$v \
		"$(PYTHONPATH=$here/tests/helpers/python/standin places first_step --micro-source python:worker:Engine.forward_step)" '1 - - -: 1
1 - - 0: 3
1 - - 1: 5
2 - - 0: 4
2 - - 1: 6'
	equal so_each_file_says_in_$v "$(PYTHONPATH=$here/tests/helpers/python/standin places first_step --micro-source python:worker:Engine.forward_step \
		--schedule counter=micro,active=1,repeat=1 >/dev/null; find out -name '*.rtrace' | sort | while read -r file; do
			"$tool" dump --format jsonl "$file" | sed 's/.*"step":\([^,]*\),.*"micro":\([^,]*\),.*/\1 \2/' | sort | uniq -c | awk '{ print $2, $3 ": " $1 }'
		done)" '1 0: 3
2 0: 4'
	words=$tmp/zipped.zip
	equal imports_of_all_kinds_in_$v "$(places imports --step-source api --stage-source 'python:zipped_a:fa;python:zipped_b:fb;python:gc:collect;python:__phello__:main')" \
		"- - - -: 1
- fa.0 - -: 5"
	equal are_what_they_were_in_$v "$(cat said)" "$("$python" "$watched/cases.py" imports "$words")"
	words=$tmp
	equal what_is_reloaded_in_$v "$(places reloaded --step-source api \
		--stage-source 'python:often:work;python:often:Once.method{role=method};python:often:within;python:often:Kept.method{role=kept}')" '- - - -: 34
- work.0 - -: 2
- work.1 - -: 3
- method.0 - -: 4
- kept.0 - -: 5
- within.0 - -: 1
- work.2 - -: 2
- work.3 - -: 6
- work.4 - -: 7'
	words=
	places interrupted --step-source api --stage-source \
		"$worker.compute_log_prob{when=arg:data.meta_info[validate]==False,role=arg:data.meta_info[validate]}" >interrupted
	equal a_signal_is_the_program_s_in_$v "$(cat said; tail -n 2 interrupted | sed 's/[.][0-9]*//')" 'lost 0
- - - -: 4
- False - -: 2'
	equal a_file_lists_them_in_$v "$(places arguments --config places.yaml)" '- - - -: 11
- critic.0 - -: 4
- critic.1 - -: 5'
done

# Where Python has no sys.monitoring, what stands in a method's place goes along with its class.
venv=${RANKTRACE_VENV:-$BUILD/venv}
case $venv in /*) ;; *) venv=$here/$venv ;; esac
if sh "$here/tests/helpers/python/venv.sh" "$venv" >venv.log 2>&1; then
	python=$venv/bin/python
	equal a_class_that_is_copied_arrives_without_us "$(places copied --step-source api \
		--stage-source 'python:__main__:Local.work;python:__main__:Local.later;python:__main__:Local.several') $(cat said)" \
		'- - - -: 2 2 3 [1] work'
	equal a_class_that_is_brought_is_found_by_the_name_that_it_had "$(places brought --step-source api \
		--stage-source 'python:actors:Actor.work;python:actors:Actor.rest{role=resting};python:actors:Actor.absent')" '- - - -: 2
- work.0 - -: 5
- resting.0 - -: 2
- work.1 - -: 6'
	places copied --step-source api --stage-source 'python:__main__:Local.work' >/dev/null
	report and_was_watched_where_it_came_from out "[s['role'] for s in ranks[0]['stages']] == ['work']"
fi
finish
