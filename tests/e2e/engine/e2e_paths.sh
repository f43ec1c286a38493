#!/bin/sh
# What a stranger plants where we write: links, pipes, folders, names. Nothing is followed or replaced,
# nothing lands outside save_path, nothing is open to others; the program is none the wiser.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit 1
cc=${CC:-gcc}
$cc -std=gnu11 -w -fPIC -shared -I"$here" -o libOpenCL.so.1 "$here/tests/fakes/opencl/fake_opencl.c" -Wl,-soname,libOpenCL.so.1
$cc -std=gnu11 -I"$here" -o planter "$here/tests/programs/planter.c" libOpenCL.so.1 -Wl,-rpath,"$tmp"
mkdir victim
echo precious >victim/file

# traced STEPS COMMAND...: a run of planter; its output is in got, what ranktrace says in said.
traced() {
	steps=$1
	shift
	status=0
	"$run" --save-path "$tmp/out" --job job --steps "$steps" --step-source api --contents cpu --ranks all -- \
		./planter "$@" >got 2>said || status=$?
	without_loader said
	result="$status $(cat got)"
}

untouched() { [ "$(cat victim/file)" = precious ] && [ "$(ls victim)" = file ]; }

# as_without_us NAME CALLS: output and status are the program's own, and nothing of the victim's is touched.
as_without_us() {
	equal "$1" "$result" "0 $2 calls"
	holds "$1_and_nothing_was_followed" untouched
}

# kept WANTED: so many events can be read
kept() { equal "$1" "$("$tool" dump "$tmp/out" 2>/dev/null | tail -n +2 | wc -l)" "$2"; }

# modes WANTED FIND...: the file modes that there are
modes() { find "$tmp/out" "$@" -printf '%m\n' | sort -u | tr '\n' ' '; }

# ---- folders ----

mkdir out && ln -s ../victim out/job
traced all true
as_without_us a_job_folder_that_is_a_link 10
holds a_job_folder_that_is_a_link_is_told_before_the_run grep -q 'out cannot be written (Not a directory)' said
rm -rf out

mkdir -m 700 out out/job && ln -s ../../victim out/job/ranks-0-255
RANK=3 traced all true
as_without_us a_rank_folder_that_is_a_link 10
holds a_rank_folder_that_is_a_link_is_told grep -q 'recording stops, the job runs on' said
rm -rf out

mkdir -m 700 out && mkdir -m 777 out/job && chmod 777 out/job
traced all true
as_without_us a_job_folder_that_others_may_write 10
equal a_job_folder_that_others_may_write_gets_no_file "$(ls -A out/job)" ''
holds a_job_folder_that_others_may_write_is_told grep -q 'out/job cannot be written (others may write there' said
rm -rf out

mkdir out && chmod 777 out
traced all true
as_without_us a_save_path_that_others_may_write 10
equal a_save_path_that_others_may_write_gets_no_file "$(ls -A out)" ''
equal a_save_path_that_others_may_write_is_told_with_its_reason_before_and_after "$(sed "s/process [0-9]*/process P/" said)" \
	"ranktrace: $tmp/out/job cannot be written (others may write there, or it is theirs), nothing will be recorded: give another --save-path
ranktrace: nothing was recorded: process P: $tmp/out cannot be written: others may write there, or it is theirs: 10 of 10 calls are lost: give another --save-path"
RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out LD_PRELOAD=$SANITIZER$BUILD/libranktrace.so ./planter true >got 2>said
without_loader said
equal a_save_path_that_others_may_write_is_told_with_its_reason_by_hand_too "$(cat got said)" \
	"10 calls
ranktrace: cannot write $tmp/out: others may write there, or it is theirs (error 1); recording stops, the job runs on: give a writable --save-path"
chmod 1777 out
traced all true
kept a_save_path_with_the_sticky_bit_like_tmp_is_good 10
rm -rf out

if [ "$(id -u)" = 0 ]; then
	mkdir -m 755 out && chown 65534 out
	traced all true
	as_without_us a_save_path_of_somebody_else 10
	equal a_save_path_of_somebody_else_gets_no_file "$(ls -A out)" ''
	rm -rf out
fi

ln -s victim/../real out && mkdir -m 700 real
traced all true
kept a_save_path_that_is_a_link_of_the_users_own_is_followed 10
rm -rf out real

# ---- names of the next file: planted while the one before is written ----

# Names of step 1's file with another step in them; $1 is the step, $2 what to do with the name.
next() {
	printf 'until f=$(find %s/out -name "step-1.*") && [ "$f" ]; do sleep 0.01; done
		n=$(echo "${f%%%%.part}" | sed s/step-1/step-%s/); %s' "$tmp" "$1" "$2"
}

