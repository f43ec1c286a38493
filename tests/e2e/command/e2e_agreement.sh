#!/bin/sh
# What the launcher calls lost is what the report and check call lost, and all of them end alike.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit 1
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS RANK
export RANKTRACE_CONTENTS=cpu LC_ALL=C
. "$here/tests/helpers/storage/lib.sh"

# told NAME LAUNCHER STATUS CHECK REPORT [OPTIONS...] -- COMMAND...: the launcher's sum; how check and report end; the lines of
# check behind the first; what the report has under "Lost and not seen"
told() {
	name=$1 launcher=$2 status=$3 check=$4 report=$5
	shift 5
	rm -rf out
	"$run" --save-path "$tmp/out" "$@" >said 2>err
	equal "${name}_by_the_launcher" "$(sed -n 's/^ranktrace: \(.* lost\) in .*/\1/p' err)" "$launcher"
	"$tool" check out >got
	equal "${name}_in_the_status_of_check" $? "$status"
	equal "${name}_by_check" "$(tail -n +2 got | sed "s/process [0-9][0-9]*/process P/; s|$tmp|TMP|g")" "$check"
	"$tool" report out >got
	equal "${name}_in_the_status_of_the_report" $? "$status"
	equal "${name}_by_the_report" "$(sed '1,/^Lost and not seen/d; /^$/,$d' got)" "$report"
}
nothing='nothing: every call made while recording is in the files'

told what_was_not_selected_is_no_loss '1 rank, 5000 events, 0 lost' 0 \
	'process P: the rank is unknown and ranks 0 are selected: set RANKTRACE_RANK in each process, or give --ranks all' "$nothing" \
	--steps all --ranks 0 -- sh -c './store few; RANK=0 ./store few; RANK=5 ./store few'
# shellcheck disable=SC2016
told what_has_no_file_is_lost '1 rank, 5000 events, 5000 lost' 1 \
	'rank 1: /proc/none cannot be written: No such file or directory: 5000 of 5000 calls are lost: give another --save-path' \
	'rank 1: 5000 of 5000 calls dropped: save_path could not be written; give another --save-path; it has no file: see `ranktrace check`' \
	--steps all -- sh -c 'RANK=0 ./store few; RANK=1 RANKTRACE_SAVE_PATH=/proc/none ./store few'
equal json_names_it "$("$tool" report --format json out | python3 -c '
import json, sys
print([{k: p[k] for k in ("rank", "called", "dropped", "cause")} for p in json.load(sys.stdin)["without_files"]])')" \
	"[{'rank': 1, 'called': 5000, 'dropped': 5000, 'cause': 'save-path'}]"
"$tool" report --ranks 0 out >got
equal not_where_other_ranks_are_asked_for "$? $(sed '1,/^Lost and not seen/d; /^$/,$d' got)" "0 $nothing"
# shellcheck disable=SC2016
told what_is_dropped_is_lost '1 rank, 5000 events, 5000 lost' 1 \
	'rank 0: max_size 1 bytes was reached: 5000 of 5000 calls are lost: raise --max-size, or select fewer steps' \
	'rank 0: 5000 of 5000 calls dropped: max_size was reached and recording stopped; raise --max-size, or select fewer steps' \
	--steps all --max-size 1 -- sh -c 'RANK=0 ./store few; RANK=1 RANKTRACE_MAX_SIZE=1G ./store few'

# ---- what nobody misses ----

export RANK=0
for child in child_leaves child_is_killed; do
	told "a_forked_child_that_recorded_nothing_$child" '1 rank, 100 events, 0 lost' 0 '' "$nothing" --steps 1 --step-source api -- ./store "$child"
	equal "the_launcher_says_no_more_$child" "$(grep -c '^ranktrace: ' err)" 2
	rm -rf out
	LD_PRELOAD=$SANITIZER${SANITIZER:+:}$BUILD/libranktrace.so RANKTRACE_STEPS=1 RANKTRACE_STEP_SOURCE=api RANKTRACE_SAVE_PATH="$tmp/out" ./store "$child" >said 2>err
	equal "recover_says_nothing_of_it_$child" "$("$tool" recover)" 'nothing to recover'
done
rm -rf out
"$run" --save-path "$tmp/out" --steps 1 --step-source api -- sh -c './store child_leaves; RANKTRACE_STEPS=9 RANK=3 ./store killed; true' >said 2>err
equal but_of_a_rank_that_was_killed_before_its_steps "$("$tool" check out)" 'recorded 100 events of rank 0
rank 3: ended without its exit handlers (killed, or _exit) in step 1: no selected step began'
finish
