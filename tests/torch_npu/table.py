"""table.py RESULT VERSION...: runs e2e_torch_npu.sh, e2e_torch_npu_windows.sh and e2e_stacks_torch_npu.sh of tests/e2e/ascend with each, and
writes what came out into the table of RESULT. Of some versions a row more: the first test, but for what is about how long something took, with
agent, CANN and wheels for aarch64 under qemu-user.

Where a check fails the table says so, and so does the exit status.
"""
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
TESTS = HERE.parent / "e2e/ascend"
IN_FULL = ("2.1.0.post17", "2.7.1.post11", "2.14.0")  # all modes of torch_npu's queue, more kinds of windows, and aarch64
HEAD = """| torch_npu | checks | windows of verl's loop | stacks, modes 0, 1, 2 | calls recorded at level2 | of steps 2 + 4, rank 0 of 2 | with torch_npu.profiler | seconds |
|---|---|---|---|---|---|---|---|
"""


def checked(*command):
    """What it says, how its checks came out, and whether one failed."""
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout, end="", flush=True)
    good, bad = (len(re.findall(rf"^{word} ", run.stdout, re.M)) for word in ("ok", "FAIL"))
    return run.stdout, f"{good} hold" + (f", **{bad} fail**" if bad or run.returncode else ""), bad or run.returncode


def facts_of(said):
    facts = dict(re.findall(r"^is (\w+) (.*)$", said, re.M))
    return [facts.get(name, "-") for name in ("recorded", "stepped", "profiled")]


def row_of_aarch64(version):
    begin = time.time()
    said, checks, bad = checked(HERE / "on_aarch64", TESTS / "e2e_torch_npu.sh", version, "untimed")
    return bad, f"| {version}, aarch64 | {checks} | - | - | {' | '.join(facts_of(said))} | {time.time() - begin:.0f} |\n"


def row(version):
    begin = time.time()
    said, checks, bad = checked(TESTS / "e2e_torch_npu.sh", version, "more")
    told = facts_of(said)
    in_full = version in IN_FULL
    _, windows, worse = checked(TESTS / "e2e_torch_npu_windows.sh", version, *(["more"] if in_full else []))
    windows += ", modes 0, 1, 2" if in_full else ", mode 1"
    _, stacks, worst = checked(TESTS / "e2e_stacks_torch_npu.sh", version)
    return bad or worse or worst, f"| {version} | {checks} | {windows} | {stacks} | {' | '.join(told)} | {time.time() - begin:.0f} |\n"


def main(result, *versions):
    result, failed = pathlib.Path(result), 0
    rows = []
    for version in versions:
        print(f"torch_npu {version}", flush=True)
        for make in (row, row_of_aarch64) if version in IN_FULL else (row,):
            bad, line = make(version)
            failed += bool(bad)
            rows.append(line)
    begin, end = "<!-- made by make test-torch-npu -->\n", "<!-- end -->\n"
    before, rest = result.read_text().split(begin)
    result.write_text(before + begin + HEAD + "".join(rows) + end + rest.split(end)[1])
    sys.exit(bool(failed))


main(*sys.argv[1:])
