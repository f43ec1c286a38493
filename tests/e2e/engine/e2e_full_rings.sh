#!/bin/sh
# A thread whose ring is full goes on in another: no call is lost, a thread's calls stay in their order, what was taken is given back.
. "$(dirname "$0")/../../lib/lib.sh"

cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
storage=$here/tests/helpers/storage
cd "$tmp" || exit 1
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc -o bursts "$storage/bursts.c" "$storage/calls.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread
${MACHINE_CC:-$cc} -o under_filter "$storage/under_filter.c" "$storage/filter.c"
one_clock

# traced COMMAND...: its first step, recorded.
traced() {
	rm -rf out
	RANKTRACE_STEPS=${steps-1} RANKTRACE_STEP_SOURCE=api RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out timeout 120 "$@"
}
late_exit() { [ -z "${EMULATED-}" ] || "$tool" recover >recovered 2>&1; } # a slow machine's does not wait for the flush thread
preloaded() {
	traced env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" "$@"
	late_exit
}
in_files() { "$BUILD/tests/programs/thread_order" out; }
# in_bursts [SLOW]: of more than one ring holds; emulated threads, or SLOW ones, may be so slow that one ring each does
in_bursts() { in_files | if [ -n "${1-}${EMULATED-}" ]; then sed 's/a ring each/more rings/'; else cat; fi; }
# While the disk stands still nothing leaves the rings.
stalled() {
	traced sh "$storage/talk.sh" 'until [ -e gate.stalled ]; do :; done; '"$1" ./under_filter stall writev gate \
		env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" ./bursts "$2" "$3" "$4"
	late_exit
}

preloaded ./bursts 1 300000 exit
equal three_hundred_thousand_calls_in_one_burst_are_kept_in_order "$(in_bursts)" '1 threads, 300000 copies, more rings, 0 wrong'
preloaded ./bursts 16 40000 exit
equal forty_thousand_calls_of_sixteen_threads_are_kept_in_order "$(in_bursts "${SAN-}")" '16 threads, 640000 copies, more rings, 0 wrong'

preloaded ./bursts 4 100000 kill
"$tool" recover >recovered 2>&1
equal of_a_killed_process_each_ring_comes_back_in_order "$(in_bursts) $(grep -c damaged recovered)" '4 threads, 400000 copies, more rings, 0 wrong 0'
equal of_a_killed_process_nothing_is_left_behind "$(ls -d "$RANKTRACE_SESSION_ROOT"-*/* 2>/dev/null)" ''

rm -f still && mkfifo still
traced ./under_filter stall writev still env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" ./bursts 1 20000 exit >left 2>&1
ended='ended before all was written'
equal who_ended_meanwhile_was_not_killed "$("$tool" check out | sed 's/^process [0-9]*: //; s/recover .*/recover/')" \
	"$ended in step 2: 20000 events are still in memory: run \`ranktrace recover"
"$tool" recover >recovered 2>&1
equal what_a_disk_that_stands_still_did_not_take_is_said_and_recovered \
	"$(grep -c 'the last events are in /dev/shm: run ranktrace recover' left) $(in_files)" '1 1 threads, 20000 copies, a ring each, 0 wrong'
equal nor_is_that_said_when_it_is_recovered "$("$tool" check out | grep -c ": $ended in step 2: 20000 events were recovered from memory") \
$("$tool" report out | grep -c "$ended; recorded calls were recovered\| unwritten, recovered$\|killed")" '1 2'

# Steps that never came are no reason to leave the others.
steps=1,100 traced ./under_filter stall writev still env LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" ./bursts 1 20000 exit >left 2>&1
"$tool" recover >recovered 2>&1
equal also_where_selected_steps_never_came "$(in_files)" '1 threads, 20000 copies, a ring each, 0 wrong'

