"""traces.py - what the tests' Python helpers know of a run: its report, its events, what a fake library counted."""
import json
import struct
import subprocess


def run(tool, *arguments):
    """The tool's standard output; its status is the caller's business, who looks at what it printed."""
    p = subprocess.run([tool, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    run.said = p.stderr
    return p.stdout


def report(tool, path):
    """The report's processes; none if there is no trace."""
    return json.loads(run(tool, "report", "--format", "json", path) or '{"ranks":[]}')["ranks"]


def lines(tool, path):
    """What dump prints: events, and calls that were dropped."""
    return [json.loads(line) for line in run(tool, "dump", "--format", "jsonl", path).splitlines()]


def dump(tool, path):
    return [line for line in lines(tool, path) if line["kind"] != "dropped"]


def counted(path):
    """{pid: calls} of a file of tests/helpers/kill/fake_counts.h"""
    with open(path, "rb") as f:
        return {pid: calls for pid, _, calls in struct.iter_unpack("<IIQ", f.read()) if pid}


def damage(ranks):
    """Of processes that ended their files themselves: a byte that is no chunk's, a chunk or a slot too few."""
    return ["process %d: %s" % (r["pid"], r["lost"]) for r in ranks if r["clean_end"] and any(r["lost"].values())]


def shown(ns):
    """A duration as the report has it."""
    for unit, size in (("s", 10**9), ("ms", 10**6)):
        if ns >= size:
            return "%.3f %s" % (ns / size, unit)
    return "%.3f us" % (ns / 1000)
