"""table.py RESULT VERSION...: runs tests/e2e/ascend/e2e_torch_npu.sh with each, and writes what came out into the table of RESULT.

Where a check fails the table says so, and so does the exit status.
"""
import pathlib
import re
import subprocess
import sys
import time

TEST = pathlib.Path(__file__).parent.parent / "e2e/ascend/e2e_torch_npu.sh"
HEAD = """| torch_npu | checks | calls recorded at level2 | of steps 2 + 4, rank 0 of 2 | with torch_npu.profiler | seconds |
|---|---|---|---|---|---|
"""


def row(version):
    begin = time.time()
    run = subprocess.run([TEST, version, "more"], stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout, end="", flush=True)
    facts = dict(re.findall(r"^is (\w+) (.*)$", run.stdout, re.M))
    good, bad = (len(re.findall(rf"^{word} ", run.stdout, re.M)) for word in ("ok", "FAIL"))
    told = [facts.get(name, "-") for name in ("recorded", "stepped", "profiled")]
    checks = f"{good} hold" + (f", **{bad} fail**" if bad or run.returncode else "")
    return bad or run.returncode, f"| {version} | {checks} | {' | '.join(told)} | {time.time() - begin:.0f} |\n"


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
