"""same_report.py: what a JSON report on standard input says, but for times, places and numbers of processes: the same for the same job."""
import json
import sys


def counted(rows, *keys):
    return sorted([row.get(key) for key in keys] for row in rows)


for rank in json.load(sys.stdin)["ranks"]:
    print({key: rank[key] for key in ("rank", "rank_source", "step_source", "clean_end", "recovered", "events", "entry_points", "failed", "files")})
    print(counted(rank["steps"], "step", "events", "ended", "times"))
    print(counted(rank["kernels"], "name", "kind", "count", "timed"))
    print({direction: (row["count"], row["bytes"], row["timed"]) for direction, row in sorted(rank["copies"].items())})
