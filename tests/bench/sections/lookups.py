"""What dlsym costs for a name that is hooked, and for one that is not."""
import harness as h

ROUNDS = h.pick(6, 3)
OURS = "clFinish clEnqueueNDRangeKernel aclrtMemcpyAsync aclnnAdd".split()
OTHERS = "PyInit_other malloc_other clock_other".split()


def run():
    h.title("Cost of a look-up: dlsym() of a library opened for itself, ns")
    h.must_compile(h.DIR + "/lookups", ["lookups.c"], "-ldl")
    h.must_compile(h.DIR + "/libnames.so", ["lookups.c"], "-DNAMES", "-shared", "-fPIC")
    words = [h.DIR + "/lookups", h.DIR + "/libnames.so"]
    m = h.rotate(ROUNDS, "look-ups", {"bare": lambda: h.run(words), "dormant": lambda: h.run(words, agent=h.DORMANT)})
    bare, ours = ({name: h.best(m[who], name) for name in OURS + OTHERS} for who in ("bare", "dormant"))
    h.table(["", "bare", "ranktrace", "added", "ratio"],
            [[("hooked: " if n in OURS else "other: ") + n, "%.1f" % bare[n], "%.1f" % ours[n], "%.1f" % (ours[n] - bare[n]),
              "%.2f" % (ours[n] / bare[n])] for n in OURS + OTHERS])
    h.say()
    h.bar("look-up of a hooked name: added ns", max(ours[n] - bare[n] for n in OURS), 100, 1)
    h.bar("look-up of another name: added ns", max(ours[n] - bare[n] for n in OTHERS), 8, 1)
