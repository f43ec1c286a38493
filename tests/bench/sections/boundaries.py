"""What a boundary costs that a program tells: of steps, stages, micro-batches, in a recorded step and elsewhere."""
import os
import harness as h

ROUNDS = h.pick(6, 3)
KINDS = ("step", "stage", "micro")


def run():
    h.title("Cost of a boundary that the program tells, ns")
    h.must_compile(h.DIR + "/boundaries", ["boundaries.c"], os.path.join(h.DIR, "fake0", "libOpenCL.so.1"))
    agent = dict(STEPS="100000-", STEP_SOURCE="api", RANKS="all", CONTENTS="cpu")
    ranks = {"known": dict(agent, RANK="0"), "unknown": agent}
    runs = h.rotate(ROUNDS, "boundaries", {name: lambda a=a: h.run([h.DIR + "/boundaries"], agent=a, counted=False) for name, a in ranks.items()})
    m = runs["known"]
    best = {where: {kind: h.best(m, "%s_%s" % (kind, where)) for kind in KINDS} for where in ("outside", "inside")}
    h.table(["", "not recorded", "recorded"], [[kind, "%.0f" % best["outside"][kind], "%.0f" % best["inside"][kind]] for kind in KINDS] +
            [["step, while no variable tells the rank"] + ["%.0f" % h.best(runs["unknown"], "step_" + where) for where in ("outside", "inside")]])
    h.say()
    h.bar("a boundary in a step that is not recorded: ns", max(best["outside"].values()), 300, 0)
    h.bar("a boundary in a step that is: ns", max(best["inside"].values()), 3000, 0)
