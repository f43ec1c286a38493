#!/bin/sh
# A trainer tells its steps by ctypes, and PyTorch launches from a queue: where a window opens or closes, that is waited for. The real
# torch_npu: e2e_torch_npu_windows.sh.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages # for the library beside it
export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1" RANKTRACE_RANK=0 TELLER="$tmp/teller.so" ENDER="$tmp/ender.so"
printf 'void ranktrace_step(long);void tell(long n);void tell(long n){ranktrace_step(n);}\n' >teller.c
echo 'int torch_npu_is_here;' >npu.c
$cc -fPIC -shared -o libtorch_npu.so npu.c -Wl,-soname,libtorch_npu.so && $cc -fPIC -shared -o teller.so teller.c &&
	$cc -fPIC -shared -o ender.so "$here/tests/programs/python_end.c" -ldl -pthread || exit 1

# told HOW OPTION...: where torch_npu is, or a library of its name (npu= is to say that it is not), each window and its calls; then how often the queue was waited for, and how often not
told() {
	rm -rf out
	how=$1
	shift
	LD_PRELOAD=${npu-$tmp/libtorch_npu.so} timeout 30 "$run" --save-path out --level level1 --step-source api "$@" -- "$python" "$here/tests/helpers/python/queue_told.py" "$how" >said 2>err
	echo $? >ended
	windows_in out
	grep -ho '"queue_waits":[0-9]*\|"unwaited_queues":[0-9]*' out/*/run.json | sed 's/.*://' | paste -sd' '
}

export TSAN_OPTIONS="$TSAN_OPTIONS:report_thread_leaks=0" # threads that Python leaves behind as it ends

for named in $(pythons 3.0); do
	v=${named%%:*} python=${named#*:}
	for how in cdll pydll thread; do
		equal a_window_told_by_${how}_has_its_own_calls_in_$v "$(told $how --steps 2)" 'step-2 3
2 0'
	done
	equal stages_and_batches_told_by_ctypes_have_theirs_in_$v \
		"$(told stages --steps 2-3 --schedule counter=micro,wait=1,active=2,repeat=1)" 'step-2.rollout.0.micro-1-2 4
step-3.rollout.0.micro-1-2 4
11 0'
	equal who_asks_for_Pythons_lock_as_it_ends_has_it_before_in_$v "$(npu="$tmp/libtorch_npu.so $ENDER" told ending --steps 2 | tail -n 1; cat ended)" '1 0
0'
	told interrupt --steps 2 >/dev/null
	equal an_interrupt_while_it_is_waited_for_is_the_users_in_$v "$(cat said)" 'KeyboardInterrupt 2'
	equal a_queue_that_cannot_be_emptied_is_told_in_$v "$(told raises --steps 2)$(grep -o 'was not waited for.*' err | head -n 1)" 'step-2 0
0 2was not waited for, so calls may count to the window behind theirs: RuntimeError: the device is lost'
done

for named in $(pythons); do
	v=${named%%:*} python=${named#*:}
	equal in_a_subinterpreter_nobody_asks_for_it_in_$v "$(told within --steps 2 | tail -n 1; cat ended)" '1 1
0'
done

python=/usr/bin/python3
told cdll --steps 2 >/dev/null
holds the_report_tells_how_often sh -c "'$tool' report out | grep -A1 '^Launch queue of PyTorch' | grep -q 'waited for 2 times where windows may open or close, .* in all$'"
equal a_window_that_is_asked_for_has_its_own_calls "$(told asked --on-demand true)" 'steps-3-end 9
2 0'
equal nobody_waits_for_what_a_library_of_C_tells "$(told c --steps 2)" 'step-2 0
0 2'
holds and_the_report_says_so sh -c "'$tool' report out | grep -q 'PyTorch.s own launch queue was not waited for at 2 places'"
equal switched_off_it_is_told_alike "$(told cdll --steps 2 --empty-queue false)" 'step-2 0
0 2'
equal without_torch_npu_there_is_nothing_to_tell "$(npu= told c --steps 2)" 'step-2 0
0 0'
equal and_nobody_is_asked_for_Pythons_lock "$(npu= told cdll --steps 2)" 'step-2 0
0 0'
finish
