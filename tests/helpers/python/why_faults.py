"""why_faults.py FAULTY --seed S --runs N: a training program's steps are made slow on purpose, and `ranktrace why` is asked why they were.

FAULTY is tests/programs/why's program. Case i of seed S is case 0 of seed S + i: what fault, by how much, in which step of which rank is
drawn from that number alone. A run that the machine disturbed, by the program's own clock, is made again.

--none   no faults: nothing is to be found
--look   `why` is not asked: is the fault in the trace, by its amount, and nothing else?
--only K faults of this kind alone
--keep D traces that were judged stay in D/<number>
--opencl FAULTY is the program on OpenCL, of one rank
With SAN=thread in the environment amounts are not judged.
Ends with 1 if fewer than 95 % are right (98 % without faults), with 77 if the machine disturbed most of them.
"""
import argparse
import collections
import contextlib
import fcntl
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import why_look

ROOT = os.path.abspath(os.path.dirname(__file__) + "/../../..")
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
TOOL = BUILD + "/ranktrace"
STEPS, USUAL_MS = 12, 12.0
NEAR = 0.15  # of the amount
AMOUNTS = os.environ.get("SAN") != "thread"  # between two of a fault's calls instrumented code takes more time than they do
TRIES = 12

# What each fault may be called.
CALLED = {"kernel": {"kernel_time"}, "throttle": {"kernel_time"}, "one_more": {"kernel_count"}, "shapes": {"kernel_shape"},
          "sleep": {"host_gap"}, "gc": {"host_gap"}, "lock": {"host_gap"}, "late": {"host_gap"}, "neighbour": {"host_gap", "host_call"},
          "copy": {"copy"}, "alloc": {"allocation"}, "build": {"first_call"}, "first": {"first_call"}, "link": {"transfer"}}
KINDS = sorted(CALLED) + ["two"]
ON_OPENCL = ["alloc", "copy", "kernel", "one_more", "sleep"]  # one rank
ALONE = {"link", "neighbour"}  # not beside another one
SAME_KERNELS = {"shapes", "kernel", "throttle"}  # nobody could tell these apart
SPREAD = {"neighbour", "throttle"}  # over several places or kernels, a cause each
BEHIND = {"link": 1, "throttle": 1 / 11}  # so much of it comes when the ranks have met
ON_ONE = {"alloc", "neighbour"}  # ranks would fight for this machine's processors


class Case:
    def __init__(self, number, args):
        rng, kinds = random.Random(number), ON_OPENCL if args.opencl else KINDS
        self.number, self.ranks = number, 1 if args.opencl else 4
        self.kind = "none" if args.none else args.only or kinds[number % len(kinds)]
        self.step, self.rank = rng.randint(2, STEPS), rng.randrange(self.ranks)
        kinds = [] if args.none else [self.kind]
        if self.kind == "two":
            kinds = self.two(rng)
        if kinds and (kinds == ["link"] or self.ranks > 1 and rng.random() < .2) and not ON_ONE & set(kinds):
            self.rank = -1
        most = 1.5 if self.kind == "two" else 3
        self.faults = [(kind, round(USUAL_MS * 1e6 * .1 * (most / .1) ** rng.random())) for kind in kinds]
        self.came, self.waits, self.last, self.tries = [], [], STEPS, 0

    @staticmethod
    def two(rng):
        while True:
            a, b = rng.sample(sorted(set(CALLED) - ALONE), 2)
            if not CALLED[a] & CALLED[b] and not {a, b} <= SAME_KERNELS:
                return [a, b]

    def words(self):
        return [f"{kind}:{self.step}:{self.rank}:{ns}" for kind, ns in self.faults]

    def amount(self, i, rank):
        """What the i-th fault came to, on this rank."""
        return self.came[rank][i]


# ---- a run ----

def first_in_line():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except OSError:
        pass


