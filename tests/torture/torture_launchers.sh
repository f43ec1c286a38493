#!/bin/sh
# Slurm, Open MPI and torchrun, the real ones, on two hosts that are network namespaces: each process has its launcher's rank and one file.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
. "$here/tests/helpers/launchers/hosts.sh"
[ "$(id -u)" = 0 ] || { echo 'skip: only root can make hosts out of namespaces'; exit 77; }
[ -z "${SAN-}" ] || { echo "skip: torch does not run under a sanitizer that came too late for it"; exit 77; }
for command in slurmctld slurmd munged srun mpirun; do need $command; done
world=$(python3 "$here/tests/torch_npu/world.py" 2.14.0) || { echo "skip: torch 2.14.0 could not be had"; exit 77; }
told_python
venv=$world/../venv
export PYTHONPATH="$world/torch/site" LD_LIBRARY_PATH="$world/torch/cuda"
python=$venv/bin/python
ranked="$python $here/tests/helpers/launchers/ranked.py"

trap 'end_hosts; [ -n "${KEEP-}" ] || rm -rf "$tmp" "$tmp.tree" "$RANKTRACE_SESSION_ROOT"-*' EXIT
begin_hosts 2>err || { echo "skip: no hosts can be made here: $(tail -n 1 err)"; exit 77; }

# job COMMAND...: run on node0; what stands in `beside` is run on node1 meanwhile
job() {
	rm -rf out said
	mkdir said
	if [ -n "${beside-}" ]; then
		# shellcheck disable=SC2086 # a list of words
		on 1 timeout 120 $beside >log.beside 2>&1 &
	fi
	on 0 timeout 120 "$@" >log 2>&1 || fail "it ends well: $*" "$(tail -n 3 log)"
}

# What the processes said: rank, host, calls of each step. And what the files hold of them.
said() { sort -n said/*; }
recorded() {
	"$tool" report --format json out 2>err | python3 -c 'import json, sys
for r in json.load(sys.stdin)["ranks"]: print(r["rank"], r["host"], *(s["events"] for s in r["steps"]), *(["files:", r["files"]] if r["files"] != 1 else []))' | sort -n
}
sources() { "$tool" report --format json out 2>err | python3 -c 'import json, sys; print(*sorted({r["rank_source"] for r in json.load(sys.stdin)["ranks"]}))'; }
four='0 1 2 3
1 11 12 13
2 21 22 23
3 31 32 33'

# all NAME HOSTS SOURCE COMMAND...: four processes, each with its rank and a file
all() {
	name=$1 hosts=$2 source=$3
	shift 3
	job "$@"
	equal "${name}_has_four_ranks" "$(said | cut -d ' ' -f 1,3-)" "$four"
	equal "${name}_on_its_hosts" "$(said | cut -d ' ' -f 2 | sort | uniq -c | awk '{ print $1, $2 }' | xargs)" "$hosts"
	equal "${name}_and_so_they_are_recorded" "$(recorded)" "$(said)"
	equal "${name}_each_rank_has_one_file" "$(find out -name '*.rtrace' | wc -l) $(find out -name '*.part' | wc -l)" '4 0'
	equal "${name}_by_its_launchers_variable" "$(sources)" "$source"
}
# one NAME COMMAND...: with rank 1 selected
one() {
	name=$1
	shift
	RANKTRACE_RANKS=1 job "$@"
	equal "${name}_rank_1_alone_is_recorded" "$(recorded | cut -d ' ' -f 1,3-)" '1 11 12 13'
}
both='2 node0 2 node1'
traced="$run --save-path out --level level1 --steps all --step-source api --"

# ---- Slurm ----

. "$here/tests/helpers/launchers/slurm.sh"
begin_slurm || { fail slurm_starts "$(cat sinfo.err) $(tail -qn 1 slurm/*.log)"; finish; }
# shellcheck disable=SC2086 # lists of words
{
	all srun_under_the_launcher "$both" SLURM_PROCID $traced srun -N 2 -n 4 $ranked slurm said
	all the_launcher_under_srun "$both" SLURM_PROCID srun -N 2 -n 4 $traced $ranked slurm said
	one srun $traced srun -N 2 -n 4 $ranked slurm said
}

# ---- a running job on two hosts is asked on one of them ----

# ask: a moment after all have been asked, when each has its file, they may end
ask() {
	until [ "$(find out -name '*.rtrace' 2>/dev/null | wc -l)" = 4 ]; do
		on 1 "$tool" ctl start --shared --steps 3 out/asked >ctl 2>&1 && break
		sleep 0.1
	done
	for _ in $(seq 600); do
		[ "$(find out -name '*.rtrace' | wc -l)" = 4 ] && break
		sleep 0.1
	done
	touch end
}
ask &
# shellcheck disable=SC2086
job "$run" --save-path out --job asked --level level1 --step-source api --on-demand true --on-demand-shared true -- srun -N 2 -n 4 $ranked slurm said end
wait $!
equal processes_on_both_hosts_record_what_one_was_asked "$(recorded)" '0 node0 1 1 1
1 node0 11 11 11
2 node1 21 21 21
3 node1 31 31 31'
equal all_of_them_the_same_steps "$("$tool" report --format json out | python3 -c 'import json, sys
print(len({tuple(s["step"] for s in r["steps"]) for r in json.load(sys.stdin)["ranks"]}))')" 1

# ---- Open MPI: by itself, and by Slurm's allocation, where SLURM_PROCID is a host's number ----

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# shellcheck disable=SC2086
{
	all mpirun '4 node0' OMPI_COMM_WORLD_RANK $traced mpirun --oversubscribe -np 4 $ranked mpi said
	all mpirun_in_an_allocation "$both" OMPI_COMM_WORLD_RANK $traced salloc -Q -N 2 -n 4 mpirun $ranked mpi said
	one mpirun_in_an_allocation $traced salloc -Q -N 2 -n 4 mpirun $ranked mpi said
}

# ---- torchrun: on either host, and one a host by Slurm, whose SLURM_PROCID is again a host's number ----

export GLOO_SOCKET_IFNAME=eth0
torchrun="$python -m torch.distributed.run --nnodes 2 --nproc-per-node 2"
worker="$here/tests/helpers/launchers/ranked.py torch said"
# on_both NUMBER: torchrun under the launcher, on this host
cat >on_both <<-EOF
	#!/bin/sh
	exec $traced $torchrun --master-addr 10.99.0.1 --master-port 29500 --node-rank \$1 $worker
EOF
chmod +x on_both
# shellcheck disable=SC2086
{
	beside='./on_both 1'
	RANKTRACE_JOB=two all torchrun_on_two_hosts "$both" RANK ./on_both 0
	beside=
	rendezvous="--rdzv-backend c10d --rdzv-endpoint 10.99.0.1:29501"
	all torchrun_by_srun "$both" RANK $traced srun -N 2 --ntasks-per-node 1 $torchrun $rendezvous --rdzv-id 1 $worker
	all torchrun_under_the_launcher_by_srun "$both" RANK srun -N 2 --ntasks-per-node 1 $traced $torchrun $rendezvous --rdzv-id 2 $worker
	one torchrun_by_srun $traced srun -N 2 --ntasks-per-node 1 $torchrun $rendezvous --rdzv-id 3 $worker
}
finish
