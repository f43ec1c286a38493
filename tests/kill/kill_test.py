#!/usr/bin/env python3
"""kill_test.py BUILD FOLDER [N [SEED]]: N times a traced program is killed at a random moment, what it left is
recovered, and the trace is compared call by call with an oracle that the program kept elsewhere."""
import json, mmap, os, random, re, signal, struct, subprocess, sys, time

BUILD, FOLDER = map(os.path.realpath, sys.argv[1:3])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 50
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
NAMES = ("forward", "backward", "update")
STEPS = 4096
SIZE = 64 + STEPS * 24
LEAST = 12500		# calls of each thread before it is killed: 10,000 recorded ones at least
ROOT = "/dev/shm/ranktrace-kill.%d" % os.getpid()


class Oracle:
    def __init__(self, path):
        with open(path, "wb") as f:
            f.truncate(SIZE)
        self.file = open(path, "r+b")
        self.map = mmap.mmap(self.file.fileno(), SIZE)

    def words(self):
        """entered of two threads, completed of two, last step begun, last step done"""
        return struct.unpack_from("<6Q", self.map)

    def step(self, n):
        return struct.unpack_from("<3Q", self.map, 64 + n * 24)


def environment(out):
    e = dict(os.environ, LD_PRELOAD=os.environ.get("SANITIZER", "") + BUILD + "/libranktrace.so", RANKTRACE_SESSION_ROOT=ROOT, RANKTRACE_SAVE_PATH=out,
             RANKTRACE_STEPS=",".join("%d-%d" % (n, n + 2) for n in range(1, 200, 4)), RANKTRACE_STEP_SOURCE="api",
             RANKTRACE_CONTENTS="cpu", RANKTRACE_LEVEL="level0", LD_LIBRARY_PATH=FOLDER, RANK="3")
    return {k: v for k, v in e.items() if k not in ("RANKTRACE_RANKS", "RANKTRACE_LAUNCH", "RANKTRACE_CONFIG")}


def wait_for_the_moment(oracle, child, how, rnd):
    """how: 0 any time, 1 soon after a step began (files are being closed and opened), 2 right in the change"""
    while min(oracle.words()[2:4]) < LEAST:
        if child.poll() is not None:
            sys.exit("the driver ended by itself: %s" % child.returncode)
        time.sleep(0.001)
    time.sleep(rnd.uniform(0, 0.12))
    if how:
        begun = oracle.words()[4]
        deadline = time.monotonic() + 1
        while oracle.words()[4] == begun and time.monotonic() < deadline:
            pass
    if how == 1:
        until = time.monotonic() + rnd.uniform(0, 0.004)
        while time.monotonic() < until:
            pass


def spans(oracle, thread, begun, done):
    """(step, first call surely in it, last call surely in it) for every step; calls between two spans may be in either"""
    result = []
    for n in range(1, begun + 1):
        own, before, after = oracle.step(n)
        known = n <= done
        first = own + 1 if not thread else (after + 1 if known else 1 << 62)
        if n < begun:
            next_own, next_before, _ = oracle.step(n + 1)
            last = next_own if not thread else next_before
        else:
            last = oracle.words()[2 + thread]
        result.append((n, first, last))
    return result


def calls_of(events):
    """Gives every event its call number: copies tell it, a launch is the call before the copy behind it in its step."""
    numbers = []
    for i, e in enumerate(events):
        if e["kind"] == "copy":
            numbers.append(e["bytes"])
        elif i + 1 < len(events) and events[i + 1]["kind"] == "copy" and events[i + 1]["step"] == e["step"]:
            numbers.append(events[i + 1]["bytes"] - 1)
        else:
            numbers.append(numbers[-1] + 1 if numbers else 4)
    return numbers


