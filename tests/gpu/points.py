"""points.py - what documents leave open of a driver, each asked by a small program: an answer, and whether it is what we build on."""
import collections
import os
import statistics

from place import TOP, Differs, Missing, in_turn, libraries
from programs import BY_CUPTI, CUDART, LEVEL, driver

ROUNDS = 7
COSTS = {"bare": None, "dormant": "--steps 1000000", "recorded": LEVEL, "with device times": LEVEL + ",device", "with those of CUPTI": BY_CUPTI}


def asked(place):
    return place.program("points", "libcuda.so.1", ["points.c"], "-DBY_DLSYM", "-I" + place.path("rows"))


def pointers(place):
    """Nothing depends on it: calls end in what was answered."""
    lines = place.run(asked(place), "pointers").splitlines()
    others = [line.split(None, 1)[1] for line in lines[:-1]]
    return lines[-1] + "".join("; another for " + other for other in others[:6]) + (f" and {len(others) - 6} more" if len(others) > 6 else "")


def event_costs(place):
    def read(text):
        return {line.split()[0]: int(line.split()[1]) for line in text.splitlines()}

    times = collections.defaultdict(list)
    for way in in_turn(COSTS, ROUNDS):
        command = asked(place), "costs"
        text = place.traced("costs", COSTS[way], *command) if COSTS[way] else place.run(*command)
        for name, ns in read(text).items():
            times[way if name == "launch" else name + " " + way].append(ns)
    median = {name: statistics.median(all_of_it) for name, all_of_it in times.items()}
    return (f"an event {median['event bare']} ns, without time {median['event-without-time bare']} ns; a launch: "
            + ", ".join(f"{way} {median[way]} ({min(times[way])} to {max(times[way])}) ns" for way in COSTS))


def captures(place):
    """Which call spoils which capture: the simulated CUDA says so too, and our rules for captures are built on it."""
    path = libraries(place, CUDART[13])
    if not path:
        raise Missing("no " + CUDART[13])
    program = place.program("probe", "libcudart.so.13", ["../sims/cuda/probe.c"], "-DRUNTIME_ALONE", "-pthread", "-Wl,--allow-shlib-undefined",
                            libraries_behind=[path, "-Wl,-rpath," + os.path.dirname(path)])
    with open(TOP + "/tests/sims/cuda/captures.txt") as file:
        wanted = file.read().splitlines()
    got = place.run(program).splitlines()[-len(wanted):]
    wrong = [f"'{g}' where '{w}' was expected" for w, g in zip(wanted, got) if w != g]
    if wrong or len(got) != len(wanted):
        raise Differs("; ".join(wrong[:4]) or f"{len(got)} answers")
    return f"{len(wanted)} answers are those of the simulated CUDA"


def injection(place):
    """Does the driver load what CUDA_INJECTION64_PATH names, and call it?"""
    with open(place.path("injected.c"), "w") as file:
        file.write('#include <stdio.h>\n__attribute__((visibility("default"))) int InitializeInjection(void)\n'
                   '{\n\tFILE *f = fopen("injected", "w");\n\n\treturn f ? !fclose(f) : 0;\n}\n')
    place.gcc("-shared", "-fPIC", "-o", place.path("injected.so"), place.path("injected.c"))
    place.run(driver(place, "dlsym"), env={"CUDA_INJECTION64_PATH": place.path("injected.so")})
    return "loaded and called by the driver" if os.path.exists(place.path("injected")) else "not loaded by the driver"
