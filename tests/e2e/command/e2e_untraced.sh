#!/bin/sh
# A process that lost LD_PRELOAD on its way is told by the launcher while it runs, each program once, and by check.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit 1
chmod 755 "$tmp"
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS LD_PRELOAD
export RANK=0 RANKTRACE_CONTENTS=cpu LC_ALL=C
. "$here/tests/helpers/storage/lib.sh"
cp store other
mkfifo word && exec 8<>word

# until_said TEXT COMMAND...: starts it, waits until its standard error has the text (or it is over), and gives it WORDS words
until_said() {
	text=$1
	shift
	rm -rf out
	: >said
	: >err
	"$@" <word >said 2>err &
	launcher=$!
	timeout 120 sh -c 'until grep -q "$1" err || ! kill -0 "$2" 2>/dev/null; do sleep 0.05; done' sh "$text" "$launcher"
	cp err meanwhile
	for _ in $(seq "${WORDS:-1}"); do echo >&8; done
	wait "$launcher"
}
same_names() { sed "s/process [0-9]*/process P/g; s|$tmp|TMP|g" "$@"; }
dropped='so it is not traced: LD_PRELOAD was dropped on the way (sudo, su, env -i, a container): set the variables of ranktrace-run --print-env there'
refused='so it is not traced: its loader did not take what LD_PRELOAD names: the file is not there (chroot, a container), is for another architecture, or the program is setuid or has capabilities'

# ---- LD_PRELOAD is not there any more ----

until_said 'process [0-9]*: store' "$run" --save-path "$tmp/out" --steps all -- env -u LD_PRELOAD ./store waiting
equal a_child_without_LD_PRELOAD_is_told_while_it_runs "$(same_names meanwhile)" \
	"ranktrace: process P: store has loaded libOpenCL.so.1 without libranktrace.so, $dropped"
equal it_is_the_reason_why_nothing_was_recorded "$(same_names err | tail -n +2)" \
	"ranktrace: nothing was recorded: process P: store has loaded libOpenCL.so.1 without libranktrace.so, $dropped"
equal check_tells_it "$("$tool" check out | same_names; "$tool" check out >got || echo "status $?")" \
	"process P: store has loaded libOpenCL.so.1 without libranktrace.so, $dropped
status 1"

# shellcheck disable=SC2016
WORDS=4 until_said 'process [0-9]*: other' "$run" --save-path "$tmp/out" --steps all -- sh -c 'exec 3<&0; ./store few
	for program in store store other; do env -i "./$program" waiting <&3 & done
	./store waiting; wait'
equal each_program_is_told_once "$(same_names err | grep 'process P: ' | sort)" \
	"ranktrace: process P: other has loaded libOpenCL.so.1 without libranktrace.so, $dropped
ranktrace: process P: store has loaded libOpenCL.so.1 without libranktrace.so, $dropped"
equal beside_what_was_recorded "$(grep -c '1 rank, 5300 events, 0 lost' err)" 1
equal check_tells_both "$("$tool" check out | same_names | grep -c "without libranktrace.so, $dropped")" 2

# ---- it is there, and the loader does not take it ----

until_said 'process [0-9]*: store' "$run" --save-path "$tmp/out" --steps all -- env LD_PRELOAD=/nowhere/libranktrace.so ./store waiting
equal a_library_that_is_not_found_there_is_told_apart "$(same_names meanwhile | grep '^ranktrace')" \
	"ranktrace: process P: store has loaded libOpenCL.so.1 without libranktrace.so, $refused"

# ---- nobody may look into it ----

$cc -shared -fPIC -o undumpable.so "$here/tests/programs/undumpable.c"
hidden='may not be looked into (it runs by sudo, su or setuid), and is traced only if LD_PRELOAD was kept on its way'
without_rights=''
[ "$(id -u)" != 0 ] || without_rights='setpriv --bounding-set=-all'
# shellcheck disable=SC2086
until_said 'process [0-9]*: store' $without_rights "$run" --save-path "$tmp/out" --steps all -- \
	env LD_PRELOAD="$tmp/undumpable.so" ./store waiting
equal a_process_that_cannot_be_looked_into_is_told "$(same_names meanwhile)" "ranktrace: process P: store $hidden"
# shellcheck disable=SC2086
WORDS=2 until_said 'process [0-9]*: other' $without_rights "$run" --save-path "$tmp/out" --steps all -- sh -c \
	'exec 3<&0; LD_PRELOAD="$LD_PRELOAD:./undumpable.so" ./store waiting <&3 & LD_PRELOAD=./undumpable.so ./other waiting; wait'
equal but_not_one_that_we_trace "$(same_names err | grep -c 'process P: store') $(same_names meanwhile)" "0 ranktrace: process P: other $hidden"
equal which_is_no_cause_for_check "$("$tool" check out | same_names; "$tool" check out >got && echo "status 0")" "recorded 300 events of rank 0
process P: other $hidden
status 0"

# ---- it has set a seccomp filter, and the agent has left it alone ----

# Whoever is told while it runs was looked at later.
sandboxed='has loaded libOpenCL.so.1 and runs under a seccomp filter of its own, which may be why nothing is recorded: where the filter allows all that docs/reliability.md lists, set RANKTRACE_SANDBOX=allowed'
in_a_sandbox() { # BEFORE FILTER
	WORDS=2 until_said 'process [0-9]*: other' "$run" --save-path "$tmp/out" --steps all -- sh -c "exec 3<&0
		$1 ./store $2 waiting <&3 >said.store &
		until grep -q called said.store; do sleep 0.05; done
		env -u LD_PRELOAD ./other waiting <&3
		wait"
}
in_a_sandbox '' kill:fsync
equal a_process_that_set_a_filter_is_told_in_the_end "$(same_names err | grep "process P: store")" "ranktrace: nothing was recorded: process P: store $sandboxed"
equal but_not_while_it_runs "$(grep -c 'process [0-9]*: store' meanwhile)" 0
equal and_check_tells_of_the_filter "$("$tool" check out | same_names | grep 'process P: store')" "process P: store $sandboxed"
in_a_sandbox RANKTRACE_SANDBOX=allowed kill:fsync
equal one_that_may_be_recorded_is_not_blamed "$(same_names err | grep -c 'seccomp') $("$tool" dump out | tail -n +2 | wc -l)" '0 300'
in_a_sandbox './under_filter deny fsync' ''
equal nor_one_that_was_in_a_sandbox_from_its_start "$(same_names err | grep -c 'seccomp') $("$tool" dump out | tail -n +2 | wc -l)" '0 300'

# ---- another user's process may not enter the launcher's folder ----

nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" = 0 ] && $nobody test -r "$BUILD/libranktrace.so"; then
	# shellcheck disable=SC2086
	until_said 'process [0-9]*: store' "$run" --save-path "$tmp/out" --steps all -- \
		$nobody ./store waiting
	equal another_users_process_is_told_who_may_enter_the_folder "$(same_names meanwhile | grep 'process P')" \
		"ranktrace: process P: store runs as another user (65534), and only the user of ranktrace-run may enter TMP/out, so nothing is recorded: start ranktrace-run as that user"
	equal and_check_tells_it "$("$tool" check out | same_names | grep -c 'only the user of ranktrace-run may enter TMP/out, so nothing is recorded')" 1
fi
finish
