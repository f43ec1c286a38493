"""Exports beside what others do with as many events: torch.profiler writes its JSON, msprof-analyze reads what we wrote for it."""
import glob, os, re, subprocess
import harness as h
from sections import torch_npu

ANALYZE = os.path.join(h.TOP, "build", "venv-ascend", "bin", "msprof-analyze")


def torch():
    """The environment that PyTorch runs in: that of torch_npu's tests. None: it is not here."""
    world = torch_npu.world()
    if not world:
        return None
    within = lambda *names: os.path.join(world, *names)
    return dict(h.ENV, PYTHONPATH=within("torch", "site"), LD_LIBRARY_PATH=within("torch", "cuda"), TORCH_DEVICE_BACKEND_AUTOLOAD="0",
                PATH=within("venv", "bin") + ":" + os.environ["PATH"])


def writes(env, events, output):
    p = subprocess.run(["python3", h.HERE + "/torch_writer.py", str(events), output], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = dict(re.findall(r"(\w+)=([0-9.]+)", p.stdout))
    if p.returncode or float(said.get("events", 0)) < events:
        raise RuntimeError("torch_writer.py: " + (p.stderr or p.stdout)[-300:])
    size, events = int(said["bytes"]), int(said["events"])
    os.unlink(output)
    return dict(cpu=events / float(said["all"]) / 1e6, write=events / float(said["write"]) / 1e6, bytes=size / events)


def reads(start, events, export, output):
    """compare of an export with itself, its figures of steps alone: that is read twice, and little besides."""
    (folder,) = glob.glob(export + "/*_ascend_pt")
    cpu = start([ANALYZE, "compare", "-d", folder, "-bp", folder, "-o", output, "--enable_profiling_compare"])
    if not glob.glob(output + "/*.xlsx"):
        raise RuntimeError("msprof-analyze wrote nothing")
    h.shutil.rmtree(output)
    return dict(cpu=2 * events / cpu / 1e6, bytes=h.size_of(export) / events)


def is_here():
    if not os.access(ANALYZE, os.X_OK):
        h.note("msprof-analyze is not here: tests/helpers/python/venv.sh build/venv-ascend ascend")
    return os.access(ANALYZE, os.X_OK)
