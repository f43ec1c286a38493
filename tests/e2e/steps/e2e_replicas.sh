#!/bin/sh
# Engines that no variable tells which replica they are find it with the server that has started them.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/lib/verl_jobs.sh"
printf '%s\n' weights decode decode weights >do
kinds='rollout{discrete=true,replica_ranks=1}'

# served PRESET KIND REPLICA: the engine's windows
served() {
	rm -rf out
	preset=$1
	(RANKTRACE_ROLES=$kinds by_hand j server "$2" "$3" <do >said 2>err)
	windows_in out
}
for kind in vllm sglang; do
	equal the_engine_of_the_selected_replica_is_recorded_$kind "$(served verl-0.7 $kind 1)" 'step-1.rollout.0 5'
	equal and_that_of_another_is_not_$kind "$(served verl-0.7 $kind 0; cat err)" ''
done
equal sglang_s_later_too "$(served verl-0.8 sglang 1)" 'step-1.rollout.0 5'
equal a_variable_goes_before "$(VERL_REPLICA_RANK=0 served verl-0.7 vllm 1)" ''
unset VERL_REPLICA_RANK
rm -rf out
(RANKTRACE_ROLES=$kinds by_hand j engine <do >said 2>err)
equal an_engine_without_a_server_says_that_it_does_not_know "$(windows_in out; cat err)" 'ranktrace: the replica (RANKTRACE_REPLICA) is unknown and roles select some: their stages are not recorded'
finish
