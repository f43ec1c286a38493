#!/bin/sh
# Handles at full size. CAME: how many come and go, RACES: how many are put by threads that race for their places.
. "$(dirname "$0")/../lib/lib.sh"

export CAME="${CAME:-10000000}" RACES="${RACES:-12000000}"
CK_VERBOSITY=verbose "$BUILD/tests/check_handles" >"$tmp/cases" 2>&1
for name in handles_that_came_and_went_make_no_other_slower_to_find threads_that_race_for_a_place_find_their_own_values; do
	holds $name grep ":P:handles:$name:" "$tmp/cases"
done
grep -e :F: -e :E: "$tmp/cases"
echo "$CAME handles came and went, $RACES were put by threads that race"
finish
