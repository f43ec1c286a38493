#!/bin/sh
# Roles: which stages are recorded, on which ranks and replicas, how much of each, alone or as part of the whole step.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages

ppo='step:1 1 begin:rollout micro 2 micro 3 micro 4 end 5 begin:ref_compute_log_prob 6 end begin:actor_update mini micro 7 micro 8 end 9
	begin:compute_values 10 end step:2 20 begin:rollout micro 11 end begin:actor_update micro 12 end 13 step:3 begin:actor_update 14 end'
# as ROLES OPTIONS... -- WORDS...
as() {
	RANKTRACE_ROLES=$1
	export RANKTRACE_ROLES
	shift
	files "$@"
	unset RANKTRACE_ROLES
}

# fact KEY: its values, file by file
fact() {
	find out -name '*.rtrace' | sort -V | while read -r file; do "$tool" report --format json "$file" | /usr/bin/python3 -c '
import json, sys
print(json.load(sys.stdin)["ranks"][0]["facts"].get(sys.argv[1], "-"))' "$1"; done | paste -sd ' '
}

# losses: what the report says was lost, and its status
losses() {
	"$tool" report out >got
	echo "status $?" >status
	sed '1,/^Lost and not seen/d; /^$/,$d' got | cat - status
}

# shellcheck disable=SC2086 # lists of words
{
	equal whole_steps_of_who_has_entered_such_a_stage "$(as 'actor' --steps 1,2 -- $ppo)" "steps-1-2 $((7 + 8 + 9 + 10 + 20 + 11 + 12 + 13))"
	equal each_step_for_itself "$(as 'actor' --steps 1-3 --file-per-step true -- $ppo)" "step-1 34
step-2 56
step-3 14"
	equal of_a_step_known_before_from_its_beginning "$(as 'actor' --steps 2 -- $ppo)" 'step-2 56'
	equal or_from_a_stage_before_it "$(as 'actor' --steps 1 -- 70 begin:actor_init 80 end $ppo)" 'step-1 55'
	equal a_discrete_one_has_its_stages "$(as 'actor{discrete=true};critic{discrete=true}' --steps 1,2 -- $ppo)" 'step-1.actor_update.0 15
step-1.compute_values.0 10
step-2.actor_update.0 12'
	equal discrete_for_all_but_one "$(as 'actor{discrete=false};rollout' --steps 2 --discrete true -- $ppo)" 'step-2 20
step-2.2 25
step-2.rollout.0 11' # the step goes on behind the stage
	equal a_stage_by_its_own_name "$(as 'actor;ref_compute_log_prob{enable=false};ref' --steps 1 --discrete true -- $ppo)" 'step-1.actor_update.0 15'
	equal batches_of_one_role "$(as 'rollout{schedule=counter=micro wait=1 active=1 repeat=1}' --steps 1,2 -- $ppo)" 'step-1.rollout.0.micro-1 3'
	equal steps_of_a_role_s_own_schedule "$(as 'actor{schedule=counter=step skip_first=1 active=2};rollout{discrete=true}' --steps 1-3 -- $ppo)" 'step-1.rollout.0 9
step-2 20
step-2.2 25
step-2.rollout.0 11
step-3 14'
	equal of_a_stage_that_goes_on_through_steps "$(as 'actor{schedule=wait=1 active=1}' --steps all -- step:1 begin:actor_update 1 step:2 2 step:3 4 end step:4 8)" 'step-2 2
step-4 8'
	equal batches_that_do_not_come_are_told "$(as 'actor{schedule=counter=micro active=1}' --steps 1 -- step:1 begin:actor_update 1 end step:2 2; grep -c 'no stage, mini- or micro-batch of them was met' err)" 1
	equal of_the_steps_that_are_selected "$(as 'actor{discrete=true,schedule=wait=1 active=1};critic{discrete=true,schedule=active=1 repeat=1}' --steps 1,3 -- $ppo)" \
		'step-1.compute_values.0 10'
	equal schedules_that_select_none_are_told "$(as 'actor{schedule=skip_first=7 active=1}' --steps all -- $ppo; grep -c 'rank 0: the schedules of its roles select none of the steps that it came to (steps all were selected)' err)" 1
	equal of_one_that_is_off_nothing "$(as 'actor;rollout{enable=false}' --steps 1 --discrete true -- $ppo)" 'step-1.actor_update.0 15'
	rank=8
	equal on_listed_ranks "$(as 'actor{ranks=0 8};ref{ranks=0};rollout{ranks=0,all_ranks=true}' --steps 1 --discrete true -- $ppo)" 'step-1.actor_update.0 15
step-1.rollout.0 9'
	equal within_the_ranks_of_all "$(as 'actor{ranks=8}' --steps 1 --ranks 0 --discrete true -- $ppo)" ''
	equal a_rank_that_none_selects_is_told "$(as 'actor{ranks=0}' --steps 1 -- $ppo; grep -c '^ranktrace: nothing was recorded: rank 8: its roles are recorded on other ranks only' err)" 1
	rank=0
	equal that_none_is_enabled_is_told "$(as 'actor{enable=false}' --steps 1 -- $ppo; grep -c '^ranktrace: nothing was recorded: rank 0: no role is enabled' err)" 1
	equal a_list_of_none_is_none "$(as 'actor{ranks=};ref' --steps 1 --discrete true -- $ppo)" 'step-1.ref_compute_log_prob.0 6'
	export RANKTRACE_REPLICA=1
	equal on_listed_replicas "$(as 'rollout{replica_ranks=1-3};actor{replica_ranks=0}' --steps 1 --discrete true -- $ppo)" 'step-1.rollout.0 9'
	unset RANKTRACE_REPLICA
	equal a_replica_unknown_is_told_once "$(as 'rollout{replica_ranks=0};actor' --steps 1,2 --discrete true -- $ppo; grep -c 'the replica (RANKTRACE_REPLICA) is unknown' err)" 'step-1.actor_update.0 15
step-2.actor_update.0 12
1'
}

