"""compare.py TOOL TRACE: does the tool read the trace as TRACE.dump and TRACE.report say? It may tell more, never less."""
import json
import subprocess
import sys


def holds(got, wanted, where):
    """Everything wanted is in got; keys may have been added since."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            if key not in got:
                sys.exit(f"{where}: {key} is gone")
            holds(got[key], value, f"{where}.{key}")
    elif isinstance(wanted, list):
        if all(isinstance(value, dict) and value.get("kind") != "dropped" for value in wanted):  # once the lines of dump were events alone
            got = [value for value in got if not isinstance(value, dict) or value.get("kind") != "dropped"]
        if len(got) != len(wanted):
            sys.exit(f"{where}: {len(got)} in place of {len(wanted)}")
        for i, value in enumerate(wanted):
            holds(got[i], value, f"{where}[{i}]")
    elif got != wanted:
        sys.exit(f"{where}: {got!r} in place of {wanted!r}")


def read(command, tool, trace):
    format = {"dump": "jsonl", "report": "json"}[command]
    text = subprocess.run([tool, command, "--format", format, trace], capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()] if command == "dump" else json.loads(text)


tool, trace = sys.argv[1:3]
with open(trace + ".dump") as f:
    holds(read("dump", tool, trace), [json.loads(line) for line in f], "dump")
with open(trace + ".report") as f:
    holds(read("report", tool, trace), json.load(f), "report")
