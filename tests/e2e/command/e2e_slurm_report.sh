#!/bin/sh
# scripts/report.slurm as a job of Slurm: with the ranks of MPI, and without any.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/helpers/launchers/hosts.sh"
[ "$(id -u)" = 0 ] || { echo 'skip: only root can make hosts out of namespaces'; exit 77; }
for command in slurmctld slurmd munged sbatch mpirun ip; do need $command; done
[ -x "$BUILD/ranktrace-mpi" ] || { echo "skip: it was built where no header of an MPI is (Debian: libopenmpi-dev)"; exit 77; }
cd "$tmp" || exit 1
trap 'end_hosts; [ -n "${KEEP-}" ] || rm -rf "$tmp" "$tmp.tree" "$RANKTRACE_SESSION_ROOT"-*' EXIT
begin_hosts 2>err || { echo "skip: no hosts can be made here: $(tail -n 1 err)"; exit 77; }
. "$here/tests/helpers/launchers/slurm.sh"
begin_slurm || { fail slurm_starts "$(cat sinfo.err) $(tail -qn 1 slurm/*.log)"; finish; }

"$BUILD/tests/programs/many_ranks" run 40 8 || exit 1
"$tool" report run >text
mkdir mpi alone
ln -s "$BUILD/ranktrace-mpi" mpi
ln -s "$tool" alone
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
on 0 env PATH="$tmp/mpi:$PATH" timeout 60 sbatch -W -Q --ntasks=4 --output=by_mpi "$here/scripts/report.slurm" --no-sums run >log 2>&1
equal a_job_by_MPI_ends_well $? 0
holds and_prints_the_report cmp text by_mpi
on 0 env PATH="$tmp/alone:$PATH" timeout 60 sbatch -W -Q --ntasks=4 --output=by_forks "$here/scripts/report.slurm" --no-sums run >log 2>&1
equal a_job_without_MPI_ends_well $? 0
holds and_prints_the_same cmp text by_forks
finish
