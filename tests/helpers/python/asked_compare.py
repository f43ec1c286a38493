"""asked_compare.py SAID DUMP: has each copy that asked_from.py made the stack that Python had there, to the line? Prints how many, and what differs."""
import json
import sys

said = [json.loads(line) for line in open(sys.argv[1])]
told = {}
for line in open(sys.argv[2]):
    event = json.loads(line)
    told[event["tid"], event["bytes"]] = event
wrong = 0
for tid, number, frames in said:
    stack = told.get((tid, number), {}).get("stack", [])
    got = [[frame["function"], frame["file"], frame["line"]] for frame in stack if "function" in frame]
    if got != frames:
        wrong += 1
        if wrong < 4:
            print("copy %d: wanted %s, got %s" % (number, frames[:6], got[:6]))
print("%d of %d" % (len(said) - wrong, len(said)))
