"""stubs.py - shared libraries that are there and answer 0: one for each soname that is missing."""
import os
import subprocess

import foreign

ZERO = {"x86_64": "xor %eax, %eax\nxor %edx, %edx\nret", "aarch64": "mov x0, 0\nmov x1, 0\nret"}
TYPEINFO = '"{0}": .quad _ZTVN10__cxxabiv117__class_type_infoE+16, 7f\n7: .asciz "{1}"\n.balign 16\n'


def is_object(name):
    """A mangled name without a parameter list: a table or a variable."""
    plain = subprocess.run(["c++filt", name], check=True, stdout=subprocess.PIPE, text=True).stdout
    return name.startswith("_Z") and "(" not in plain


def assembly(names):
    yield f'.section .note.GNU-stack,"",%progbits\n.text\nzero: {ZERO[foreign.ARCH]}\n'
    objects = [name for name in names if is_object(name)]
    for name in sorted(set(names) - set(objects)):
        yield f'.globl "{name}"\n.type "{name}", %function\n.set "{name}", zero\n'
    yield ".data\n.balign 16\n"
    for name in objects:
        yield f'.globl "{name}"\n.type "{name}", %object\n.size "{name}", 256\n'
        # pybind11 reads the names of types, here and now
        yield TYPEINFO.format(name, name[4:]) if name.startswith("_ZTI") else f'"{name}":\n'
        yield ".zero 256\n"


def versions(symbols):
    """A version script: the loader complains of a library that lacks a version which it is asked for."""
    for version in sorted(set(symbols.values()) - {""}):
        its = "".join(f'"{name}";' for name, v in sorted(symbols.items()) if v == version)
        yield f"{version} {{ global: {its} }};\n"


def build(folder, soname, symbols, source=None):
    """symbols: {name: version}. What source defines is not made."""
    own = set()
    link = ["-Wl,-soname," + soname, "-Wl,-Bsymbolic", "-Wl,--as-needed", "-lstdc++"]
    at = os.path.join(folder, "." + soname)
    if source:
        subprocess.check_call([foreign.CC, "-O1", "-fPIC", "-c", "-o", at + ".o", source])
        listed = subprocess.run(["nm", "--defined-only", at + ".o"], check=True, stdout=subprocess.PIPE, text=True).stdout
        own = {line.split()[-1] for line in listed.splitlines()}
    with open(at + ".s", "w") as file:
        file.writelines(assembly(sorted(set(symbols) - own)))
    with open(at + ".map", "w") as file:
        file.writelines(versions(symbols))
    if os.path.getsize(at + ".map"):
        link.insert(0, f"-Wl,--version-script={at}.map")
    parts = [at + ".s"] + ([at + ".o"] if source else [])
    subprocess.check_call([foreign.CC, "-shared", "-fPIC", "-o", os.path.join(folder, soname), *parts, *link])
    for part in parts + [at + ".map"]:
        os.unlink(part)
