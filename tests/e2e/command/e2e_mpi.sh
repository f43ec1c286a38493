#!/bin/sh
# Ranks of MPI read the processes of a trace, and rank 0 prints what the command does; one that cannot read ends all.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit 1
equal the_command_knows_nothing_of_MPI "$(readelf -d "$tool" | grep -c 'NEEDED.*mpi')" 0
mpi=$BUILD/ranktrace-mpi
[ -x "$mpi" ] || { echo "skip: it was built where no header of an MPI is (Debian: libopenmpi-dev)"; exit 77; }
need mpirun
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
equal its_own_program_does "$(readelf -d "$mpi" | grep -c 'NEEDED.*libmpi')" 1

"$BUILD/tests/programs/many_ranks" run 40 8 0 17 || exit 1
"$tool" report --no-sums run >text
"$tool" report --no-sums --format json --steps 2 --ranks 3-20 run >json
for ranks in 1 2 3 7; do
	mpirun --oversubscribe -n $ranks "$mpi" report --no-sums run >text.mpi 2>/dev/null
	equal "what_was_lost_is_its_status_by_$ranks" $? 1
	holds "by_${ranks}_ranks_of_MPI_it_is_the_same" cmp text text.mpi
done
mpirun --oversubscribe -n 3 "$mpi" report --no-sums --format json --steps 2 --ranks 3-20 run >json.mpi 2>/dev/null
holds of_some_steps_and_ranks_it_is_the_same cmp json json.mpi
mpirun --oversubscribe -n 3 "$mpi" report run >text.mpi 2>/dev/null
mpirun --oversubscribe -n 3 "$mpi" report run >text.again 2>/dev/null
holds sums_are_kept_and_read sh -c 'test -s run/report.sums && cmp text text.mpi && cmp text text.again'
equal wrong_usage_ends_all "$(timeout 60 mpirun --oversubscribe -n 3 "$mpi" report --only nothing run 2>&1 | head -n 1 | cut -d: -f 1,2)" "ranktrace: unknown --only 'nothing'"
equal help_is_printed_once "$(mpirun --oversubscribe -n 2 "$mpi" --help | grep -c '^Usage')" 1

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	timeout 60 mpirun --oversubscribe -n 1 "$mpi" report --no-sums run : -n 1 unshare -m sh -c "mount -t tmpfs none run && exec $mpi report run" >text.mpi 2>err
	equal one_that_cannot_read_ends_all "$? $(sed -n "s/^\(ranktrace-mpi: rank 1 on\) [^ ]* \(cannot read\) [^ ]* \(as rank 0 does: .*\)/\1 \2 \3/p" err) $(wc -c <text.mpi)" \
		'1 ranktrace-mpi: rank 1 on cannot read as rank 0 does: give a folder that all nodes see 0'
fi
finish
