#!/bin/sh
# A Ray cluster of two nodes that somebody started before, without us: the workers of verl's command are traced all the same, each by its
# rank, and those that Ray kills lose nothing. Ray is the real one.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_python
need python3
venv=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/ray
"$here/tests/helpers/python/ray.sh" "$venv" || { echo "skip: Ray could not be had"; exit 77; }
unset PYTHONDONTWRITEBYTECODE # Ray is not compiled yet
short=$(mktemp -d /tmp/ray.XXXXXX) # its sockets' names are short
export RAY_TMPDIR="$short" RAY_AUTH_MODE=disabled RAY_USAGE_STATS_ENABLED=0
export PYTHONPATH="$here/tests/helpers/python/verl_ray:$here/tests/helpers/python/verl_shape"
mkfifo "$tmp/end" "$tmp/address"
LD_PRELOAD='' timeout 300 "$venv/bin/python" "$here/tests/helpers/python/verl_ray/cluster.py" <"$tmp/end" >"$tmp/address" 2>cluster.log &
cluster=$!
exec 7>"$tmp/end"
read -r RAY_ADDRESS <"$tmp/address" # nothing, if it ends before
export RAY_ADDRESS
[ -n "$RAY_ADDRESS" ] || { cat cluster.log; exit 1; }

# job OPTION... : each file's rank and window, and how many calls it holds
job() {
	rm -rf out
	timeout 100 "$run" --save-path out --level level1 --preset verl-0.8 "$@" -- "$venv/bin/python" -m verl.trainer.main_ppo data.train_batch_size=8 2>err
	find out -name '*.rtrace*' | sort -V | while read -r file; do
		echo "$(basename "$(dirname "$file")") ${file##*/}" | windows_of | sed 's/^pid[0-9]*/driver/' | tr '\n' ' '
		"$tool" dump --format jsonl "$file" 2>/dev/null | wc -l
	done
}
each='actor_compute_log_prob.0 3
actor_update.0 361
compute_values.0 3
critic_update.0 13'
equal each_worker_has_its_stages_and_so_has_who_drives_them "$(job --steps 2 --discrete true)" "driver step-2.compute_advantage.0 0
driver step-2.extract_reward.0 0
$(echo "$each" | sed 's/^/rank0 step-2./' | sed 's/critic_update.0 13/&\nrank0 step-2.rollout.0 201/')
$(echo "$each" | sed 's/^/rank1 step-2./')"
equal none_of_them_lost_a_call "$(grep -o '[0-9]* ranks, .* lost' err)" '3 ranks, stages of 1 more process, 961 events, 0 lost'
equal the_report_has_all_of_them_beside_each_other "$("$tool" report out | awk '/^Stages/ { on = 1 } /^$/ { on = 0 } on && $3 == 2 { print $1, $2, $NF }' | sort | uniq -c | sed 's/^ *//')" '1 - - compute_advantage.0
1 - - extract_reward.0
1 0 - rollout.0
1 0 workers actor_compute_log_prob.0
1 0 workers actor_update.0
1 0 workers compute_values.0
1 0 workers critic_update.0
1 1 workers actor_compute_log_prob.0
1 1 workers actor_update.0
1 1 workers compute_values.0
1 1 workers critic_update.0'
equal that_the_command_was_told_more_is_said "$(grep -c '^ranktrace: a Ray cluster is running, .*ranktrace recover .*/out` on the others' err)" 1
equal by_roles_and_decode_steps_too "$(RANKTRACE_ROLES='rollout{discrete=true,schedule=counter=micro skip_first=30 active=30 repeat=1};critic{ranks=1,discrete=true}' job --steps 3)" \
	'rank0 step-3.rollout.0.micro-30-59 60
rank1 step-3.compute_values.0 3
rank1 step-3.critic_update.0 13'
# An actor whose class is __main__'s comes to its worker without us, and is found there where that one is traced. Ray holds its functions already.
# of_main traced|bare: what it says, and how many calls each place has in the file of who drives it, and of its worker
of_main() {
	rm -rf out
	timeout 100 "$run" --save-path out --level level1 --steps all --step-source api --stage-source 'python:__main__:Actor.work{role=acting}' -- \
		"$venv/bin/python" "$here/tests/helpers/python/verl_ray/of_main.py" "$1" 2>err || tail -n 3 err
	find out -name '*.rtrace*' | while read -r file; do
		"$tool" dump --format jsonl "$file" | /usr/bin/python3 "$here/tests/helpers/python/watched/places.py" | paste -sd';'
	done | sort
}
equal an_actor_of_main_arrives_without_us "$(of_main bare)" 'work in a worker without us; work in a worker without us
- - - -: 2;- acting.0 - -: 2'
equal and_is_watched_in_a_worker_that_is_traced "$(of_main traced)" 'work in a traced worker; work in a traced worker
- - - -: 1;- acting.0 - -: 5;- acting.1 - -: 6
- - - -: 2;- acting.0 - -: 2'
cat >words.py <<'E2'
import sys
from hydra.core.override_parser.overrides_parser import OverridesParser
for override in OverridesParser.create().parse_overrides(sys.argv[1:]):
    if override.key_or_group.endswith(("SOURCE", "ROLES", "RANK")):
        print(override.key_or_group.rsplit(".", 1)[-1], override.value())
E2
mkdir -p verl/trainer && cp words.py verl/trainer/main_ppo.py && : >verl/__init__.py && : >verl/trainer/__init__.py
equal hydra_reads_the_words_as_they_were_meant "$(PYTHONPATH='' RANKTRACE_RANK=5 "$run" --save-path out --steps 1 --step-source "kernel:it's a \\\\\"[d]+" --stage-source 'python:a:b{role=x}' --roles 'a{ranks=0 8};b' -- \
	"$venv/bin/python" -m verl.trainer.main_ppo 2>/dev/null | sort)" "RANKTRACE_ROLES a{ranks=0 8};b
RANKTRACE_STAGE_SOURCE python:a:b{role=x}
RANKTRACE_STEP_SOURCE kernel:it's a \\\\\"[d]+"
equal who_takes_no_such_words_is_told "$("$run" --save-path out --steps 1 -- true 2>&1 | grep -c 'workers of a Ray cluster that is running .* are not traced: start the nodes')" 1
equal without_a_cluster_nothing_is_added "$(RAY_ADDRESS='' RAY_TMPDIR=$tmp "$run" --save-path out --steps 1 -- /usr/bin/python3 -c 'import sys; print(len(sys.argv))' -m verl.trainer.main_ppo 2>/dev/null)" 3
exec 7>&-
wait $cluster
rm -rf "$short"
finish
