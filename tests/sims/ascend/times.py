"""times.py COMMAND ...: device times in a dump beside those of the simulated streams (SIM_TASKS).

same DUMP TASKS UNTIMED [SOURCE]  every call that gave a stream work took as long as the work; of UNTIMED calls it is not
                                  known. What was captured has no time. SOURCE: all times come from there
first DUMP TASKS UNTIMED           the same of the first calls, as many as are there
within DUMP TASKS BOOT            with SIM_CLOCK: no work begins before its time, or much later; BOOT: where the clocks stood at 0
devices DUMP TASKS BOOT APART      with SIM_CLOCK_APART, and one stream a device: each has its own, and its own clock
moments CLOCK TASKS WITHIN         begins and durations as device_clock prints them, on one clock for all: no begin is more than so many ns off for each second
agree DUMP DUMP                    two runs of one program have the same times
own PLAIN TIMED                    what the libraries counted with device times is what they counted without, and calls of ours
"""
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import counts  # noqa: E402

KINDS = ("launch", "operator", "copy", "fill", "collective")
OURS = {"aclrtCreateEventExWithFlag", "aclrtCreateEventWithFlag", "aclrtDestroyEvent", "aclrtRecordEvent", "aclrtQueryEventStatus",
        "aclrtEventElapsedTime", "aclrtEventGetTimestamp", "aclrtGetCurrentContext", "aclrtGetEventAvailNum", "aclmdlRICaptureGetInfo",
        "msptiSubscribe", "msptiUnsubscribe", "msptiActivityRegisterCallbacks", "msptiActivityEnable", "msptiActivityDisable",
        "msptiActivityFlushAll", "msptiActivityGetNextRecord", "msptiActivityPushExternalCorrelationId",
        "msptiActivityPopExternalCorrelationId"}
ASKED = {"aclrtGetDevice", "aclrtGetSocName", "aclrtGetFunctionName", "HcclGetCommName", "HcclGetRankId", "HcclGetRankSize"}


def events(path):
    """{(thread, symbol): events} of calls that gave a stream work, in the order of their begin"""
    found = collections.defaultdict(list)
    for line in open(path):
        event = json.loads(line)
        if event["kind"] in KINDS and "stream" in event and not event["result"] and not event.get("nested"):
            found[event["tid"], event["name"]].append(event)
    return found


def calls(path):
    """{(thread, symbol): [begin, end] of each call's work, or None: it was captured}"""
    found = collections.defaultdict(dict)
    for line in open(path):
        thread, _, begin, end, rest = line.rstrip("\n").split(" ", 4)
        symbols = set()
        for symbol, number in re.findall(r" (\w+):(\d+)(?= |$)", rest):
            work = found[int(thread), symbol]
            if symbol in symbols:
                continue
            symbols.add(symbol)
            if begin == "-":
                work[int(number)] = None
            else:
                was = work.get(int(number)) or [int(begin), int(end)]
                work[int(number)] = [min(was[0], int(begin)), max(was[1], int(end))]
    return {key: [work[n] for n in sorted(work)] for key, work in found.items()}


def pairs(dump, tasks, first=False):
    """(symbol, event, work) of each call of the dump"""
    wanted, result = calls(tasks), []
    for (thread, symbol), its in sorted(events(dump).items()):
        work = wanted.get((thread, symbol), [])
        if not work and symbol == "HcclBarrier":
            work = [[0, 0]] * len(its)  # it gives the stream nothing to do
        work = work[:len(its)] if first else work
        if len(its) != len(work):
            sys.exit(f"{symbol}: {len(its)} events for {len(work)} calls")
        result += [(symbol, event, w) for event, w in zip(its, work)]
    return result or sys.exit("nothing was called")


def same(dump, tasks, untimed, source=None, first=False):
    missing = 0
    for symbol, event, work in pairs(dump, tasks, first):
        took = event.get("device_duration_ns")
        if took is None and work:
            missing += 1
        elif (took is not None) != bool(work) or (work and took != work[1] - work[0]):
            sys.exit(f"{symbol}: took {took}, wanted {work}")
        if took is not None and source and event.get("device_source") != source:
            sys.exit(f"{symbol}: told by {event.get('device_source')}")
    if missing != int(untimed):
        sys.exit(f"{missing} calls have no time, wanted {untimed}")


