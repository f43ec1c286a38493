"""place.py - what a check runs with: folders, tools that are there, programs, recorded runs."""
import collections
import glob
import json
import os
import shutil
import subprocess
import sys

TOP = os.path.realpath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, TOP + "/tests/sims/cuda")
import accounts  # noqa: E402

BUILD = os.path.realpath(os.environ.get("RANKTRACE_BUILD") or TOP + "/build")
TOOL, RUN = BUILD + "/ranktrace", TOP + "/scripts/ranktrace-run"
PATIENCE = 600  # s, of one command
NO_GPU = 77  # as main.c ends, and scripts/gpu-check


class Missing(Exception):
    """Something that a check needs is not on this machine."""


class Differs(Exception):
    """What was compared is not equal."""


class Place:
    """work: a folder for all that is made; python: the one that may have PyTorch."""

    def __init__(self, work, python):
        self.work, self.python = work, python
        self.device = self.driver = "unknown"
        self.simulated = False
        self.built = set()

    def path(self, *names):
        return os.path.join(self.work, *names)

    def run(self, *command, env=None, status=0):
        """What it says; its words stay in a file each."""
        done = subprocess.run(command, env=dict(os.environ, **(env or {})), cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE)
        with open(self.path("log"), "ab") as log:
            log.write(" ".join(command).encode() + b"\n" + done.stdout + done.stderr)
        if done.returncode != status:
            last = (done.stderr.decode(errors="replace").strip().splitlines() or ["and said nothing"])[-1]
            raise Differs(f"{os.path.basename(command[0])} ended with {done.returncode}: {last[:200]}")
        return done.stdout.decode(errors="replace")

    def command(self, name, options, *command):
        """That records this one into the folder of that name, which is empty."""
        shutil.rmtree(self.path(name), ignore_errors=True)
        return [RUN, "--save-path", self.path(name), *options.split(), "--", *command]

    def traced(self, name, options, *command, env=None):
        """Recorded: what it says."""
        return self.run(*self.command(name, options, *command), env=env)

    def events(self, name):
        return [json.loads(line) for line in self.run(TOOL, "dump", "--format", "jsonl", self.path(name)).splitlines()]

    def gcc(self, *words):
        if not shutil.which(os.environ.get("CC", "gcc")):
            raise Missing("no gcc")
        self.run(os.environ.get("CC", "gcc"), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-w", "-I" + TOP, "-I" + self.path("rows"), *words)

    def program(self, name, soname, sources, *flags, libraries_behind=()):
        """One of tests/gpu, with the prototypes of a library's rows; built once."""
        if not self.built:
            self.run(sys.executable, TOP + "/tests/sims/cuda/rows.py", TOP + "/hooks", self.path("rows"))
        if name not in self.built:
            files = [f"{TOP}/tests/gpu/{source}" for source in sources] + [TOP + "/tests/sims/cuda/train/called.c"]
            self.gcc(f'-DDECLARED="{soname}.def"', *flags, "-o", self.path(name), *files, *libraries_behind, "-ldl")
            self.built.add(name)
        return self.path(name)


def loads(library):
    """Where it is, or nothing. In a process of its own: what a library does when it is loaded is its own business."""
    code = ("import ctypes, os, sys; ctypes.CDLL(sys.argv[1]); "
            "print(next(line.split()[-1] for line in open('/proc/self/maps') if line.rstrip().endswith('/' + os.path.basename(sys.argv[1]))))")
    done = subprocess.run([sys.executable, "-c", code, library], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    return done.stdout.strip()


def toolkits(*subs):
    """Folders of CUDA's toolkits that are there."""
    tops = [os.environ.get("CUDA_HOME", ""), "/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"), reverse=True)]
    return [f"{top}/{sub}" for top in tops for sub in subs if top and os.path.exists(f"{top}/{sub}")]


def wheels(place, sub):
    """The same of NVIDIA's wheels in the Python that may have PyTorch."""
    done = subprocess.run([place.python, "-c", "import sys; print(*filter(None, sys.path), sep='\\n')"], stdout=subprocess.PIPE, text=True)
    return [found for folder in done.stdout.splitlines() for found in sorted(glob.glob(f"{folder}/nvidia/*/{sub}"))]


def libraries(place, soname):
    """Where one of this name is: by the loader, in a toolkit, in wheels."""
    places = [f"{folder}/{soname}" for folder in toolkits("lib64", "extras/CUPTI/lib64") + wheels(place, "lib")]
    return next(filter(None, map(loads, [soname, *filter(os.path.exists, places)])), None)


def in_turn(ways, rounds):
    """Each way in each round, another one first each time, so that noise hits all alike."""
    for turn in range(rounds):
        first = turn % len(ways)
        yield from list(ways)[first:] + list(ways)[:first]


def said(text):
    """{first word: rest of its last line} and the program's account {(step, symbol): calls}."""
    words, calls = {}, collections.Counter()
    for line in text.splitlines():
        first, _, rest = line.partition(" ")
        if first.lstrip("-").isdigit():
            symbol, count = rest.split()
            calls[int(first), symbol] += int(count)
        else:
            words[first] = rest
    return words, calls


def kernels_said(text):
    """Of `kernels NAME n` lines, or `kernel n NAME`; None where it says `kernels none`."""
    if "kernels none" in text.splitlines():
        return None
    found = collections.Counter()
    for line in text.splitlines():
        if line.startswith("kernels "):
            found[line.split()[1]] += int(line.split()[2])
        elif line.startswith("kernel "):
            found[line.split(None, 2)[2]] += int(line.split()[1])
    return found


def compare(wanted, got, whose):
    """The figure of both, or Differs."""
    lines = accounts.differences(wanted, got, whose, "recorded")
    if lines:
        raise Differs("; ".join(lines[:8]) + (f" and {len(lines) - 8} more" if len(lines) > 8 else ""))
    return sum(wanted.values())
