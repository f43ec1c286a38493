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
besides() { ls -A "$1" | grep -v '^rank.*rtrace$' | paste -sd' '; }

"$many" run 300 8 0 77 || exit 1
said alone --no-sums --jobs 1 run
for jobs in 2 3 7; do
	said "$jobs" --no-sums --jobs "$jobs" run
	holds "by_${jobs}_processes_it_is_the_same" same alone "$jobs"
done
equal all_ranks_are_there "$(sed -n 3p text.alone) $(grep -c '^ *[0-9]* made' text.alone)" '300 processes, 300 files, 280462 events 300'
equal the_torn_one_is_told "$(grep -c '^rank 77: file not closed' text.alone) $(tail -n 1 text.alone)" '1 status 1'
equal without_sums_nothing_is_kept "$(besides run)" run.json
said first run
said second run
holds the_first_time_it_is_the_same same alone first
holds from_sums_it_is_the_same same alone second
equal they_are_no_trace "$(besides run) $("$tool" report --format json run | grep -c '"files":1,')" 'report.sums run.json 300'

# ---- one that cannot be read to its end ----
"$many" few 10 8 && "$many" one 1 8 10 || exit 1
mv one/rank* few
# In a fork: whoever opens rank 10 is killed; with HELD nobody goes on behind the question who the parent is, and has that pipe open.
cat >fork.c <<-'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <fcntl.h>
	#include <signal.h>
	#include <stdarg.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/syscall.h>
	#include <unistd.h>
	static int forked;
	int fork(void)
	{
		int pid = ((int (*)(void))dlsym(RTLD_NEXT, "fork"))();

		forked |= !pid;
		return pid;
	}
	int open(const char *path, int flags, ...)
	{
		va_list more;
		int mode;

		va_start(more, flags);
		mode = va_arg(more, int);
		va_end(more);
		if (forked && strstr(path, "rank00010"))
			kill(getpid(), SIGKILL);
		return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	}
	int open64(const char *path, int flags, ...) __attribute__((alias("open")));
	int getppid(void)
	{
		if (forked && getenv("HELD") && write(syscall(SYS_openat, AT_FDCWD, getenv("HELD"), O_WRONLY, 0), "x", 1) == 1)
			pause();
		return syscall(SYS_getppid);
	}
END
${CC:-gcc} -shared -fPIC -o fork.so fork.c -ldl || exit 1
forked="${SANITIZER-}$tmp/fork.so"
LD_PRELOAD=$forked "$tool" report --no-sums --jobs 2 few >rest 2>err
equal whoever_dies_is_told_with_what_it_read "$? $(cat err)" "1 ranktrace: report: rank 10 is left out ($tmp/few/rank00010-1010-55667792.rtrace): whoever read it was ended by signal 9"
equal and_the_rest_is_shown "$(grep -c '^ *[0-9] made0000[01] ' rest)" 10
rm few/rank00010-*
mkfifo held
for command in report why; do
	LD_PRELOAD=$forked HELD=held "$tool" $command --jobs 2 few >said 2>&1 &
	exec 9<held
	[ "$(head -c 2 <&9)" = xx ] && kill -9 $!
	holds "readers_end_with_the_${command}_that_waits_for_them" timeout 60 cat <&9
	exec 9<&-
done

# ---- which files are read for sums ----
need strace
# reads WHAT RANKS: those whose files this report opens; it is the same as without sums
reads() {
	strace -f -o opened -e trace=open,openat "$tool" report few >sums 2>/dev/null
	equal "$1" "$(sed -n 's/.*rank0*\([0-9][0-9]*\)-[^/]*\.rtrace".*/\1/p' opened | sort -nu | paste -sd' ')" "$2"
	"$tool" report --no-sums few >anew 2>/dev/null
	holds "${1}_and_it_is_the_same" cmp sums anew
}
reads the_first_time_all_are_read '0 1 2 3 4 5 6 7 8 9'
reads the_second_time_none_is_read ''
touch few/rank00003-*
cp few/rank00004-* same && mv same "$(echo few/rank00004-*)"
cp few/rank00005-* few/rank00005-1005-0.rtrace
reads one_that_was_touched_or_replaced_or_has_a_file_more_is_read '3 4 5'
reads and_is_known_then ''
truncate -s 5000 few/rank00006-*
rm few/rank00007-*
reads one_that_was_cut_off_is_read 6
equal ranks_are_chosen_from_sums "$("$tool" report --ranks 1 few)" "$("$tool" report --no-sums --ranks 1 few)"
cp few/report.sums whole
python3 - <<'END'
import random
sums = bytearray(open("few/report.sums", "rb").read())
sums[random.Random(1).randrange(len(sums) // 2, len(sums))] ^= 1
open("few/report.sums", "wb").write(sums)
END
"$tool" report few >sums 2>/dev/null
"$tool" report --no-sums few >anew 2>/dev/null
holds broken_sums_are_left_aside cmp sums anew
sed '1s/.*/ranktrace sums 1 0.0.0/' whole >few/report.sums
reads sums_of_another_version_are_left_aside '0 1 2 3 4 5 6 8 9'
rm few/report.sums && mkdir few/report.sums
reads where_they_cannot_be_written_there_are_none '0 1 2 3 4 5 6 8 9'
equal and_nothing_else_is_left "$(besides few)" 'report.sums run.json'
equal no_export_takes_their_place "$("$tool" export --to chrome -o run/report.sums run 2>&1 | grep -c report.sums)" 1
finish
