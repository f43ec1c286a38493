"""table.py RESULT VERSION...: runs e2e_torch_npu.sh, e2e_torch_npu_windows.sh and e2e_stacks_torch_npu.sh of tests/e2e/ascend with each, and
writes what came out into the table of RESULT.

Where a check fails the table says so, and so does the exit status.
"""
import pathlib
import re
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).parent.parent / "e2e/ascend"
ALL_MODES = ("2.1.0.post17", "2.7.1.post11", "2.14.0")  # of torch_npu's queue, and more kinds of windows; the others: its own choice
HEAD = """| torch_npu | checks | windows of verl's loop | stacks, modes 0, 1, 2 | calls recorded at level2 | of steps 2 + 4, rank 0 of 2 | with torch_npu.profiler | seconds |
|---|---|---|---|---|---|---|---|
"""


def checked(test, *arguments):
    """What it says, how its checks came out, and whether one failed."""
    run = subprocess.run([TESTS / test, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout, end="", flush=True)
    good, bad = (len(re.findall(rf"^{word} ", run.stdout, re.M)) for word in ("ok", "FAIL"))
    return run.stdout, f"{good} hold" + (f", **{bad} fail**" if bad or run.returncode else ""), bad or run.returncode


def row(version):
    begin = time.time()
    said, checks, bad = checked("e2e_torch_npu.sh", version, "more")
    facts = dict(re.findall(r"^is (\w+) (.*)$", said, re.M))
    told = [facts.get(name, "-") for name in ("recorded", "stepped", "profiled")]
    in_all = version in ALL_MODES
    _, windows, worse = checked("e2e_torch_npu_windows.sh", version, *(["more"] if in_all else []))
    windows += ", modes 0, 1, 2" if in_all else ", mode 1"
    _, stacks, worst = checked("e2e_stacks_torch_npu.sh", version)
    return bad or worse or worst, f"| {version} | {checks} | {windows} | {stacks} | {' | '.join(told)} | {time.time() - begin:.0f} |\n"


def main(result, *versions):
    result, failed = pathlib.Path(result), 0
    rows = []
    for version in versions:
        print(f"torch_npu {version}", flush=True)
        bad, line = row(version)
        failed += bool(bad)
        rows.append(line)
    begin, end = "<!-- made by make test-torch-npu -->\n", "<!-- end -->\n"
    before, rest = result.read_text().split(begin)
    result.write_text(before + begin + HEAD + "".join(rows) + end + rest.split(end)[1])
    sys.exit(bool(failed))


main(*sys.argv[1:])
