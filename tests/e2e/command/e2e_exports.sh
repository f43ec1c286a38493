#!/bin/sh
# Where exports go: several processes side by side make what one after the other would; folders, packed files, signals, a file's limit.
# takes: 50 s
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"

cd "$tmp" || exit 1
for i in 1 2 3; do "$BUILD/tests/bench/stream" -s 20 "many/$i" >/dev/null; done
mkdir many/two && "$BUILD/tests/programs/two_ranks" many/two

# ---- side by side ----

# same FORMAT NAME OPTION...: the output of --jobs 1 and 3 is there and the same
same() {
	format=$1 name=$2
	shift 2
	"$tool" export --to "$format" --jobs 1 -o "one.$name" "$@" many >said 2>&1 || fail "$format of one" "$(cat said)"
	"$tool" export --to "$format" --jobs 3 -o "three.$name" "$@" many >said 2>&1 || fail "$format of three" "$(cat said)"
	holds "${format}_$name$*_is_the_same_side_by_side" diff -r "one.$name" "three.$name"
}
same chrome json
same chrome json.gz
same perfetto pftrace
same perfetto pftrace.zst
same perfetto ranks --ranks 1
same chrome folder/
same perfetto perfettos/ --compress gz
same csv tables
same csv packed --compress gz
holds it_is_json /usr/bin/python3 -m json.tool one.json /dev/null
equal the_tables_begin_with_their_head_once "$(grep -c ^process three.tables/launch.csv) $(cut -d, -f1 three.tables/launch.csv | sort -u | wc -l)" '1 6'
"$tool" export --to chrome --jobs 2 many >stdout.json
holds standard_output_is_the_same cmp stdout.json one.json

# ---- windows of one process ----

told_program stages
# shellcheck disable=SC2046 # a list of words
RANKTRACE_RANK=0 "$run" --save-path windows --steps all --file-per-step true --level level1 --step-source api -- ./stages $(seq -f 'step:%.0f 3' 9) 2>said
for format in ascend-text ascend-db; do
	for jobs in 1 3; do "$tool" export --to $format --jobs $jobs -o "$format.$jobs" windows 2>"$format.said.$jobs"; done
	equal "${format}_makes_a_folder_of_each" "$(find $format.3 -name '*_ascend_pt' | wc -l)" 9
	holds "${format}_of_windows_is_the_same_side_by_side" diff -r $format.1 $format.3
	equal "${format}_says_the_same" "$(sed s/$format.3/$format.1/ $format.said.3)" "$(cat $format.said.1)"
done
if [ -z "${SAN-}" ] && command -v strace >/dev/null && strace -qq true 2>/dev/null; then
	strace -o forks -e trace=clone,clone3,fork,vfork "$tool" export --to ascend-text --jobs 3 -o each windows 2>said
	equal each_has_a_process_that_works_on_it "$(grep -c '^clone\|^v*fork' forks)" "$(find windows -name '*.rtrace' | wc -l)"
fi

# ---- stretches of one process ----

"$BUILD/tests/bench/stream" -d -s 40 alone >/dev/null
# parts OUTPUT JOBS OPTION...: how many forks have made it
parts() {
	output=$1 jobs=$2
	shift 2
	strace -o forks -e trace=clone,clone3,fork,vfork "$tool" export --jobs "$jobs" -o "$output" "$@" alone 2>said || fail "$*" "$(cat said)"
	grep -c '^clone\|^v*fork' forks
}
if [ -z "${SAN-}" ] && command -v strace >/dev/null && strace -qq true 2>/dev/null; then
	equal one_process_may_be_cut_into_parts "$(parts whole.json 1 --to chrome) $(parts cut.json 2 --to chrome) $(parts cut/ 2 --to chrome)" '0 2 2'
	holds parts_of_a_time_line_are_the_whole cmp whole.json cut.json
	equal so_they_are_in_a_folder "$(cmp cut/*.pt.trace.json whole.json && ls cut | wc -l)" 1
	equal parts_of_steps "$(parts steps.whole 1 --to chrome --steps 2-30) $(parts steps.cut 2 --to chrome --steps 2-30)" '0 2'
	holds are_the_same cmp steps.whole steps.cut
	equal tables_are_cut "$(parts tables.whole 1 --to csv) $(parts tables.cut 2 --to csv)" '0 2'
	holds and_put_together diff -r tables.whole tables.cut
	equal packed_ones_too "$(parts whole.json.gz 1 --to chrome) $(parts cut.json.gz 2 --to chrome)" '0 2'
	holds hold_the_same sh -c 'gzip -dc cut.json.gz | cmp - whole.json'
	parts told.whole 1 --to perfetto >/dev/null
	parts told.cut 2 --to perfetto >/dev/null
	equal where_they_are_is_all_that_is_told "$(cat said)" "ranktrace: exported to told.cut"
	mkdir beside && cp -r alone many/1 beside && mv beside/alone beside/2
	"$tool" export --to chrome --jobs 1 -o beside.whole beside && "$tool" export --to chrome --jobs 5 -o beside.cut beside
	holds parts_stand_beside_other_processes cmp beside.whole beside.cut
