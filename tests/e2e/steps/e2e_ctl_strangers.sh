#!/bin/sh
# What others write, plant or cut where `ranktrace ctl` and a process meet changes nothing: neither in the process nor in their files.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/asked.sh"
${CC:-gcc} -std=gnu11 -O1 -w -D_GNU_SOURCE -I"$here" -o strange "$here/tests/helpers/asked/strange.c" "$here/agent/base/crc32c.c" || exit 1

# A request that no ctl wrote is passed over, and one that it writes then is heard.
cat >scenario.py <<'END'
from job import *
job = Job(2)
job.to(3)
at = 3
for what in ["noise", "half", "wrong-number", "wrong-sum", "far", "unknown"]:
    for seed in range(8):
        for process in job.processes:
            subprocess.run(["./strange", status_of(process), what, str(seed)], check=True, env=PLAIN)
        at += 2
        job.to(at)
print(recording(), "will record" in ctl("status"), os.path.getsize(status_of(job.processes[0])) > 4096)
print(ctl("start", "--steps", "2"), end="")
job.to(at + 9)
print(job.end())
END
job --on-demand true
equal strange_requests_change_nothing "$(cat said)" '0 False True
2 processes record from step 101, 2 steps
[0, 0]'
equal and_what_is_asked_behind_them_is_done "$(whole 2)" '[[1, [101, 102]], [1, [101, 102]]]'
cat >scenario.py <<'END'
from job import *
job = Job(1)
job.to(3)
subprocess.run(["./strange", status_of(job.processes[0]), "sound"], check=True, env=PLAIN)
job.to(9)
print(job.end())
END
job --steps 1,30
equal without_on_demand_not_even_a_sound_one "$(whole 1)" '[[1, [1]]]'
job --on-demand true
equal which_is_obeyed_with_it "$(whole 1)" '[[1, [4, 5, 6, 7, 8, 9]]]'

# A process's own record is open to nobody else. Grown beyond all bounds it is as good as before; another user's, it is not asked by.
if [ "$(id -u)" = 0 ]; then
	cat >scenario.py <<'END'
from job import *
job, at = Job(2), 3
job.to(at)
pages = [status_of(process) for process in job.processes]
size = os.path.getsize(pages[0])
print(*(oct(os.stat(path).st_mode & 0o777) for path in (pages[0], os.path.dirname(pages[0]))))


def changed(size, owner):
    global at
    for page in pages:
        os.truncate(page, size)
        os.chown(page, owner, owner)
    said = ctl("start", "--steps", "2")
    for process in job.processes:
        said = said.replace("process %d on %s" % (process.pid, os.uname().nodename), "P")
    print(said, end="")
    at += 9
    job.to(at)


changed(1 << 40, 0)
changed(size, 65534)
changed(size, 0)
print(job.end())
END
	job --on-demand true
	equal a_record_that_was_changed_is_asked_by_or_not "$(cat said)" '0o400 0o700
2 processes record from step 5, 2 steps
ranktrace: rank 0, P: cannot be asked: Operation not permitted
ranktrace: rank 1, P: cannot be asked: Operation not permitted
status 1
2 processes record from step 23, 2 steps
[0, 0]'
	equal and_does_no_harm "$(whole 2)" '[[2, [5, 6, 23, 24]], [2, [5, 6, 23, 24]]]'
fi

# Sessions that somebody planted beside those of the processes: nothing is written where they lead.
cat >scenario.py <<'END'
from job import *
import shutil
job = Job(2)
job.to(3)
real = status_of(job.processes[0])
root = os.path.dirname(os.path.dirname(real))
files = sorted(os.listdir(os.path.dirname(real)))
shutil.copy(real, "victim")
os.chmod("victim", 0o600)
before = open("victim", "rb").read()


def plant(number, how):
    folder = "%s/%d-1-0000000%d" % (root, 900000 + number, number)
    os.mkdir(folder, 0o700)
    how(folder + "/status.0")


def foreign(path):
    shutil.copy(real, path)
    os.chown(path, 65534, 65534)


def huge(path):
    with open(path, "wb") as f:
        f.truncate(1 << 40)


def opened(path):
    shutil.copy(real, path)
    os.chmod(path, 0o666)


