#!/bin/sh
# Four ranks on a simulated NCCL: collectives with what they were given, communicators joined by what their ranks met with, and groups, in
# which calls are only queued: the end of the outermost has the time of all.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
. "$here/tests/lib/collectives.sh"
build_layouts symbolic
export LD_LIBRARY_PATH="$tmp/symbolic"
"$tool" hooks >hooks

collectives_are_told 4 group13
halves='[x for x in e if x["name"] == "ncclAllReduce" and x["communicator_size"] == 2]'
report communicators_that_were_split_are_two_groups out "len($halves) == 12 and len({x['communicator_group'] for x in $halves}) == 2 and all(x['communicator_rank'] == x['rank'] // 2 for x in $halves)"
report a_root_and_a_peer_are_told out "{x['peer'] for x in e if x['name'] == 'ncclBroadcast'} == {3} and {(x['rank'], x['peer']) for x in e if x['name'] == 'ncclSend'} == {(0, 1), (1, 2), (2, 3), (3, 0)}"

# One thread, two devices, a stream on each: the end of the group has the time of the stream that was given last.
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I"$here" -Isymbolic/rows -o probe "$sim/probe.c" -Lsymbolic -l:libcudart.so.13 -lcuda -l:libnccl.so.2 -pthread || exit 1
equal groups_on_two_streams_end_as_without_us "$(SIM_DEVICES=2 "$run" --save-path two --steps all --level level0 --contents cpu,device -- ./probe groups 2>log)" "$(SIM_DEVICES=2 ./probe groups)"
reduce='[x["stream"] for x in e if x["name"] == "ncclAllReduce" and not x["result"]]'
report calls_in_a_group_have_their_streams two "len(set($reduce)) == 2 and $reduce == 10 * $reduce[:2]"
report a_group_is_of_the_stream_that_was_given_last two "[(x['stream'], x['device_duration_ns']) for x in e if x['name'] == 'ncclGroupEnd' and x['kind'] == 'collective'] == [($reduce[-1], 10000)]"
finish
