"""The same training loop of PyTorch, unmodified, on the simulated CUDA: without anything, with ranktrace and with torch's own profiler. And
what `import torch` costs, which registers 24,000 kernels, in instructions.

A step here is PyTorch's own work and its calls; a real device's would be longer. torch's profiler records operators of the host alone, as there is no
CUPTI for a simulated device; ranktrace records calls, device times and memory."""
import glob, os, re, subprocess, time
import harness as h
from sections import cuda

VERSION = "2.14.0"
HERE, SIM, CUDA = h.TOP + "/tests/torch_cuda", h.TOP + "/tests/sims/cuda/build.sh", h.DIR + "/simulated_cuda"
CACHE = (os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) + "/ranktrace/torch_npu"
TRACE = h.DIR + "/torch.json"
STEPS, WARM = h.pick(400, 100), h.pick(40, 10)


def world():
    """Where torch lies ready for use; None if it would have to be downloaded."""
    found = glob.glob("%s/*/torch-%s-cuda" % (CACHE, VERSION))
    return found[0] if found else h.note("torch %s is not in %s (tests/e2e/cuda/e2e_torch_cuda.sh puts it there): left out" % (VERSION, CACHE))


def said(text, key):
    return float(re.search(key + r"=([\d.]+)", text)[1])


def loop(path, settings=None, *more):
    """ns of a step, and what it said."""
    env = h.environment(None, settings, HOME=os.path.expanduser("~"), SIM_CLOCK="0")
    p = subprocess.run([HERE + "/run", path, CUDA, "python3", HERE + "/pace.py", str(STEPS), *more], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True)
    if p.returncode:
        raise RuntimeError(p.stderr[-300:])
    return {"ns": said(p.stdout, "median"), "said": p.stdout}


def recorded(path):
    h.shutil.rmtree(h.OUT, ignore_errors=True)
    told = loop(path, dict(h.recording("cpu,npu,memory"), LEVEL="level1", STEP_SOURCE="python:torch.optim.optimizer:Optimizer+.step@return"))
    calls = sum(r["events"]["called"] for r in h.report()) / STEPS
    size = sum(os.path.getsize(f) for f in glob.glob(h.OUT + "/**/*.rtrace", recursive=True))
    began = time.monotonic()
    subprocess.run([h.TOOL, "export", "--to", "chrome", "-o", h.DIR + "/ours.json", h.OUT], check=True, stderr=subprocess.DEVNULL)
    return dict(told, calls=calls, bytes=size / STEPS, export=time.monotonic() - began)


def profiled(path):
    told = loop(path, None, TRACE)
    return dict(told, bytes=os.path.getsize(TRACE) / (STEPS - WARM), export=said(told["said"], "export"))


def imported(path, settings=None):
    """Instructions of `import torch`, as callgrind counts them."""
    env = h.environment(None, settings, HOME=os.path.expanduser("~"))
    counted = h.DIR + "/import.cg"
    subprocess.run([HERE + "/run", path, CUDA, "valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + counted, "python3", "-c", "import torch"],
                   env=env, check=True, stdout=subprocess.DEVNULL)
    return sum(int(n) for n in re.findall(r"^totals: (\d+)", open(counted).read(), re.M))


def show_import(path):
    h.progress("torch_cuda: import torch, counted")
    bare, dormant = imported(path), imported(path, h.DORMANT)
    if glob.glob(h.ROOT + "*/*"):
        raise RuntimeError("import torch left a session")
    h.say()
    h.bar("import torch, dormant: instructions added %", 100 * (dormant / bare - 1), 3, 2, "; of %.2f billion" % (bare / 1e9))


def run():
    h.title("A training loop of PyTorch on the simulated CUDA, %d steps: beside torch's own profiler" % STEPS)
    path = world()
    if not path:
        return
    subprocess.run([SIM, CUDA], env=dict(h.ENV, SIM_NAMES=path + "/names"), check=True, stdout=subprocess.DEVNULL)
    variants = {"bare": lambda: loop(path), "ranktrace, dormant": lambda: loop(path, h.DORMANT), "ranktrace, level1 cpu,npu,memory": lambda: recorded(path),
                "torch.profiler, CPU activity": lambda: profiled(path)}
    found = h.rotate(h.pick(5, 2), "torch_cuda", variants)
    bare = h.best(found["bare"], "ns")
    rows = []
    for name, results in found.items():
        more = [None, None] if "bytes" not in results[0] else ["%.0f" % h.median(results, "bytes"), "%.3f" % h.best(results, "export")]
        rows.append([name, "%.3f" % (h.best(results, "ns") / 1e6), "%+.1f" % (100 * (h.best(results, "ns") / bare - 1))] + more)
    h.table(["", "ms a step", "added %", "bytes a step", "s to a viewer"], rows)
    h.say()
    calls = h.median(found["ranktrace, level1 cpu,npu,memory"], "calls")
    for what, cost, limit in zip(("dormant", "recording cpu"), cuda.launch_costs(), (0.2, 1)):
        h.bar("PyTorch on CUDA, %s: added %%, by count" % what, 100 * calls * max(cost, 0) / bare, limit, 4, "; %.0f calls of %.1f ns" % (calls, cost))
    show_import(path)
