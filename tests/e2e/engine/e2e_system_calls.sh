#!/bin/sh
# Which system calls are ours, by phase: none outside of those that docs/reliability.md lists, and none at all while dormant.
. "$(dirname "$0")/../../lib/lib.sh"

need strace
[ -z "${SAN-}" ] || { echo "skip: a sanitizer makes calls of its own"; exit 77; }
cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
cd "$tmp" || exit 1
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc -o phases "$here/tests/helpers/systems/phases.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -ldl

# under_strace WHO [-E VARIABLE=VALUE...]
under_strace() {
	who=$1
	shift
	strace -f -o "$who" "$@" ./phases >said.$who 2>&1
}
settings="-E LD_PRELOAD=$BUILD/libranktrace.so -E RANKTRACE_STEPS=3"
under_strace bare
# shellcheck disable=SC2086 # lists of words
{
	under_strace traced $settings -E RANKTRACE_SAVE_PATH=$tmp/out.traced -E RANKTRACE_STEP_SOURCE=api
	under_strace asked $settings -E RANKTRACE_SAVE_PATH=$tmp/out.asked -E RANKTRACE_STEP_SOURCE=api -E RANKTRACE_ON_DEMAND=true
	under_strace timed $settings -E RANKTRACE_SAVE_PATH=$tmp/out.timed -E RANKTRACE_STEP_SOURCE=time:1000s
}
for who in traced asked timed; do equal "the_program_says_the_same_$who" "$(grep -v '^\[ranktrace\]\|^ranktrace' said.$who)" "$(cat said.bare)"; done
equal those_that_told_step_3_have_its_file "$(find out.* -name '*.rtrace' | cut -d/ -f1 | sort | xargs)" 'out.asked out.traced'
python3 "$here/tests/helpers/systems/phases.py" bare traced "$here/docs/reliability.md" >phases
cat phases
equal while_dormant_there_is_no_system_call_of_ours "$(grep '^dormant' phases)" 'dormant: none'
equal every_system_call_of_ours_is_listed "$(grep '^not listed' phases)" ''

# Who may be asked waits for it without a thread, and without a call.
python3 "$here/tests/helpers/systems/phases.py" bare asked "$here/docs/reliability.md" >phases
equal nor_where_ctl_may_ask "$(grep '^dormant\|^not listed' phases)" 'dormant: none'

# Each launch looks at the clock; nobody wakes for it.
python3 "$here/tests/helpers/systems/phases.py" bare timed "$here/docs/reliability.md" >phases
equal steps_of_time_cost_no_system_call_and_no_thread "$(grep -v '^first call\|exit' phases)" "dormant: none
before the window: none
window: none
behind it: none"
equal and_every_one_at_their_end_is_listed "$(grep '^not listed' phases)" ''
finish
