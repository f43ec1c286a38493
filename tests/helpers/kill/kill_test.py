#!/usr/bin/env python3
"""kill_test.py BUILD FOLDER [N [SEED [CALLS]]]: N times a traced program dies by SIGKILL, at a random moment or at a
random instruction of a flush or of a step change, after events were written and with some that were not. What it left is
recovered, and the trace is compared call by call with an oracle that the program kept elsewhere."""
import collections, json, mmap, os, random, re, signal, struct, subprocess, sys, time

BUILD, FOLDER = map(os.path.realpath, sys.argv[1:3])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 50
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
STEP_CALLS = [int(n) for n in (sys.argv[5] if len(sys.argv) > 5 else "100").split(",")]	# one after the other
NAMES = ("forward", "backward", "update")
STEPS = 512
SIZE = 64 + STEPS * 24
LEAST = 8	# steps, about, before it may die: two windows are over by then
ROOT = "/dev/shm/ranktrace-kill.%d" % os.getpid()
# enum kill_point
POINTS = ("moment", "open", "opened", "write", "torn", "written", "rename", "renamed", "step", "opening", "closing")
FLUSH, CHANGE = range(1, 8), range(8, 11)


class Oracle:
    def __init__(self, path):
        with open(path, "wb") as f:
            f.truncate(SIZE)
        self.file = open(path, "r+b")
        self.map = mmap.mmap(self.file.fileno(), SIZE)

    def words(self):
        """entered of two threads, completed of two, last step begun, last step done"""
        return struct.unpack_from("<6Q", self.map)

    def plan(self, point, place):
        struct.pack_into("<I", self.map, 52, place)
        struct.pack_into("<I", self.map, 48, point)

    def killed(self):
        return struct.unpack_from("<I", self.map, 56)[0]

    def files(self):
        return struct.unpack_from("<I", self.map, 60)[0]

    def step(self, n):
        return struct.unpack_from("<3Q", self.map, 64 + n * 24)


def environment(out):
    e = dict(os.environ, LD_PRELOAD=os.environ.get("SANITIZER", "") + BUILD + "/libranktrace.so", RANKTRACE_SESSION_ROOT=ROOT, RANKTRACE_SAVE_PATH=out,
             RANKTRACE_STEPS=",".join("%d-%d" % (n, n + 2) for n in range(1, STEPS, 4)), RANKTRACE_STEP_SOURCE="api",
             RANKTRACE_CONTENTS="cpu", RANKTRACE_LEVEL="level0", LD_LIBRARY_PATH=FOLDER, RANK="3")
    return {k: v for k, v in e.items() if k not in ("RANKTRACE_RANKS", "RANKTRACE_LAUNCH", "RANKTRACE_CONFIG")}


def measure():
    """instructions of a change that closes a window, of one that opens one, of one within"""
    oracle = Oracle(FOLDER + "/measure")
    p = subprocess.run([FOLDER + "/kill_driver", oracle.file.name, "1", "measure"], env=environment(FOLDER + "/measured"),
                       stdout=subprocess.PIPE, check=True)
    closing, opening, step = map(int, p.stdout.split())
    return {8: step, 9: opening, 10: closing}


def let_it_die(oracle, child, kind, rnd, lengths, least):
    """kind: 0 at any moment, 1 in a flush, 2 in the change of a step"""
    deadline = time.monotonic() + 60
    while min(oracle.words()[2:4]) < least or not oracle.files():
        if time.monotonic() > deadline:
            child.kill()
            sys.exit("no file was finished: %s" % (oracle.words(),))
        if child.poll() is not None:
            sys.exit("the driver ended by itself: %s" % child.returncode)
        time.sleep(0.001)
    time.sleep(rnd.uniform(0, 0.01))
    if kind == 1:
        oracle.plan(rnd.choice(FLUSH), rnd.randrange(rnd.choice((30, 300, 3000))))
    elif kind == 2:
        point = rnd.choice(CHANGE)
        oracle.plan(point, rnd.randrange(lengths[point]))
    try:
        child.wait(2 if kind else rnd.uniform(0, 0.02))
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
    if child.wait() != -signal.SIGKILL:
        sys.exit("the driver was not killed: %s" % child.returncode)


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


