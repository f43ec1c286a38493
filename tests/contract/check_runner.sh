#!/bin/sh
# scripts/dev/run-tests on a tree of made-up tests: which it runs, what beside what, how it counts and what it prints.
. "$(dirname "$0")/../lib/lib.sh"

need python3
unset JOBS LIMIT TOTAL SAN CI
export BUILD=build
mkdir -p "$tmp/scripts/dev" "$tmp/build/tests" "$tmp/tests/unit" "$tmp/tests/contract" "$tmp/tests/e2e/one" "$tmp/tests/e2e/two" "$tmp/tests/lib"
cd "$tmp" || exit 1
cp "$here/scripts/dev/run-tests" scripts/dev/
mkfifo to_first to_second

# made PATH: a program, from standard input, that notes its beginning and its end in log
made() {
	{ printf '#!/bin/sh\n' && cat; } >"$1"
	chmod +x "$1"
}
# said COMMAND...: what it prints, without seconds, and its exit status
said() { { rm -f log && "$@" </dev/null; echo "status $?"; } 2>&1 | sed 's/ [0-9]*s, [0-9]*s of processors$//; /^took [0-9]* seconds/d'; }
sorted() { said "$@" | LC_ALL=C sort; }

made tests/contract/check_whole.sh <<'T'
echo 'ok a_first_check (3 of them)'
echo 'noise'
echo 'ok a_second_check'
T
made tests/e2e/one/e2e_bad.sh <<'T'
echo 'ok good'
echo 'FAIL bad: got 1, wanted 2'
exit 1
T
made tests/e2e/two/e2e_skip.sh <<'T'
echo 'ok before_the_skip'
echo 'skip: no such thing here'
exit 77
T
made tests/lib/lib.sh </dev/null
touch tests/unit/check_parts.c
made build/tests/check_parts <<'T'
echo "Running suite(s): $CK_VERBOSITY"
echo '50%: Checks: 2, Failures: 1, Errors: 0'
echo 'tests/unit/check_parts.c:10:P:core:a_good_one:0: Passed'
echo 'tests/unit/check_parts.c:20:F:core:a_bad_one:0: Assertion failed'
exit 1
T

# ---- counts ----

equal all_tests_are_run_and_counted "$(sorted env LIMIT=60 scripts/dev/run-tests tests)" '      50%: Checks: 2, Failures: 1, Errors: 0
      FAIL bad: got 1, wanted 2
      Running suite(s): verbose
      tests/unit/check_parts.c:20:F:core:a_bad_one:0: Assertion failed
5 passed, 2 failed, 1 skipped
FAIL  check_parts (exit 1)
FAIL  e2e_bad.sh (exit 1)
failed: check_parts: tests/unit/check_parts.c:20:F:core:a_bad_one:0: Assertion failed
failed: e2e_bad.sh: bad: got 1, wanted 2
ok    check_whole.sh (2)
skip  e2e_skip.sh: skip: no such thing here
status 1'
equal what_passed_is_listed "$(LC_ALL=C sort build/tests/ran)" 'check_parts: a_good_one
check_whole.sh: a_first_check
check_whole.sh: a_second_check
e2e_bad.sh: good
e2e_skip.sh: before_the_skip'
equal in_CI_a_skipped_test_is_a_failed_one "$(said env CI=true scripts/dev/run-tests tests/e2e/two)" \
	'FAIL  e2e_skip.sh: skipped, which counts as failed in CI: skip: no such thing here
failed: e2e_skip.sh: skipped
1 passed, 1 failed, 0 skipped
status 1'
made tests/e2e/one/e2e_silent.sh <<'T'
echo 'nothing is checked'
T
equal a_file_without_a_check_has_failed "$(said scripts/dev/run-tests tests/e2e/one/e2e_silent.sh)" 'FAIL  e2e_silent.sh (exit 0)
      nothing is checked
failed: e2e_silent.sh: exit 0
0 passed, 1 failed, 0 skipped
status 1'
rm tests/e2e/one/e2e_silent.sh

# ---- names ----

names() { said scripts/dev/run-tests "$@" | sed -n 's/^[a-zA-Z]*  *\(check_[a-z]*\|e2e_[a-z]*\).*/\1/p' | LC_ALL=C sort | xargs; }
equal a_folder_is_every_test_below_it "$(names tests/e2e)" 'e2e_bad e2e_skip'
equal folders_and_files_may_be_mixed_and_none_is_run_twice \
	"$(names tests/e2e/two/ "$tmp/tests/e2e/one" tests/e2e/two/e2e_skip.sh tests/contract/check_whole.sh)" 'check_whole e2e_bad e2e_skip'
