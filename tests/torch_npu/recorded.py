"""What Python knows of who asks for an operator of PyTorch, and how many calls come of it, as asked.py reads it: a JSON line each,
[stack_of, [[function, file, line], ..] innermost first, {name of a call: how many}].

The frames of an operator are those around a TorchDispatchMode; its calls are what the simulated libraries count meanwhile. Calls between two
operators, as those of torch.tensor(0.0, device=...), have been `unseen`, and no frames.
"""
import contextlib
import json
import mmap
import os
import re
import struct
import sys
import threading

from torch.utils._python_dispatch import TorchDispatchMode

COUNTED = {"npu": r"(aclnn\w+(?<!GetWorkspaceSize)|aclrtMemcpy(Async)?|Hccl(All|Reduce|Broad)\w+)$",
           "cuda": r"((__)?cudaLaunchKernel(ExC)?|cudaMem(cpy|set)(Async)?|cublas(LtMatmul|Sgemm(_v2|StridedBatched))|nccl(All|Reduce|Broad|Bcast)\w*)$"}
trainer = threading.current_thread()


class Counts:
    """Of the file that SIM_COUNTS names: calls by the name of the function, of those that COUNTED has for the device."""

    entry = struct.Struct("24s104sIIQ")

    def __init__(self, device):
        self.counted = re.compile(COUNTED[device])
        with open(os.environ["SIM_COUNTS"].replace("%p", str(os.getpid())), "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def now(self):
        found = {}
        for at in range(self.entry.size, len(self.memory), self.entry.size):
            _, name, caller, _, calls = self.entry.unpack_from(self.memory, at)
            if not name[0]:
                break
            name = name.split(b"\0")[0].decode()
            if not caller and self.counted.match(name):
                found[name] = found.get(name, 0) + calls
        return found


def frames_from(frame):
    found = []
    while frame:
        code = frame.f_code
        found.append([getattr(code, "co_qualname", code.co_name), code.co_filename, frame.f_lineno])
        frame = frame.f_back
    return found


def asked_from(frame):
    """The one that called the mode. Of a thread without frames of its own it is the one that waits for it."""
    while frame and frame.f_code.co_filename.endswith(("torch/_compile.py", "torch/_dynamo/eval_frame.py")):
        frame = frame.f_back
    own = frames_from(frame)
    return ("caller", own) if own else ("backward", frames_from(sys._current_frames()[trainer.ident]))


class Record(TorchDispatchMode):
    def __init__(self, path, device):
        super().__init__()
        self.counts, self.file, self.inside = Counts(device), open(path, "w"), False
        self.before = self.counts.now()

    def tell(self, of, frames):
        """Of the calls since the last time."""
        before, self.before = self.before, self.counts.now()
        calls = {name: n - before.get(name, 0) for name, n in self.before.items() if n > before.get(name, 0)}
        if calls:
            self.file.write(json.dumps([of, frames, calls]) + "\n")

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if self.inside:
            return function(*args, **kwargs or {})
        self.tell("unseen", None)
        self.inside, asked = True, asked_from(sys._getframe().f_back)
        try:
            return function(*args, **kwargs or {})
        finally:
            self.inside = False
            self.tell(*asked)

    def __exit__(self, *raised):
        self.tell("unseen", None)
        return super().__exit__(*raised)


def record(paths, device):
    """To the path, if there is one."""
    return Record(paths[0], device) if paths else contextlib.nullcontext()
