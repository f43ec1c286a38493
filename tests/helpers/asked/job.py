"""job.py - a job of several ./asked, which go as far as they are told, and `ranktrace ctl` beside them."""
import os, struct, subprocess, sys, time

tool = os.environ["BUILD"] + "/ranktrace"
PLAIN = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}


class Job:
    def __init__(self, ranks, first=0):
        self.processes = [
            subprocess.Popen(["./asked", "counts.%d" % r], env=dict(os.environ, RANK=str(r)), text=True, bufsize=1,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE) for r in range(first, first + ranks)]

    def tell(self, rank, words):
        self.processes[rank].stdin.write(words + "\n")

    def heard(self, rank):
        """the step that the process has come to"""
        return int(self.processes[rank].stdout.readline().split()[1])

    def to(self, *steps):
        """each process to its step; one number: all"""
        steps = steps * len(self.processes) if len(steps) == 1 else steps
        for rank, step in enumerate(steps):
            self.tell(rank, "to %d" % step)
        return [self.heard(rank) for rank in range(len(steps))]

    def free(self):
        for rank, process in enumerate(self.processes):
            if process.poll() is None:
                self.tell(rank, "free")

    def halt(self):
        """those that run freely stop, and both answers are read: to the line before, and to this one; in the end all are in one step"""
        alive = [rank for rank, process in enumerate(self.processes) if process.poll() is None]
        for rank in alive:
            self.tell(rank, "to 0")
        last = max([(self.heard(rank), self.heard(rank))[1] for rank in alive])
        for rank in alive:
            self.tell(rank, "to %d" % last)
        for rank in alive:
            self.heard(rank)

    def kill(self, rank):
        self.processes[rank].kill()
        self.processes[rank].wait()

    def end(self):
        for p in self.processes:
            p.stdin.close()
        return [p.wait() for p in self.processes]


def status_of(process):
    """its session's record"""
    root = "%s-%d" % (os.environ["RANKTRACE_SESSION_ROOT"], os.geteuid())
    return ["%s/%s/status.0" % (root, name) for name in os.listdir(root) if name.startswith("%d-" % process.pid)][0]


def recording():
    """of the processes so many record now"""
    return sum("; recording" in line and "; recording nothing" not in line for line in ctl("status").splitlines())


def until(what):
    """waits for as long as it takes, within a minute"""
    end = time.monotonic() + 60
    while not what():
        if time.monotonic() > end:
            sys.exit("it did not come to that: " + ctl("status"))
        time.sleep(.01)


def ctl(*words, env=PLAIN):
    done = subprocess.run([tool, "ctl", *words], env=env, capture_output=True, text=True)
    return "%s%s%s" % (done.stdout, done.stderr, "" if done.returncode == 0 else "status %d\n" % done.returncode)


class Counts:
    """launches begun and done, by step"""
    def __init__(self, rank):
        self.file = open("counts.%d" % rank, "rb")
        self.last = self.of(0)[0]

    def of(self, step):
        self.file.seek(8 * step)
        return struct.unpack("=II", self.file.read(8))
