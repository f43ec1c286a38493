#!/usr/bin/python3
"""wheels.py FOLDER [ARCH]...: builds ranktrace for x86_64 and aarch64, and packs each as a wheel for pip.

Beside each wheel lies an archive of its debug files, by build id. The same commit makes the same bytes. A wheel is a zip with three
lists in it; it is written here, so that it depends on no release of a build backend.
"""
import base64
import glob
import hashlib
import io
import lzma
import os
import sys
import tarfile
import time
import zipfile

import release

LARGEST = 5 << 20
METADATA = f"""\
Metadata-Version: 2.4
Name: ranktrace
Version: {release.VERSION}
Summary: Tracer for training jobs on Ascend, CUDA, HIP and OpenCL: which call made this step slow, on which rank
License-Expression: {release.LICENCES}
%s
Keywords: tracing,profiling,training,ascend,cuda,hip,opencl
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: System :: Distributed Computing
Requires-Python: >=3.8
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Provides-Extra: arrow
Requires-Dist: pyarrow; extra == "arrow"
Description-Content-Type: text/markdown

%s"""
WHEEL = """\
Wheel-Version: 1.0
Generator: ranktrace packaging/wheels.py
Root-Is-Purelib: false
Tag: %s
"""
ENTRY_POINTS = """\
[console_scripts]
ranktrace = ranktrace.__main__:command
ranktrace-run = ranktrace.__main__:run
"""


def files_of(staged):
    """{name in the wheel: (bytes, is it a program?)}"""
    files = {f"ranktrace/{path}": file for path, file in staged.items()}
    for path in glob.glob(f"{release.ROOT}/packaging/python/ranktrace/*.py"):
        files["ranktrace/" + os.path.basename(path)] = release.read(path), False
    return files


def lists(tag):
    """{name below .dist-info: text or bytes}"""
    texts = release.licences()
    named = "\n".join(f"License-File: {name}" for name in texts)
    return {**{f"licenses/{name}": text for name, text in texts.items()},
            "METADATA": METADATA % (named, release.read(f"{release.ROOT}/packaging/python/README.md").decode()),
            "WHEEL": WHEEL % tag, "entry_points.txt": ENTRY_POINTS}


def record(files, name):
    lines = []
    for path, (data, _) in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join(lines) + f"{name},,\n"


def pack(path, files, info, when):
    """The lists come last, RECORD as the last one, as PEP 427 advises."""
    order = sorted(files, key=lambda name: (name.startswith(info), name.endswith("/RECORD"), name))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name in order:
            data, is_program = files[name]
            entry = zipfile.ZipInfo(name, time.gmtime(when)[:6])
            entry.create_system = 3
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


def pack_debug(path, debug, when):
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(debug.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), when, 0o644
            archive.addfile(entry, io.BytesIO(data))
    with open(path, "wb") as file:
        file.write(lzma.compress(tar.getvalue(), preset=1))


def make(arch, out, when):
    staged, debug = release.staged(arch, when)
    tag = f"py3-none-manylinux_{release.GLIBC[0]}_{release.GLIBC[1]}_{arch}"
    files, info = files_of(staged), f"ranktrace-{release.VERSION}.dist-info/"
    for name, text in lists(tag).items():
        files[info + name] = text if isinstance(text, bytes) else text.encode(), False
    files[info + "RECORD"] = record(files, info + "RECORD").encode(), False
    wheel = f"{out}/ranktrace-{release.VERSION}-{tag}.whl"
    pack(wheel, files, info, when)
    pack_debug(f"{out}/ranktrace-{release.VERSION}-debug-{arch}.tar.xz", debug, when)
    if os.path.getsize(wheel) > LARGEST:
        release.refuse(f"{wheel} has {os.path.getsize(wheel)} bytes, and may have {LARGEST}")
    release.tell(wheel)


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        release.refuse("usage: wheels.py FOLDER [x86_64] [aarch64]")
    os.makedirs(arguments[0], exist_ok=True)
    for arch in arguments[1:] or release.ARCHES:
        make(arch, arguments[0], release.epoch())


if __name__ == "__main__":
    main(sys.argv[1:])
