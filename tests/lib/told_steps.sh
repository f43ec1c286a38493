# told_steps.sh - what tests of programs that tell their steps share: `. tests/lib/told_steps.sh`, in $tmp; told_program NAME builds one
# of tests/programs beside a library that stands in for OpenCL. shellcheck shell=sh disable=SC2154
cd "$tmp" || exit 1
unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK

told_program() {
	cc="${CC:-gcc} -std=gnu11 -O1 -w -I$here"
	$cc -fPIC -shared -o libOpenCL.so.1 "$here/tests/fakes/opencl/fake_opencl.c" -Wl,-soname,libOpenCL.so.1 &&
		$cc -o "$1" "$here/tests/programs/$1.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread || exit 1
}

# told_python: that library beside programs of Python, which find it in their environment
told_python() {
	told_program stages
	export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1" PYTHONDONTWRITEBYTECODE=1
}

# told_places OPTION...: how many calls in out each place has: step, role.occurrence, mini, micro, and what is not, as -
told_places() { "$tool" dump --format jsonl "$@" out 2>/dev/null | /usr/bin/python3 "$here/tests/helpers/python/watched/places.py"; }

# windows_of: the paths of trace files, on standard input, without what stands behind the window in their names
windows_of() { sed "s/\\.$(hostname)-[^/]*\$//"; }

# windows_in FOLDER: each file's window, and how many calls it holds
windows_in() {
	find "$1" -name '*.rtrace' | while read -r file; do
		echo "$(echo "${file##*/}" | windows_of) $("$tool" dump --format jsonl "$file" 2>/dev/null | wc -l)"
	done | sort -V
}

# accounted: of all processes of out the calls that were kept, dropped and made, and the files
accounted() {
	/usr/bin/python3 -c '
import json, sys
processes = json.load(open(sys.argv[1]))["processes"]
print(*(sum(p[key] for p in processes) for key in ("kept", "dropped", "entered", "files")))' out/*/run.json
}

# late OPTION...: 9 calls of a process that is rank 1, as accounted() says: where that is known at the start, in a stage, behind its
# step, and at the exit
late() {
	rank=1 files "$@" -- step:1 begin:a 9 end >/dev/null
	accounted
	for words in '2 rank:1 7 end step:2' '9 end step:2 rank:1 step:3' '9 end rank:1'; do
		# shellcheck disable=SC2086 # a list of words
		rank='' files "$@" -- step:1 begin:a $words >/dev/null
		accounted
	done | sort | uniq -c | awk '{ $1 = $1 } 1'
}

# recorded FOLDER OPTION... -- WORD...: a run of ./stages
recorded() {
	name=$1
	shift
	options=
	while [ "$1" != -- ]; do options="$options $1" && shift; done
	shift
	# shellcheck disable=SC2086 # a list of words
	RANKTRACE_STEP_SOURCE=api "$run" --save-path "$name" --level level1 $options -- ./stages "$@" >said 2>log
}

# files OPTIONS... -- WORDS...: the windows of ./stages
files() {
	rm -rf out
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	# shellcheck disable=SC2086 # a list of words
	RANKTRACE_RANK=${rank-0} "$run" --save-path out --level level1 --step-source api $options -- ./stages "$@" 2>err
	windows_in out
}
