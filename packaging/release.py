"""release.py - ranktrace as its packages have it: built for each processor, installed into a folder of its own, stripped.

The same commit makes the same bytes, whoever builds it, where and when. Wants Debian 12 (gcc for both, static libraries):
`scripts/dev/install-deps wheels`.
"""
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.dirname(os.path.abspath(__file__)) + "/..")
VERSION = open(f"{ROOT}/VERSION").read().strip()
ARCHES = "x86_64", "aarch64"
GLIBC = (2, 28)  # the oldest that the agent is for
LICENCES = "Apache-2.0 AND MIT AND BSD-3-Clause AND Zlib AND blessing AND LGPL-2.1-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1"


def refuse(text):
    sys.exit(f"packaging: {text}")


def output(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def epoch():
    """When the commit was made: nothing inside is of the moment of the build."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        try:
            given = output("git", "log", "-1", "--format=%ct")
        except (OSError, subprocess.CalledProcessError):
            given = 0
    return max(int(given), 315532800)  # a zip's time begins in 1980


# ---- what is built ----


def tools(arch):
    """The beginning of its compiler's name, and make's variables for its libraries."""
    if arch == output("uname", "-m").strip():
        return "", {"CC": "gcc"}
    if arch != "aarch64":
        refuse(f"{arch} is built on {arch} alone: give aarch64, or go there")
    libraries = "build/cross"  # as make sees it: a blank in the tree's own path would part these lists
    subprocess.run(["scripts/dev/cross-libs", libraries], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    usr, triplet = f"{libraries}/usr", "aarch64-linux-gnu"
    lib = f"{usr}/lib/{triplet}"
    return f"{triplet}-", {
        "CC": f"{triplet}-gcc",
        "STATIC_LIBS": f"{lib}/libyaml.a {lib}/libzstd.a",
        "SQLITE": f"{lib}/libsqlite3.a",
        "ZLIB": f"{lib}/libz.a",
        "DEMANGLER": os.path.relpath(glob.glob(f"{ROOT}/{usr}/lib/gcc/{triplet}/*/libsupc++.a")[0], ROOT),
        "INCLUDE": f" -idirafter {usr}/include -idirafter {usr}/include/{triplet}",
    }


def forget_others(folder, how):
    """Objects that were built in another way, which make would take for up to date."""
    marker = f"{folder}/built-how"
    if not os.path.exists(marker) or read(marker).decode() != how:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(marker, "w") as file:
            file.write(how)


def folder(arch):
    """What is made on the way lies there."""
    return f"{ROOT}/build/release-{arch}"


def build(arch, stage, when):
    """Installs into stage/ranktrace, with debug information, and returns the beginning of its tools' names."""
    prefix, variables = tools(arch)
    given = {"O": f"build/release-{arch}", "STATIC": "1", "MPICC": "", "PREFIX": "/ranktrace", "DESTDIR": stage, "LDFLAGS": "-Wl,--build-id",
             "CFLAGS": f"-O2 -g -ffile-prefix-map={shlex.quote(ROOT)}=." + variables.pop("INCLUDE", ""), **variables}
    calm = {name: text for name, text in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CFLAGS", "CC", "SAN", "WERROR")}
    forget_others(f"{ROOT}/{given['O']}", f"{given}\n{output(given['CC'], '--version')}")
    shutil.rmtree(stage, ignore_errors=True)
    subprocess.run(["make", "--no-print-directory", f"-j{os.environ.get('JOBS') or 2}", "install", *(f"{n}={v}" for n, v in given.items())],
                   check=True, cwd=ROOT, stdout=sys.stderr, env=dict(calm, SOURCE_DATE_EPOCH=str(when), LC_ALL="C"))
    os.unlink(f"{stage}/ranktrace/lib/ranktrace/folders")  # make uninstall's
    return prefix


def take_apart(prefix, path, debug):
    """Strips the file, and adds what is taken to debug: {name in the archive: bytes}."""
    build_id = re.search(r"Build ID: (\w\w)(\w+)", output(f"{prefix}readelf", "-n", path))
    if build_id:
        output(f"{prefix}objcopy", "--only-keep-debug", path, path + ".debug")
        debug[".build-id/%s/%s.debug" % build_id.groups()] = read(path + ".debug")
        os.unlink(path + ".debug")
    output(f"{prefix}strip", "--strip-unneeded" if path.endswith(".so") else "--strip-all", path)
    newest = max([tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", output(f"{prefix}objdump", "-T", path))], default=(0,))
    if newest > GLIBC:
        refuse(f"{path} wants glibc {'.'.join(map(str, newest))}, a package may want {'.'.join(map(str, GLIBC))}: build on Debian 12")


def staged(arch, when):
    """{path below a PREFIX: (bytes, is it a program?)}, and of the debug files: {name in the archive: bytes}"""
    stage, files, debug = f"{folder(arch)}/stage", {}, {}
    prefix = build(arch, stage, when)
    top = f"{stage}/ranktrace"
    for path in sorted(glob.glob(f"{top}/lib/ranktrace/*.so")) + [f"{top}/bin/ranktrace"]:
        take_apart(prefix, path, debug)
    for below, _, names in os.walk(top):
        for name in names:
            path = os.path.join(below, name)
            files[os.path.relpath(path, top)] = read(path), os.access(path, os.X_OK)
    return files, debug


def licences():
    """{name: text} of ranktrace and of what is linked into it"""
    texts = {"LICENSE": read(f"{ROOT}/LICENSE"), "NOTICE": read(f"{ROOT}/packaging/NOTICE")}
    texts.update((os.path.basename(path), read(path)) for path in sorted(glob.glob(f"{ROOT}/packaging/licenses/*.txt")))
    return texts


def tell(package):
    print(f"{package}: {os.path.getsize(package) / 1e6:.1f} MB, sha256 {hashlib.sha256(read(package)).hexdigest()}")
