#!/bin/sh
# Processes' and threads' lives for longer: ten thousand forks, and every case of e2e_life.sh again and again.
# ROUNDS: how often (20).
. "$(dirname "$0")/../lib/life.sh"
build_life
LIFE_LIMIT=900

# gcc 12's AddressSanitizer does not hold its allocator's lock over fork; ThreadSanitizer does not follow.
[ -n "${SAN-}" ] ||
	live ten_thousand_forks_under_eight_recording_threads_do_not_hang fork_many env=LIFE_FORKS=10000 ./life fork_many

round=1
while [ "$round" -le "${ROUNDS:-20}" ]; do
	if ! "$here/tests/e2e/engine/e2e_life.sh" >round 2>&1; then
		fail every_case_of_e2e_life_holds_each_time "round $round: $(grep -e FAIL -e FAULT round | tr '\n' ' ')"
		finish
	fi
	round=$((round + 1))
done
ok every_case_of_e2e_life_holds_each_time
finish
