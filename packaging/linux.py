#!/usr/bin/python3
"""linux.py FOLDER deb|rpm [ARCH]...: builds ranktrace for x86_64 and aarch64, and packs each for Debian's or Red Hat's package manager.

The files are those of the wheels, below /usr. Wants what the wheels want, and dpkg-deb or rpmbuild (`scripts/dev/install-deps linux`).
The same commit makes the same bytes.
"""
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

import release

NAME, VERSION, REVISION = "ranktrace", release.VERSION, 1
MAINTAINER = "ranktrace maintainers <maintainers@ranktrace.invalid>"
SUMMARY = "tracer for training jobs on Ascend, CUDA, HIP and OpenCL"
DESCRIPTION = """ranktrace records what a training process asks of its accelerator: kernel launches, copies, allocations,
collectives and markers, of chosen steps and ranks, with their times on host and device. It is preloaded into the program as it is
and writes one small file for each process. Reports, comparisons and exports for common viewers are made of these files."""
DOC = f"usr/share/doc/{NAME}"


def gzipped(data):
    return gzip.compress(data, 9, mtime=0)


def wrapped(width, indent=""):
    return textwrap.fill(" ".join(DESCRIPTION.split()), width, initial_indent=indent, subsequent_indent=indent)


def installed(arch, when, zsh):
    """{path: (bytes, is it a program?)} as both kinds of packages have it; zsh: the folder of its completion."""
    files = {}
    for path, (data, is_program) in release.staged(arch, when)[0].items():
        if "/man/" in path:
            path, data = path + ".gz", gzipped(data)
        files["usr/" + path.replace("share/zsh/site-functions", zsh)] = data, is_program
    files[f"{DOC}/NOTICE.gz"] = gzipped(release.read(f"{release.ROOT}/packaging/NOTICE")), False
    files[f"{DOC}/changelog.gz"] = gzipped(release.read(f"{release.ROOT}/CHANGELOG.md")), False
    return files


def lay_out(root, files, when):
    """Files as they are to be in the package, whatever the builder's umask; folders, too."""
    shutil.rmtree(root, ignore_errors=True)
    for name, (data, is_program) in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, 0o755 if is_program else 0o644)
        os.utime(path, (when, when))
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755)
        os.utime(folder, (when, when))


def run(when, *words):
    environment = dict(os.environ, SOURCE_DATE_EPOCH=str(when), LC_ALL="C", TZ="UTC")
    subprocess.run(words, check=True, env=environment, stdout=sys.stderr)


# ---- Debian's ----

DEB_ARCH = {"x86_64": "amd64", "aarch64": "arm64"}
CONTROL = f"""\
Package: {NAME}
Version: {VERSION}-{REVISION}
Architecture: %s
Maintainer: {MAINTAINER}
Installed-Size: %d
Depends: libc6 (>= {".".join(map(str, release.GLIBC))})
Suggests: libunwind8
Section: devel
Priority: optional
Description: {SUMMARY}
{wrapped(78, " ")}
"""
CHANGELOG = f"""\
{NAME} ({VERSION}-{REVISION}) unstable; urgency=medium

  * Version {VERSION}: see changelog.gz.

 -- {MAINTAINER}  %s
"""
# What lintian would like otherwise, and why it is so.
OVERRIDES = f"""\
# The command runs in any container that it is mounted into, whatever C library is there.
{NAME}: statically-linked-binary [usr/bin/{NAME}]
# So it has the libraries that it needs in itself, as copyright tells; so has the agent, which may need none of the program's.
{NAME}: embedded-library *
# These stand in the place of libraries of a vendor's, and need none.
{NAME}: shared-library-lacks-prerequisites *
# The text of another's licence is as they wrote it.
{NAME}: spelling-error-in-copyright *
# It was never asked for.
{NAME}: initial-upload-closes-no-bugs *
"""


def copyright_file():
    """What the licences of the wheels say, as Debian writes it."""
    parts = [f"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: {NAME}\n",
             "Files: *\nCopyright: 2026 the ranktrace authors\nLicense: Apache-2.0\n"
             " The full text is in /usr/share/common-licenses/Apache-2.0.\n .\n"
             " Parts of others are linked into the binaries: NOTICE.gz says which. Their licences:\n"]
    for name, text in sorted(release.licences().items()):
        if name == "LICENSE":
            continue
        lines = [f"{name}:", "", *text.decode().splitlines()]
        parts[-1] += " .\n" + "".join(f" {line}\n" if line.strip() else " .\n" for line in lines)
    return "\n".join(parts).encode()


