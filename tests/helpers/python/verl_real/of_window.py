"""of_window.py WHOLE PART: in each place that a run recorded in part has, it has the calls that a whole run has there; says how many places."""
import collections
import json
import sys


def calls(path):
    found = collections.defaultdict(collections.Counter)
    for event in map(json.loads, open(path)):
        place = tuple(event.get(key) for key in ("step", "role", "occurrence", "mini", "micro"))
        if event["kind"] != "event":  # a thread of torch's asks for those of collectives when it likes
            found[place][event["name"]] += 1
    return found


whole, part = map(calls, sys.argv[1:])
wrong = [place for place in part if part[place] != whole.get(place)]
for place in wrong[:5]:
    print(place, "wanted", dict(whole.get(place, {})), "got", dict(part[place]))
if wrong:
    sys.exit(1)
print(len(part))
