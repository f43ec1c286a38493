"""What the second phase of an operator (aclnn) costs that was looked up by dlsym: a way of its own from a pool, as torch_npu's have.
What shapes and npu cost outside windows is seen with both phases and their tensors: shapes are noted before they are wanted."""
import harness as h
from sections import calls

TABLES = (
    ("at once", "operators, callee returns at once", "fake0"),
    ("50 ns", "operators, callee works about 50 ns", "fake50"),
)
VARIANTS = "bare dormant dormant_npu dormant_shapes cpu plans shapes lttng_off lttng_on".split()
PHASES = "bare dormant dormant_npu dormant_shapes cpu shapes".split()


def bars(text, m):
    calls.bar(m, "operator, dormant: added ns; " + text, calls.added(m, "dormant"), 2.5)
    calls.bar(m, "operator, recording: added ns; " + text, calls.added(m, "cpu"), 30)
    if "lttng_off" in m:
        calls.bar(m, "operator, recording / active pair; " + text, calls.ratio(m, "cpu", "lttng_on"), 0.12)
        h.note("dormant: %.2f of an inactive pair; %s" % (calls.ratio(m, "dormant", "lttng_off"), text))


def run():
    h.title("Cost of an operator (aclnn, second phase, by dlsym), in ns of the calling thread's CPU time")
    results = {}
    for name, text, fake in TABLES:
        variants = {n: calls.variant(n, fake, "operator") for n in filter(calls.there, VARIANTS)}
        results[name] = h.rotate(calls.ROUNDS, "operators, " + name, variants)
        calls.show(text, results[name])
    both = {n: calls.variant(n, "fake0", "phases") for n in PHASES}
    results["both"] = h.rotate(calls.ROUNDS, "operators, both phases", both)
    calls.show("both phases and two tensors, at once", results["both"])
    h.say()
    for name, text, _ in TABLES:
        bars(text.split(", ")[1], results[name])
    calls.bar(results["both"], "both phases and two tensors, recording cpu,shapes: added ns", calls.added(results["both"], "shapes"), 80)
    wrong = sum(r.get("miscounted", 0) for m in results.values() for rs in m.values() for r in rs)
    h.bar("operators: processes with calls unaccounted for", wrong, 0, 0)
