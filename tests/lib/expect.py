"""expect.py TOOL PATH EXPRESSION: is it true of the report's processes (ranks) and the dump's events (e)?

Helpers in the expression: steps(rank) -> {step: events}, by(key, events) -> Counter,
counts(file) -> what the counting layer saw, Counter by entry point.
"""
import collections
import json
import sys

import traces


def main():
    tool, path, expression = sys.argv[1:4]
    ranks = traces.report(tool, path)
    said = traces.run.said
    e = traces.dump(tool, path)

    def of(rank):
        return [x for x in ranks if x["rank"] == rank]

    names = {
        "e": e,
        "ranks": ranks,
        "of": of,
        "one": lambda rank: of(rank)[0],
        "steps": lambda rank: {s["step"]: s["events"] for x in of(rank) for s in x["steps"]},
        "by": lambda key, events: collections.Counter(x.get(key) for x in events),
        "counts": counts,
        "total": lambda key: sum(x["events"][key] for x in ranks),
        "Counter": collections.Counter,
    }
    value = eval(expression, names)
    broken = traces.damage(ranks)
    if broken:
        sys.exit(f"damaged, though it ended its files itself: {broken}")
    if not value:
        shown = json.dumps([{k: x[k] for k in ("rank", "step_source", "events", "steps")} for x in ranks])
        sys.exit(f"not so: {expression}; report: {shown[:1500]} {said} {traces.run.said}")


def counts(path):
    lines = (line.split() for line in open(path) if not line.startswith("completed:"))
    return collections.Counter({name: int(n) for name, n in lines})


main()