fi

# ---- words that are no format ----

for word in text:ascend-text db:ascend-db ascend_db:ascend-db chrom:chrome json:chrome pandas:csv nothing:"chrome, perfetto, csv, folded, ascend-text or ascend-db"; do
	equal "whoever_writes_${word%%:*}_is_told_what_to_write" "$("$tool" export --to "${word%%:*}" many 2>&1; echo $?)" \
		"ranktrace: unknown --to '${word%%:*}': use ${word#*:}
2"
done

# ---- what is packed is the same within ----

holds a_gz_holds_it sh -c 'gzip -dc one.json.gz | cmp - one.json'
holds so_do_those_of_a_folder gzip -t one.perfettos/*.pftrace.gz
mkdir unpacked && for f in one.packed/*.gz; do gzip -dc "$f" >"unpacked/$(basename "$f" .gz)"; done
holds tables_are_packed_each diff -r unpacked one.tables
equal a_word_that_packs_nothing "$("$tool" export --to csv --compress xz -o x many 2>&1; echo $?; ls x 2>&1)" "ranktrace: unknown --compress 'xz': use gz or zst
2
ls: cannot access 'x': No such file or directory"
for name in a.json.gz b.json; do
	equal "no_zst_is_called_$name" "$("$tool" export --to chrome --compress zst -o $name many 2>&1; echo $?; ls $name 2>/dev/null)" "ranktrace: -o $name is not called as --compress packs it: give a name that ends with .zst, or leave --compress out
2"
done
equal no_number_of_jobs "$("$tool" export --to csv --jobs 0 -o x many 2>&1; echo $?)" "ranktrace: unknown --jobs '0': use a number from 1 to 256
2"

# ---- a terminal ----

# on_a_terminal COMMAND...: what it shows there, and its status
on_a_terminal() {
	/usr/bin/python3 -c 'import os, pty, sys; print(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$@" </dev/null | tr -d '\r'
}
refused="ranktrace: what is written is not for a terminal: name a file with -o FILE
2"
equal what_is_binary_is_no_terminal_s "$(on_a_terminal "$tool" export --to perfetto many)" "$refused"
equal nor_is_what_is_packed "$(on_a_terminal "$tool" export --to chrome --compress gz -o - many)" "$refused"
equal a_file_may_be_named_there "$(on_a_terminal "$tool" export --to perfetto -o named.pftrace many | tail -1)" 0
holds and_has_it_all cmp named.pftrace one.pftrace
equal text_is "$(on_a_terminal "$tool" export --to chrome --jobs 1 many/two | grep -c ncclKernel_HcclAllReduce)" 6

# ---- a folder ----

equal a_process_has_a_file "$(find one.folder -type f | wc -l) $(grep -lE '"rank": [01],' one.folder/* | wc -l)" '5 2'
mkdir there && touch there/old
"$tool" export --to perfetto -o there many/two
equal a_folder_that_is_there_gets_them_too "$(find there -type f -printf '%f\n' | sort | tr '\n' ' ')" 'made_40.1700000000000.pftrace made_41.1700000000000.pftrace old '
cp -r many/two twice && "$tool" export --to chrome -o again/ many/two twice 2>/dev/null
equal nothing_is_lost_of_a_trace_that_is_there_twice "$(cat again/* | grep -c ncclKernel_HcclAllReduce)" 6

# ---- a signal ----

"$BUILD/tests/bench/stream" -s 600 "long/1" >/dev/null
"$BUILD/tests/bench/stream" -s 600 "long/2" >/dev/null
# interrupted SIGNAL FORMAT OUTPUT: as soon as both children have written something
interrupted() {
	"$tool" export --to "$2" --jobs 2 -o "$3" long 2>said &
	pid=$!
	until [ "$(find . -type f -name "*.??????" -size +0 -path "./${3%/}*" | wc -l)" -ge 2 ] || ! kill -0 $pid 2>/dev/null; do :; done
	children=$(cat "/proc/$pid/task/$pid/children")
	kill -"$1" $pid
	wait $pid
	equal "$2_ends_by_$1" "$?" "$4"
	for child in $children; do
		while kill -0 "$child" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$child/status" 2>/dev/null; do :; done
	done
	equal "and_leaves_nothing_behind_$2_$1" "$(echo "$children" | wc -w) $(find . -path "./${3%/}*")" '2 '
}
interrupted HUP chrome broken.json 129 # a shell keeps INT from what it starts in the background; the handler is the same
interrupted TERM csv broken.tables 143
interrupted KILL perfetto broken/ 137
interrupted TERM ascend-db ascends/ 143
interrupted KILL ascend-db below/ 137

# bereft SIGNAL FORMAT OUTPUT: a child alone is ended, as for want of memory
bereft() {
	"$tool" export --to "$2" --jobs 2 -o "$3" long 2>said &
	pid=$!
	until [ "$(find . -type f -name "*.??????" -size +0 -path "./${3%/}*" | wc -l)" -ge 2 ] || ! kill -0 $pid 2>/dev/null; do :; done
	read -r child rest <"/proc/$pid/task/$pid/children"
	kill -"$1" "$child"
	wait $pid
	equal "$2_says_that_a_process_of_it_was_ended_by_$1" "$? $(cat said)" '1 ranktrace: export: a process of it was ended'
	equal "and_leaves_nothing_behind_$2_of_it_$1" "${rest:+two} $(find . -path "./${3%/}*")" 'two '
}
bereft KILL chrome bereft.json
bereft TERM csv mourning
bereft KILL ascend-db without

# ---- a full disk, and a limit on the size of files ----

# told_once FORMAT OUTPUT STATUS WHY: of the first file that could not be written, and nothing is left
told_once() {
	equal "$1_says_$(echo "$4" | tr ' ' _)_once" "$3 $(wc -l <said) $(grep -c "^ranktrace: $2\\(/[^ ]*[.][a-z]*\\)\\?: $4; give another f[a-z]* with -o\$" said) $(find . -path "./$2*")" '1 1 1 '
}
for format in chrome perfetto csv ascend-text ascend-db; do
	rc=$(ulimit -f 2000 && "$tool" export --to $format --jobs 1 -o "limited.$format" long 2>said; echo $?)
	told_once $format "limited.$format" "$rc" 'File too large'
done
if unshare -m true 2>/dev/null; then
	mkdir full
	for format in chrome perfetto csv ascend-text ascend-db; do
		rc=$(unshare -m sh -c 'mount -t tmpfs -o size=1m none full || exit 99
			"$1" export --to "$2" --jobs 1 -o "full/$2" long 2>said; rc=$?; find full/*; echo $rc' sh "$tool" $format 2>/dev/null)
		told_once $format "full/$format" "$rc" 'No space left on device'
	done
fi

# ---- few descriptors ----

for i in $(seq 90); do "$BUILD/tests/bench/stream" -s 2 "crowd/$i" >/dev/null; done
"$tool" export --to csv --jobs 1 -o crowd.one crowd 2>said
rc=$(ulimit -n 80 && timeout 60 "$tool" export --to csv --jobs 256 -o crowd.few crowd 2>said; echo $?)
equal jobs_are_no_more_than_there_are_descriptors_for "$rc $(diff -r crowd.one crowd.few && echo same)" '0 same'

# ---- how long it took ----

equal short_work_says_where_it_is "$("$tool" export --to chrome -o short.json many 2>&1)" 'ranktrace: exported to short.json'
finish
