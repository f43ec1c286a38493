"""What a handle costs that comes and goes after many others, in ns of CPU for the two calls."""
import os
import harness as h

ROUNDS, MILLIONS = h.pick(6, 3), 10


def run():
    h.title("Cost of a buffer that comes and goes, while dormant, after %d million others: ns" % MILLIONS)
    library = os.path.join(h.DIR, "fake_handles", "libOpenCL.so.1")
    h.must_compile(library, ["handles.c"], "-DVENDOR", "-shared", "-fPIC", "-Wl,-soname,libOpenCL.so.1")
    h.must_compile(h.DIR + "/handles", ["handles.c"], library)
    words = [h.DIR + "/handles", str(MILLIONS)]
    dormant = dict(h.DORMANT, CONTENTS="cpu,memory")
    m = h.rotate(ROUNDS, "handles", {"bare": lambda: h.run(words, fake="fake_handles"),
                                     "ranktrace, dormant": lambda: h.run(words, agent=dormant, fake="fake_handles")})
    h.table(["", "first million", "last million"], [[n, "%.1f" % h.best(r, "first"), "%.1f" % h.best(r, "last")] for n, r in m.items()])
    first, last = (h.best(m["ranktrace, dormant"], key) - h.best(m["bare"], key) for key in ("first", "last"))
    h.say()
    h.bar("a handle of the last million / of the first: added", last / first, 1.2, 2)
