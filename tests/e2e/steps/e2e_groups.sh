#!/bin/sh
# Trainers on Ray have several groups of workers whose ranks count from 0 each: two of one rank are told apart by their groups.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages
unset RAY_JOB_ID RAY_RAYLET_PID WG_PREFIX MASTER_ADDR MASTER_PORT

# job COMMAND OPTION...: a shell's command with which `worker RANK GROUP WORD...` is a worker
job() {
	rm -rf out
	command=$1
	shift
	RANKTRACE_STEP_SOURCE=api "$run" --save-path out --job j --level level1 --steps all "$@" -- sh -c "$command" 2>err
}
by_port='worker() { rank=$1 port=$2; shift 2; RANK=$rank WORLD_SIZE=2 MASTER_ADDR=10.0.0.1 MASTER_PORT=$port ./stages "$@"; }'
by_name='worker() { rank=$1 group=$2; shift 2; RANK=$rank WG_PREFIX=$group MASTER_ADDR=10.0.0.1 MASTER_PORT=1 ./stages "$@"; }'
two='for rank in 0 1; do worker $rank 29500 step:1 3 step:2 5; worker $rank 29501 step:1 2; done'
twins='several processes recorded as this rank'

# who: rank and group of each process; steps: the report's rows of them
who() { "$tool" report --format json "${1-out}" | /usr/bin/python3 -c 'import json, sys; print(*("%s of %s" % (p["rank"], p["worker_group"]) for p in json.load(sys.stdin)["ranks"]), sep=", ")'; }
steps() { "$tool" report out | awk '/^Steps/ { on = 1 } /^$/ { on = 0 } on && $NF ~ /^(host|exit)/ { print $1, $2, $3 }'; }
# shown: in how many lines the report and the dump speak of groups, and the titles of time lines
shown() {
	"$tool" export --to chrome -o line.json out
	echo "$("$tool" report out | grep -c '^ *RANK GROUP.*PID') $("$tool" dump --format jsonl out | grep -c worker_group) $(grep -o '"rank [^(]*(' line.json | sort -u | tr -d '"(' | xargs)"
}

export RAY_JOB_ID=1
job "$by_port; $two"
equal each_process_has_its_group "$(who)" '0 of 10.0.0.1:29500, 0 of 10.0.0.1:29501, 1 of 10.0.0.1:29500, 1 of 10.0.0.1:29501'
equal the_report_has_the_steps_of_each "$(steps)" '0 10.0.0.1:29500 1
0 10.0.0.1:29500 2
0 10.0.0.1:29501 1
1 10.0.0.1:29500 1
1 10.0.0.1:29500 2
1 10.0.0.1:29501 1'
equal and_the_processes_by_rank_and_group "$("$tool" report out | sed '/^Steps/,$d' | awk '/^ RANK/ { on = 1 } on && NF { print $1, $2 }')" 'RANK GROUP
0 10.0.0.1:29500
0 10.0.0.1:29501
1 10.0.0.1:29500
1 10.0.0.1:29501'
equal two_of_one_rank_are_no_twins "$("$tool" report out | grep -c "$twins") $(grep -c "$twins" err)" '0 0'
equal the_launcher_counts_the_ranks_of_both "$(sed -n 's/ in .*//p' err)" 'ranktrace: 4 ranks, 20 events, 0 lost'
equal check_says_which_they_are "$("$tool" check out)" 'recorded 20 events of ranks 0, 1 of 10.0.0.1:29500, ranks 0, 1 of 10.0.0.1:29501'
equal and_what_each_of_them_heard "$("$tool" check --sources out | grep -o '^rank.*, process')" 'rank 0 of 10.0.0.1:29500, process
rank 0 of 10.0.0.1:29501, process
rank 1 of 10.0.0.1:29500, process
rank 1 of 10.0.0.1:29501, process'
equal run_json_has_them "$(/usr/bin/python3 -c 'import json; print(*(p["worker_group"] for p in json.load(open("out/j/run.json"))["processes"]))')" \
	'10.0.0.1:29500 10.0.0.1:29501 10.0.0.1:29500 10.0.0.1:29501'
"$tool" export --to chrome -o line.json out && "$tool" export --to csv -o tables out
equal time_lines_are_titled_with_them "$(grep -o '"rank [^(]*(' line.json | sort -u)" '"rank 0 of 10.0.0.1:29500 (
"rank 0 of 10.0.0.1:29501 (
"rank 1 of 10.0.0.1:29500 (
"rank 1 of 10.0.0.1:29501 ('
equal lines_of_the_dump_have_them "$("$tool" dump --format jsonl out | sed 's/,"pid.*//' | sort | uniq -c | xargs)" \
	'8 {rank:0,worker_group:10.0.0.1:29500 2 {rank:0,worker_group:10.0.0.1:29501 8 {rank:1,worker_group:10.0.0.1:29500 2 {rank:1,worker_group:10.0.0.1:29501'
equal tables_have_them "$(/usr/bin/python3 -c 'import csv; print(*(p["rank"] + " " + p["worker_group"] for p in csv.DictReader(open("tables/processes.csv"))), sep=", ")')" \
	'0 10.0.0.1:29500, 0 10.0.0.1:29501, 1 10.0.0.1:29500, 1 10.0.0.1:29501'

job "$by_name; worker 0 actor step:1 2; worker 0 critic step:1 3; worker 0 critic step:1 3"
equal a_name_goes_before_a_meeting_point "$(who)" '0 of actor, 0 of critic, 0 of critic'
equal twins_are_told_with_their_group "$("$tool" report out | grep -o ".*$twins"; grep -o "[^:]*: $twins" err)" "rank 0 of critic: $twins
 rank 0 of critic: $twins"
job "$by_name; worker 0 one step:1 2; worker 1 one step:1 2"
equal of_a_single_group_nothing_is_shown "$(who) $("$tool" report out | grep -c GROUP) $("$tool" check out)" '0 of one, 1 of one 0 recorded 4 events of ranks 0, 1'
job 'RANK=0 MASTER_ADDR=localhost MASTER_PORT= ./stages 1 port:29500 step:1 3; RANK=1 MASTER_ADDR=localhost MASTER_PORT=29500 ./stages step:1 3'
equal rank_0_may_find_the_port_behind_its_first_call "$(who)" '0 of localhost:29500, 1 of localhost:29500'
equal and_is_of_no_group_of_its_own_then "$(shown)" '0 0 rank 0 rank 1'
job "$by_name; worker 0 actor step:1 2; RANK=1 ./stages step:1 2"
equal a_rank_without_a_group_is_told_from_one_with_it "$(who) $(shown)" '0 of actor, 1 of None 1 4 rank 0 of actor rank 1'
equal in_each_of_its_lines "$("$tool" dump --format jsonl out | sed 's/,"pid.*//' | sort | uniq -c | xargs)" '2 {rank:0,worker_group:actor 2 {rank:1,worker_group:null'
equal and_to_check "$("$tool" check out)" 'recorded 4 events of rank 1, rank 0 of actor'
job 'RANK=0 MASTER_ADDR=localhost MASTER_PORT= ./stages step:1 2 step:2 fork rank:1 port:29500 1 step:3 1 join'
equal a_forked_child_is_what_its_parent_is "$(who)" '0 of None, 0 of None'
job "$by_name; worker 0 \"\$(printf 'a\\nrank=7\\033[2Jb')\" step:1 2; worker 0 b step:1 2; worker 0 $(printf %0300d 0) step:1 2" --ranks 0
equal a_name_does_no_harm "$(who | sed 's/00*,/0,/') $("$tool" report out | grep -c "$(printf '\033')")" '0 of 0, 0 of a?rank=7?[2Jb, 0 of b 0'
# absent: what why says of ranks that have no file, as text and as JSON
absent() {
	"$tool" why out | grep 'no file'
	"$tool" why --format json out | /usr/bin/python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["ranks_without_file"], *(list(g.values()) for g in r["ranks_without_file_by_group"]))'
}
job "$by_port; worker 0 29500 step:1 3; worker 0 29501 step:1 2; worker 1 29501 step:1 2"
equal why_names_ranks_without_a_file_by_their_group "$(absent)" "rank 1 of 10.0.0.1:29500, which has 2: no file is here: \`ranktrace check\` says why
[] ['10.0.0.1:29500', 2, [1]]"
equal and_whose_steps_it_tells_of "$("$tool" why --steps 1 out | grep -o '^Step 1 of rank [^ ]* of [^ ]*' | sort | head -n 1) $("$tool" why --steps 1 --format json out | grep -o '"worker_group":"[^"]*"' | sort -u | xargs)" \
	'Step 1 of rank 0 of 10.0.0.1:29500 worker_group:10.0.0.1:29500'
job "$by_port; worker 0 29500 step:1 3; RANK=1 WORLD_SIZE=2 ./stages step:1 2"
equal one_without_a_group_may_be_of_any "$(absent)" '[]'
job "$by_name; worker 0 actor step:1 2 step:2 2 step:1 2; worker 0 critic step:1 2 step:2 2 step:3 2 step:4 2"
equal none_is_taken_for_a_forked_child_of_the_other "$("$tool" report out | grep -o '^rank 0.*, and\|^Ranks count .*differently: step .')" "rank 0 of actor: step 3 is its program's step 1, and
Ranks count their rounds differently: step 3"
RANKTRACE_RANK=3 job "$by_name; worker 0 actor step:1 2"
equal a_rank_of_the_users_own_is_of_no_group "$(who)" '3 of None'

unset RAY_JOB_ID
job "$by_port; $two"
equal without_ray_there_are_none "$(who)" '0 of None, 0 of None, 1 of None, 1 of None'
equal and_twins_are_told "$("$tool" report out | grep -o ".*$twins") $(sed -n 's/ in .*//p' err | head -n 1)" "ranks 0, 1: $twins ranktrace: 4 processes of 2 ranks, 20 events, 0 lost"
job 'for group in a b; do RANK=0 RANKTRACE_GROUP=$group ./stages step:1 2; done'
equal the_user_may_name_one "$(who) $(grep -c "$twins" err)" '0 of a, 0 of b 0'
finish
