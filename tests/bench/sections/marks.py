"""What a marker (mstx) costs outside windows: where nobody waits for it, and where a marker: source does whose expression it does not match."""
import os
import harness as h

ROUNDS = h.pick(6, 3)
COLUMNS = ("mark", "range", "new")


def run():
    h.title("Cost of a marker outside windows, ns")
    fake = h.DIR + "/fake0/libms_tools_ext.so"
    h.must_compile(fake, ["fake_mstx.c"], "-shared", "-fPIC", "-Wl,-soname,libms_tools_ext.so")
    h.must_compile(h.DIR + "/marks", ["marks.c", "bench.c"], os.path.join(h.DIR, "fake0", "libOpenCL.so.1"), fake)
    agent = dict(STEPS="100000-", RANKS="all", CONTENTS="cpu", RANK="0")
    variants = {"without ranktrace": None,
                "--step-source api": dict(agent, STEP_SOURCE="api"),
                "--step-source marker:^iteration$": dict(agent, STEP_SOURCE="marker:^iteration$"),
                "a marker: of stages, too": dict(agent, STEP_SOURCE="marker:^iteration$", STAGE_SOURCE="marker:^(generate|update)$")}
    runs = h.rotate(ROUNDS, "marks", {name: lambda a=a: h.run([h.DIR + "/marks"], agent=a, counted=False) for name, a in variants.items()})
    best = {(name, column): h.best(runs[name], column) for name in variants for column in COLUMNS}
    h.table(["", "a mark", "a range", "a new message"], [[name] + ["%.0f" % best[name, column] for column in COLUMNS] for name in variants])
    h.say()
    added = best["--step-source api", "range"] - best["without ranktrace", "range"]
    h.bar("a range, nobody waits for it: added ns", added, 5, 1)
    h.bar("a mark that is waited for in vain: ns", best["--step-source marker:^iteration$", "mark"], 100, 0)