def check_thread(oracle, thread, events, w, dropped, faults):
    entered, begun, done = w[thread], w[4], w[5]
    numbers = calls_of(events)
    previous = 0
    allowed = {}
    required = set()
    for n, first, last in spans(oracle, thread, begun, done):
        if n % 4:
            required.update(range(first, last + 1))
        allowed[n] = (first, last)
    for s, e in zip(numbers, events):
        if s <= previous:
            faults.append("thread %d: call %d after call %d" % (thread, s, previous))
        if s > entered:
            faults.append("thread %d: call %d was never made" % (thread, s))
        if (s % 4 == 0) != (e["kind"] == "launch"):
            faults.append("thread %d: call %d is a %s" % (thread, s, e["kind"]))
        if s % 4 == 0 and e.get("kernel") != NAMES[s // 4 % 3]:
            faults.append("thread %d: call %d has kernel %s" % (thread, s, e.get("kernel")))
        if s % 4 == 0 and e.get("global") != [256 << (s // 4 % 3)]:
            faults.append("thread %d: call %d has sizes %s" % (thread, s, e.get("global")))
        if e["name"] != ("clEnqueueWriteBuffer" if s % 4 else "clEnqueueNDRangeKernel") or e["result"]:
            faults.append("thread %d: call %d is %s, %s" % (thread, s, e["name"], e["result"]))
        n = e["step"]
        if n not in allowed or not n % 4:
            faults.append("thread %d: call %d is said to be in step %s" % (thread, s, n))
        else:
            before = allowed.get(n - 1, (0, 0))[1]	# the last call that was surely still in the step before
            behind = allowed.get(n + 1, (1 << 62, 0))[0]
            if not before < s < behind:
                faults.append("thread %d: call %d is not of step %d" % (thread, s, n))
        previous = s
    missing = required.difference(numbers)
    return len(missing), sorted(missing)[:4], len(numbers)


def tool(*arguments):
    p = subprocess.run([BUILD + "/ranktrace", *arguments], env=dict(os.environ, RANKTRACE_SESSION_ROOT=ROOT),
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return p.returncode, p.stdout


def one_kill(number, rnd):
    out = "%s/out.%d" % (FOLDER, number)
    oracle = Oracle("%s/oracle.%d" % (FOLDER, number))
    child = subprocess.Popen([FOLDER + "/kill_driver", oracle.file.name], env=environment(out))
    wait_for_the_moment(oracle, child, number % 3, rnd)
    child.send_signal(signal.SIGKILL)
    if child.wait() != -signal.SIGKILL:
        sys.exit("the driver was not killed: %s" % child.returncode)
    faults = []
    status, text = tool("recover")
    saved = sum(map(int, re.findall(r"(\d+) events saved", text)))
    if status:
        faults.append("recover: " + text)
    status, text = tool("report", "--format", "json", out)
    if status or not text.startswith("{"):
        return [text], saved, dict.fromkeys(("called", "kept", "dropped", "in_flight"), 0), oracle.words()
    process = json.loads(text)["ranks"]
    in_gap = not saved and oracle.words()[4] % 4 == 0	# all files were closed: none of them says that we died
    if len(process) != 1 or process[0]["pid"] != child.pid or process[0]["rank"] != 3 or \
       process[0]["clean_end"] != in_gap:
        faults.append("report: %s" % [(p["pid"], p["rank"], p["clean_end"]) for p in process])
    events = [json.loads(line) for line in tool("dump", "--format", "jsonl", out)[1].splitlines()]
    counters = process[0]["events"] if process else dict.fromkeys(("called", "kept", "dropped", "in_flight"), 0)
    if counters["kept"] != len(events) or counters["called"] != sum(counters[k] for k in ("kept", "dropped", "in_flight")):
        faults.append("%s, but %d events" % (counters, len(events)))
    if not 0 <= counters["in_flight"] <= 2:
        faults.append("in flight: %s" % counters)
    w, missing, kept = oracle.words(), 0, 0
    buffers = {"0x1000": 0, "0x2000": 1}
    threads = {e["tid"]: buffers[e["address"]] for e in events if e["kind"] == "copy"}
    for tid, thread in threads.items():
        mine = [e for e in events if e["tid"] == tid]
        lost, which, n = check_thread(oracle, thread, mine, w, counters["dropped"], faults)
        missing, kept = missing + lost, kept + n
        if lost and not counters["dropped"]:
            faults.append("thread %d: %d completed calls are missing: %s" % (thread, lost, which))
    if len(threads) != 2 or kept != len(events):
        faults.append("threads: %s" % threads)
    if missing > counters["dropped"]:
        faults.append("%d missing, %d dropped" % (missing, counters["dropped"]))
    if not faults:
        os.unlink(oracle.file.name)
        subprocess.run(["rm", "-rf", out])
    return faults, saved, counters, w


def main():
    rnd = random.Random(SEED)
    unflushed = dropping = failed = called = saved_all = 0
    for number in range(KILLS):
        faults, saved, counters, w = one_kill(number, rnd)
        unflushed += saved > 0
        dropping += counters["dropped"] > 0
        called += counters["called"]
        saved_all += saved
        if faults:
            failed += 1
            print("kill %d (seed %d), calls %s: %d faults" % (number, SEED, w, len(faults)))
            for fault in faults[:6]:
                print("   ", fault)
    subprocess.run(["rm", "-rf", "%s-%d" % (ROOT, os.geteuid())])
    print("%d kills, %d calls; %d kills left unflushed events (%d saved), %d dropped some; %d failed"
          % (KILLS, called, unflushed, saved_all, dropping, failed))
    return failed or 2 * unflushed <= KILLS


sys.exit(1 if main() else 0)
