#!/bin/sh
# What the commands answer to a question that goes wrong: nothing is destroyed, nothing false is said.
. "$(dirname "$0")/lib.sh"

cd "$tmp" || exit
ulimit -c 0
. "$here/tests/store/lib.sh"
export RANKTRACE_CONTENTS=cpu LC_ALL=C
unset RANK

# answer COMMAND...: all that it says, and its exit status
answer() {
	{ "$@"; echo "status $?"; } 2>&1
}

# ---- export onto a trace ----

mkdir traces
cp "$here/tests/golden/2.0-trainer.rtrace" traces/input.rtrace
cp traces/input.rtrace other.json
head -c 10 traces/input.rtrace >traces/damaged.rtrace
echo old >old.json
for file in traces/input.rtrace other.json traces/damaged.rtrace; do
	cp "$file" before
	equal "export_onto_${file##*/}_is_refused" "$(answer "$tool" export --to chrome -o "$file" traces/input.rtrace)" \
		"ranktrace: $file is a trace, or to be read: it is not written over; give another place with -o
status 2"
	holds "and_${file##*/}_is_as_it_was" cmp before "$file"
done
ln other.json link.json
equal an_input_under_another_name_is_refused "$(answer "$tool" export --to chrome -o link.json other.json | tail -n 1)" 'status 2'
"$tool" export --to chrome -o old.json traces/input.rtrace
holds an_older_time_line_is_replaced /usr/bin/python3 -m json.tool old.json json

finish
