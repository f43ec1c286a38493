"""What a boundary costs that a program tells: of steps, stages, micro-batches, in a recorded step and elsewhere, without roles and with, and
where `ranktrace ctl` may ask."""
import os
import harness as h

ROUNDS = h.pick(6, 3)
KINDS = ("step", "stage", "micro")
PLACES = ("outside", "inside")


def run():
    h.title("Cost of a boundary that the program tells, ns")
    h.must_compile(h.DIR + "/boundaries", ["boundaries.c", "bench.c"], os.path.join(h.DIR, "fake0", "libOpenCL.so.1"))
    agent = dict(STEPS="100000-", STEP_SOURCE="api", RANKS="all", CONTENTS="cpu")
    variants = {"": dict(agent, RANK="0"),
                ", with roles": dict(agent, RANK="0", ROLES="actor{level=level1,ranks=0 8};rollout{replica_ranks=0};ref{enable=false}"),
                ", with on_demand": dict(agent, RANK="0", ON_DEMAND="true"),
                ", while no variable tells the rank": agent}
    runs = h.rotate(ROUNDS, "boundaries", {name: lambda a=a: h.run([h.DIR + "/boundaries"], agent=a, counted=False) for name, a in variants.items()})
    best = {(name, kind, place): h.best(runs[name], "%s_%s" % (kind, place)) for name in variants for kind in KINDS for place in PLACES}
    h.table(["", "not recorded", "recorded"],
            [[kind + name] + ["%.0f" % best[name, kind, place] for place in PLACES] for name in variants for kind in KINDS])
    h.say()
    for name in ("", ", with roles", ", with on_demand"):
        h.bar("a boundary in a step that is not recorded%s: ns" % name, max(best[name, kind, "outside"] for kind in KINDS), 300, 0)
        h.bar("a boundary in a step that is%s: ns" % name, max(best[name, kind, "inside"] for kind in KINDS), 3000, 0)
