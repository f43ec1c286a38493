#!/bin/sh
# The simulated CANN itself, without us: what other tests take for granted.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/ascend
cd "$tmp" || exit 1
printf 'libopapi.so aclnnUnheardOf\nlibopapi.so aclnnUnheardOfGetWorkspaceSize\nlibge_more.so _ZN2ge4moreEv\nlibascendcl.so aclInit\n' >names
{ SIM_NAMES=$tmp/names "$sim/build.sh" cann split && g++ -std=gnu++17 -g -O1 -Wall -I"$here" -Icann/rows -o probe "$sim/probe.cc" -Lcann -Wl,--no-as-needed \
	-lascendcl -lacl_rt -lnnopbase -lopapi -lopapi_math -lhccl -lhcomm -lmspti -lms_tools_ext -Wl,-rpath,"$tmp/cann" -pthread; } >log 2>&1 || {
	fail the_simulated_libraries_are_built "$(grep -E "error|ld:" log | head -n 3)"
	finish
}
cat >wanted <<'END'
elapsed before 107006
complete 0
complete 0
complete 1
elapsed 0
ms 0.003000
backwards 107007
at the same time 1
copied 1
record in a capture 107027
join 0
ask a captured one 107028
wait 107027
end 0
wait after 0
malloc 0
taken 1032
too much 207001
free 0
free again 107000
seen twice
unmap 0
release 0
dimensions 2
elements 6
workspace 512
too small 1
sum 0
sums 6 15
addmm 0
product 34 79 70 169
destroy 0
gathered 0 1 2 sum 3 6 from before 0
subscribe 0
another one 2
kernel ns 5000
kernel ns 5000
records 2
unsubscribe 0
END
export SIM_CLOCK=0 SIM_DEVICES=3 SIM_HCCL_TIMEOUT=20
SIM_COUNTS=counts SIM_EVENT_QUERIES=2 SIM_KERNEL_NS=5000 ./probe >said 2>&1
holds it_answers_as_the_vendor_would diff wanted said
python3 "$here/tests/sims/lib/counts.py" counts >outer
equal calls_are_counted "$(grep -E '^(HcclAllGather|aclrtMemcpyAsync|mstxMarkA) ' outer | tr '\n' ' ')" \
	'HcclAllGather 3 aclrtMemcpyAsync 3 mstxMarkA 1 '
equal inner_calls_are_no_calls_of_the_program "$(grep -c WithHostArgs outer)" 0
python3 "$here/tests/sims/lib/counts.py" -t counts >tree
equal but_are_counted_where_they_come_from "$(grep -c '^aclnnReduceSum>aclrtLaunchKernelWithHostArgs>aclrtLaunchKernelWithHostArgsImpl 1$' tree)" 1
equal the_barrier_is_the_next_library_s "$(grep '^HcclBarrier>' tree)" 'HcclBarrier>HcclBarrier 3'

SIM_COUNTS=more python3 -c 'import ctypes
ctypes.CDLL("cann/libge_more.so")._ZN2ge4moreEv()
operators = ctypes.CDLL("cann/libopapi.so")
operators.aclnnUnheardOfGetWorkspaceSize(1, 2, 3)
operators.aclnnUnheardOf(0, 0, 0, 0)'
equal functions_of_which_only_the_name_is_known_are_there "$(python3 "$here/tests/sims/lib/counts.py" -t more | tr '\n' ' ')" "_ZN2ge4moreEv 1 aclnnUnheardOf 1 \
aclnnUnheardOf>aclrtLaunchKernelWithHostArgs 1 aclnnUnheardOf>aclrtLaunchKernelWithHostArgs>aclrtLaunchKernelWithHostArgsImpl 1 \
aclnnUnheardOfGetWorkspaceSize 1 "

SIM_COUNTS=prof SIM_KERNEL_NS=1 LD_PRELOAD=$tmp/cann/libprofapi.so ./probe >/dev/null
equal markers_reach_the_vendor_s_own_tool "$(python3 "$here/tests/sims/lib/counts.py" -t prof | grep '^mstxMarkA>')" 'mstxMarkA>prof_mark 1'

SIM_COUNTS=killed.%p ./probe forever &
pid=$!
until [ "$(python3 "$here/tests/sims/lib/counts.py" killed.$pid 2>/dev/null | cut -d' ' -f2)" -gt 1000 ] 2>/dev/null; do :; done
kill -9 $pid
wait $pid 2>/dev/null
equal counts_outlive_a_kill "$(python3 "$here/tests/sims/lib/counts.py" killed.$pid | cut -d' ' -f1)" mstxMarkA
finish
