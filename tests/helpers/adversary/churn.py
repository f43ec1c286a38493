#!/usr/bin/env python3
"""churn.py BUILD FOLDER RUNS [SEED]: RUNS times threads launch, come and go while steps change, until the process is killed or
exits, at a random moment. What it left is recovered: no launch of a selected step is missing but those that are counted as
dropped, none is in another step, the sums agree, and nothing stays behind."""
import collections, json, os, random, shutil, signal, struct, subprocess, sys, time

BUILD, FOLDER = map(os.path.realpath, sys.argv[1:3])
RUNS = int(sys.argv[3])
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
ROOT = "/dev/shm/ranktrace-churn.%d" % os.getpid()
STEPS = 8192
RANGES = [(n, n + 9) for n in range(1, 2560, 20)]
SELECTED = {n for first, last in RANGES for n in range(first, last + 1)}
THREADS = ((4, 0), (3, 2))	# that live long, that come and go
SHM = ("256M", "4M")
ENDS = ("kill", "exit")


def environment(out, shm):
    e = {k: v for k, v in os.environ.items() if not k.startswith("RANKTRACE_")}
    return dict(e, LD_PRELOAD=os.environ.get("SANITIZER", "") + BUILD + "/libranktrace.so", RANKTRACE_SESSION_ROOT=ROOT,
                RANKTRACE_SAVE_PATH=out, RANKTRACE_STEPS=",".join("%d-%d" % r for r in RANGES), RANKTRACE_STEP_SOURCE="api",
                RANKTRACE_CONTENTS="cpu", RANKTRACE_SHM_SIZE=shm)


def tool(*words):
    p = subprocess.run([BUILD + "/ranktrace", *words], env=dict(os.environ, RANKTRACE_SESSION_ROOT=ROOT), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    return p.returncode, p.stdout, p.stderr


def live(oracle, out, end, threads, shm, rnd):
    """The status of a process that lived for a while."""
    microseconds = rnd.randrange(1, 120000)
    p = subprocess.Popen([FOLDER + "/churn", oracle, *map(str, threads), str(microseconds if end == "exit" else 0)], env=environment(out, shm))
    if end == "kill":
        time.sleep(0.01 + microseconds / 1e6)
        p.kill()
    try:
        return p.wait(30)
    except subprocess.TimeoutExpired:
        p.kill()
        p.wait()
        return "hangs"


def left():
    folder = "%s-%d" % (ROOT, os.geteuid())
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def faults_of(oracle, out, end, status):
    """What is wrong, and the sums."""
    faults = []
    if status != (0 if end == "exit" else -signal.SIGKILL):
        faults.append("ended with %s" % status)
    recovered, _, said = tool("recover")
    if recovered:
        faults.append("recover: %s" % said[:300])
    if left():
        faults.append("left behind: %s" % left())
    sums = dict.fromkeys(("called", "kept", "dropped", "in_flight"), 0)
    text = tool("report", "--format", "json", out)[1]
    for process in json.loads(text)["ranks"] if text else []:
        for key in sums:
            sums[key] += process["events"][key]
    dump = [json.loads(line) for line in tool("dump", "--format", "jsonl", out)[1].splitlines()]
    events = collections.Counter(e["step"] for e in dump if e["kind"] == "launch")
    data = open(oracle, "rb").read() if os.path.exists(oracle) else b""
    if len(data) < 8 + 4 * STEPS:	# killed before it had begun
        return faults, sums
    begun, sure = struct.unpack_from("<Q", data)[0], struct.unpack_from("<%dI" % STEPS, data, 8)
    missing = sum(max(0, n - events[step]) for step, n in enumerate(sure) if step in SELECTED)
    if missing > sums["dropped"]:
        faults.append("%d launches are missing" % missing)
    elsewhere = {step: n for step, n in events.items() if step not in SELECTED}
    if elsewhere:
        faults.append("in steps that were not selected: %s" % elsewhere)
    accounted = sums["kept"] + sums["dropped"] + sums["in_flight"]
    if sums["kept"] != sum(events.values()) or sums["called"] != accounted or accounted > begun or sums["in_flight"] > 8:
        faults.append("%s, %d events, %d launches begun" % (sums, sum(events.values()), begun))
    return faults, sums


def main():
    rnd, total, failed, runs = random.Random(SEED), collections.Counter(), collections.Counter(), collections.Counter()
    kinds = [(end, threads, shm) for end in ENDS for threads in THREADS for shm in SHM]
    began = time.monotonic()
    for n in range(RUNS):
        end, threads, shm = kinds[n % len(kinds)]
        oracle, out = "%s/oracle.%d" % (FOLDER, n), "%s/out.%d" % (FOLDER, n)
        faults, sums = faults_of(oracle, out, end, live(oracle, out, end, threads, shm, rnd))
        total.update(sums)
        runs[end] += 1
        if faults:
            failed[end] += 1
            print("run %d of seed %d (%s, %d and %d threads, %s): %s" % (n, SEED, end, *threads, shm, "; ".join(faults)), flush=True)
        if not faults or failed[end] > 3:
            shutil.rmtree(out, ignore_errors=True)
            if os.path.exists(oracle):
                os.unlink(oracle)
        if (n + 1) % 200 == 0:
            print("%d of %d runs, %d failed, %d s" % (n + 1, RUNS, sum(failed.values()), time.monotonic() - began), flush=True)
    print("%d runs, %d failed: %s" % (RUNS, sum(failed.values()), dict(total)))
    for end, name in zip(ENDS, ("no_launch_is_lost_when_threads_that_come_and_go_are_killed", "no_launch_is_lost_when_the_process_exits_beside_them")):
        print("FAIL %s: %d of %d runs" % (name, failed[end], runs[end]) if failed[end] or not runs[end] else "ok " + name)
    shutil.rmtree("%s-%d" % (ROOT, os.geteuid()), ignore_errors=True)
    return sum(failed.values()) > 0


sys.exit(main())