traced 1,3 "$(next 3 "ln -s $tmp/victim/file \$n.part")" true true
as_without_us a_link_at_the_next_name 30
kept a_link_at_the_next_name_costs_its_window_only 10
holds a_link_at_the_next_name_is_told grep -q 'cannot write .*: give a writable --save-path' said
rm -rf out

traced 1,3 "$(next 3 'mkfifo $n.part')" true true
as_without_us a_pipe_at_the_next_name 30
kept a_pipe_at_the_next_name_costs_its_window_only 10
rm -rf out

traced 1,3 "$(next 3 'echo mine >$n.part')" true true
as_without_us a_file_at_the_next_name 30
equal a_file_at_the_next_name_keeps_its_content "$(cat out/job/*/step-3.*)" mine
rm -rf out

traced 1,3 "$(next 1 'echo mine >$n')" true true
as_without_us a_file_at_the_final_name 30
equal a_file_at_the_final_name_keeps_its_content "$(cat out/job/*/step-1.*.rtrace)" mine
rm -f out/job/*/step-1.*.rtrace
kept a_file_at_the_final_name_loses_no_event 20
rm -rf out

traced 1 "ln -s $tmp/victim/new $tmp/out/job/run.json"
as_without_us a_link_at_run_json 10
equal a_link_at_run_json_leaves_the_run_explained "$("$tool" check out 2>&1 | head -1 | sed 's, [0-9]*$,,')" 'recorded 10 events of process'
rm -rf out
traced 1 "mkfifo $tmp/out/job/run.json"
as_without_us a_pipe_at_run_json 10
equal a_pipe_at_run_json_leaves_the_run_explained "$(timeout 60 "$tool" check out 2>&1 | head -1 | sed 's, [0-9]*$,,')" 'recorded 10 events of process'
rm -rf out

# ---- names that come from outside ----

for job in ../../victim /etc .hidden 'a/b' '..'; do
	result="$(RANKTRACE_JOB=$job "$run" --save-path "$tmp/out" -- ./planter true 2>&1 >got || :) $(cat got)"
	equal "a_job_called_$(echo "$job" | tr '/.' '__')_is_refused" "${result%%:*}: $(ls out 2>&1)" "ranktrace: ls: cannot access 'out': No such file or directory"
	result=$(RANKTRACE_JOB=$job RANKTRACE_RESOLVED=1 RANKTRACE_STEPS=all RANKTRACE_RANKS=all RANKTRACE_SAVE_PATH=$tmp/out \
		LD_PRELOAD=$SANITIZER$BUILD/libranktrace.so ./planter true 2>said)
	equal "a_job_called_$(echo "$job" | tr '/.' '__')_by_hand_records_nothing" "$result, $(ls -d out 2>/dev/null)" '10 calls, '
	holds "a_job_called_$(echo "$job" | tr '/.' '__')_by_hand_is_told_in_one_line" test "$(grep -c '^ranktrace: RANKTRACE_JOB: ' said)" = 1
done
SLURM_JOB_ID=../../victim "$run" --save-path "$tmp/out" --steps all -- ./planter true >got 2>said
equal a_scheduler_that_gives_a_path_for_a_job "$(cat got), $(ls out | sed 's/[0-9a-f]/9/g')" '10 calls, 99999999-999999-9999'
rm -rf out
RANK='../../../victim/x' traced all true
as_without_us a_rank_that_is_a_path 10
kept a_rank_that_is_a_path_is_no_rank 10
rm -rf out
if unshare -u true 2>/dev/null; then
	unshare -u sh -c 'hostname "../../../victim/../x" 2>/dev/null || printf ../../../victim/../x >/proc/sys/kernel/hostname
		exec "$@"' sh "$run" --save-path "$tmp/out" --job job --steps all --step-source api -- ./planter true >got 2>said
	result="0 $(cat got)"
	as_without_us a_host_called_like_a_path 10
	kept a_host_called_like_a_path_names_no_folder 10
	equal a_host_called_like_a_path_has_its_run_json "$(ls out/job/run.json)" out/job/run.json
	rm -rf out
fi

# ---- a save_path that goes up on its way ----

rm -rf out
mkdir -p deep/er
ln -s deep/er in

# killed_in SAVE_PATH: from the folder deep/er, killed in its third step, of which two are recorded
killed_in() {
	(cd deep/er && "$run" --save-path "$1" --job job --steps 2- --step-source api --ranks all -- "$tmp/planter" true true 'kill -9 $PPID') >got 2>said
}
# saved NAME SAVE_PATH FOLDER: 20 events lie in it, everybody says so, and nothing is left to do
saved() {
	killed_in "$2"
	equal "$1_loses_no_event_of_a_killed_process" "$("$tool" dump "$3" 2>/dev/null | tail -n +2 | wc -l) $(grep -c 'cannot be saved' said)" '20 0'
	equal "$1_leaves_nothing_to_recover" "$("$tool" recover)" 'nothing to recover'
	equal "$1_is_what_check_and_report_read" "$(cd deep/er && "$tool" check "$2" | head -1 | sed 's, [0-9]*$,,'
		cd "$tmp/deep/er" && "$tool" report "$2" | grep '^1 process')" "recorded 20 events of process
1 process, 1 file, 20 events"
	rm -rf "$3"
}
saved a_relative_path_up ../out deep/out
saved an_absolute_path_up "$tmp/deep/er/../../out" out
saved a_path_up_that_is_not_there_yet ./new/../more/out deep/er/more/out
saved a_path_up_behind_a_link "$tmp/in/../out" deep/out

# killed_by_hand SAVE_PATH
killed_by_hand() {
	(cd deep/er && RANKTRACE_STEPS=2- RANKTRACE_STEP_SOURCE=api RANKTRACE_SAVE_PATH=$1 LD_PRELOAD=$SANITIZER$BUILD/libranktrace.so \
		"$tmp/planter" true true 'kill -9 $PPID') >got 2>&1
}
mkdir -m 700 deep/out
killed_by_hand ../out
(cd deep/er && "$tool" check ../out) >said
equal a_path_up_by_hand_is_found_by_check_before_it_is_recovered "$? $(grep -c 'ranktrace recover' said)" '1 1'
equal a_path_up_by_hand_is_recovered "$(cd deep/er && "$tool" recover ../out | cut -d' ' -f5-9) $("$tool" dump deep/out | tail -n +2 | wc -l)" \
	'20 events saved, file completed: 20'
rm -rf deep/out

# What other runs left, and a file now lies where its folder was.
for n in 1 2 3; do killed_by_hand ../gone; done
rm -rf deep/gone
echo file >deep/gone
traced 1 true
equal other_runs_that_cannot_be_saved_are_told_in_one_line "$(grep -v 'next:\|recorded\|in [./]' said)" \
	'ranktrace: buffers of 3 ended processes of earlier runs cannot be recovered: ranktrace recover says why'
rm -rf deep/gone out
traced 1 true
equal and_are_saved_when_they_can_be "$(grep -c 'recovered 20 events of an earlier run' said) $("$tool" dump deep/gone | tail -n +2 | wc -l)" '3 60'
rm -rf deep in out

"$run" --save-path '' --steps 1 -- ./planter true >got 2>said
equal an_empty_save_path_is_refused "$? $(cat got said)" '2 ranktrace: --save-path: the value is empty: write one, or leave --save-path out'

# ---- what ended a file ----

$cc -std=gnu11 -D_GNU_SOURCE -w -fPIC -shared -o slow_waker.so "$here/tests/programs/slow_waker.c" -ldl

# ends STEPS: reasons and causes of 30 runs that end in their third step, 10 of them with a flush thread that is ahead
ends() {
	rm -rf out
	for n in $(seq 30); do
		ahead=''
		[ "$n" -gt 10 ] || ahead=:$tmp/slow_waker.so
		RANKTRACE_JOB=j$n RANKTRACE_STEPS=$1 RANKTRACE_STEP_SOURCE=api RANKTRACE_SAVE_PATH=$tmp/out \
			LD_PRELOAD=$SANITIZER$BUILD/libranktrace.so$ahead ./planter : : : >/dev/null 2>&1
	done
	"$tool" report --format json out | /usr/bin/python3 -c 'import collections, json, sys
print(*sorted(collections.Counter("%(reason)s %(cause)s" % r["facts"] for r in json.load(sys.stdin)["ranks"]).items()))'
}
equal a_last_step_is_always_ended_by_the_exit "$(ends 3)" "('exit none', 30)"
equal a_window_without_an_end_is_always_ended_by_the_exit "$(ends 2-)" "('exit none', 30)"
equal a_step_with_another_behind_it_never_is "$(ends 2)" "('window none', 30)"
rm -rf out

# ---- permissions ----

(umask 0 && traced 1,3 true true true && cp said umask.said)
kept under_umask_0_all_is_recorded 20
equal under_umask_0_files_are_for_their_owner "$(modes -type f)" '600 '
equal under_umask_0_folders_are_for_their_owner "$(modes -mindepth 1 -type d)" '700 '
(umask 0 && "$tool" export --to chrome -o "$tmp/trace.json" out)
equal under_umask_0_an_export_is_for_its_owner "$(stat -c %a trace.json)" 600

# ---- the session in tmpfs ----

mkdir sessions-victim
for kind in link open; do
	root=$tmp/planted-$kind
	[ $kind = link ] && ln -s "$tmp/sessions-victim" "$root-$(id -u)"
	[ $kind = open ] && mkdir "$root-$(id -u)" && chmod 777 "$root-$(id -u)"
	rm -rf out
	RANKTRACE_SESSION_ROOT=$root traced 1 true
	equal "a_session_root_planted_as_${kind}_changes_nothing" "$result" '0 10 calls'
	equal "a_session_root_planted_as_${kind}_gets_no_session" "$(find sessions-victim "$root-$(id -u)/" -name '[0-9]*')" ''
	kept "a_session_root_planted_as_${kind}_does_not_stop_recording" 10
done

# ---- several runs in one folder ----

rm -rf out
for job in monday tuesday; do
	RANK=0 "$run" --save-path "$tmp/out" --job $job --steps 1 --step-source api -- ./planter true >/dev/null 2>&1
done
# parts: of the report, what tells of runs, and steps and copies below it
parts() { awk '/^Run /{ print } /^Steps|^Top kernels/ { on = 1; next } /^$/ { on = 0 } on && !/^TIMES|^add|^device/ { print $1, $2 }' | tr '\n' ' '; }
when() { sed -n 's/.*"started":"\([^".]*\)[^"]*".*/\1Z/p' "$tmp/out/$1/run.json"; }
equal several_runs_are_told_each_by_itself_the_newest_last "$("$tool" report out | parts)" \
	"Run monday, started $(when monday): ./planter true RANK STEP 0 1 LAUNCHES DEVICE 10 - Run tuesday, started $(when tuesday): ./planter true RANK STEP 0 1 LAUNCHES DEVICE 10 - "
