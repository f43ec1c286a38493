"""foreign.py - wheels for another architecture than this machine's (WHEELS_ARCH=aarch64), whose Python is Debian's under qemu-user.

A venv here has no pip, and in the place of its python3 stands what starts it under qemu-user (tests/helpers/qemu/start.c); the folder that
this one knows as / lies beside the venv as sysroot/.
"""
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCH = os.environ.get("WHEELS_ARCH") or platform.machine()
IS_FOREIGN = ARCH != platform.machine()
CC = f"{ARCH}-linux-gnu-gcc" if IS_FOREIGN else "gcc"
PYTHON = "3.11"  # Debian 12's
DEBIAN = {"aarch64": "arm64", "x86_64": "amd64"}
DEBS = (ROOT / "tests/helpers/qemu/python.debs").read_text().split()
PLATFORMS = [f"--platform={platform}_{ARCH}" for platform in ("manylinux_2_28", "manylinux_2_17", "manylinux2014")] + ["--platform=any"]
TAGS = [f"--python-version={PYTHON}", "--implementation=cp", f"--abi=cp{PYTHON.replace('.', '')}", "--abi=abi3", "--abi=none", *PLATFORMS]


def pip(command, *arguments):
    """A download, or an install with --target."""
    subprocess.check_call([sys.executable, "-m", "pip", "--disable-pip-version-check", command, "-q", "--only-binary=:all:", *TAGS, *arguments])


def make_sysroot(to):
    subprocess.check_call([ROOT / "scripts/dev/fetch-debs", to, DEBIAN[ARCH], "-", *DEBS])
    for leftover in (f"{to}.lock", *to.glob("*.deb")):
        os.unlink(leftover)


def make_venv(packages, to):
    (to / "bin").mkdir()
    (to / "pyvenv.cfg").write_text(f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {PYTHON}\n")
    build = ["gcc", "-D_GNU_SOURCE", "-O1", "-static", "-o", to / "bin/python", ROOT / "tests/helpers/qemu/start.c"]
    subprocess.check_call(build, env={**os.environ, "PATH": os.defpath})  # PATH may begin with the other architecture's ld
    os.link(to / "bin/python", to / "bin/python3")
    for name in ("python", "python3"):
        (to / f"bin/{name}.{ARCH}").symlink_to(f"../../sysroot/usr/bin/python{PYTHON}")
    pip("install", "--target", to / f"lib/python{PYTHON}/site-packages", *packages)


def environment(sysroot):
    """What whoever starts the venv's python wants."""
    return {"QEMU": os.environ.get("QEMU", f"qemu-{ARCH}"), "QEMU_LD_PREFIX": str(sysroot)} if IS_FOREIGN else {}
