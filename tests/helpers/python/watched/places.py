"""places.py: of the events on standard input how many each place has: step, role.occurrence, mini, micro; what is not, as -."""
import collections
import json
import sys


def text(value):
    return "-" if value is None else str(value)


counts = collections.Counter()
for event in map(json.loads, sys.stdin):
    role = event.get("role")
    stage = "-" if role is None else f"{role}.{event['occurrence']}"
    counts[" ".join([text(event["step"]), stage, text(event.get("mini")), text(event.get("micro"))])] += 1
for place, n in counts.items():
    print(place + ":", n)
