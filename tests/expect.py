"""expect.py TOOL PATH EXPRESSION: is it true of the report (r), its processes (ranks), the dump (e)?

Helpers in the expression: steps(rank) -> {step: events}, by(key, events) -> Counter,
counts(file) -> what the counting layer saw, Counter by entry point.
"""
import collections
import json
import subprocess
import sys


def main():
    tool, path, expression = sys.argv[1:4]
    report = subprocess.run([tool, "report", "--format", "json", path], capture_output=True, text=True)
    dump = subprocess.run([tool, "dump", "--format", "jsonl", path], capture_output=True, text=True)
    r = json.loads(report.stdout)
    e = [json.loads(line) for line in dump.stdout.splitlines()]
    ranks = r["ranks"]

    def of(rank):
        return [x for x in ranks if x["rank"] == rank]

    names = {
        "r": r,
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
    if not value:
        shown = json.dumps([{k: x[k] for k in ("rank", "step_source", "events", "steps")} for x in ranks])
        sys.exit(f"not so: {expression}; report: {shown[:1500]} {report.stderr} {dump.stderr}")


def counts(path):
    lines = (line.split() for line in open(path) if not line.startswith("completed:"))
    return collections.Counter({name: int(n) for name, n in lines})


main()
