#!/bin/sh
# Sessions in tmpfs are those of the processes that they speak of, and can be read by who recovers them, whatever the
# program's umask is and wherever the folder was said to be.
. "$(dirname "$0")/../../lib/lib.sh"
need python3
cd "$tmp" || exit 1
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_RANKS RANKTRACE_STEP_SOURCE
export RANK=0 RANKTRACE_STEPS=all RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_CONTENTS=cpu
. "$here/tests/helpers/storage/lib.sh"
root=$RANKTRACE_SESSION_ROOT-$(id -u)
so=$SANITIZER${SANITIZER:+:}$BUILD/libranktrace.so

# left_behind COMMAND...: a traced program that is killed
left_behind() { LD_PRELOAD=$so "$@" >said 2>err; }

# ---- a process of another pid namespace may have our number, and have started when we did ----

left_behind ./store killed
template=$(ls -d "$root"/*)
cat >plant.py <<'END'
"""plant.py TEMPLATE ROOT COMMAND...: plants sessions beside the one that COMMAND will have, under this very number."""
import os, shutil, struct, sys
template, root = sys.argv[1:3]
ours = os.stat("/proc/self/ns/pid").st_ino
start = open("/proc/self/stat").read().rsplit(")", 1)[1].split()[19]
status = open(template + "/status.0", "rb").read()
assert status.count(struct.pack("Q", ours)) == 1
def plant(name, namespace):
    os.makedirs(f"{root}/{name}", 0o700)
    with open(f"{root}/{name}/status.0", "wb") as f:
        f.write(status.replace(struct.pack("Q", ours), struct.pack("Q", namespace)))
plant(f"{os.getpid()}-{start}-00000001", ours)
plant(f"{os.getpid()}-{start}-00000002", ours + 1)
plant(f"{os.getpid()}-{start}0-00000003", ours)
shutil.rmtree(template)
os.environ["LD_PRELOAD"] = os.environ.pop("LATER")
os.execv(sys.argv[3], sys.argv[3:])
END
cp -r "$template" kept
LATER=$so python3 plant.py "$template" "$root" ./store few
same() { for s in "$root"/*-"$1"; do cmp -s "$s/status.0" "$2" && echo same || echo marked; done; }
python3 - kept/status.0 other <<'END'
import os, struct, sys
ours = os.stat("/proc/self/ns/pid").st_ino
status = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(status.replace(struct.pack("Q", ours), struct.pack("Q", ours + 1)))
END
equal an_earlier_image_of_the_process_is_marked_as_over "$(same 00000001 kept/status.0)" marked
equal a_session_of_another_pid_namespace_is_not "$(same 00000002 other)" same
equal a_session_of_a_process_that_started_later_is_not "$(same 00000003 kept/status.0)" same
rm -rf "$root" out

# ---- a umask that takes the user's own rights ----

# What was being made when it was killed may have nothing in it yet, nor its rights.
(umask 0777 && left_behind ./store killed)
equal what_is_left_is_the_user_s_whatever_the_umask "$(find "$root" ! -empty -printf '%m %f\n' | sed 's/[0-9]*-[0-9].*/SESSION/; s/ ranktrace.*/ ROOT/; s/\.[0-9]*$//' | sort -u | tr '\n' ' ')" \
	'400 definitions 400 ring 400 status 700 ROOT 700 SESSION '
"$tool" recover >recovered 2>&1
equal and_comes_back "$("$tool" dump out | tail -n +2 | wc -l)" 300
rm -rf "$root" out

# ---- a folder that is not there yet ----

left_behind ./store killed
equal a_folder_that_nobody_traces_into_is_missed "$("$tool" recover elsewhere 2>&1; echo "status $?")" 'ranktrace: elsewhere: No such file or directory: name the --save-path of a run
status 1'
"$tool" recover out/ >recovered 2>&1
equal one_that_somebody_traces_into_is_made "$? $("$tool" dump out | tail -n +2 | wc -l)" '0 300'
rm -rf "$root" out

mkdir -m 0 "$root"
left_behind ./store killed
equal a_root_without_rights_gets_them_back "$(stat -c %a "$root") $(ls "$root" | wc -l)" '700 1'
"$tool" recover >recovered 2>&1
rm -rf "$root" out

# ---- a session of another release, whose record cannot be read ----

other_release() { chmod 600 "$1/status.0" && printf RTSS | dd of="$1/status.0" conv=notrunc status=none; }
left_behind ./store killed
session=$(echo "$root"/*) pid=$(basename "$root"/* | cut -d - -f 1)
other_release "$session"
equal recover_leaves_it_to_that_release "$("$tool" recover; echo "status $?")" \
	"process $pid: left by another release of ranktrace: recover it with that one; its session is $session
status 1"
"$run" --save-path "$tmp/out" --steps all -- ./store few >said 2>err
equal the_launcher_says_so_once "$(grep -c 'buffers of 1 process traced by another release of ranktrace are left: run that release.s ranktrace recover' err)" 1
equal and_the_session_stays "$(ls "$root")" "$(basename "$session")"
rm -rf "$root" out
mkfifo word && exec 8<>word
LD_PRELOAD=$so ./store waiting <word >said 2>err &
until grep -q "^RTS" "$root/$!"-*/status.0 2>/dev/null; do :; done
other_release "$root/$!"-*
equal check_does_not_say_that_it_is_not_traced "$("$tool" check --pid $!; echo "status $?")" \
	"process $! is traced by another release of ranktrace: ask that one's ranktrace check
status 1"
equal recover_says_that_it_is_running "$("$tool" recover; echo "status $?")" "process $!: still running, traced by another release of ranktrace
status 0"
echo >&8
wait $!
rm -rf "$root" out

# ---- a folder of somebody else's ----

mkdir -m 755 "$root"
"$run" --save-path "$tmp/out" --steps all -- ./store few >said 2>err
equal the_launcher_says_before_the_run_that_buffers_have_no_place "$(head -n 1 err)" "ranktrace: $root cannot hold buffers (others may write \
there, or it is theirs): a rank that is killed loses what it has not written: remove it, or set RANKTRACE_SESSION_ROOT"
equal and_all_is_recorded "$("$tool" dump out | tail -n +2 | wc -l)" 5000
rm -rf "$root" out
RANKTRACE_SESSION_ROOT=$tmp/no/where "$run" --save-path "$tmp/out" --steps all -- true 2>err
equal or_that_the_place_is_not_there "$(sed -n 's/.*hold buffers (\(.*\)): a rank.*/\1/p' err)" 'No such file or directory'
rm -rf out

# ---- an empty word is no word ----

RANKTRACE_SESSION_ROOT='' left_behind ./store killed
RANKTRACE_SESSION_ROOT='' "$tool" recover out >recovered 2>&1
equal an_empty_session_root_means_the_same_to_all "$(ls -d -- -*  2>/dev/null) $("$tool" dump out | tail -n +2 | wc -l)" ' 300'
finish
