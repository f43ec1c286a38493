"""world.py VERSION: a torch_npu of PyPI and the torch that it is for, unpacked beside libraries that stand for CUDA's.

They lie where tests/wheels/wheels.py says, those for another architecture, too (WHEELS_ARCH=aarch64): torch_npu-VERSION/ is ready
for use, and its path is printed. What is there already is left as it is. Its file names is for tests/sims/ascend/build.sh: the
functions that this torch_npu imports or looks up.

torch's CUDA half is not unpacked: with it torch_npu refuses to start (two accelerators), and it is two thirds of the wheel.
"""
import ctypes
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../wheels")
import elf  # noqa: E402
import foreign  # noqa: E402
import stubs  # noqa: E402
from wheels import HOME, compile_imported, part, unpack, venv, wheel  # noqa: E402

HERE = pathlib.Path(__file__).parent
LEFT_OUT = ["torch/lib/libtorch_cuda*", "torch/lib/libc10_cuda.so", "torch/lib/libtorch_nvshmem.so", "torch/lib/libnvfuser*",
            "torch/lib/libcusparseLt*", "torch/lib/libcaffe2_nvrtc.so", "torch/bin/protoc*", "torch/bin/*test*", "torch/include/*", "torch/test/*", "torch/share/*",
            "nvfuser/*"]
# torch 2.14 has operators that are written for CUDA in Python, and looks at the device as it imports them.
EMPTIED = ["torch/_native/ops/polar/__init__.py"]

# Where a function is looked for: the first that fits.
OWNERS = [
    (r"aclnn[A-Z]|acl(Rfft|Stft|StressDetect)", "libopapi.so"),
    (r"aclop(Compile|SetCompile|GetCompile)|aclGenGraph|acl[SG]etCompileopt", "libacl_op_compiler.so"),
    (r"acltdt", "libacl_tdt_channel.so"),
    (r"aclprof", "libmsprofiler.so"),
    (r"mspti", "libmspti.so"),
    (r"mstx", "libms_tools_ext.so"),
    (r"Hc(cl|om)", "libhccl.so"),
    (r"Lc(al|cl)", "liblcal.so"),
    (r"hal[A-Z]", "libascend_hal.so"),
    (r"acl|rt[A-Z]|Msprof|\w+_s$", "libascendcl.so"),
    (r"_Z\w*3atb", "libatb.so"),
    (r"_Z\w*(6google8protobuf|ascend_private)", "libascend_protobuf.so"),
    (r"_Z\w*2ge\d+(Session|GEInit|GEFinal)", "libge_runner.so"),
    (r"_Z\w*2ge", "libgraph.so"),
]
LOOKED_UP = rb"(?:aclnn[A-Z]|aclrt|aclmdl|aclop|aclsys|aclsk|acl[A-Z]|Hccl|Hcom|Lccl|Lcal|hal[A-Z])\w+"


# ---- CUDA ----


def stand_for_cuda(torch, cuda):
    """A library for each soname that is not there; functions without a version are libtorch_cuda's own."""
    libraries = sorted(torch.glob("*.so*"))
    here = {path.name for path in libraries}
    missing = {soname for path in libraries for soname in elf.needed(path)
               if soname not in here and re.match("lib(cu|nv|nccl|torch_cuda|c10_cuda|torch_nvshmem)", soname)}
    functions = {soname: {} for soname in missing}
    there = set().union(*map(elf.defined, libraries))
    for path in libraries:
        for name, version in elf.wanted(path).items():
            if version in missing:
                functions[version][name] = version
            elif not version and name not in there and "libtorch_cuda.so" in missing and not elf.is_system_s(name):
                functions["libtorch_cuda.so"][name] = ""
    cuda.mkdir()
    for soname in sorted(missing):
        stubs.build(cuda, soname, functions[soname], HERE / "torch_cuda.c" if soname == "libtorch_cuda.so" else None)


# ---- CANN ----


def owner(name):
    for pattern, soname in OWNERS:
        if re.match(pattern, name):
            return soname
    raise SystemExit(f"torch_npu: whose is {name}?")


def names(torch_npu, torch):
    """`soname symbol` lines; of a library that is needed though nothing in it is, a made-up symbol"""
    libraries, others = sorted(torch_npu.rglob("*.so")), sorted(torch.glob("*.so*"))
    there = set().union(*map(elf.defined, libraries + others))
    found = set().union(*(elf.words(path, LOOKED_UP) for path in libraries))
    for path in libraries:
        found |= {name for name, version in elf.wanted(path).items() if not version and name not in there and not elf.is_system_s(name)}
    lines = {(owner(name), name) for name in found}
    needed = set().union(*map(elf.needed, libraries)) - {path.name for path in libraries + others}
    lines |= {(soname, "nothing_of_" + soname.split(".")[0]) for soname in needed - {soname for soname, _ in lines} if not is_there(soname)}
    return sorted(f"{soname} {name}\n" for soname, name in lines)


def is_there(soname):
    if foreign.IS_FOREIGN:
        return soname.startswith("ld-linux") or any((HOME / "sysroot").rglob(soname))
    try:
        return ctypes.CDLL(soname)
    except OSError:
        return False


# ---- the parts ----


def make_torch(version, to):
    unpack(wheel("torch", version), to / "site", LEFT_OUT)
    for path in EMPTIED:
        if (to / "site" / path).exists():
            (to / "site" / path).write_text("")
    stand_for_cuda(to / "site/torch/lib", to / "cuda")
    compile_imported(to / "site", to / "cuda", "torch", "torch.distributed")


def make_torch_npu(version, torch, to):
    unpack(wheel("torch_npu", version), to / "site")
    (to / "torch").symlink_to(f"../{torch.name}")
    (to / "venv").symlink_to("../venv")
    if foreign.IS_FOREIGN:
        (to / "sysroot").symlink_to("../sysroot")


def keep_names(to):
    its = to / "names"
    if not its.exists() or its.stat().st_mtime < max(path.stat().st_mtime for path in HERE.glob("*.py")):
        new = to / f"names.{os.getpid()}"
        new.write_text("".join(names(to / "site/torch_npu", to / "torch/site/torch/lib")))
        new.rename(its)


def main(version):
    venv()
    torch = re.sub(r"\.post\d+$", "", version)
    to = part(f"torch_npu-{version}", make_torch_npu, version, part(f"torch-{torch}", make_torch, torch))
    keep_names(to)
    print(to)


if __name__ == "__main__":
    main(sys.argv[1])
