#!/bin/sh
# The step clock of PyTorch trainers: every optimizer step ends a step, in every Python that is here, and nobody notices.
# Whose steps count if there are several: e2e_optimizers.sh.
# PYTHONS="PATH...": more of them.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"

. "$here/tests/helpers/python/trained.sh"

# told OUT: what the launcher says of rank 0
told() { sed -n 's/^ranktrace: nothing was recorded: rank 0: steps 2,4 were selected, but //p' "$1.log"; }

five='{1: 2, 2: 3, 3: 4, 4: 5, 5: 6}'

# ---- every Python that is here ----

for named in $(pythons); do
	v=${named%%:*} version=${named#*:}
	echo "$v: $version, $("$version" -V)"
	train plain_$v "$version" plain --steps 2,4 --ranks 0
	report two_steps_of_python_$v plain_$v "steps(0) == {2: 3, 4: 5} and $clock"
	train isolated_$v "$version -I -S" device_first --steps all
	counted isolated_$v "steps(0) == {1: 12, 2: 3, 3: 4, 4: 5, 5: 6} and $clock"
	for end in at_exit at_the_very_end behind_the_end left_at_once; do
		train ${end}_$v "$version" $end --steps all
	done
done

# ---- when the shim comes ----

train bare "$python -E" plain --steps all
counted bare "steps(0) == $five and $clock"
train in_an_import "$python" while_torch_is_imported --steps all
counted in_an_import 'steps(0) == {1: 12, 2: 3, 3: 4, 4: 5, 5: 6}'
train in_a_step "$python" first_in_the_step --steps all
counted in_a_step 'steps(0) == {1: 1, 2: 3, 3: 4, 4: 5, 5: 6}'
train among_hooks_of_others "$python" beside_others_hooks --steps all
counted among_hooks_of_others 'steps(0) == {1: 403, 2: 204, 3: 205, 4: 206}'
train in_a_walk_through_all_modules "$python" walking --steps all
train when_the_main_thread_is_back "$python" away --steps all
counted when_the_main_thread_is_back 'steps(0) == {1: 22, 2: 3, 3: 4, 4: 5, 5: 6}'

# ---- processes ----

train spawned "$python" spawned --steps all
counted spawned "steps(1) == steps(2) == $five and len(ranks) == 2"
train forked "$python" forked --steps all
counted forked "steps(1) == steps(2) == $five and len(ranks) == 2"
train forked_from_a_trainer "$python" forked_from_a_trainer --steps all
counted forked_from_a_trainer "[{s['step']: s['events'] for s in r['steps']} for r in ranks] == [$five] * 3"
train hooked "$python" "hooks hooks.said" --steps 5
equal pytorch_calls_us_once "$(cat hooks.said)" 1
RANK=1 train another_rank "$python" "hooks hooks.said" --steps 5 --ranks 0
equal of_a_rank_that_is_not_selected_pytorch_calls_nobody "$(cat hooks.said)" 0

# ---- why there is no clock ----

train without_torch "$python" no_torch --steps 2,4
equal without_torch_other_sources_are_named "$(told without_torch | cut -d: -f1)" 'no step source fired'
train torch_wanted "$python" no_torch --steps 2,4 --step-source "$source"
equal a_torch_that_is_wanted_and_never_imported_is_told "$(told torch_wanted)" \
	'torch.optim was never imported: give a --step-source other than python:'
train without_a_step "$python" no_step --steps 2,4
equal optimizers_that_never_step_are_told "$(told without_a_step | cut -d: -f1)" "no PyTorch optimizer was seen to step"
export TORCH_OLD=1
train old "$python" plain --steps 2,4
equal an_old_torch_is_told "$(told old | cut -d: -f1)" 'this PyTorch is older than 2.0 and has no optimizer hooks'
equal and_listed "$(listened old | tail -n 1)" "step api: did not fire; step $source: not there: PyTorch has optimizer hooks from 2.0 on; \
step kernel:(well-known optimizers): did not fire; nothing tells of steps or stages: name functions by --preset or --step-source, or call ranktrace_step(n) (docs/using.md)"
train old_wanted "$python" plain --steps 2,4 --step-source "$source"
equal of_an_old_torch_that_is_wanted_its_version_is_told_at_once "$(grep -c '^ranktrace: torch 1.13.1 has no optimizer hooks' old_wanted.log)" 1
unset TORCH_OLD
cat >no_python.c <<'T'
int aclrtSynchronizeDevice(void);
int main(void)
{
	return aclrtSynchronizeDevice() & 0;
}
T
${CC:-gcc} -o no_python no_python.c -Lcann -lascendcl -lacl_rt
RANK=0 "$run" --save-path no_python.out --steps 2,4 --step-source "$source" -- ./no_python 2>no_python.log
equal a_process_without_python_is_told "$(told no_python)" \
	'Python was not running at the first hooked call: give a --step-source other than python:'
RANK=0 "$run" --save-path all.out --steps all --step-source "$source" -- ./no_python 2>all.log
equal even_if_all_steps_are_recorded "$(grep -c 'steps all were selected, but Python was not running' all.log)" 1
finish