equal how_to_see_one_alone_is_told "$("$tool" report out | sed -n '1p')" '2 runs, newest last; for one run: ranktrace report FOLDER'
equal one_run_alone_says_which_it_is "$("$tool" report out/monday | sed -n '1,3p')" "Run monday, started $(when monday): ./planter true
in ./out/monday
1 process, 1 file, 10 events"
equal the_newest_run_has_a_file_so_nothing_is_told_of_it "$("$tool" report out | grep -c 'recorded nothing')" 0
for job in zulu mike alpha; do
	RANK=0 "$run" --save-path "$tmp/fast" --job $job --steps 1 --step-source api -- ./planter true >/dev/null 2>&1
done
equal runs_of_a_second_stand_in_their_order "$("$tool" report fast | sed -n 's/^Run \([a-z]*\),.*/\1/p' | tr '\n' ' ')" 'zulu mike alpha '
mixed="2 runs in out, all are printed; for one run name its folder (newest: ./out/tuesday)"
equal dump_of_several_runs_says_so "$("$tool" dump out 2>&1 >all | cat; tail -n +2 all | wc -l)" "ranktrace: $mixed
20"
equal export_of_several_runs_says_so "$("$tool" export --to chrome out 2>&1 >all)" "ranktrace: $(echo "$mixed" | sed s/printed/exported/)"
equal compare_says_which_of_them_it_takes "$("$tool" compare out --steps-a 1 --steps-b 2 2>&1 >/dev/null | head -n 1)" \
	"ranktrace: 2 runs lie there: this is of the newest, $tmp/out/tuesday; name another by its folder"
