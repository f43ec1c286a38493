#!/bin/sh
# talk.sh WHAT COMMAND...: says the word to the program when it waits for one, WHAT having been done before.
set -eu
what=$1
shift
rm -f word said gate gate.stalled && mkfifo word said gate
"$@" <word >said &
exec 8>word 9<said
read -r line <&9
echo "$line"
[ -z "${traced-}" ] || eval "$what"
echo >&8
cat <&9
rc=0
wait $! || rc=$?
exit $rc
