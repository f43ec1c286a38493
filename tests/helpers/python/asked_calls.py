"""asked_calls.py SAID SCRIPT WORD...: runs a program of tinygrad, and writes of each call of OpenCL that it makes who asks for it, as Python says:
a JSON line each, [function of OpenCL, [[function, file, line], ..] innermost first].
asked_calls.py - SAID TOOL TRACE: has each call of another run, which is recorded, the stack that was said, in the order in which they are made? Are
the report's calls by line as many? The first call of all has ranktrace ask Python, and no stack.
"""
import collections
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces  # noqa: E402


# ---- what Python says ----


def frames_from(frame):
    """Without those of this file, which stand outside the program's."""
    found = []
    while frame and frame.f_code.co_filename != __file__:
        code = frame.f_code
        found.append([getattr(code, "co_qualname", code.co_name), code.co_filename, frame.f_lineno])
        frame = frame.f_back
    return found


def told(name, function, said):
    def call(*arguments):
        said.append([name, frames_from(sys._getframe(1))])
        return function(*arguments)
    call.argtypes = function.argtypes
    return call


def run(path, script, *words):
    from tinygrad.runtime.autogen import opencl

    said = []
    for name, function in list(vars(opencl).items()):
        if name.startswith("cl") and hasattr(function, "argtypes"):
            setattr(opencl, name, told(name, function, said))
    sys.argv = [script, *words]
    with open(script) as file:
        exec(compile(file.read(), script, "exec"), {"__name__": "__main__", "__file__": script})
    with open(path, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in said)


# ---- what the trace says ----


def asked(event):
    return [event["name"], [[frame["function"], frame["file"], frame["line"]] for frame in event.get("stack", [])]]


def by_line(said):
    """Calls of each line of the script, which is the outermost frame's file."""
    frames = (next(frame for frame in frames if frame[1] == frames[-1][1]) for _, frames in said if frames)
    return collections.Counter(map(tuple, frames))


def compare(path, tool, trace):
    events = sorted(traces.dump(tool, trace), key=lambda event: event["begin_ns"])
    names = {event["name"] for event in events}
    wanted = [line for line in map(json.loads, open(path)) if line[0] in names]
    wanted[0][1] = []
    got = list(map(asked, events))
    wrong = [pair for pair in zip(wanted, got) if pair[0] != pair[1]]
    lines = {(line["function"], line["file"], line["line"]): line["count"] for line in traces.report(tool, trace)[0]["lines"]}
    print(*wrong[:1], f"{len(wanted)} calls, {len(got)} of them recorded, {len(wrong)} wrong, by line:", lines)
    sys.exit(len(wanted) != len(got) or bool(wrong) or lines != by_line(wanted))


compare(*sys.argv[2:]) if sys.argv[1] == "-" else run(*sys.argv[1:])
