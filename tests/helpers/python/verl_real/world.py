"""world.py PACKAGE==VERSION...: these packages as PyPI has them, unpacked side by side. Prints what PYTHONPATH takes.

They lie in $XDG_CACHE_HOME/ranktrace/unpacked (~/.cache/...), in a folder for each version of Python; the wheels with those of tests/names.
Of large ones only what is Python is unpacked. NAME+==VERSION is installed with all that it asks for.
"""
import fnmatch
import os
import pathlib
import subprocess
import sys
import tarfile
import zipfile

sys.path[:0] = [str(pathlib.Path(__file__).parents[3] / folder) for folder in ("names", "wheels")]
import names  # noqa: E402
from wheels import whole  # noqa: E402

HOME = names.CACHE.parent / "unpacked/{}{}.{}".format(sys.implementation.name, *sys.version_info)
LEFT_OUT = {"vllm": ["*.so", "vllm/vllm-rs", "*.h", "*.hpp", "*.cuh"]}


def unpack(requirement, to):
    left_out = LEFT_OUT.get(requirement.split("==")[0], [])
    path = names.wheel(requirement)
    if path.suffix == ".gz":
        with tarfile.open(path) as tar:
            tar.extractall(to)  # with a folder around it
        return
    with zipfile.ZipFile(path) as archive:
        archive.extractall(to, [name for name in archive.namelist() if not any(fnmatch.fnmatchcase(name, pattern) for pattern in left_out)])


def install(requirement, to):
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile", "--only-binary", ":all:", "--target", str(to),
                    requirement.replace("+", "")], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def place(requirement):
    """What is imported from: of a source archive the folder in it."""
    to = whole(HOME / requirement, install if "+" in requirement else unpack, requirement)
    inside = to / requirement.replace("==", "-")
    return inside if inside.is_dir() else to


print(os.pathsep.join(str(place(requirement)) for requirement in sys.argv[1:]))
