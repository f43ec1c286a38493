"""Whether a process could find its steps in the sequence of its launches alone, while it runs: why there is no step source that does."""
import subprocess
import harness as h

RULES = (("equal", "equal distances"), ("alike", "distances alike"))


def run():
    h.title("Steps by the sequence of launches alone: 40 steps each")
    h.say("right from: the step after which the rule's answer is, and stays, a kernel of once a step; ends: how many ends of steps the")
    h.say("answer at the end makes. decided in: the step in which a process that knows of no step would have settled, as the same kernel was")
    h.say("the answer three times in a row, asked every 1,024 launches; ends then: how many ends of steps that one makes.")
    out = subprocess.run([h.BUILD + "/tests/bench/periods"], env=h.ENV, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows, cost = [], 0
    for line in out.splitlines():
        name, *fields = line.split("\t")
        x = dict(f.split("=") for f in fields)
        for rule, words in RULES:
            rows.append(["%s; %s" % (name, words), x["launches"]] + [x[rule + "_" + key] if x[rule + "_" + key] != "0" else None
                                                                   for key in ("lock", "ends", "said", "said_ends")])
            cost = max(cost, float(x[rule + "_ns"]))
    h.table(["", "launches/step", "right from", "ends", "decided in", "ends then"], rows)
    h.say()
    h.bar("a launch, either rule: ns", cost, 15, 1)
