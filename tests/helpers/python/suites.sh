# shellcheck shell=sh disable=SC2154
# suites.sh - runs somebody else's test suite without us and under the agent, recording all, and compares
# case by case. For e2e_suites.sh (a short choice) and torture_suites.sh (whole).

everything="--steps all --level level2 --contents cpu,npu,memory,shapes"

same_outcomes() { # NAME
	if got=$(/usr/bin/python3 "$here/tests/helpers/python/outcomes.py" "$tmp/$1.plain.xml" "$tmp/$1.traced.xml" 2>&1); then
		echo "$1: $got"
		ok "$1_every_case_has_the_outcome_that_it_has_without_us"
	else
		fail "$1_every_case_has_the_outcome_that_it_has_without_us" "$(echo "$got" | tr '\n' ' ')"
		tail -n 5 "$tmp/$1.plain" "$tmp/$1.traced"
	fi
}

# ---- suites that know no vendor: a guest calls for them ----

make_guest() {
	[ ! -e "$tmp/guest.so" ] || return 0
	cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -I$here -shared -fPIC -DFAKE_PROCESSES=65536"
	$cc -Wl,-soname,libOpenCL.so.1 -o "$tmp/libOpenCL.so.1" "$here/tests/helpers/kill/fake_opencl_kill.c" &&
		$cc -o "$tmp/guest.so" "$here/tests/programs/suite_guest.c" "$tmp/libOpenCL.so.1" -Wl,-rpath,"$tmp"
}

# python_tests HOW PRELOAD LAUNCHER TESTS...
python_tests() {
	how=$1 preload=$2 launcher=$3
	shift 3
	rm -f "$tmp/counts"
	truncate -s 1048576 "$tmp/counts"
	# shellcheck disable=SC2086 # words of a command
	(cd "$tmp/work" && FAKE_COUNTS=$tmp/counts $launcher env LD_PRELOAD="$preload" /usr/bin/python3 -m test -v \
		--junit-xml "$tmp/$suite.$how.xml" "$@") >"$tmp/$suite.$how" 2>&1
}

# cpython NAME FLYING TESTS...: of Debian's Python; so many calls of a process may be in flight at its end.
# FLYING is - where only outcomes are compared.
cpython() {
	suite=$1 flying=$2
	shift 2
	make_guest
	mkdir -p "$tmp/work"
	python_tests plain "$tmp/guest.so" '' "$@"
	python_tests traced "${SANITIZER-}$BUILD/libranktrace.so:$tmp/guest.so" "$run --save-path $tmp/$suite $everything --" "$@"
	same_outcomes "$suite"
	[ "$flying" != - ] || return 0
	holds "${suite}_every_call_of_every_process_is_recorded" \
		/usr/bin/python3 "$here/tests/helpers/python/called.py" "$tool" "$tmp/$suite" "$tmp/counts" "$flying"
	cat "$tmp/holds.out"
}

# ---- suites of OpenCL programs: a layer below us counts ----

# opencl NAME FOLDER PYTEST-ARGUMENTS...
opencl() {
	suite=$1 folder=$2
	shift 2
	for how in plain traced; do
		launcher=
		[ $how = plain ] || launcher="$run --save-path $tmp/$suite $everything --"
		# shellcheck disable=SC2086 # words of a command
		(cd "$folder" && OPENCL_LAYERS=$layer COUNT_LAYER_OUT=$tmp/$suite.$how.counts DEV=CL PYTHONPATH=${PYTHONPATH-} \
			XDG_CACHE_HOME=$tmp/cache PYTHONDONTWRITEBYTECODE=1 $launcher /usr/bin/python3 -m pytest -q -p no:cacheprovider \
			--junit-xml="$tmp/$suite.$how.xml" "$@") >"$tmp/$suite.$how" 2>&1
	done
	same_outcomes "$suite"
	holds "${suite}_every_call_is_recorded_once" \
		/usr/bin/python3 "$here/tests/helpers/python/recorded.py" "$tool" "$tmp/$suite" "$tmp/$suite.traced.counts"
	cat "$tmp/holds.out"
}

# fetch NAME==VERSION...: with the pip of the tests' virtual environment
sources=$here/build/sources
fetch() {
	venv=${RANKTRACE_VENV:-$here/build/venv}
	sh "$here/tests/helpers/python/venv.sh" "$venv" && PYTHON=$venv/bin/python sh "$here/tests/helpers/python/sources.sh" "$sources" "$@"
}
