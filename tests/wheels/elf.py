"""elf.py - what shared libraries need, define and leave to others, as readelf and nm tell it."""
import ctypes
import re
import subprocess


def told(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", told("readelf", "-dW", path))


def symbols(path, which):
    """(name, version or "", kind) of the dynamic symbols; which: --undefined-only or --defined-only"""
    for line in told("nm", "-D", which, path).splitlines():
        *_, kind, name = line.split()
        name, _, version = name.partition("@")
        yield name, version.lstrip("@"), kind


def defined(path):
    return {name for name, _, _ in symbols(path, "--defined-only")}


def wanted(path):
    """{name: version} of what must be found, or the library is refused."""
    return {name: version for name, version, kind in symbols(path, "--undefined-only") if kind == "U"}


def words(path, pattern):
    """What matches the pattern and ends a string among the constants: linkers let strings share their tails."""
    return {match.decode() for match in re.findall(b"(?<![A-Za-z0-9_])(?:" + pattern + rb")(?=\0)", open(path, "rb").read())}


def is_system_s(name):
    """Does Python, libc or libstdc++ have it?"""
    return bool(re.match("_?Py", name)) or any(hasattr(ctypes.CDLL(library), name) for library in (None, "libstdc++.so.6"))
