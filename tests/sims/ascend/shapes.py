"""shapes.py COMMAND ...: what a program says its operators were given, and what a trace says. Dumps are JSON lines.

operators SAID DUMP   `shapes STEP OPERATOR TENSORS` lines are the operators of the trace, in their order; STEP -1: none
given GIVEN DUMP      of each thread each operator has the tensors that the simulated libraries were given for it (SIM_SHAPES)
joined DUMP N [coarse]  N first phases, each of the next operator with its plan and name, and of its shapes
inside DUMP           every launch with an operator lies inside of one of that name; those without lie in none
sums SAID REPORT       the report has each operator with each of its shapes, as often as said
arrows CHROME N       N arrows, each from the end of a first phase to the beginning of its operator; arguments as said
"""
import collections
import json
import re
import sys

# Of CANN's numbers those that programs here use.
TYPES = {0: "fp32", 1: "fp16", 2: "int8", 3: "int32", 4: "uint8", 6: "int16", 9: "int64", 11: "fp64", 12: "bool", 27: "bf16"}
FORMATS = {0: "NCHW", 1: "NHWC", 2: "ND", 3: "NC1HWC0", 29: "FRACTAL_NZ", 30: "NCDHW"}


def text(event):
    """As dump's columns have it."""
    if "shapes" not in event:
        return ""
    tensors = []
    for t in event["shapes"]:
        suffix = "" if t["format"] == "ND" else ":" + t["format"]
        tensors.append(f"{t['type']}[{','.join(map(str, t['dims']))}]{suffix}")
    left_out = event.get("tensors_left_out", 0)
    return ";".join(tensors) + (f";+{left_out}" if left_out else "")


def load(path):
    return [json.loads(line) for line in open(path)]


def said(path):
    lines = [line.rstrip("\n").split(" ", 3) for line in open(path) if line.startswith("shapes ")]
    return [(int(line[1]), line[2], line[3] if len(line) > 3 else "") for line in lines]


def same(wanted, got):
    for i, (a, b) in enumerate(zip(wanted, got)):
        if a != b:
            sys.exit(f"number {i}: {a} wanted, {b} there")
    if len(wanted) != len(got) or not wanted:
        sys.exit(f"{len(wanted)} wanted, {len(got)} there")


def operators(path, dump):
    events = [e for e in load(dump) if e["kind"] == "operator" and e.get("kernel", "").startswith("aclnn") and not e.get("nested")]
    same(said(path), [(-1 if e["step"] is None else e["step"], e["kernel"], text(e)) for e in events])


def named(tensor):
    """As the columns of dump have it, of `type:format[dimensions]` in numbers."""
    kind, form, dims = re.fullmatch(r"(\d+):(\d+)(\[[-\d,]*\])", tensor).groups()
    return TYPES[int(kind)] + dims + ("" if FORMATS[int(form)] == "ND" else ":" + FORMATS[int(form)])


def given(path, dump):
    lines = [line.split() for line in open(path)]
    wanted = [(int(thread), name, ";".join(map(named, tensors))) for thread, name, *tensors in lines]
    events = [e for e in load(dump) if e["kind"] == "operator" and e.get("kernel", "").startswith("aclnn") and not e.get("nested")]
    got = [(e["tid"], e["kernel"], text(e)) for e in sorted(events, key=lambda e: e["begin_ns"])]
    same(sorted(wanted, key=lambda x: x[0]), sorted(got, key=lambda x: x[0]))


def joined(dump, wanted, clock=""):
    made, first = {}, 0
    # a plan is there when its first phase is over
    for e in sorted(load(dump), key=lambda e: e["begin_ns"] + (e["duration_ns"] if e["kind"] == "prepare" else 0)):
        if e["kind"] == "prepare" and not e["result"]:
            made[e["plan"]] = e
            first += 1
        elif e["kind"] == "operator" and e.get("plan") in made:
            p = made.pop(e["plan"])
            if p["kernel"] != e["kernel"] + "GetWorkspaceSize" or text(p) != text(e):
                sys.exit(f"{p} is not for {e}")
            if p["begin_ns"] + p["duration_ns"] > e["begin_ns"] or not (p["duration_ns"] or clock):
                sys.exit(f"{p} was not over before {e}")
    if first != int(wanted) or made:
        sys.exit(f"{first} first phases, {wanted} wanted; of no operator: {list(made.values())}")


def inside(dump):
    events = load(dump)
    operators = [e for e in events if e["kind"] == "operator"]
    seen = collections.Counter()
    for e in events:
        if e["kind"] != "launch":
            continue
        end = e["begin_ns"] + e["duration_ns"]
        around = [o["kernel"] for o in operators
                  if o["tid"] == e["tid"] and o["begin_ns"] <= e["begin_ns"] and end <= o["begin_ns"] + o["duration_ns"]]
        if around[-1:] != ([e["operator"]] if "operator" in e else []):
            sys.exit(f"{e} is inside of {around}")
        seen["operator" in e] += 1
    if not seen[True] or not seen[False]:
        sys.exit(f"launches inside and outside: {seen}")


def arrows(chrome, wanted):
    events = json.load(open(chrome))["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    starts = {e["id"]: e for e in events if e["ph"] == "s" and e["name"] == "prepared"}
    ends = {e["id"]: e for e in events if e["ph"] == "f" and e["name"] == "prepared"}
    if len(starts) != int(wanted) or starts.keys() != ends.keys():
        sys.exit(f"{len(starts)} arrows begin, {len(ends)} end, {wanted} wanted")
    for number, start in starts.items():
        end = ends[number]
        [p] = [s for s in slices if s["tid"] == start["tid"] and s["name"].endswith("GetWorkspaceSize") and abs(s["ts"] + s["dur"] - start["ts"]) < .0005]
        [o] = [s for s in slices if s["tid"] == end["tid"] and s["cat"] == "cpu_op" and s["ts"] == end["ts"]]
        if p["args"]["kernel"] != o["args"]["kernel"] + "GetWorkspaceSize" or p["args"]["Input Dims"] != o["args"]["Input Dims"]:
            sys.exit(f"from {p} to {o}")
        if not all(len(o["args"]["Input Dims"]) == len(o["args"][key]) for key in ("Input type", "Input Formats")):
            sys.exit(f"not as many types and formats as tensors: {o}")


def sums(path, report):
    wanted = collections.Counter((name, tensors) for _, name, tensors in said(path))
    [process] = json.load(open(report))["ranks"]
    got = {(o["name"], o["shapes"]): o["count"] for o in process["operators"]}
    if got != wanted:
        sys.exit(f"{wanted} wanted, {got} there")


{"sums": sums, "operators": operators, "given": given, "joined": joined, "inside": inside, "arrows": arrows}[sys.argv[1]](*sys.argv[2:])
