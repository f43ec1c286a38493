"""asked.py same SAID DUMP: is every call of work() told with the stack that Python gave it, or with some where Python saw none, and no other among them?
asked.py queued DUMP QUEUED: of the same operators in a queue: has each the stack that it has without?
asked.py of DUMP KIND...: whose stacks calls of a kind have, or why none.
asked.py sum DUMP: `stack_of count` of calls that have a stack, then `no stack: stack_of count` of those that have none.
"""
import collections
import json
import sys

KINDS = ("operator", "copy", "collective", "launch")
BELOW = ("aclrtLaunchKernelWithHostArgs", "cuLaunchKernel", "cuLaunchKernelEx")  # by libraries of operators, in calls of theirs


def events(path, kinds):
    with open(path) as file:
        found = [event for event in map(json.loads, file) if event["kind"] in kinds and event["name"] not in BELOW]
    return sorted(found, key=lambda event: event["begin_ns"])


def asked(event):
    frames = event.get("stack")
    return event.get("stack_of", "caller"), frames and [[frame["function"], frame["file"], frame["line"]] for frame in frames]


def of_work(found):
    """From the first to the last that was asked for in work()."""
    there = [i for i, event in enumerate(found) if any(frame["function"] == "work" for frame in event.get("stack", []))]
    return found[there[0]:there[-1] + 1]


COPIES = {"aclnnInplaceCopy", "cudaMemcpyAsync"}


def calls(counts):
    """An operator may add in place where a mode is not looking."""
    found = collections.Counter()
    for name, n in counts.items():
        found[name.replace("Inplace", "")] += n
    return found


def group(found, of, wanted):
    """The first of those found, if they are these. While a mode looks the backward pass copies what it else changes in place."""
    for names in (wanted, {name: n for name, n in wanted.items() if name not in COPIES or of != "backward"}):
        these = found[:sum(names.values())]
        if calls(collections.Counter(event["name"] for event in these)) == calls(names):
            return these
    return None


def same(said, dump):
    found, at, wrong = of_work(events(dump, KINDS)), 0, []
    for line in open(said):
        of, frames, wanted = json.loads(line)
        these = group(found[at:], of, wanted)
        at += len(these or [])
        if these is None or any(asked(event) != (of, frames) if frames else "stack" not in event for event in these):
            wrong.append(("wanted", of, wanted, frames, "got", [(event["name"], *asked(event)) for event in these or found[at:at + 1]]))
    return at, len(found), wrong


def queued(dump, other):
    without, within = events(dump, KINDS[:1]), events(other, KINDS[:1])
    wrong = [(a["name"], asked(a), asked(b)) for a, b in zip(without, within)
             if a["name"] != b["name"] or asked(b) != (asked(a)[0].replace("caller", "asked"), asked(a)[1])]
    return len(without), len(within), wrong


def counted(dump):
    of = collections.Counter()
    for event in map(json.loads, open(dump)):
        of[("" if "stack" in event else "no stack: ") + event.get("stack_of", "caller" if "stack" in event else "not asked")] += 1
    return of


def main(what, *paths):
    if what == "sum":
        print(*(f"{name} {n}" for name, n in sorted(counted(*paths).items())), sep="; ")
        return
    if what == "of":
        print(*(" ".join([kind, *sorted({asked(event)[0] for event in events(paths[0], [kind])})]) for kind in paths[1:]), sep="; ")
        return
    wanted, got, wrong = {"same": same, "queued": queued}[what](*paths)
    print(*wrong[:1], f"{wanted} calls, {got} of them recorded, {len(wrong)} wrong")
    sys.exit(wanted != got or bool(wrong))


main(*sys.argv[1:])
