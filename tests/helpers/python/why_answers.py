"""why_answers.py TOOL RUN [OPTION]...: one line of each step that `ranktrace why` tells of, as "5 of 1: +3000000 host_gap=3000000 (certain)".

On the way: JSON has its keys and no others, causes are the closed list's, largest first, and add up; text says the same in the same order, in five
sentences at most and a rest; each command below an amount shows the calls that its sentence names."""
import json, re, shlex, subprocess, sys

KINDS = "host_gap host_call kernel_time kernel_count kernel_shape copy wait transfer allocation first_call idle unexplained".split()
FINDING = "rank step excess_ns reference lacks ranks_waiting slowest_rank steps_last causes record_next".split()
CAUSE = "kind ns confidence text evidence".split()
CLOCK = "host known offset_ns residual_ns collectives".split()
WHOLE_RUN = "last_to_collectives ranks_without_file ranks_without_file_by_group ranks_with_other_steps".split()
LATE = "rank last collectives late_median_ns late_worst_ns worst_step".split()
OTHER_STEPS = "rank stopped steps_lacking steps_more".split()
NAMES = r"\b(?:cl[A-Z]\w+|Hccl\w+|mstx\w+|matmul|norm|relu|add|adam|extra)\b"
tool, options = sys.argv[1], sys.argv[2:]


def ran(*words):
    return subprocess.run([tool, *words], stdout=subprocess.PIPE, check=True, text=True).stdout


def amount(ns):
    unit, of = ("s", 1e9) if abs(ns) >= 1e9 else ("ms", 1e6) if abs(ns) >= 1e6 else ("us", 1e3)
    return "%.3f %s" % (ns / of, unit)


def shown(cause):
    """What the command prints has the calls and kernels that the sentence begins with."""
    words = shlex.split(cause["evidence"])
    assert words[0] == tool, words
    lines = ran(*words[1:])
    named = re.findall(NAMES, cause["text"].split(":")[0])
    assert named or "in many" in cause["text"] or cause["kind"] == "kernel_time", cause
    for name in named:
        assert re.search(r"\b%s\b" % name, lines), (name, cause["evidence"], lines)


def check_causes(f):
    causes = f["causes"]
    assert [c["ns"] for c in causes] == sorted((c["ns"] for c in causes), reverse=True), causes
    assert sum(c["ns"] for c in causes) == (f["excess_ns"] or 0), f
    for c in causes:
        assert list(c) == CAUSE and c["kind"] in KINDS and c["confidence"] in ("certain", "likely", "possible"), c
        assert (c["evidence"] is None) == (c["kind"] == "unexplained"), c
        if c["evidence"]:
            shown(c)


def check_text(f, lines):
    """Its lines, without the head and the commands; of a step that stands out."""
    told = [c for c in f["causes"][:5] if len(f["causes"]) == 1 or abs(c["ns"]) >= abs(f["excess_ns"]) // 100]
    rest = sum(c["ns"] for c in f["causes"] if c not in told)
    for c in told:
        line = lines.pop(0)
        words = "" if c["kind"] == "unexplained" else " (%s)" % c["confidence"]
        assert line.split(None, 4) == [*amount(c["ns"]).split(), "%.1f" % (100 * c["ns"] / f["excess_ns"]), "%", c["text"] + words], (line, c)
    if rest and abs(rest) >= abs(f["excess_ns"]) // 100:
        assert lines.pop(0).strip().startswith(amount(rest) + " "), rest


answer = json.loads(ran("why", "--format", "json", *options))
keys = ["findings", "clocks"] + ([] if "--steps" in options or "--ranks" in options else WHOLE_RUN)
assert list(answer) == keys and all(list(c) == CLOCK for c in answer["clocks"]), answer
assert all(list(r) == LATE for r in answer.get("last_to_collectives", [])) and all(list(r) == OTHER_STEPS for r in answer.get("ranks_with_other_steps", [])), answer
text = ran("why", *options)
amounts = [line for line in text.splitlines() if re.match(r" +-?\d", line)]
for f in answer["findings"]:
    assert list(f) == FINDING, list(f)
    check_causes(f)
    if f["excess_ns"] and "differ by as much" not in text:
        check_text(f, amounts)
    print("%d of %s: %s" % (f["step"], f["rank"], f["lacks"] or "%+d" % f["excess_ns"]), *("%s=%d (%s)" % (c["kind"], c["ns"], c["confidence"]) for c in f["causes"]))
