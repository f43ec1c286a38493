#!/bin/sh
# What tests of each day leave out, as it is like something else in them: MORE=1.
top=$(dirname "$0")/../..
status=0
for test in ascend/e2e_ascend_db.sh steps/e2e_real_trainers.sh; do
	MORE=1 "$top/tests/e2e/$test" || status=1
done
exit $status
