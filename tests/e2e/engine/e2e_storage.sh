#!/bin/sh
# Disk, shared memory, descriptors and system calls that fail under a recording program: what it prints and
# how it ends is what it prints and how it ends without us; every call is kept, or counted as lost and told.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || { echo "skip: mounts need root here"; exit 77; }
cd "$tmp" || exit
ulimit -c 0
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS
export RANK=0 RANKTRACE_CONTENTS=cpu LC_ALL=C
. "$here/tests/helpers/storage/lib.sh"
$cc -shared -fPIC -o plant.so "$here/tests/helpers/storage/plant.c"

save=$tmp/disk/out		# where the traces go, unless a case says otherwise
export tool run save here tmp
export RANKTRACE_SANDBOX=allowed # filters of this file answer by errors; those that kill have theirs

# The part that runs in a mount namespace of its own: fault first, then the program, then the balance.
cat >inside.sh <<'END'
eval "$setup" >/dev/null || exit 99
case $who in
bare) set -- $as "$@" ;;
traced) export traced=yes; set -- $as "$run" --save-path "$save" --job j --steps "$steps" $options -- "$@" ;;
esac
rm -rf counts victim* sum && mkdir victim_folder && echo precious >victim_file && truncate -s 4096 counts && chmod 666 counts
status=0
FAKE_COUNTS=$tmp/counts timeout -k 5 120 "$@" >"out.$who" 2>"err.$who" </dev/null || status=$?
echo "status $status" >>"out.$who"
[ "$who" = bare ] && exit
eval "$after"
python3 "$here/tests/helpers/storage/balance.py" "$tool" counts "$save" err.traced "$outside" "$condition" >balance 2>&1
echo $? >balanced
END

# fault NAME SETUP CONDITION COMMAND...: same output and status, and the balance. In the environment: options, steps,
# outside (calls outside of windows), after (a command behind the run), as (a command in front: another user).
fault() {
	name=$1 setup=$2 condition=$3
	shift 3
	export setup condition options=${options-} steps=${steps-all} outside=${outside-0} after=${after-:} as=${as-}
	mkdir -p disk
	rm -rf disk/* balanced out.* err.*
	who=bare unshare -m sh inside.sh "$@"
	who=traced unshare -m sh inside.sh "$@"
	if ! cmp -s out.bare out.traced; then
		fail "$name" "bare: $(cat out.bare err.bare | tr '\n' ' ') traced: $(cat out.traced err.traced | tr '\n' ' ')"
	elif [ "$(cat balanced)" != 0 ]; then
		fail "$name" "$(cat balance)"
	elif ls -d "$RANKTRACE_SESSION_ROOT"-*/* >left 2>/dev/null; then
		fail "$name" "left behind: $(cat left)"
	else
		ok "$name"
		cat balance
	fi
	unset options steps outside after as
}

# denied NAMES: what these system calls fail for; where a program has no filter of its own it is around all of it
denied() { if [ -z "${EMULATED-}" ]; then echo "./store deny:$1"; else echo "./under_filter deny $1 ./store"; fi; }

small='mount -t tmpfs -o size=3m none disk'
full="$small; head -c 3M /dev/zero >disk/filler || :"
no_shm='mkdir -p dev && mount -t tmpfs none dev && for n in null zero urandom; do : >dev/$n; mount --bind /dev/$n dev/$n; done && mount --bind dev /dev'

fault nothing_is_wrong_and_nothing_is_lost : 'dropped == 0 and called == 5000' ./store few
# A sanitizer's library brings a thread along.
[ -n "${SAN-}" ] || steps=1000000 outside=5000 fault a_dormant_process_has_no_thread_descriptor_or_file_of_ours : \
	'entered == 0 and not files' ./store dormant

# ---- the disk ----
fault a_full_disk_costs_events_that_are_counted "$small" '0 < dropped < called' ./store much
fault a_disk_that_is_full_from_the_start "$full" 'kept == 0 and dropped == 5000' ./store few
fault a_read_only_save_path 'mount -t tmpfs -o ro none disk' 'kept == 0 and text.count("Read-only file system") == 2' ./store few
save=$tmp/disk/a/b/c fault a_missing_save_path_is_made : 'dropped == 0' ./store few
fault a_save_path_below_a_file ': >disk/out' 'kept == 0 and "Not a directory" in text' ./store few
fault a_save_path_that_others_may_write 'mkdir -p disk/out; chmod 777 disk/out' 'kept == 0 and not files' ./store few