def deb(arch, out, when):
    files = installed(arch, when, "share/zsh/vendor-completions")
    files = {name: (data, is_program and not name.endswith(".so")) for name, (data, is_program) in files.items()}
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(when))
    files[f"{DOC}/copyright"] = copyright_file(), False
    files[f"{DOC}/changelog.Debian.gz"] = gzipped((CHANGELOG % date).encode()), False
    files[f"usr/share/lintian/overrides/{NAME}"] = OVERRIDES.encode(), False
    sums = "".join(f"{hashlib.md5(data).hexdigest()}  {name}\n" for name, (data, _) in sorted(files.items()))
    size = sum(-(-len(data) // 1024) for data, _ in files.values())
    files["DEBIAN/md5sums"] = sums.encode(), False
    files["DEBIAN/control"] = (CONTROL % (DEB_ARCH[arch], size)).encode(), False
    root = f"{release.folder(arch)}/deb"
    lay_out(root, files, when)
    package = f"{out}/{NAME}_{VERSION}-{REVISION}_{DEB_ARCH[arch]}.deb"
    run(when, "dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", root, package)
    return package


# ---- Red Hat's ----

def spec(listed, date):
    """Stripped already, and made elsewhere: nothing is to be done to the files, and nobody is to link against the agent."""
    return f"""\
%global __provides_exclude_from ^/usr/lib/{NAME}/
%global _build_id_links none
%global debug_package %{{nil}}
%global __os_install_post %{{nil}}
Name: {NAME}
Version: {VERSION}
Release: {REVISION}
Summary: {SUMMARY[0].upper() + SUMMARY[1:]}
License: {release.LICENCES}
Group: Development/Tools
Packager: {MAINTAINER}

%description
{wrapped(78)}

%install
cp -a %{{tree}}/. %{{buildroot}}/

%files
%dir /usr/lib/{NAME}
{listed}

%changelog
* {date} {MAINTAINER} - {VERSION}-{REVISION}
- Version {VERSION}.
"""


def rpm(arch, out, when):
    files = installed(arch, when, "share/zsh/site-functions")
    files.update((f"{DOC}/licenses/{name}", (text, False)) for name, text in release.licences().items())
    listed = "\n".join(("%doc /" if name.startswith(DOC) else "/") + name for name in sorted(files))
    package = f"{NAME}-{VERSION}-{REVISION}.{arch}.rpm"
    with tempfile.TemporaryDirectory() as root:  # rpmbuild takes no path with a blank
        lay_out(f"{root}/tree", files, when)
        with open(f"{root}/{NAME}.spec", "w") as file:
            file.write(spec(listed, time.strftime("%a %b %d %Y", time.gmtime(when))))
        macros = {"_topdir": root, "_rpmdir": root, "_dbpath": f"{root}/db", "_buildhost": "localhost", "_binary_payload": "w6.xzdio", "tree": f"{root}/tree",
                  "use_source_date_epoch_as_buildtime": 1, "clamp_mtime_to_source_date_epoch": 1, "source_date_epoch_from_changelog": 0,
                  "_rpmfilename": package}
        defined = [word for name, value in macros.items() for word in ("--define", f"{name} {value}")]
        run(when, "rpmbuild", "-bb", "--quiet", "--target", f"{arch}-linux", *defined, f"{root}/{NAME}.spec")
        shutil.copyfile(f"{root}/{package}", f"{out}/{package}")
    return f"{out}/{package}"


KINDS = {"deb": deb, "rpm": rpm}


def main(arguments):
    if len(arguments) < 2 or arguments[1] not in KINDS:
        release.refuse("usage: linux.py FOLDER deb|rpm [x86_64] [aarch64]")
    out, pack = os.path.abspath(arguments[0]), KINDS[arguments[1]]
    os.makedirs(out, exist_ok=True)
    for arch in arguments[2:] or release.ARCHES:
        release.tell(pack(arch, out, release.epoch()))


if __name__ == "__main__":
    main(sys.argv[1:])
