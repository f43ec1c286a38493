"""check.py WORK PYTHON PAGE NAMES COMMAND: what scripts/gpu-check does, with WORK for what it makes.

PAGE: a file, or empty; NAMES: of checks, or empty; COMMAND: what the page says was run.
"""
import ctypes
import datetime
import fnmatch
import os
import re
import subprocess
import sys

import place as it
import points
import programs
import trainer
from place import NO_GPU, Differs, Missing, Place

ASK = """
import ctypes
cuda, n, version, name = ctypes.CDLL("libcuda.so.1"), ctypes.c_int(), ctypes.c_int(), ctypes.create_string_buffer(128)
if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(n)) or not n.value:
    raise SystemExit(1)
cuda.cuDriverGetVersion(ctypes.byref(version))
cuda.cuDeviceGetName(name, 128, 0)
print(n.value, version.value, name.value.decode(), sep="|")
"""


def find_gpu(place):
    """In another process, which may die of it."""
    done = subprocess.run([sys.executable, "-c", ASK], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode:
        return False
    count, version, place.device = done.stdout.strip().split("|")
    place.simulated = place.device == "simulated device"
    place.driver = f"CUDA {int(version) // 1000}.{int(version) % 1000 // 10}"
    try:
        with open("/proc/driver/nvidia/version") as file:
            place.driver += ", " + re.sub(r"\s+", " ", file.readline()).strip()
    except OSError:
        pass
    place.device = f"{count} x {place.device}"
    return True


def table():
    """(name, what is done, is its answer compared with something?) in the order of doing it"""
    for program, make in programs.PROGRAMS.items():
        for word in ("counts", "results", "times"):
            name = f"{program}-{word}"
            yield name, lambda p, n=name, m=make, w=word: getattr(programs, w)(p, n, *m(p)), True
    for form in programs.FORMS:
        yield "nvcc-" + form, lambda p, f=form: programs.by_nvcc(p, f), True
    yield "cupti", programs.beside_cupti, True
    yield "nsys", programs.beside_nsys, True
    yield "torch-results", trainer.results, True
    yield "torch-kernels", trainer.kernels, True
    yield "torch-profiler", trainer.together, True
    yield "torch-steps", trainer.steps, True
    yield "torch-times", trainer.times, False
    yield "torch-cost", trainer.cost, False
    for name in trainer.JOBS:
        yield "job-" + name, lambda p, n=name: trainer.job(p, n), True
    for name in trainer.PACKAGES:
        yield name, lambda p, n=name: trainer.package(p, n), True
    yield "runtime-pointers", programs.through_pointers, True
    yield "resolver-pointers", points.pointers, False
    yield "event-costs", points.event_costs, False
    yield "captures", points.captures, True
    yield "injection", points.injection, False


def outcome(place, do, compared):
    try:
        return ("ok" if compared else "seen"), do(place)
    except Missing as lack:
        return "not here", str(lack)
    except Differs as how:
        return "differs", str(how)
    except (subprocess.TimeoutExpired, OSError, ValueError, KeyError, IndexError, TypeError) as fault:
        return "differs", f"{type(fault).__name__}: {fault}"


def write_page(path, place, lines, command):
    rows = "".join(f"| {name} | {word} | {figures.replace('|', '/')} |\n" for word, name, figures in lines)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# ranktrace on a GPU\n\n| | |\n|---|---|\n| device | {place.device} |\n| driver | {place.driver} |\n"
                   f"| date | {datetime.date.today()} |\n| command | `{command}` |\n\n| check | | figures |\n|---|---|---|\n{rows}\n"
                   "`ok`: compared, and equal. `seen`: a figure that is compared with nothing. `not here`: what it needs is missing.\n")


def main(work, python, page, names, command):
    place, lines = Place(work, python), []
    if not find_gpu(place):
        print("no GPU here: libcuda.so.1 is not there, or has no device")
        return NO_GPU
    print(f"{place.device}, {place.driver}")
    known = [name for name, _, _ in table()]
    wrong = [name for name in names if not any(fnmatch.fnmatchcase(k, name) for k in known)]
    if wrong:
        print(f"gpu-check: no check is called {wrong[0]}: {' '.join(known)}", file=sys.stderr)
        return 2
    if page and (os.path.isdir(page) or not os.access(os.path.dirname(os.path.abspath(page)), os.W_OK)):
        print(f"gpu-check: {page} cannot be written", file=sys.stderr)
        return 2
    for name, do, compared in table():
        if names and not any(fnmatch.fnmatchcase(name, n) for n in names):
            continue
        word, figures = outcome(place, do, compared)
        lines.append((word, name, figures))
        print(f"{word} {name}: {figures}", flush=True)
    if page:
        write_page(page, place, lines, command)
    if any(word == "differs" for word, _, _ in lines):
        return 1
    return 0 if any(word == "ok" for word, _, _ in lines) else NO_GPU


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4].split(), sys.argv[5]))