# ---- what others plant ----
planted() {
	name=$1 what=$2
	shift 2
	after='[ "$(cat victim_file)" = precious ] && [ -z "$(ls victim_folder)" ] || echo "the victim was written" >>err.traced' \
		fault "$name" "export PLANT=$what VICTIM=$tmp/$1" 'kept == 0 and dropped == called and not "victim was" in text' \
		sh -c 'LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}./plant.so exec ./store few'
}
planted a_symlink_at_the_name_of_the_file_is_not_followed symlink victim_file
planted a_fifo_at_the_name_of_the_file_stalls_nobody fifo victim_file
planted a_file_at_the_name_of_the_file_is_not_written file victim_file
planted a_symlinked_folder_is_not_entered folder_link victim_folder

# ---- a disk that stands still: the flush thread's writev() does not return until the gate opens ----
stalled='os.path.exists("gate.stalled")'
options='--shm-size 4M' fault a_disk_that_stands_still_stops_nobody : "0 < dropped and $stalled" \
	sh "$here/tests/helpers/storage/talk.sh" 'until [ -e gate.stalled ]; do :; done; echo >gate' ./under_filter stall writev gate ./store stalled
options='--shm-size 4M' fault a_disk_that_stands_still_for_ever_stops_no_exit : "0 < dropped and kept > 10000 and $stalled" \
	sh "$here/tests/helpers/storage/talk.sh" 'until [ -e gate.stalled ]; do :; done' ./under_filter stall writev gate ./store stalled
options='--steps all --shm-size 4M' after='python3 "$here/tests/helpers/storage/threads.py" "$tool" "$save" threads 2>&1 | sed "s/^/THREADS /" >>err.traced' \
	fault what_a_full_ring_drops_is_exact_thread_by_thread : "0 < dropped and not 'THREADS' in text and $stalled" \
	sh "$here/tests/helpers/storage/talk.sh" 'until [ -e gate.stalled ]; do :; done' ./under_filter stall writev gate ./store overflow

# ---- descriptors ----
recording='until ls "$save"/j/*/*/*.part; do :; done >/dev/null 2>&1'	# there is a descriptor to be taken
fault no_descriptor_is_to_be_had_by_the_program : 'kept == 10000 and dropped == 0' \
	sh "$here/tests/helpers/storage/talk.sh" "$recording" ./store nofile
steps=1,3,5 options='--step-source api' outside=100 fault no_descriptor_is_left_after_the_first_window : 'kept == 9000 and dropped == 0' \
	sh "$here/tests/helpers/storage/talk.sh" 'until ls "$save"/j/*/*/*.rtrace; do :; done >/dev/null 2>&1' ./store nofile_later
[ -n "${EMULATED-}" ] || fault no_descriptor_is_to_be_had_in_a_sandbox_without_tables_of_our_own : 'kept == 0 and dropped == 10000' \
	sh "$here/tests/helpers/storage/talk.sh" 'until grep "cannot write" err.traced; do :; done >/dev/null' ./store deny:close_range,own_table nofile
steps=1 options='--step-source api' outside=10 fault a_limit_of_no_descriptor_set_later : \
	'kept == 0 and dropped == 3000 and text.count("ulimit -n") == 2 and not "--save-path" in text' ./store nofile_zero
fault close_range_takes_all_descriptors : 'kept > 9000' sh "$here/tests/helpers/storage/talk.sh" "$recording" ./store close_range
# What the launcher has not told before the run the program's process tells in it.
steps=2 options='--step-source api' outside=500 fault standard_error_is_a_file_of_the_program "$full" 'kept == 0 and dropped == called == 54000' ./store close_stderr
fault a_service_in_the_background : 'kept > 9000' sh "$here/tests/helpers/storage/talk.sh" "$recording" ./store daemon
fault a_broken_standard_error_ends_nobody "$full" 'kept == 0 and dropped == called' ./store stderr_broken
outside=5000 fault settings_refused_on_a_broken_standard_error_end_nobody : 'kept == 0 and "settings were refused" in text' \
	env RANKTRACE_LEVEL=x ./store stderr_broken
fault an_rlimit_of_three_descriptors : 'called == 0' sh -c 'ulimit -n 3; exec ./store few'

# ---- a limit on the size of files, which a write meets with a deadly signal ----
fault a_limit_on_file_size_in_the_middle_of_a_chunk : '16000 <= kept and 0 < dropped and text.count("(ulimit -f)") == 1' ./store files_cut
fault a_limit_on_file_size_below_what_the_file_has : '16000 <= kept and 0 < dropped and text.count("(ulimit -f)") == 1' ./store files_too_large