def first_launch(kernel, behind, last):
    """The first launch of this kernel behind a call, up to another; None: there is none."""
    return next((s for s in range(behind // 4 * 4 + 4, min(last, behind + 16) + 1, 4) if NAMES[s // 4 % 3] == kernel), None)


def calls_of(events, last, behind_step, surely_in):
    """Gives every event its call number: copies tell it, a launch is the call before the copy behind it in its step, or after
    the one before it. A launch that is alone in its step is the last call of all, or the first of its kernel that was surely in
    the step, or the first behind the step before (many calls may lie between these two, where nothing was recorded)."""
    numbers = []
    for i, e in enumerate(events):
        if e["kind"] == "copy":
            numbers.append(e["bytes"])
        elif i + 1 < len(events) and events[i + 1]["kind"] == "copy" and events[i + 1]["step"] == e["step"]:
            numbers.append(events[i + 1]["bytes"] - 1)
        elif i + 1 == len(events) and (not i or events[i - 1]["step"] != e["step"]):
            numbers.append(last - last % 4)
        elif i and events[i - 1]["step"] == e["step"]:
            numbers.append(numbers[-1] + 1)
        else:
            behind, (first, end) = max([behind_step(e["step"])] + numbers[-1:]), surely_in(e["step"])
            sure = first_launch(e.get("kernel"), max(behind, first - 1), end)
            numbers.append(sure or first_launch(e.get("kernel"), behind, 1 << 62) or behind)
    return numbers


def check_thread(oracle, thread, events, w, dropped, faults):
    entered, begun, done = w[thread], w[4], w[5]
    previous = 0
    allowed = {}
    required = set()
    for n, first, last in spans(oracle, thread, begun, done):
        if n % 4:
            required.update(range(first, last + 1))
        allowed[n] = (first, last)
    numbers = calls_of(events, entered, lambda n: allowed.get(n - 1, (0, 0))[1], lambda n: allowed.get(n, (0, 0)))
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


def by_thread(events):
    """The events of either thread. Copies tell whose they are; who was recorded for a moment only may have none, or no event."""
    buffers = {"0x1000": 0, "0x2000": 1}
    tids = {buffers[e["address"]]: e["tid"] for e in events if e["kind"] == "copy"}
    others = {e["tid"] for e in events}.difference(tids.values())
    for thread in (0, 1):
        if thread not in tids and others:
            tids[thread] = others.pop()
    return [[e for e in events if e["tid"] == tids.get(thread)] for thread in (0, 1)]


def tool(*arguments):
    p = subprocess.run([BUILD + "/ranktrace", *arguments], env=dict(os.environ, RANKTRACE_SESSION_ROOT=ROOT),
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return p.returncode, p.stdout


def one_kill(number, rnd, lengths):
    """faults, events saved, counters, the oracle's words, where it died"""
    out = "%s/out.%d" % (FOLDER, number)
    oracle = Oracle("%s/oracle.%d" % (FOLDER, number))
    step_calls = STEP_CALLS[number % len(STEP_CALLS)]
    child = subprocess.Popen([FOLDER + "/kill_driver", oracle.file.name, str(step_calls)], env=environment(out))
    let_it_die(oracle, child, number % 3, rnd, lengths, LEAST * step_calls)
    point = oracle.killed()
    faults = []
    status, text = tool("recover")
    saved = sum(map(int, re.findall(r"(\d+) events saved", text)))
    if status:
        faults.append("recover: " + text)
    status, text = tool("report", "--format", "json", out)
    if status > 1 or not text.startswith("{"):
        return [text], saved, dict.fromkeys(("called", "kept", "dropped", "in_flight"), 0), oracle.words(), point
    process = json.loads(text)["ranks"]
    # Where all files were closed already, none of them says that it died.
    if len(process) != 1 or process[0]["pid"] != child.pid or process[0]["rank"] != 3 or \
       (process[0]["clean_end"] and saved):
        faults.append("report: %s" % [(p["pid"], p["rank"], p["clean_end"]) for p in process])
    events = [json.loads(line) for line in tool("dump", "--format", "jsonl", out)[1].splitlines()]
    counters = process[0]["events"] if process else dict.fromkeys(("called", "kept", "dropped", "in_flight"), 0)
    if status != (counters["dropped"] > 0):	# 1: something was lost
        faults.append("report: status %d with %s" % (status, counters))
    if counters["kept"] != len(events) or counters["called"] != sum(counters[k] for k in ("kept", "dropped", "in_flight")):
        faults.append("%s, but %d events" % (counters, len(events)))
    if not 0 <= counters["in_flight"] <= 2:
        faults.append("in flight: %s" % counters)
    w, missing, kept = oracle.words(), 0, 0
    for thread, mine in enumerate(by_thread(events)):
        lost, which, n = check_thread(oracle, thread, mine, w, counters["dropped"], faults)
        missing, kept = missing + lost, kept + n
        if lost and not counters["dropped"]:
            faults.append("thread %d: %d completed calls are missing: %s" % (thread, lost, which))
    if kept != len(events):
        faults.append("threads: %s, %d of %d events" % ({e["tid"] for e in events}, kept, len(events)))
    if missing > counters["dropped"]:
        faults.append("%d missing, %d dropped" % (missing, counters["dropped"]))
    if not faults:
        os.unlink(oracle.file.name)
        subprocess.run(["rm", "-rf", out])
    return faults, saved, counters, w, point


def verdict(name, kinds, died, failed, least):
    """A line as the runner reads it: enough of these kills, and nothing lost by any of them."""
    n, bad = sum(died[k] for k in kinds), sum(failed[k] for k in kinds)
    shown = ", ".join("%s %d" % (POINTS[k], died[k]) for k in kinds)
    print("%d kills (%s), %d failed" % (n, shown, bad))
    if bad or n < least:
        print("FAIL %s: %d of %d kills failed, %d are asked for" % (name, bad, n, least))
    else:
        print("ok %s" % name)
    return bool(bad or n < least)


def main():
    rnd = random.Random(SEED)
    died, failed = collections.Counter(), collections.Counter()
    dropping = called = saved_all = number = telling = 0
    lengths = measure()
    print("instructions of a step change: %d, of one that opens a window %d, that closes one %d" % tuple(lengths.values()))
    # A kill that left nothing unwritten, or came before anything was written, proves little: it does not count.
    while telling < KILLS and number < 3 * KILLS:
        faults, saved, counters, w, point = one_kill(number, rnd, lengths)
        number += 1
        dropping += counters["dropped"] > 0
        called += counters["called"]
        saved_all += saved
        died[point] += 1
        telling += 0 < saved < counters["kept"]
        if faults:
            failed[point] += 1
            print("kill %d (seed %d, %s), calls %s: %d faults" % (number - 1, SEED, POINTS[point], w, len(faults)))
            for fault in faults[:6]:
                print("   ", fault)
    subprocess.run(["rm", "-rf", "%s-%d" % (ROOT, os.geteuid())])
    print("%d kills with some events written and some not, %d others; %d calls, %d saved from memory, %d kills dropped some"
          % (telling, number - telling, called, saved_all, dropping))
    bad = verdict("no_completed_call_is_lost_by_kill_9_at_any_moment", (0,), died, failed, KILLS // 5)
    bad |= verdict("no_completed_call_is_lost_by_kill_9_during_a_flush", FLUSH, died, failed, KILLS // 5)
    bad |= verdict("no_completed_call_is_lost_by_kill_9_during_a_step_change", CHANGE, died, failed, KILLS // 5)
    if telling < KILLS:
        print("FAIL there_are_enough_kills: %d" % telling)
    return bad or telling < KILLS


sys.exit(main())