equal the_folder_of_unit_tests_is_their_programs "$(names tests/unit)" check_parts
equal a_unit_test_s_source_is_its_program "$(names tests/unit/check_parts.c)" check_parts
for name in tests/e2e/three tests/e2e/one/e2e_nope.sh tests/lib tests/unit/check_nope.c; do
	equal "$(echo "$name" | tr ./ __)_is_refused_in_one_line" "$(said scripts/dev/run-tests tests/contract $name)" \
		"run-tests: $name is no test, and no folder of tests
status 1"
done
touch tests/unit/check_unbuilt.c
equal a_unit_test_that_is_not_built_is_told "$(said scripts/dev/run-tests tests/unit)" \
	'run-tests: build/tests/check_unbuilt is not built: run make test-programs
status 1'
rm tests/unit/check_unbuilt.c tests/e2e/one/* tests/e2e/two/*

# ---- beside each other ----

# Each waits for the other: they end only if they run at the same time.
made tests/e2e/two/e2e_first.sh <<'T'
echo begins >>log
echo >to_second && read -r line <to_first && echo ok first
echo ends >>log
T
made tests/e2e/two/e2e_second.sh <<'T'
echo begins >>log
read -r line <to_second && echo >to_first && echo ok second
echo ends >>log
T
equal two_files_run_at_a_time "$(LIMIT=60 scripts/dev/run-tests tests/e2e/two | tail -n 1)" '2 passed, 0 failed, 0 skipped'
rm log
made tests/e2e/one/e2e_alone.sh <<'T'
# What others would disturb.
# alone: it is easily disturbed
[ "$(grep -c begins log) $(grep -c ends log)" = '2 2' ] && echo ok alone
T
equal one_that_must_be_alone_begins_when_the_others_have_ended "$(LIMIT=60 JOBS=3 scripts/dev/run-tests tests/e2e | tail -n 1)" \
	'3 passed, 0 failed, 0 skipped'
rm log
for file in first second; do
	made tests/e2e/two/e2e_$file.sh <<'T'
echo begins >>log
echo ends >>log
echo ok it
T
done
JOBS=1 scripts/dev/run-tests tests/e2e/two >out
equal one_at_a_time_if_asked "$(xargs <log)" 'begins ends begins ends'
printf '9.0 e2e_second.sh\n1.0 e2e_first.sh\n' >build/tests/seconds
equal the_longest_come_first "$(said env JOBS=1 scripts/dev/run-tests tests/e2e/two | grep -o 'e2e_[a-z.]*' | xargs)" 'e2e_second.sh e2e_first.sh'
rm build/tests/seconds
sed -i '1a # takes: 90 s' tests/e2e/two/e2e_second.sh
equal and_those_that_say_that_they_take_long "$(said env JOBS=1 scripts/dev/run-tests tests/e2e/two | grep -o 'e2e_[a-z.]*' | xargs)" 'e2e_second.sh e2e_first.sh'

# ---- limits ----

made tests/e2e/two/e2e_endless.sh <<'T'
echo ok so_far
read -r line <to_first
T
equal a_file_that_hangs_is_ended_and_has_failed "$(said env LIMIT=1 scripts/dev/run-tests tests/e2e/two/e2e_endless.sh)" 'FAIL  e2e_endless.sh (exit 124)
failed: e2e_endless.sh: exit 124
1 passed, 1 failed, 0 skipped
status 1'
equal when_the_time_of_all_is_over_the_rest_has_failed "$(said env TOTAL=1 JOBS=1 scripts/dev/run-tests tests/e2e/two/e2e_endless.sh tests/e2e/two/e2e_first.sh)" \
	'FAIL  e2e_endless.sh (exit 124)
FAIL  e2e_first.sh: not begun, as the 1 seconds of all tests are over
failed: e2e_endless.sh: exit 124
failed: e2e_first.sh: not begun
1 passed, 2 failed, 0 skipped
status 1'
made tests/e2e/two/e2e_endless.sh <<'T'
echo $$ >pid.new && mv pid.new pid
read -r line <to_first
T
scripts/dev/run-tests tests/e2e/two/e2e_endless.sh >out &
until [ -e pid ]; do :; done
kill -TERM $!
wait $!
equal a_run_that_is_ended_says_so "$?" 143
holds and_what_it_ran_ends_too sh -c 'while kill -0 "$(cat pid)" 2>/dev/null; do :; done'
finish
