#!/bin/sh
# Golden traces, one set a format version (tests/golden/make): read today as on the day they were made.
. "$(dirname "$0")/../lib/lib.sh"

count=0
for dump in "$here"/tests/golden/*.dump; do
	trace=${dump%.dump}
	name=$(basename "$trace" | tr '.-' '__')
	holds "golden_${name}_reads_as_it_was_written" python3 "$here/tests/golden/compare.py" "$tool" "$trace"
	count=$((count + 1))
done
equal a_golden_trace_was_there "$((count >= 4))" 1
for version in $(awk '/^#define TRACE_MAJOR/ { major = $3 } /^#define TRACE_MINOR/ { print major "." $3 }' "$here/agent/format/trace_file.h"); do
	holds this_format_version_has_its_golden_traces test -e "$here/tests/golden/$version-made.rtrace" -a -e "$here/tests/golden/$version-ascend.rtrace"
done
equal the_page_of_the_format_describes_this_version "$(sed -n 's/^This page describes format \([0-9.]*\)\. .*/\1/p' "$here/docs/format.md")" "$version"
finish