# A rank that is known late: of a role's ranks as of all.
# late_as ROLES OPTION...
late_as() {
	RANKTRACE_ROLES=$1
	export RANKTRACE_ROLES
	shift
	late --steps 1 "$@"
	unset RANKTRACE_ROLES
}
equal whose_rank_comes_late_has_all_its_calls "$(late_as 'a{ranks=1}')" '9 0 9 1
3 9 0 9 1'
equal in_stages_too "$(late_as 'a{ranks=1}' --discrete true)" '9 0 9 1
3 9 0 9 1'
equal of_another_rank_each_is_counted_and_none_kept "$(late_as 'a{ranks=0}') $(late_as 'a{ranks=0}' --discrete true)" '0 0 0 0
3 0 9 9 0 0 0 0 0
3 0 9 9 0'
equal which_is_told "$("$tool" check out)" 'rank 1: its roles are recorded on other ranks only: give this one in their ranks (or replica_ranks), or all_ranks=true'
two='step:1 begin:b 1 end 2 begin:a 4 end rank:1 8 step:2 16 begin:b 32 end'
# shellcheck disable=SC2086 # lists of words
{
	equal of_two_roles_each_has_its_own "$(rank='' as 'a{ranks=1};b{ranks=0}' --steps 1,2 --discrete true -- $two; accounted)" 'step-1.a.0 4
4 1 5 1'
	waited='rank 1: 1 of 5 calls waited in memory for the rank, and is left out: its role is recorded on other ranks only
status 0'
	equal what_waited_for_another_rank_is_no_loss_to_the_report "$(losses)" "$waited"
	rm out/*/run.json
	equal nor_by_the_files_alone "$(losses)" "$waited"
	equal of_whole_steps_what_the_selected_one_has "$(rank='' as 'a{ranks=1};b{ranks=0}' --steps 1,2 -- $two; accounted; "$tool" check out; echo "status $?")" 'steps-1-2.2 60
60 3 63 1
recorded 60 events of rank 1
status 0'
	equal a_rank_that_never_comes_is_told "$(rank='' as 'a{ranks=0};b' --steps 1 --discrete true -- step:1 begin:a 4 end begin:b 2 end; accounted; "$tool" check out | sed 's/process [0-9]*/process P/')" \
		'step-1.b.0 2
2 4 6 1
recorded 2 events of process P
process P: the rank is unknown and roles a{ranks=0};b are recorded on some ranks only: set RANKTRACE_RANK in each process, or give all_ranks=true'
	equal and_while_it_runs_that_its_calls_wait "$(head -n 1 err)" \
		'ranktrace: the rank is unknown and role a is recorded on some ranks only: its calls wait in memory until it is known: set RANKTRACE_RANK in each process, or give all_ranks=true'
}
rm -rf out
equal who_waits_for_it_gives_way_where_buffers_are_full "$({ until [ -n "$(find out -name 'step-1.b.*' 2>/dev/null)" ]; do :; done; echo; } |
	rank='' as 'a{ranks=0};b' --steps 1 --discrete true --shm-size 4M -- step:1 begin:a 50000 end begin:b 90000 wait end | sed 's/ .*//'; accounted | awk '{ print ($1 + $2 == $3), $3, $4 }')" \
	'here
