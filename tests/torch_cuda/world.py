"""world.py VERSION: the torch of PyPI for CUDA, unpacked whole, beside libraries that stand for those of CUDA which tests/sims/cuda has not.

It lies where tests/wheels/wheels.py says, and its path is printed: site/, stubs/, venv/, and in names what it wants of the simulated
libraries of operators and hooks/ does not tell of, for tests/sims/cuda/build.sh.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../wheels")
import elf  # noqa: E402
import stubs  # noqa: E402
from wheels import part, unpack, venv, wheel  # noqa: E402

LEFT_OUT = ["torch/bin/protoc*", "torch/bin/*test*", "torch/include/*", "torch/test/*", "torch/share/*", "torch/lib/libtorch_cuda_linalg.so"]
SIMULATED = ["libcuda.so.1", "libcudart.so.13", "libcublas.so.13", "libcublasLt.so.13", "libcudnn.so.9", "libnccl.so.2"]
OPERATORS = SIMULATED[2:5]
# Whose functions have another version than their library's name, or none.
VERSIONS = {"NVSHMEM": "libnvshmem_host.so.3"}
FAMILIES = {"cuFile": "libcufile.so.0", "cusparseLt": "libcusparseLt.so.0"}


def family(name):
    return next((soname for prefix, soname in FAMILIES.items() if name.startswith(prefix)), None)


def wanted(torch):
    """{soname: {symbol: version}} of what torch has not itself."""
    libraries = sorted(torch.glob("*.so*"))
    here = {path.name for path in libraries}
    found = {soname: {} for path in libraries for soname in elf.needed(path) if soname not in here and re.match("lib(cu|nv|nccl)", soname)}
    for path in libraries:
        for name, version in elf.wanted(path).items():
            soname = VERSIONS.get(version, version) if version else family(name)
            if soname in found:
                found[soname][name] = version
    return found


def make(version, to):
    unpack(wheel("torch", version), to / "site", LEFT_OUT)
    (to / "venv").symlink_to("../venv")
    (to / "stubs").mkdir()
    functions = wanted(to / "site/torch/lib")
    for soname in functions.keys() - set(SIMULATED):
        stubs.build(to / "stubs", soname, functions[soname])
    (to / "names").write_text("".join(f"{soname} {name}\n" for soname in OPERATORS for name in sorted(functions[soname])))


def main(version):
    venv()
    print(part(f"torch-{version}-cuda", make, version))


if __name__ == "__main__":
    main(sys.argv[1])
