"""with_triton.py VERSION: the Triton of PyPI, unpacked but for other vendors' devices and its profilers; prints where (tests/wheels/wheels.py)."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../wheels")
from wheels import part, unpack, venv, wheel  # noqa: E402

LEFT_OUT = ["triton/backends/amd/lib/*", "triton/backends/nvidia/lib/*cupti*", "triton/_C/libproton*", "triton/backends/nvidia/bin/nvdisasm",
            "triton/backends/nvidia/bin/cuobjdump", "triton/backends/nvidia/bin/ptxas-blackwell"]


def make(version, to):
    unpack(wheel("triton", version), to, LEFT_OUT)


if __name__ == "__main__":
    venv()
    print(part(f"triton-{sys.argv[1]}", make, sys.argv[1]))