step-1.b.0
1 140000 1'

# How much of each.
# shellcheck disable=SC2086 # lists of words
{
	equal each_with_its_own_level "$(as 'actor{level=level_none};ref;critic{level=level0}' --steps 1 --discrete true --level level1 -- $ppo)" 'step-1.actor_update.0 0
step-1.compute_values.0 0
step-1.ref_compute_log_prob.0 6'
	equal which_each_file_says "$(fact window_level) / $(fact roles) / $(fact level)" 'level_none level0 level1 / actor critic ref / level1 level1 level1'
	equal what_a_level_leaves_out_is_counted "$("$tool" report --format json out | grep -o '"clFinish":[0-9]*' | paste -sd ' ')" '"clFinish":6 "clFinish":25'
	equal whole_steps_have_what_all_their_roles_want "$(as 'actor{level=level0};critic{level=level1,contents=cpu memory}' --steps 1,2 -- $ppo) $(fact window_contents; fact roles)" "steps-1-2 $((10 + 56)) cpu,device,memory
actor,critic" # from the critic's first stage on
	equal contents_too "$(as 'actor{contents=cpu npu};ref' --steps 1 --discrete true --contents cpu -- $ppo >told; fact window_contents)" 'cpu,device cpu'
}

equal a_stage_that_ends_in_anothers_window_has_ended "$(as 'actor{discrete=true,level=level1};rollout{level=level_none}' --steps 1 -- step:1 begin:rollout 1 thread-begin:actor_update 2 end:0 4 end:1 8 step:2)
$("$tool" report --format json out | grep -o '"ended":[a-z]*,"compute[^{]*"role":"[a-z_]*"' | sed 's/,.*role//')" 'step-1 0
step-1.2 0
step-1.actor_update.0 6
"ended":true":"rollout"
"ended":true":"actor_update"'

# Who has nothing.
# shellcheck disable=SC2086 # lists of words
as 'critic_update;reward' --steps 1,2 -- $ppo >told
equal other_roles_are_told "$(cat told; "$tool" check out; echo "status $?")" 'rank 0: none of the roles that were asked for was met in steps 1,2, but stages rollout, ref_compute_log_prob, actor_update, compute_values: give one of these to --roles, or what it begins with
status 1'
as 'actor' --steps 1,2 -- step:1 3 step:2 4 >told
equal that_there_are_no_stages_is_told "$(cat told; "$tool" check out; echo "status $?")" 'rank 0: roles actor were asked for, but the process told of no stage in steps 1,2: name its functions by --stage-source, or by --preset; else leave out the roles
status 1'
equal a_forked_child_knows_nobodys_stage "$(as 'actor' --steps 1 --ranks all -- step:1 begin:actor 1 end fork 2 join 3)" 'step-1 4'

cat >profile.yaml <<'E2'
steps: [1]
roles:
  actor: {discrete: true, schedule: {counter: micro, active: 1, repeat: 1}}
  ref: {enable: false}
E2
# shellcheck disable=SC2086 # a list of words
equal a_file_says_the_same "$(files --config profile.yaml -- $ppo)" 'step-1.actor_update.0.micro-0 7'