equal who_names_each_or_one_is_told_nothing "$("$tool" dump out/monday out/tuesday 2>&1 >/dev/null; "$tool" dump out/tuesday 2>&1 >/dev/null)" ''
"$run" --save-path "$tmp/out" --job wednesday --steps 1 -- true and more >/dev/null 2>&1
sed -i 's/"started":"[^"]*"/"started":"2099-01-02T03:04:05Z"/' out/wednesday/run.json
silent='the newest run here recorded nothing (wednesday, started 2099-01-02T03:04:05Z: true and more): `ranktrace check ./out/wednesday` says why'
equal that_the_newest_run_recorded_nothing_is_told "$("$tool" report out | tail -n 1)" "$silent"
equal and_beside_json "$("$tool" report --format json out 2>&1 >json)" "ranktrace: $silent"
equal json_names_run_and_command "$(/usr/bin/python3 -c 'import json; print(*sorted((r["job"], r["command"]) for r in json.load(open("json"))["ranks"]))')" \
	"('monday', './planter true') ('tuesday', './planter true')"
sed -i 's/"started":"[^"]*"/"started":"2009-01-02T03:04:05Z"/' out/wednesday/run.json
equal an_older_one_that_did_is_no_news "$("$tool" report out | grep -c 'recorded nothing')" 0
equal the_steps_of_one_run_have_no_such_column "$("$tool" report out/monday | awk '/^Steps/ { on = 1; next } /^$/ { on = 0 } on && !/^TIMES|^add|^device/ { print $1, $2 }' | tr '\n' ' ')" \
	'RANK STEP 0 1 '