# ---- memory ----
fault shm_of_4_mib 'mount -t tmpfs -o size=4m none /dev/shm' 'dropped == 0' ./store threads
fault shm_of_64_mib 'mount -t tmpfs -o size=64m none /dev/shm' 'dropped == 0' ./store threads
fault shm_that_is_full 'mount -t tmpfs -o size=4m none /dev/shm; head -c 4M /dev/zero >/dev/shm/filler || :' 'dropped == 0' ./store threads
fault no_shm_at_all "$no_shm" 'dropped == 0' ./store threads
# A slow machine's exit does not wait for the flush thread, and what is in memory of the process ends with it.
[ -n "${EMULATED-}" ] || fault data_loaders_that_fill_shm_beside_us_live 'mount -t tmpfs -o size=64m none /dev/shm' 'dropped == 0' ./store loaders
# A sanitizer wants memory of its own for every thread, and ends the program without it.
case ${SAN-} in
'')
	fault a_limit_of_address_space : 'kept + dropped == 5000' ./store memory
	fault a_limit_of_address_space_that_comes_later : 'kept + dropped == 5500' ./store memory_later
	steps=1 options='--step-source api' fault no_memory_of_its_own_is_told_once : \
		'kept == 0 and dropped == called == 5000 and text.count("no memory to write with; recording stops") == 1 and text.count("no memory for buffers") == 1' ./store no_data
	;;
esac

options='--shm-size 4M' fault check_of_a_running_process_knows_how_many_calls_there_were : \
	're.search(r"[1-9]\d* of 24000 calls are lost", open("live").read())' \
	sh "$here/tests/helpers/storage/talk.sh" '"$tool" check "$save" >live || :' ./store crowd
# Before the last round of destructors ThreadSanitizer has taken leave of the thread.
[ "${SAN-}" = thread ] || options='--shm-size 4M' fault rings_of_threads_that_end_in_late_destructors_come_back : 'kept == called == 7505' ./store late_destructors
options='--shm-size 4M' fault the_least_shared_memory_is_enough_for_a_thread : 'kept == called == 5000' ./store few

# ---- system calls that a sandbox denies ----
# shellcheck disable=SC2046 # lists of words
{
	fault a_sandbox_without_close_range : 'kept == called == 5000' $(denied close_range) few
	fault a_sandbox_without_rename : 'kept == called == 5000' $(denied rename,renameat2) few
	fault a_sandbox_without_writev : 'kept == 0 and dropped == 5000' $(denied writev) few
}
# qemu-user itself cannot do without these, its threads are libc's, and its exit is late, as above.
if [ -z "${EMULATED-}" ]; then
	fault a_sandbox_without_memfd_create 'mount -t tmpfs -o size=4m none /dev/shm' 'dropped == 0' ./store deny:memfd_create threads
	fault a_sandbox_without_fallocate : 'dropped == 0' ./store deny:memfd_create,fallocate threads
	fault a_sandbox_without_tables_of_our_own : 'kept == called == 5000' ./store deny:close_range,own_table few
	fault a_sandbox_without_openat : 'kept == 0 and "5000 of 5000 calls are lost" in text' ./store deny:openat,open few
	fault a_sandbox_without_threads : 'dropped == called == 5000' ./store deny:clone,clone3 few
	outside=5000 fault a_sandbox_without_madvise_is_left_alone : 'kept == 0 and "wipe memory on fork" in text' ./store deny:madvise few

	# A filter of the program's that kills: all but what it needs itself, or what is not ours either, nor a sanitizer's.
	unset RANKTRACE_SANDBOX
	[ -n "${SAN-}" ] || steps=2,4 options='--step-source api' outside=400 fault a_sandbox_that_kills_is_left_alone : \
		'kept == 0 and text.count("seccomp filter of its own") == 1' ./store kill_but few_in_steps
	steps=2,4 options='--step-source api' outside=200 fault a_sandbox_that_allows_us_is_recorded_when_that_is_said : \
		'kept == called == 200 and "seccomp" not in text' env RANKTRACE_SANDBOX=allowed ./store kill:fsync few_in_steps
fi

# ---- a cleaner ----
# Another user reaches what lies here, but perhaps not the tree.
mkdir theirs
cp "$run" "$store/talk.sh" "$BUILD"/*ranktrace* theirs
save=$tmp/disk/nobody run=$tmp/theirs/ranktrace-run RANKTRACE_BUILD=$tmp/theirs as='setpriv --reuid=65534 --regid=65534 --clear-groups' \
	fault a_cleaner_of_the_same_user_cannot_make_our_files_shorter 'chmod 755 .; mkdir -p disk/nobody; chown 65534 disk/nobody .' \
	'kept > 9000 and text.count("Permission denied") >= 3' \
	sh theirs/talk.sh 'for f in "$RANKTRACE_SESSION_ROOT"-*/[0-9]*/*; do truncate -s 0 "$f" || :; done' ./store cleaned
chown 0 .
fault a_cleaner_that_deletes_our_files : 'kept > 9000' \
	sh "$here/tests/helpers/storage/talk.sh" 'rm -rf "$RANKTRACE_SESSION_ROOT"-*/[0-9]*' ./store cleaned
finish
