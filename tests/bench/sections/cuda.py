"""What calls of CUDA cost by the runtime, by the driver and by what its resolver answers; beside another major of the runtime; ranges of NVTX; and what is
called before them."""
import os
import harness as h

ROUNDS = h.pick(6, 3)
ROADS = {"runtime": "cudaLaunchKernel", "driver": "cuLaunchKernel", "resolver": "cuLaunchKernel by cuGetProcAddress", "range": "an NVTX range, push and pop"}
BESIDE = {"beside": "cudaLaunchKernel beside another major", "other": "cudaLaunchKernel of that major"}
BEFORE = {"request": "cuGetProcAddress", "registration": "__cudaRegisterFunction, of 500,000"}


def measured(rounds, variants):
    """What the calls of each variant cost, by rounds."""
    fake = h.DIR + "/fake0/libcudart.so.13"
    h.must_compile(fake, ["fake_cuda.c"], "-shared", "-fPIC", "-Wl,-soname,libcudart.so.13")
    h.must_compile(h.DIR + "/cuda", ["cuda.c", "bench.c"], os.path.join(h.DIR, "fake0", "libOpenCL.so.1"), fake, "-ldl")
    return h.rotate(rounds, "CUDA", {name: lambda a=a: h.run([h.DIR + "/cuda"], agent=a, counted=False) for name, a in variants.items()})


def measured_beside(rounds, variants):
    """The same of launches beside another major, behind measured()."""
    other = h.DIR + "/fake0/libcudart.so.12"
    h.must_compile(other, ["fake_cuda.c"], "-shared", "-fPIC", "-Wl,-soname,libcudart.so.12")
    return h.rotate(rounds, "CUDA, two majors", {name: lambda a=a: h.run([h.DIR + "/cuda", "beside", other], agent=a, counted=False) for name, a in variants.items()})


def launch_costs():
    """What a launch by the runtime costs more, in ns: dormant, recorded."""
    runs = measured(3, {"bare": None, "dormant": h.DORMANT, "recording": h.recording("cpu")})
    best = {name: h.best(results, "runtime") for name, results in runs.items()}
    return best["dormant"] - best["bare"], best["recording"] - best["bare"]


def run():
    h.title("CUDA: launches by their roads, ranges, and what is called before, ns")
    variants = {"bare": None, "dormant": h.DORMANT, "armed": h.ARMED, "recording": h.recording("cpu")}
    runs = measured(ROUNDS, variants)
    two = measured_beside(ROUNDS, variants)
    begin = h.rotate(ROUNDS, "CUDA, before", {name: lambda a=a: h.run([h.DIR + "/cuda", "around"], agent=a, counted=False)
                                              for name, a in (("bare", None), ("dormant", h.DORMANT))})
    best = {(name, what): h.best(of[name], what) for of, kinds in ((runs, ROADS), (two, BESIDE), (begin, BEFORE)) for name in of for what in kinds}
    h.table(["", *variants], [[text] + ["%.1f" % best[name, what] if (name, what) in best else None for name in variants]
                              for what, text in {**ROADS, **BESIDE, **BEFORE}.items()])
    h.say()

    def added(name, what):
        return best[name, what] - best["bare", what]
    launches = ("runtime", "driver", "resolver")
    h.bar("a launch, dormant: added ns", max(added("dormant", w) for w in launches), 2.5, 1)
    h.bar("a launch, a kernel: clock armed: added ns", max(added("armed", w) for w in launches), 15, 1)
    h.bar("a launch, recording: added ns", max(added("recording", w) for w in launches), 30, 1)
    h.bar("a launch beside another major, dormant: added ns", max(added("dormant", w) for w in BESIDE), 5, 1)
    h.bar("a launch beside another major, recording: added ns", max(added("recording", w) for w in BESIDE), 30, 1)
    h.bar("a range of NVTX, dormant, two calls: added ns", added("dormant", "range"), 20, 1)
    h.bar("a request to the resolver: added ns", added("dormant", "request"), 1000, 1)
    h.bar("a registration: added ns", added("dormant", "registration"), 60, 1)
