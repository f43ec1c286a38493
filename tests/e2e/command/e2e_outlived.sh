#!/bin/sh
# The launcher's command ends, and the ranks that it started run on: run.json tells of that moment alone. What they do
# then, and what became of them, every command asks anew. A fake library counts.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS RANK
export LC_ALL=C
. "$here/tests/helpers/storage/lib.sh"
mkfifo called0 called1 word0 word1
exec 6<>word0 7<>word1
cat >job <<'E2'
#!/bin/sh
RANK=0 ./store waiting_in_steps <word0 >called0 6>&- 7>&- &
RANK=1 ./store waiting_in_steps <word1 >called1 6>&- 7>&- &
read -r said <called0 && read -r said <called1
E2
chmod +x job

# outlived OPTION...: two ranks of 60 calls each that wait for a word, and a launcher that is gone
outlived() {
	rm -rf out
	"$run" --save-path "$tmp/out" --steps all --step-source api "$@" -- ./job 2>err
	pids=$(python3 -c 'import glob, json; print(*(p["pid"] for p in json.load(open(glob.glob("out/*/run.json")[0]))["processes"]))')
}

# said: what the launcher said, but for numbers of processes and names of runs
said() { sed "s/--pid [0-9]*/--pid P/; s/process [0-9]* of [^ ]*/process P of HOST/; s|out/[0-9][^ ]*|out/JOB|; s|$tool|ranktrace|" err | sort; }

# told COMMAND...: its status, and what it said on both
told() {
	"$@" >text 2>&1
	echo "status $?"
	sed "s/process [0-9][0-9]*/process P/; s|$tmp/out|OUT|" text
}

# counts: of each rank what the report says
counts() {
	"$tool" report --format json out | python3 -c '
import json, sys
for r in json.load(sys.stdin)["ranks"]:
    e = r["events"]
    print(r["rank"], *(e[k] for k in ("called", "kept", "dropped", "in_flight")), r["in_memory"])'
}

# gone: none of them runs
gone() {
	for pid in $pids; do
		while [ -e "/proc/$pid/stat" ] && ! grep -q ') Z' "/proc/$pid/stat" 2>/dev/null; do :; done
	done
}

outlived
equal the_launcher_does_not_say_that_nothing_was_recorded "$(said)" \
	'ranktrace: nothing is in a file yet: 2 processes still run, and write when a window ends or at the exit
ranktrace: process P of HOST is still running and traced: see ranktrace check --pid P
ranktrace: process P of HOST is still running and traced: see ranktrace check --pid P'
equal processes_that_run_are_recording "$(told "$tool" check out)" 'status 0
process P is recording
process P is recording'
equal calls_in_memory_are_not_in_flight "$(counts)" '0 0 0 0 0 60
1 0 0 0 0 60'
equal a_dump_without_an_event_says_why "$(told "$tool" dump --format jsonl out)" 'status 1
ranktrace: no event is in these files yet: 2 processes still run, and write when a window ends or at the exit'
equal nor_is_an_empty_file_exported "$(told "$tool" export --to chrome -o made.json out; ls made.json* 2>/dev/null)" 'status 1
ranktrace: no event is in these files yet: 2 processes still run, and write when a window ends or at the exit'

# shellcheck disable=SC2086 # two words
kill -KILL $pids
gone
equal processes_that_were_killed_since_are_told "$(told "$tool" check out)" 'status 1
rank 0, rank 1, each: ended without its exit handlers (killed, or _exit) in step 2: 60 events are still in memory: run `ranktrace recover OUT`'
equal their_calls_in_memory_are_not_in_flight "$(counts)" '0 60 0 0 0 60
1 60 0 0 0 60'
equal a_dump_names_the_remedy "$(told "$tool" dump --format jsonl out)" 'status 1
ranktrace: 120 events of 2 ended processes are still in memory: run `ranktrace recover OUT`, then this again'
equal an_export_of_one_rank_names_it_of_that_rank "$(told "$tool" export --ranks 1 --to chrome -o made.json out)" 'status 1
ranktrace: 60 events of 1 ended process are still in memory: run `ranktrace recover OUT`, then this again'
"$tool" recover out >/dev/null
equal what_was_recovered_is_recorded "$(told "$tool" check out)" 'status 0
recorded 120 events of ranks 0, 1
rank 0, rank 1, each: ended without its exit handlers (killed, or _exit) in step 2: 60 events were recovered from memory'
equal and_counted "$(counts)" '0 60 60 0 0 0
1 60 60 0 0 0'
equal and_dumped "$("$tool" dump --format jsonl out | wc -l)" 120

outlived --ranks 1
equal ranks_that_are_left_out_are_no_cause "$(said)" \
	'ranktrace: nothing is in a file yet: 1 process still runs, and writes when a window ends or at the exit
ranktrace: process P of HOST is still running and traced: see ranktrace check --pid P
ranktrace: process P of HOST is still running and traced: see ranktrace check --pid P'
sed -i 's/"host":"[^"]*",\("pid"\)/"host":"elsewhere",\1/' out/*/run.json
equal of_other_machines_nothing_is_claimed "$(told "$tool" check out)" 'status 0
process P of elsewhere was dormant when ranktrace-run ended: what it does now cannot be seen from here
process P of elsewhere was recording when ranktrace-run ended: what it does now cannot be seen from here'
echo >&6
echo >&7
gone

outlived
echo >&6
echo >&7
gone
equal processes_that_ended_in_order_since_are_told "$(told "$tool" check out)" 'status 0
recorded 120 events of ranks 0, 1'
equal with_their_counts "$(counts)" '0 60 60 0 0 0
1 60 60 0 0 0'
finish
