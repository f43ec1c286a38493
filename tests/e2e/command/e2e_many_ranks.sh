#!/bin/sh
# A report of 300 ranks is the same to the last byte however it is read: by one process or several, anew or from sums.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit 1
many=$BUILD/tests/programs/many_ranks

# said HOW ARGUMENTS...: what report says of the run, as text and as JSON, with its status, to text.HOW and so on
said() {
	how=$1
	shift
	for format in text json; do
		{ "$tool" report --format $format "$@" 2>"err.$how" || echo "status $?"; } >"$format.$how"
	done
}
same() { cmp "text.$1" "text.$2" && cmp "json.$1" "json.$2" && cmp "err.$1" "err.$2"; }

"$many" run 300 8 0 77 || exit 1
said alone --jobs 1 run
for jobs in 2 3 7; do
	said "$jobs" --jobs "$jobs" run
	holds "by_${jobs}_processes_it_is_the_same" same alone "$jobs"
done
equal all_ranks_are_there "$(sed -n 3p text.alone) $(grep -c '^ *[0-9]* made' text.alone)" '300 processes, 300 files, 280462 events 300'
equal the_torn_one_is_told "$(grep -c '^rank 77: file not closed' text.alone) $(tail -n 1 text.alone)" '1 status 1'

# ---- one that cannot be read to its end ----
"$many" long 1 150000 300 || exit 1
mv long/*.rtrace run
(ulimit -c 0; ulimit -t 1; "$tool" report --jobs 2 --ranks 0-9,300 run >rest 2>err)
equal whoever_dies_is_told_with_what_it_read "$? $(cat err)" "1 ranktrace: report: rank 300 is left out ($tmp/run/rank00300-1300-556678b4.rtrace): whoever read it was ended by signal 9"
equal and_the_rest_is_shown "$(grep '^ *[0-9]* made' rest)" "$(grep '^ *[0-9]* made' text.alone | head)"
finish
