"""wheels.py - wheels of PyPI, unpacked as they are into $XDG_CACHE_HOME/ranktrace/torch_npu (~/.cache/...), in a folder for each version of
Python, and for another architecture (foreign.py): wheels/ as they came, venv/ with what torch itself needs, and parts, of which each is there as
a whole or not at all.
"""
import fnmatch
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import foreign

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
HOME = CACHE / "ranktrace/torch_npu" / (foreign.ARCH if foreign.IS_FOREIGN else "{}{}.{}".format(sys.implementation.name, *sys.version_info))
INSTALL = pathlib.Path(__file__).parents[1] / "helpers/python/install.sh"
PACKAGES = ["numpy<2", "typing_extensions", "sympy", "networkx", "jinja2", "fsspec", "filelock", "pyyaml", "setuptools", "packaging"]


def tell(text):
    print(f"wheels: {text}", file=sys.stderr, flush=True)


def wheel(name, version):
    found = sorted((HOME / "wheels").glob(f"{name}-{version}-*.whl")) or sorted((HOME / "wheels").glob(f"{name}-{version}+*.whl"))
    if not found:
        tell(f"downloads {name} {version}")
        pip(HOME / "venv", "download", "--no-deps", "-d", HOME / "wheels", f"{name}=={version}")
        return wheel(name, version)
    return found[0]


def unpack(path, site, left_out=()):
    tell(f"unpacks {path.name}")
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not any(fnmatch.fnmatchcase(member.filename, pattern) for pattern in left_out):
                os.chmod(archive.extract(member, site), member.external_attr >> 16 | 0o600)


def make_venv(to):
    tell("installs " + " ".join(PACKAGES))
    if foreign.IS_FOREIGN:
        part("sysroot", foreign.make_sysroot)
        foreign.make_venv(PACKAGES, to)
        return
    subprocess.check_call(["sh", INSTALL, to, "pip", *PACKAGES], env={**os.environ, "PYTHON": sys.executable})


def pip(venv, command, *arguments):
    if foreign.IS_FOREIGN:
        foreign.pip(command, *arguments)
        return
    subprocess.check_call([venv / "bin/python", "-m", "pip", "--disable-pip-version-check", command, "-q", "--only-binary=:all:", *arguments])


def compile_imported(site, libraries, *modules):
    """Who may not write beside what was unpacked would compile it again each time."""
    environment = dict(os.environ, PYTHONPATH=str(site), LD_LIBRARY_PATH=str(libraries), PYTHONDONTWRITEBYTECODE="", **foreign.environment(HOME / "sysroot"))
    subprocess.check_call([HOME / "venv/bin/python", "-c", "import " + ", ".join(modules)], env=environment)


def whole(to, make, *arguments):
    """The folder `to`, which make(*arguments, folder) fills: it is there as a whole or not at all."""
    if not to.exists():
        new = to.with_name(f"{to.name}.{os.getpid()}")
        new.mkdir(parents=True)
        try:
            make(*arguments, new)
            new.rename(to)
        except OSError:
            if not to.exists():  # somebody else was faster
                raise
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return to


def part(name, make, *arguments):
    return whole(HOME / name, make, *arguments)


def venv():
    (HOME / "wheels").mkdir(parents=True, exist_ok=True)
    return part("venv", make_venv)