# Offline.
# shellcheck disable=SC2086 # a list of words
files --steps 1,2 -- $ppo >told
equal dump_of_a_role "$(cat told; "$tool" dump --format jsonl --roles actor,rollout out | /usr/bin/python3 "$here/tests/helpers/python/watched/places.py")" 'steps-1-2 111
1 rollout.0 - 0: 2
1 rollout.0 - 1: 3
1 rollout.0 - 2: 4
1 actor_update.0 0 0: 7
1 actor_update.0 0 1: 8
2 rollout.0 - 0: 11
2 actor_update.0 - 0: 12'
equal of_one_step "$("$tool" dump --format jsonl --roles actor_update --steps 2 out | wc -l)" 12
equal calls_in_the_report "$("$tool" report --format json --roles rollout,ref --steps 1,2 out | /usr/bin/python3 -c '
import json, sys
one = json.load(sys.stdin)["ranks"][0]
print(one["entry_points"], [s["role"] for s in one["stages"]], one["events"]["kept"])')" "{'clFinish': 26} ['rollout', 'ref_compute_log_prob', 'rollout'] 111"
"$tool" export --to chrome --roles critic -o made.json out
equal in_the_time_line "$(/usr/bin/python3 -c '
import json
made = json.load(open("made.json"))["traceEvents"]
print(*(e["name"] for e in made if e.get("cat") == "user_annotation"), sum(e["name"] == "clFinish" for e in made))')" 'ProfilerStep#1 ProfilerStep#2 compute_values.0 10'
equal of_a_role_that_is_not_there "$(for command in dump report 'export --to chrome'; do "$tool" $command --roles reward out 2>&1 >/dev/null; echo "status $?"; done | uniq -c | awk '{ $1 = $1 } 1')" \
	'1 ranktrace: nothing of the --roles is in the trace, but stages rollout, ref_compute_log_prob, actor_update, compute_values
1 status 1
1 ranktrace: nothing of the --roles is in the trace, but stages rollout, ref_compute_log_prob, actor_update, compute_values
1 status 1
1 ranktrace: nothing of the --roles is in the trace, but stages rollout, ref_compute_log_prob, actor_update, compute_values
1 status 1'

# An engine tells of batches, and of no stage: they are part of one all the same.
cat >engine.py <<'E2'
import ctypes, os
library = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"])
class Engine:
    rank = 3
    def step(self): pass
    def decode(self, n):
        for _ in range(n): library.clFinish(None)
    def validate(self): library.clFinish(None)
engine = Engine()
library.clFinish(None)
for step in range(3):
    engine.step()
    for micro in range(4):
        engine.decode(micro + 1)
    library.clFinish(None)
E2
export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1"
# engine OPTION...
engine() {
	rm -rf out
	"$run" --save-path out --level level1 --step-source python:__main__:Engine.step --micro-source 'python:__main__:Engine.decode{stage=rollout,rank=attr:self.rank}' "$@" -- "$python" engine.py 2>err
	windows_in out
}
equal batches_begin_a_stage_that_ends_with_its_step "$(engine --steps 1,2 --discrete true)" 'step-1.rollout.0 11
step-2.rollout.0 11'
equal in_which_they_count_from_0 "$(engine --steps 2,3 --schedule counter=micro,wait=1,active=2,repeat=1)" 'step-2.rollout.0.micro-1-2 5
step-3.rollout.0.micro-1-2 5'
equal as_that_role "$(engine --steps 3 --roles 'rollout{schedule=counter=micro active=1 repeat=1}')" 'step-3.rollout.0.micro-0 1'
equal its_rank_is_read_of_it "$(engine --steps 2 --ranks 2,3 --discrete true; "$tool" report --format json out | grep -o '"rank":3,\|"rank_source":"python"' | sort -u)" 'step-2.rollout.0 11
"rank":3,
"rank_source":"python"'
equal another_rank_is_not_selected "$(engine --steps 2 --ranks 0-2 --discrete true; "$tool" check out 2>&1 | head -n 1)" 'rank 3: not among the selected ranks 0-2: give --ranks with this rank, or all'
sed -i 's/rank = 3/rank = "first"/' engine.py
equal a_rank_that_is_none_is_told_and_the_call_counts "$(engine --steps 2 --discrete true; grep -c 'Engine.decode: its rank was not read: ' err)" 'step-2.rollout.0 11
1'
export RANK=1
equal what_a_variable_says_goes_before "$(engine --steps 2 --ranks 1 --discrete true)" 'step-2.rollout.0 11'
unset RANK
finish