rm -rf out
for job in '' '' named; do
	SLURM_JOB_ID=77 RANKTRACE_JOB=$job RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out \
		LD_PRELOAD=$SANITIZER$BUILD/libranktrace.so ./planter true >/dev/null 2>&1
done
equal without_a_launcher_runs_share_the_folder_job_unless_they_are_named \
	"$(find out -name '*.rtrace' | cut -d/ -f2 | sort | tr '\n' ' ')" 'job job named '
name=${EMULATED:+qemu-$EMULATED} # as the kernel has it
equal and_the_report_says_that_they_are_not_told_apart "$("$tool" report out | grep -E '^(Run|Without)' | sed 's/started [^:]*:..:..Z/started/')" \
	"Run without a name, started: ${name:-planter}
Without ranktrace-run, the processes of several runs cannot be told apart: set a RANKTRACE_JOB for each run
Run named, started: ${name:-planter}"

equal dump_tells_of_runs_that_have_but_a_name "$("$tool" dump out 2>&1 >/dev/null)" \
	'ranktrace: 2 runs in out, all are printed; for one run name its folder (newest: named)'

# ---- export ----

rm -rf out

# ---- a umask that takes the user's own rights; root needs none ----

plain=''
[ "$(id -u)" != 0 ] || plain='setpriv --bounding-set=-all'
agent=${SANITIZER-}${SANITIZER:+:}$BUILD/libranktrace.so
for mask in 0277 0777; do
	# shellcheck disable=SC2086
	(umask $mask && RANKTRACE_SAVE_PATH="$tmp/out/deep/er" RANKTRACE_STEPS=all LD_PRELOAD=$agent $plain ./planter true) >got 2>said
	without_loader said
	equal "by_hand_all_is_recorded_under_umask_$mask" "$(cat got said) $($plain "$tool" dump out 2>&1 | tail -n +2 | wc -l)" '10 calls 10'
	equal "and_the_user_may_do_what_it_takes_$mask" "$(modes)" '600 700 '
	rm -rf out
	# shellcheck disable=SC2016,SC2086
	(umask $mask && $plain "$run" --save-path "$tmp/out/deep/er" --job job --steps all -- sh -c 'umask; ./planter true') >got 2>said
	without_loader said
	equal "under_the_launcher_too_$mask" "$(tr '\n' ' ' <got)$(head -n 1 said)" "$mask 10 calls ranktrace: 1 process, 10 events, 0 lost in ./out/deep/er/job"
	equal "and_check_can_read_it_$mask" "$($plain "$tool" check out/deep/er | sed "s/[0-9]*$/P/")" "recorded 10 events of process P"
	equal "all_of_it_is_the_users_own_$mask" "$(modes)" '600 700 '
	rm -rf out
done

mkdir out
traced all true
ln -s victim/file link.json
"$tool" export --to chrome -o link.json out
holds an_export_over_a_link_replaces_the_link untouched
equal an_export_over_a_link_is_a_file "$(stat -c %F link.json)" 'regular file'
mkdir empty
echo old >old.json
"$tool" export --to chrome -o old.json empty 2>said
equal an_export_of_nothing_says_so "$? $(cut -d: -f1-2 said)" '1 ranktrace: empty'
equal an_export_of_nothing_leaves_what_was_there "$(cat old.json)" old
"$tool" export --to chrome -o stub.json empty 2>/dev/null
equal an_export_of_nothing_leaves_no_stub "$(ls stub.json* 2>/dev/null)" ''
"$tool" export --to chrome -o missing/x.json out 2>said
equal an_export_into_nowhere_is_told "$? $(cat said)" '1 ranktrace: missing/x.json: No such file or directory; give another file with -o'
mkfifo pipe
cat pipe >through &
"$tool" export --to chrome -o pipe out
wait $!
holds an_export_into_a_pipe_goes_through_it cmp through link.json
holds an_export_to_dev_stdout sh -c '"$1" export --to chrome -o /dev/stdout out | cmp - link.json' sh "$tool"
finish
