"""job.py - a job of several ./asked, which go as far as they are told, and `ranktrace ctl` beside them."""
import json, os, signal, struct, subprocess, sys, time

tool = os.environ["BUILD"] + "/ranktrace"
PLAIN = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}


class Job:
    def __init__(self, ranks):
        self.processes = [
            subprocess.Popen(["./asked", "counts.%d" % r], env=dict(os.environ, RANK=str(r)), text=True, bufsize=1,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE) for r in range(ranks)]

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
        for rank in range(len(self.processes)):
            self.tell(rank, "free")

    def halt(self):
        return self.to(0)

    def halt_free(self):
        """those that run freely stop, and both answers are read"""
        for rank in range(len(self.processes)):
            self.tell(rank, "to 0")
            self.heard(rank)
        return [self.heard(rank) for rank in range(len(self.processes))]

    def end(self):
        return [p.communicate()[0] is None or p.returncode for p in self.processes]


def ctl(*words):
    done = subprocess.run([tool, "ctl", *words], env=PLAIN, capture_output=True, text=True)
    return "%s%s%s" % (done.stdout, done.stderr, "" if done.returncode == 0 else "status %d\n" % done.returncode)


def counts(rank):
    """launches begun and done, by step"""
    data = open("counts.%d" % rank, "rb").read()
    return {step: pair for step, pair in enumerate(struct.iter_unpack("=II", data)) if pair[0]}