# Of most rings only the first page, with the counters, finds room in /dev/shm.
# killed_in_shm SIZE
killed_in_shm() {
	rm -rf out
	unshare -m sh -c 'mount -t tmpfs -o size="$0" tmpfs /dev/shm && exec "$@"' "$1" timeout 120 "$run" --steps 1 --step-source api \
		--contents cpu --save-path "$tmp/out" -- ./bursts 4 40000 kill >launched 2>&1 </dev/null
}
if [ -z "${SAN-}" ] && unshare -m sh -c 'mount -t tmpfs none /dev/shm' 2>/dev/null; then
	killed_in_shm 16m
	gone=$(sed -n 's/.* was killed: \([0-9]*\) calls waited in buffers that found no room.*/\1/p' launched)
	equal of_a_killed_process_the_launcher_counts_what_ended_with_it "$([ "${gone:-0}" -gt 0 ] && echo so)" so
	equal the_launcher_says_how_many_are_lost "$(grep -c " $gone lost" launched)" 1
	"$tool" report --format json out >report.json
	equal of_a_killed_process_no_call_is_unaccounted_for "$(python3 - "${gone:-0}" <<'T'
import json, sys
p, = json.load(open("report.json"))["ranks"]
e = p["events"]
print(e["called"], e["kept"] + e["dropped"], e["dropped"] == int(sys.argv[1]), e["kept"] > 0,
      all(d["first_step"] in (None, 1) and d["last_step"] == 1 for d in p["dropped_in"]),
      sum(d["calls"] for d in p["dropped_in"]) == e["dropped"])
T
)" '160000 160000 True True True True'
	# Nor even that.
	killed_in_shm 64k
	equal buffers_that_ended_with_it_counters_and_all_are_told "$(grep -c ': [0-9]* of its buffers found no room in /dev/shm and ended with the process: calls are lost' launched)" 1
	equal the_launcher_does_not_claim_to_know_how_many_are_lost \
		"$(grep -qE ', more than [0-9]+ lost in |nothing was recorded' launched && echo said) $(grep -c ', [0-9]* lost in ' launched)" 'said 0'
	equal check_names_them_too "$("$tool" check out >checked; echo $?) $(grep -c '[0-9]* of its buffers found no room in /dev/shm and ended with the process: calls are lost' checked)" '1 1'
	"$tool" report --format json out >report.json
	equal of_what_is_known_then_nothing_is_negative "$(python3 - <<'T'
import json
p, = json.load(open("report.json"))["ranks"]
e = p["events"]
print(0 < e["called"] < 160000, e["in_flight"] >= 0, int(p["facts"]["lost_buffers"]) > 0)
T
)" 'True True True'
fi

export traced=yes storage tmp
cat >given_back <<'T'
taken() { du -ck "$RANKTRACE_SESSION_ROOT"-*/*/ring.* | tail -1 | cut -f1; }
echo "$(($(taken) / 1024))" >most
echo >gate
until [ -n "${EMULATED-}" ] || [ "$(taken)" -lt 4096 ]; do :; done # qemu-user does not ask the kernel for MADV_REMOVE
echo "$(($(taken) / 1024))" >least
T
stalled '. ./given_back' 1 300000 word >talked 2>&1
equal what_a_burst_took_is_given_back_when_it_is_written "$(in_files)" '1 threads, 300000 copies, more rings, 0 wrong'
[ -n "${EMULATED-}" ] || equal memory_was_taken_and_given_back "$([ "$(cat most)" -ge 9 ] && [ "$(cat least)" -lt 4 ] && echo so)" so

# As containers have it; the least that is accepted; what finds no room is counted, and told where it was.
RANKTRACE_SHM_SIZE=4M stalled 'echo >gate' 2 200000 word >talked 2>&1
"$tool" report --format json out >report.json
equal beyond_shm_size_calls_are_counted_and_their_step_is_told "$(python3 - <<'T'
import json
p, = json.load(open("report.json"))["ranks"]
e = p["events"]
print(e["called"], e["kept"] + e["dropped"], e["dropped"] > 0, [(d["first_step"], d["last_step"]) for d in p["dropped_in"]],
      sum(d["calls"] for d in p["dropped_in"]) == e["dropped"])
T
)" '400000 400000 True [(1, 1)] True'
finish