@contextlib.contextmanager
def turn():
    """Two of these on one machine would disturb each other, one after the other they do not."""
    with open(os.open(os.path.join(tempfile.gettempdir(), f"ranktrace-why-{os.getuid()}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(faulty, case, folder):
    """The ranks' lines, in their order."""
    env = dict(os.environ, SIM_ASYNC="1", SIM_COPY_NS="1000", SIM_COPY_KB_NS="100", SIM_HCCL_TIMEOUT="10", RANKTRACE_BUILD=BUILD)
    env.pop("SIM_CLOCK", None)
    command = [ROOT + "/scripts/ranktrace-run", "--save-path", folder, "--contents", "cpu,npu,memory,shapes", "--level", "level1", "--steps", "all",
               "--step-source", "api", "--", faulty, str(case.ranks), str(STEPS), *case.words()]
    p = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=first_in_line, timeout=60)
    if p.returncode:
        sys.exit(f"{' '.join(command)}: {p.returncode}: {p.stderr}")
    return sorted((json.loads(line) for line in p.stdout.splitlines() if line.startswith("{")), key=lambda r: r["rank"])


def usual(of_ranks, case):
    return statistics.median(ns for of in of_ranks for step, ns in enumerate(of, 1) if step != case.step)


def waits(case, ranks):
    """Of each rank by how much longer than usual it waited in each step for the last one to come to the collectives."""
    for r in ranks:
        waited = [max(came) - own for own, *came in zip(r["came"], *(other["came"] for other in ranks))]
        its_usual = usual([waited], case)
        yield [ns - its_usual for ns in waited]


def differ(case, of_ranks, wanted, most):
    """Is any rank's time above the usual one in the faulty step another one than is wanted there, or in another step more than a fault might hide?"""
    return any(abs(ns - of_fault) > .08 * most if case.faults and step == case.step else abs(ns) > max(.4 * most, .04 * USUAL_MS * 1e6)
               for of, of_fault in zip(of_ranks, wanted) for step, ns in enumerate(of, 1))


def disturbed(case, ranks):
    """Did anything else make a step, or how long a rank waited for the others in it, longer or shorter than its fault does?"""
    behind = [sum(ns * BEHIND.get(kind, 0) for (kind, _), ns in zip(case.faults, came)) for came in case.came]
    before = [sum(came) - ns for came, ns in zip(case.came, behind)]
    most = max(sum(came) for came in case.came)
    steps = [[end - begin for begin, end in zip(r["began"], r["began"][1:])] for r in ranks]
    its_usual = usual(steps, case)
    waited = list(waits(case, ranks))
    case.waits = [of[case.step - 1] for of in waited]
    return (bool(case.faults) and max(r["stolen"][case.step - 1] for r in ranks) > .08 * most
            or differ(case, [[ns - its_usual for ns in of] for of in steps], [max(before) + ns for ns in behind], most)
            or differ(case, waited, [max(before) - own for own in before], most))


def undisturbed(faulty, case, folder):
    for _ in range(TRIES):
        case.tries += 1
        shutil.rmtree(folder, ignore_errors=True)
        with turn():
            ranks = run(faulty, case, folder)
        case.came = [r["faults"] for r in ranks]
        if not disturbed(case, ranks):
            return True
    return False


# ---- the verdict ----

def near(got, wanted):
    return not AMOUNTS or abs(got - wanted) <= NEAR * wanted


def miss_of_causes(case, finding):
    rank = finding["rank"] if case.rank < 0 else case.rank
    spread = {called for kind, _ in case.faults if kind in SPREAD for called in CALLED[kind]}
    said = collections.Counter()
    for c in finding["causes"]:
        if c["kind"] in spread or c["kind"] not in said:
            said[c["kind"]] += c["ns"]
    first = [called for called, _ in said.most_common(len(case.faults))]
    for i, (kind, _) in enumerate(case.faults):
        wanted, called = case.amount(i, rank), CALLED[kind].intersection(first)
        if not called:
            return f"{kind} was called {', '.join(first) or 'nothing'}"
        if not near(sum(said[c] for c in called), wanted):
            return f"{kind} of {wanted} ns was said to be {sum(said[c] for c in called)} ns"
    return None


def miss(case, findings):
    """None: right."""
    for f in findings:
        if sum(c["ns"] for c in f["causes"]) != f["excess_ns"]:
            return f"causes of step {f['step']} of rank {f['rank']} are no {f['excess_ns']} ns in sum"
    if not case.faults:
        said = sorted({c["kind"] for f in findings for c in f["causes"]} - {"unexplained"})
        return f"found {', '.join(said)}" if said else None
    if not findings:
        return "nothing was found"
    f = findings[0]
    if f["step"] != case.step or case.rank not in (-1, f["rank"]):
        return f"step {f['step']} of rank {f['rank']} was named, not step {case.step} of rank {case.rank if case.rank >= 0 else 'any'}"
    return miss_of_causes(case, f)


def miss_of_waiting(case, other, findings):
    """A rank without a fault waited for the one that had it."""
    waited = findings[0]["causes"][0] if findings and findings[0]["causes"] else {"kind": "nothing"}
    wanted = case.waits[other]
    if waited["kind"] != "wait":
        return f"rank {other} waited, which was called {waited['kind']}"
    if not near(waited["ns"], wanted):
        return f"rank {other} waited {wanted} ns, {waited['ns']} ns were said"
    return None if f"rank {case.rank}" in waited["text"] else f"rank {other} waited for rank {case.rank}, not said in: {waited['text']}"


def why(folder, *words):
    p = subprocess.run([TOOL, "why", "--format", "json", *words, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return json.loads(p.stdout)["findings"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"no answer ({p.returncode}): {p.stderr.strip()[:200]}") from None


def verdict(case, folder, look):
    if look:
        return why_look.miss(case, TOOL, folder, NEAR)
    other = (case.rank + 1) % case.ranks
    try:
        why_not = miss(case, why(folder))
        if not why_not and case.faults and case.rank not in (-1, other):
            why_not = miss_of_waiting(case, other, why(folder, "--steps", str(case.step), "--ranks", str(other)))
        return why_not
    except (ValueError, KeyError, TypeError) as e:
        return str(e) if isinstance(e, ValueError) else f"an answer of another form: {e!r}"


# ---- all of them ----

def again(args, case):
    words = [f"--only {args.only}" if args.only else "", *(f"--{word}" if getattr(args, word) else "" for word in ("none", "look", "opencl"))]
    return " ".join(["python3", sys.argv[0], args.faulty, f"--seed {case.number} --runs 1 --keep DIR", *filter(None, words)])


def parsed():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("faulty")
    p.add_argument("--seed", type=int, default=int(time.time()))
    p.add_argument("--runs", type=int, default=40)
    p.add_argument("--only", choices=KINDS)
    p.add_argument("--keep")
    p.add_argument("--none", action="store_true")
    p.add_argument("--look", action="store_true")
    p.add_argument("--opencl", action="store_true")
    return p.parse_args()


def main():
    args = parsed()
    right, judged, lost, tries, begin = collections.Counter(), collections.Counter(), collections.Counter(), 0, time.time()
    print(f"seed {args.seed}, {args.runs} runs", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(args.seed, args.seed + args.runs):
            case = Case(number, args)
            folder = os.path.join(args.keep or temporary, str(number))
            judges = undisturbed(args.faulty, case, folder)
            tries += case.tries
            if not judges:
                lost[case.kind] += 1
                shutil.rmtree(folder, ignore_errors=True)
                continue
            why_not = verdict(case, folder, args.look)
            judged[case.kind] += 1
            right[case.kind] += not why_not
            if why_not:
                print(f"miss {number} {' '.join(case.words())}: {why_not}\n  again: {again(args, case)}", flush=True)
            if not args.keep:
                shutil.rmtree(folder)
    for kind in sorted(judged | lost):
        print(f"{kind:10} {right[kind]:4} of {judged[kind]:4}" + (f", {lost[kind]} that the machine disturbed" if lost[kind] else ""))
    all_right, all_judged = sum(right.values()), sum(judged.values())
    print(f"{all_right} of {all_judged} are right; {tries} runs in {time.time() - begin:.0f} s")
    if 2 * all_judged < args.runs:
        print("skip: this machine is too busy to tell")
        sys.exit(77)
    sys.exit(all_right < all_judged * (.98 if args.none else .95))


if __name__ == "__main__":
    main()
