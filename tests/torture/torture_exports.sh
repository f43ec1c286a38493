#!/bin/sh
# Exports of 50 million events: memory stays what it is of a short trace, and no device time is left out.
. "$(dirname "$0")/../lib/lib.sh"

need python3
cd "$tmp" || exit 1
stream=$BUILD/tests/bench/stream
"$stream" -s 14800 calls >/dev/null
"$stream" -s 7400 -d timed >/dev/null
events() { "$tool" report --format json "$1" | python3 -c 'import json, sys; r = json.load(sys.stdin)["ranks"][0]; print(r["events"]["kept"], r["device_times"])'; }
equal there_are_50_million_events "$(events calls | cut -d' ' -f1 | cut -c1-2)" 50
times=$(events timed | cut -d' ' -f2)
holds and_device_times_of_a_launch_each test "$times" -gt 14000000

# within TRACE FORMAT OPTION...: exported, in 128 MiB; how many, and what was said, are in `said`
within() {
	name=$1_to_$2
	python3 - "$tool" export --to "$2" "$3" "$4" -o "$5" "$1" >peak 2>said <<-'END'
		import resource, subprocess, sys
		status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
		print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
	END
	read -r status mib <peak
	equal "$name" "$status $(grep -vc 'ranktrace: exported' said)" '0 0'
	holds "${name}_within_128_MiB" test "$mib" -le 128
	echo "# $name: $mib MiB; $(cat said)"
}
for format in chrome perfetto; do
	within calls "$format" --compress zst /dev/null
	within timed "$format" --compress zst "timed.$format.zst"
done
within calls csv --compress zst calls.csv
within timed csv --compress zst timed.csv
equal each_device_time_has_its_slice "$(zstd -dc timed.chrome.zst | grep -c '"cat":"kernel"')" "$times"
equal each_has_its_row "$(zstd -dc timed.csv/device_times.csv.zst | wc -l)" $((times + 1))

# of_ascend TRACE FORMAT WORD...: to FORMAT.TRACE, within 128 MiB
of_ascend() {
	trace=$1 to=$2
	shift 2
	python3 - "$tool" export --to "$to" --jobs 1 "$@" -o "$to.$trace" "$trace" >peak 2>said <<-'END'
		import resource, subprocess, sys
		status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
		print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
	END
	read -r status mib <peak
	equal "${trace}_to_$to$*" "$status" 0
	holds "${trace}_to_$to$*_within_128_MiB" test "$mib" -le 128
	echo "# ${trace}_to_$to$*: $mib MiB"
}
# counted TABLE: rows of it in the database
counted() { python3 -c 'import glob, sqlite3, sys
print(*sqlite3.connect(glob.glob(sys.argv[1] + "/*/*/ascend_pytorch_profiler*.db")[0]).execute("select count(*) from " + sys.argv[2]).fetchone())' "$1" "$2"; }
of_ascend calls ascend-db
equal each_call_has_its_row "$(counted ascend-db.calls CANN_API)" "$(events calls | cut -d' ' -f1)"
rm -r ascend-db.calls
of_ascend timed ascend-db
equal each_device_time_has_its_task "$(counted ascend-db.timed TASK)" "$times"
rm -r ascend-db.timed
of_ascend calls ascend-text
equal each_call_has_its_slice "$(grep -c '"connection_id":' ascend-text.calls/*/*/trace_view.json)" "$(events calls | cut -d' ' -f1)"
rm -r ascend-text.calls
# With arrows and device times the time line is more than its readers take: half of the steps.
"$tool" export --to ascend-text -o ascend-text.timed timed >said 2>&1
equal a_time_line_beyond_its_limit_names_steps "$? $(grep -c 'more than 10 GiB.*--steps' said) $(ls ascend-text.timed 2>/dev/null | wc -l)" '1 1 0'
of_ascend timed ascend-text --steps 1-3700
equal each_kernel_of_these_has_its_row "$(tail -n +2 ascend-text.timed/*/*/kernel_details.csv | wc -l)" $((times / 2))
rm -r ascend-text.timed

# What is too large for its readers ends, and says what helps.
"$tool" export --to chrome -o /dev/null timed >said 2>&1
equal a_file_beyond_its_limit_names_steps "$? $(grep -c 'more than 10 GiB.*--steps' said)" '1 1'
finish
