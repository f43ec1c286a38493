"""programs.py - checks by programs of C that know what they call: by the driver, by the runtime, by a runtime that is linked statically."""
import collections
import os
import shutil
import subprocess

import accounts
from place import NO_GPU, TOOL, TOP, Differs, Missing, compare, kernels_said, libraries, said, toolkits, wheels

LEVEL = "--steps all --level level1 --contents cpu,memory"
TIMED = LEVEL + ",device"
BY_CUPTI = TIMED + " --device-source cupti"
CUPTI = ("libcupti.so.13", "libcupti.so.12")
CUDART = {13: "libcudart.so.13", 12: "libcudart.so.12"}


def driver(place, road):
    return place.program(f"driver-{road}", "libcuda.so.1", ["driver.c", "main.c"], f"-DBY_{road.upper()}")


def runtime(place, major):
    path = libraries(place, CUDART[major])
    if not path:
        raise Missing("no " + CUDART[major])
    # The prototypes of 12 are those of 13 for all that is called here.
    program = place.program("runtime", "libcudart.so.13", ["runtime.c", "main.c"], "-DBY_DLSYM", '-DDRIVER=getenv("GPU_LIBRARY")')
    if subprocess.run([program], env=dict(os.environ, GPU_LIBRARY=path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == NO_GPU:
        raise Missing(f"no GPU that {CUDART[major]} finds")
    return program, {"GPU_LIBRARY": path}


# What each is called, and how it is made and run: (program, variables).
PROGRAMS = {f"driver-{road}": lambda place, road=road: (driver(place, road), None) for road in ("dlsym", "resolver")}
PROGRAMS.update({f"runtime{major}": lambda place, major=major: runtime(place, major) for major in CUDART})


def static(place):
    """The same with the runtime in it, as NVIDIA's libraries have one."""
    folders = [os.path.dirname(libraries(place, "libcuda.so.1"))] if place.simulated else toolkits("lib64") + wheels(place, "lib")
    archive = next((folder + "/libcudart_static.a" for folder in folders if os.path.exists(folder + "/libcudart_static.a")), None)
    if not archive:
        raise Missing("no libcudart_static.a")
    more = ["-L" + folders[0], "-lsimdevice"] if place.simulated else ["-lrt"]
    return place.program("static", "libcudart.so.13", ["runtime.c", "main.c"], "-DLINKED", libraries_behind=[archive, *more, "-lm", "-pthread"])


def known(place):
    return accounts.kinds("level1", place.run(TOOL, "hooks").splitlines())


def all_ran(text, events):
    """How many kernels ran as it says, and were recorded; none only where it says that."""
    wanted, got = kernels_said(text), accounts.ran(events)
    return 0 if wanted is None and not got else compare(wanted or collections.Counter(), got, "ran")


def counts(place, name, program, env=None):
    """What it says it called, step by step, is what was recorded."""
    text = place.traced(name, LEVEL, program, env=env)
    rows, (_, calls) = known(place), said(text)
    wanted = collections.Counter({(step if step > 0 else None, symbol): n for (step, symbol), n in calls.items() if symbol in rows})
    events = place.events(name)
    got = collections.Counter((event["step"] if (event["step"] or 0) <= 3 else None, event["name"]) for event in events)
    total = compare(wanted, got, "called")
    return f"{total} calls of {len({symbol for _, symbol in wanted})} functions in 3 steps, {all_ran(text, events)} kernels"


def results(place, name, program, env=None):
    """The bits of what came back, without us, recorded, and with device times."""
    words = [said(text)[0] for text in (place.run(program, env=env), place.traced(name, LEVEL, program, env=env),
                                        place.traced(name, TIMED, program, env=env))]
    if len({w["result"] for w in words}) != 1:
        raise Differs(", ".join(w["result"] for w in words))
    if words[0]["computed"] != "yes" and not place.simulated:
        raise Differs("kernels did not compute what they should, with and without ranktrace")
    return words[0]["result"] + (", of a simulated device, whose kernels compute nothing" if place.simulated else ", as computed by hand")


def times(place, name, program, env=None):
    """Device times of spins in a step, beside the time between two events of the program's around them: by our events, and by CUPTI."""
    by_events = "by events " + _spins(place, name, TIMED, "events", program, env)
    if not any(libraries(place, soname) for soname in CUPTI):
        return by_events + "; no libcupti"
    return by_events + "; by CUPTI " + _spins(place, name, BY_CUPTI, "cupti", program, env)


def _spins(place, name, options, source, program, env):
    text = place.traced(name, options, program, env=env)
    wanted = {int(line.split()[1]): float(line.split()[2]) for line in text.splitlines() if line.startswith("events ")}
    if kernels_said(text) is None:
        raise Missing("no libraries of kernels in this runtime")
    if not wanted:
        raise Differs("nothing was timed")
    recorded, figures, untimed = collections.defaultdict(list), [], 0
    for event in place.events(name):
        untimed += bool(accounts.did_run(event) and event["kind"] in ("launch", "copy", "fill") and event.get("device_source") not in (source, "events"))
        if event.get("kernel") == "spin" and event.get("device_source") == source:
            recorded[event["step"]].append(event.get("device_duration_ns", 0))
    for step, between in wanted.items():
        ours = recorded[step]
        if len(ours) != 5 or not all(ours) or not between / 2 <= sum(ours) <= between * 1.05 + 5000:
            raise Differs(f"{source}: step {step}: {len(ours)} kernels of {sum(ours)} ns, in {between:.0f} ns between events")
        figures.append(f"{sum(ours) / 1000:.1f} in {between / 1000:.1f} us")
    if untimed:
        raise Differs(f"{source}: {untimed} launches, copies and fills have no time")
    return ", ".join(figures)


def through_pointers(place):
    """The calls of this runtime are not seen: what is, are those that it makes by pointers that it was given."""
    program = static(place)
    bare, text = said(place.run(program))[0], place.traced("through-pointers", LEVEL, program)
    events = place.events("through-pointers")
    if said(text)[0]["result"] != bare["result"] or any(event["name"].startswith("cuda") for event in events):
        raise Differs("another result, or calls of the runtime were seen, which this program hides")
    n = all_ran(text, events)
    return f"all {n} kernels of a static runtime were launched by pointers that it was given, with every call answered as without ranktrace"


FORMS = {"static": ["-cudart", "static"], "shared": ["-cudart", "shared"], "per-thread": ["-cudart", "shared", "-default-stream", "per-thread"]}


def by_nvcc(place, form):
    nvcc = shutil.which("nvcc") or next((p for p in ("/usr/local/cuda/bin/nvcc",) if os.path.exists(p)), None)
    if not nvcc:
        raise Missing("no nvcc")
    if place.simulated:
        raise Missing("NVIDIA's runtime speaks to no simulated driver")
    program = place.path("launches-" + form)
    if not os.path.exists(program):
        folder = os.path.dirname(os.path.dirname(nvcc)) + "/lib64"
        place.run(nvcc, "-arch=native", *FORMS[form], "-o", program, TOP + "/tests/gpu/launches.cu", "-Xlinker", "-rpath," + folder)
    bare = place.run(program)
    text = place.traced("nvcc-" + form, LEVEL, program)
    if text != bare:
        raise Differs("says something else than without ranktrace")
    return f"{all_ran(text, place.events('nvcc-' + form))} kernels"


# ---- beside others ----

def cupti_library(place):
    path = next(filter(None, (libraries(place, soname) for soname in CUPTI)), None)
    if not path:
        raise Missing("no libcupti")
    if place.simulated:
        raise Missing("CUPTI speaks to no simulated driver")
    includes = toolkits("include", "extras/CUPTI/include") + wheels(place, "include")
    if not any(os.path.exists(folder + "/cupti.h") for folder in includes):
        raise Missing("no cupti.h")
    if not os.path.exists(place.path("cupti.so")):
        place.gcc("-shared", "-fPIC", *("-I" + folder for folder in includes), "-o", place.path("cupti.so"), TOP + "/tests/gpu/cupti.c",
                  os.path.realpath(path), "-Wl,-rpath," + os.path.dirname(os.path.realpath(path)))
    return place.path("cupti.so")


def counted_by_cupti(place, name, start):
    env = {"CUDA_INJECTION64_PATH": cupti_library(place), "GPU_CUPTI": place.path(name + ".cupti")}
    start(env)
    if not os.path.exists(env["GPU_CUPTI"]):
        raise Differs("CUPTI counted nothing")
    with open(env["GPU_CUPTI"]) as file:
        text = file.read()
    words = said(text)[0]
    return kernels_said(text) + collections.Counter({word: int(words[word]) for word in ("copies", "fills")})


def counted_by_us(events):
    """The same words: work of graphs is told by kernels alone."""
    kinds = collections.Counter(event["kind"] for event in events if accounts.did_run(event))
    return accounts.ran(events) + collections.Counter(copies=kinds["copy"], fills=kinds["fill"])


def beside_cupti(place):
    """CUPTI's counts in a run without us, our own in one without CUPTI, and both in one."""
    program = driver(place, "dlsym")
    alone = counted_by_cupti(place, "cupti-alone", lambda env: place.run(program, env=env))
    place.traced("without-cupti", LEVEL, program)
    compare(alone, counted_by_us(place.events("without-cupti")), "by CUPTI")
    both = counted_by_cupti(place, "cupti-both", lambda env: place.traced("cupti-both", TIMED, program, env=env))
    compare(alone, both, "by CUPTI alone")
    n = compare(alone, counted_by_us(place.events("cupti-both")), "by CUPTI")
    copies, fills = alone["copies"], alone["fills"]
    return f"{n - copies - fills} kernels, {copies} copies and {fills} fills each, apart and in one process"


def beside_nsys(place):
    nsys = shutil.which("nsys")
    if not nsys:
        raise Missing("no nsys")
    program, report = driver(place, "dlsym"), place.path("nsys-run")
    text = place.run(nsys, "profile", "--trace=cuda", "--cuda-graph-trace=node", "--force-overwrite=true", "-o", report,
                     *place.command("beside-nsys", LEVEL, program))
    all_ran(text, place.events("beside-nsys"))
    table = place.run(nsys, "stats", "--force-export=true", "--report", "cuda_gpu_kern_sum", "--format", "csv", report + ".nsys-rep")
    return f"{compare(kernels_said(text), _csv_counts(table), 'ran')} kernels in both"


def _csv_counts(table):
    found, columns = collections.Counter(), None
    for line in table.splitlines():
        cells = line.split(",")
        if "Instances" in cells:
            columns = cells.index("Instances"), cells.index("Name")
        elif columns and len(cells) > columns[1]:
            found[cells[columns[1]].strip('"').split("(")[0]] += int(cells[columns[0]])
    return found