plant(1, lambda path: os.symlink(os.path.abspath("victim"), path))
plant(2, huge)
plant(3, os.mkfifo)
plant(4, lambda path: open(path, "wb").close())
plant(5, lambda path: open(path, "wb").write(os.urandom(40000)))
plant(6, os.mkdir)
plant(7, opened)
if os.geteuid() == 0:
    plant(8, foreign)
os.symlink("/", root + "/900009-1-00000009")
said = ctl("start", "--steps", "2")
print([line for line in said.splitlines() if "cannot be asked" not in line and not line.startswith("status")])
print(open("victim", "rb").read() == before, said.count("cannot be asked: Operation not permitted") == (2 if os.geteuid() == 0 else 1))
print(sorted(os.listdir(os.path.dirname(real))) == files) # a request has no file of its own
job.to(4)
print("will record from step 5" in ctl("status"))
job.to(9)
print(job.end())
for name in os.listdir(root):
    if name.startswith("90000"):
        os.unlink(root + "/" + name) if os.path.islink(root + "/" + name) else shutil.rmtree(root + "/" + name)
END
job --on-demand true
equal planted_sessions_lead_nowhere "$(cat said)" "['2 processes record from step 5, 2 steps']
True True
True
True
[0, 0]"
equal and_the_processes_do_as_they_were_asked "$(whole 2)" '[[1, [5, 6]], [1, [5, 6]]]'

# The file for processes of several hosts: only a plain one of this user, as long as it must be, which nobody else may write. Each is
# there for longer than a look takes to come round.
cat >scenario.py <<'END'
from job import *
import shutil
path, at = os.environ["FOLDER"] + "/ctl", 1
job = Job(1)
job.to(at)


def clear():
    if os.path.isdir(path) and not os.path.islink(path):
        os.rmdir(path)
    elif os.path.lexists(path):
        os.unlink(path)


def pass_steps(seconds):
    global at
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        at += 1
        job.to(at)


def sound(number, to=path):
    subprocess.run(["./strange", to, "shared", str(number)], check=True, env=PLAIN)


def changed(change):
    sound(10)
    change()


pass_steps(1.5)
for plant in [lambda: (sound(1, "victim"), os.symlink(os.path.abspath("victim"), path)), lambda: (sound(2, "victim"), os.link("victim", path)),
              lambda: os.mkfifo(path), lambda: os.mkdir(path), lambda: open(path, "wb").write(os.urandom(192)), lambda: open(path, "wb").close(),
              lambda: changed(lambda: os.truncate(path, 1 << 40)), lambda: changed(lambda: os.truncate(path, 191)),
              lambda: changed(lambda: os.chmod(path, 0o666)),
              lambda: changed(lambda: os.chown(path, 65534, 65534) if os.geteuid() == 0 else os.truncate(path, 0))]:
    clear()
    plant()
    pass_steps(1.2)
    if "will record" in ctl("status") or recording():
        print("it was obeyed")
clear()
ctl("start", "--shared", "--at", str(at + 1000000), "--steps", "1", os.environ["FOLDER"])
until(lambda: pass_steps(.1) or "will record" in ctl("status"))
print(job.end())
END
FOLDER=$tmp/out/shared job --on-demand true --on-demand-shared true --job shared
equal planted_files_for_several_hosts_are_passed_over "$(cat said)" '[0]'
equal and_nothing_was_recorded_for_them "$(whole 1)" '[[0, []]]'

# Only the user of the job is heard: whoever else asks finds nobody, in a folder that is not open to others.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$tmp"
	cat >scenario.py <<'END'
from job import *
job = Job(1)
job.to(3)
other = subprocess.run(["setpriv", "--reuid", "65534", "--clear-groups", tool, "ctl", "start"], env=PLAIN, capture_output=True, text=True)
print(other.returncode, other.stderr.split(":")[1])
job.to(9)
print(job.end())
END
	cp "$tool" ranktrace
	chmod 755 ranktrace
	sed -i 's|tool, "ctl", "start"|"./ranktrace", "ctl", "start"|' scenario.py
	job --on-demand true
	equal another_user_finds_nobody "$(cat said)" '1  no traced process of yours runs here that has made a call
[0]'
	equal and_changes_nothing "$(whole 1)" '[[0, []]]'
fi
finish