def first(dump, tasks, untimed):
    same(dump, tasks, untimed, first=True)


def within(dump, tasks, boot):
    for symbol, event, work in pairs(dump, tasks):
        if not work or work == [0, 0]:
            continue
        late = event["device_begin_ns"] - (work[0] + int(boot))
        if abs(late) > 5000000 or event["device_duration_ns"] < work[1] - work[0]:
            sys.exit(f"{symbol}: begins {late} ns late, took {event['device_duration_ns']} for {work[1] - work[0]}")


def tasks_of(path):
    """[thread, stream, begin, end] of each piece of work, in the order of giving"""
    return [[int(x) for x in line.split(" ", 4)[:4]] for line in open(path)]


def devices(dump, tasks, boot, apart):
    work, streams = tasks_of(tasks), {}
    for thread in sorted({w[0] for w in work}):
        mine = [json.loads(line) for line in open(dump) if f'"tid":{thread},' in line]
        mine = [event for event in mine if event["kind"] in KINDS]
        wanted = [w for w in work if w[0] == thread]
        if len(mine) != len(wanted):
            sys.exit(f"{len(mine)} events for {len(wanted)} calls")
        for event, (_, stream, begin, _) in zip(mine, wanted):
            if streams.setdefault(stream, event["stream"]) != event["stream"]:
                sys.exit(f"stream {stream} of the device is {streams[stream]} and {event['stream']}")
            late = event["device_begin_ns"] - int(boot) - stream * int(apart) - begin
            if abs(late) > 5000000:
                sys.exit(f"begins {late} ns late on stream {stream}")
    if len(set(streams.values())) != len(streams) or len(streams) < 2:
        sys.exit(f"streams: {streams}")


def moments(clock, tasks, within):
    found = [[int(x) for x in line.split()] for line in open(clock)]
    work = tasks_of(tasks)
    if len(found) != len(work) or work[-1][3] < 60e9:
        sys.exit(f"{len(found)} times for {len(work)} pieces of work, until {work[-1][3]}")
    found, work = sorted(found), sorted((begin, end - begin) for _, _, begin, end in work)
    for (begin, took), (wanted, long) in zip(found, work):
        off = (begin - found[0][0]) - (wanted - work[0][0])
        if abs(off) > int(within) * (1 + (wanted - work[0][0]) / 1e9) or took != long:
            sys.exit(f"at {wanted}: {off} ns off, took {took} for {long}")


def agree(one, other):
    def times(path):
        return {symbol: [e.get("device_duration_ns") for e in its] for (_, symbol), its in events(path).items()}
    if times(one) != times(other):
        sys.exit(str([(s, times(one)[s], times(other).get(s)) for s in times(one) if times(one)[s] != times(other).get(s)][:3]))


def own(plain, timed):
    """A call of ours stands inside a call of the program's, or beside it; no library makes such calls on its own."""
    def count(path):
        outer, ours = collections.Counter(), collections.Counter()
        for _, symbols, n in counts.entries(path):
            if len(symbols) == 1:
                outer[symbols[0]] += n
            elif symbols[-1] in OURS and symbols[-2] not in OURS:
                ours[symbols[-1]] += n
        return outer, ours
    (was, inner), (now, ours) = count(plain), count(timed)
    ours.subtract(inner)
    more = {s: now[s] - was[s] for s in now.keys() | was.keys() if now[s] != was[s]}
    if set(more) - OURS - ASKED or min(more.values(), default=1) < 0 or not more:
        sys.exit(f"the program's calls changed: {more}")
    more = collections.Counter(more) + ours
    created = more["aclrtCreateEventExWithFlag"] + more["aclrtCreateEventWithFlag"]
    print("subscribed", more["msptiSubscribe"], "unsubscribed", more["msptiUnsubscribe"], end=" ")
    print("created", created, "destroyed", more["aclrtDestroyEvent"], "recorded", more["aclrtRecordEvent"], end=" ")
    print("asked", more["aclrtQueryEventStatus"])


{"same": same, "first": first, "within": within, "devices": devices, "moments": moments, "agree": agree, "own": own}[sys.argv[1]](*sys.argv[2:])
