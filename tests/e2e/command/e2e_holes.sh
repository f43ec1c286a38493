#!/bin/sh
# Files that are mostly hole, of a size that nobody reads: each command answers as fast as of a small one, with what is
# whole in them, and the report tells how many bytes were passed over. Read byte by byte, each would take an hour.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit 1
truncate -s 1T all_hole.rtrace 2>/dev/null || { echo 'skip: no file of 1 TiB here'; exit 77; }
first_data='import os, sys
try:
    print(os.lseek(os.open(sys.argv[1], os.O_RDONLY), 0, os.SEEK_DATA))
except OSError:
    print("none")'
[ "$(python3 -c "$first_data" all_hole.rtrace)" = none ] || { echo 'skip: this file system does not tell of holes'; exit 77; }

whole=$here/tests/golden/2.2-trainer.rtrace
tib=1099511627776

# answers FILE: status of each reader that answers in time, 124 of those that do not
answers() {
	for command in report dump check 'export --to chrome -o exported'; do
		rm -f exported
		# shellcheck disable=SC2086 # a list of words
		timeout 20 "$tool" $command "$1" >/dev/null 2>&1
		echo $?
	done | xargs
}

# damage FILE: what the report says was passed over
damage() { timeout 20 "$tool" report "$1" | sed -n 's/.*corrupt, \(.*\), 0 records lost/\1/p'; }

# events FILE: as they are dumped
events() { timeout 20 "$tool" dump "$1" | cksum; }

equal a_file_of_nothing_but_a_hole_is_no_trace "$(timeout 20 "$tool" report "$tmp/all_hole.rtrace" 2>&1)" \
	"ranktrace: $tmp/all_hole.rtrace: no whole chunk: no trace file, or cut off right at its start"
equal readers_of_it_answer_at_once "$(answers all_hole.rtrace)" '1 1 1 1'

cp "$whole" hole_behind.rtrace
truncate -s 1T hole_behind.rtrace
equal a_trace_before_a_hole_is_read_at_once "$(answers hole_behind.rtrace)" '1 1 1 1'
equal all_events_before_a_hole_are_read "$(events hole_behind.rtrace)" "$(events "$whole")"
equal the_hole_behind_a_trace_is_told "$(damage hole_behind.rtrace)" \
	"0 bytes skipped, $((tib - ($(wc -c <"$whole") + 63) / 64 * 64)) bytes unfinished at the end"

# Zeros that are no hole, then a hole, then zeros again: the chunks stand at another place of their block.
{ head -c 192 /dev/zero && cat "$whole"; } >rest
cp rest hole_within.rtrace
truncate -s 1T hole_within.rtrace
cat rest >>hole_within.rtrace
equal a_trace_behind_a_hole_is_read_at_once "$(answers hole_within.rtrace)" '0 0 0 0'
holds the_hole_before_a_trace_is_told test "$(damage hole_within.rtrace | sed 's/ bytes skipped.*//')" -ge "$((tib - 8192))"
equal events_behind_a_hole_are_those_behind_zeros \
	"$(events hole_within.rtrace)" "$({ cat rest && head -c 1048576 /dev/zero && cat rest; } >full.rtrace && truncate -s %64 full.rtrace && events full.rtrace)"

# ---- recovery ----

cat >launches.c <<'END_OF_PROGRAM'
#include <stdio.h>
#include <unistd.h>
int clEnqueueNDRangeKernel(void *queue, ...);
int main(void)
{
	for (int i = 0; i < 1000; i++)
		clEnqueueNDRangeKernel(NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL);
	fclose(fopen("done", "w"));
	return (int)sleep(60);
}
END_OF_PROGRAM
echo 'int clEnqueueNDRangeKernel(void) { return 0; }' >nothing.c
cc=${CC:-gcc}
{ $cc -shared -fPIC -o libOpenCL.so.1 nothing.c -Wl,-soname,libOpenCL.so.1 &&
	$cc -o launches launches.c ./libOpenCL.so.1 -Wl,-rpath,"$tmp"; } || exit 1
RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH="$tmp/out" LD_PRELOAD="$SANITIZER$BUILD/libranktrace.so" ./launches &
pid=$!
for _ in $(seq 200); do
	part=$(find out -name '*.part' -size +0 2>/dev/null)
	[ -e done ] && [ -n "$part" ] && break
	sleep 0.1
done
kill -9 $pid
wait $pid 2>/dev/null
holds an_unfinished_file_is_there test -n "$part"
truncate -s 1T "$part"
equal recovery_of_a_file_with_a_hole_ends_at_once "$(timeout 20 "$tool" recover >recovered 2>&1; echo $?)" 0
report no_call_of_it_is_lost out 'total("kept") == 1000'
finish
