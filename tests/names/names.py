"""names.py PRESETS [PACKAGE==VERSION...]: looks each function of config/presets.def up in the packages as they are released.

Wheels come from PyPI into $XDG_CACHE_HOME/ranktrace/names (~/.cache/...) and are read as they lie there: nothing is imported. A name is
good if every version of the preset's own package that has its module has the function too, with the arguments that are read of it, and
at least one has it; bases and re-exports are followed, through all wheels together. Prints what is not, and how many names were looked up.
"""
import ast
import functools
import os
import pathlib
import re
import subprocess
import sys
import zipfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "ranktrace/names"

# A preset, and the wheels of which one is there at a time. Those of others, which it also names functions of, are in all; of
# two versions of one the later has what both have.
OF_PRESETS = {
    "verl-0.6": ["verl==0.6.1", "verl==0.7.0"],
    "verl-0.7": ["verl==0.7.1"],
    "verl-0.8": ["verl==0.8.0", "verl==0.9.0", "verl==0.9.1"],
    "vllm-0.9": [],
    "vllm-ascend-0.9": ["vllm-ascend==0.11.0"],
    "vllm-ascend-0.13": ["vllm-ascend==0.13.0", "vllm-ascend==0.23.0"],
    "sglang-0.5": ["sglang==0.5.23"],
    "pytorch": [],  # a test runs that
}
OTHERS = {
    "verl-0.6": ["megatron-core==0.16.1", "vllm-ascend==0.11.0", "vllm-ascend==0.13.0"],
    "verl-0.7": ["megatron-core==0.16.1", "vllm-ascend==0.13.0", "sglang==0.5.12", "sglang==0.5.23"],
    "verl-0.8": ["vllm-ascend==0.23.0", "sglang==0.5.12", "sglang==0.5.23"],
}
LARGE = ["vllm==0.24.0"]  # 300 MB: only where they are asked for


def wheel(requirement):
    """The path of a wheel, fetched if it is not there yet."""
    name, version = requirement.split("==")
    there = list(CACHE.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
    if not there:
        CACHE.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
                        "-d", str(CACHE), requirement], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        there = list(CACHE.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
    return there[0]


class World:
    """Some wheels, as if they were installed together."""

    def __init__(self, requirements):
        self.files = {}
        for requirement in requirements:
            archive = zipfile.ZipFile(wheel(requirement))
            for name in archive.namelist():
                if name.endswith(".py"):
                    module = re.sub(r"(/__init__)?\.py$", "", name).replace("/", ".")
                    self.files[module] = (archive, name)

    @functools.lru_cache(None)
    def tree(self, module):
        if module not in self.files:
            return None
        archive, name = self.files[module]
        return ast.parse(archive.read(name))

    def imported(self, module, node):
        """The module that an import from says, from this module."""
        if not node.level:
            return node.module
        parts = module.split(".")
        if not self.files[module][1].endswith("__init__.py"):
            parts = parts[:-1]
        parts = parts[:len(parts) - node.level + 1]
        return ".".join(parts + ([node.module] if node.module else []))

    def find(self, module, name, depth=0):
        """(module, node) of a class or function of that name, however it came there."""
        tree = self.tree(module) if depth < 8 else None
        if tree is None:
            return None
        found = None
        for node in ast.walk(tree):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name and node in tree.body:
                found = module, node
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        found = found or self.find(self.imported(module, node), alias.name, depth + 1)
        return found

    def method(self, module, node, name, depth=0):
        """The function of a class, or of what it comes from."""
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part.name == name:
                return part
        for base in node.bases if depth < 8 else ():
            text = ast.unparse(base).split("[")[0].split(".")[-1]
            of = self.find(module, text)
            found = of and self.method(*of, name, depth + 1)
            if found:
                return found
        return None

    def subclasses(self, base):
        """(module, node) of classes that name it, or one of those, as a base."""
        known, found, more = {base}, [], True
        package = [m for m in self.files if m.split(".")[0] == self.package]
        while more:
            more = False
            for module in package:
                for node in self.tree(module).body:
                    if isinstance(node, ast.ClassDef) and node.name not in known and known & {ast.unparse(b).split(".")[-1] for b in node.bases}:
                        known.add(node.name)
                        found.append((module, node))
                        more = True
        return found

    def functions(self, module, path):
        """What a path of presets.def means here; empty: it is not there."""
        *classes, name = path.split(".")
        if not classes:
            found = self.find(module, name)
            return [found[1]] if found else []
        owner = self.find(module, classes[0].rstrip("+"))
        if not owner:
            return []
        self.package = module.split(".")[0]
        owners = [owner] + (self.subclasses(owner[1].name) if classes[0].endswith("+") else [])
        return [f for f in (self.method(*of, name) for of in owners) if f]


def rows(path):
    """(preset, module, path, arguments that are read) of each function."""
    preset, found = None, []
    for line in pathlib.Path(path).read_text().splitlines():
        begin = re.match(r'PRESET\("([^"]+)", "', line)
        preset = begin[1] if begin else preset
        value = re.match(r'SET\(\w+_source, "python:([\w.]+):([\w.+]+)[^{"]*(.*)"\)', line)
        if value:
            found.append((preset, value[1], value[2], re.findall(r"arg:(\w+)", value[3])))
    return found


def problem(world, module, path, arguments):
    """Why a name is not good in a world; None: it is; False: its module is not there."""
    if module not in world.files:
        return False
    functions = world.functions(module, path)
    if not functions:
        return "is not there"
    for function in functions:
        names = [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]
        missing = [a for a in arguments if a not in names]
        if missing:
            return "has no argument " + " and no ".join(missing)
    return None


def main():
    presets, large = sys.argv[1], os.environ.get("RANKTRACE_NAMES") == "all"
    named, good, bad, absent = 0, 0, [], []
    by_preset = {}
    for preset, *name in rows(presets):
        by_preset.setdefault(preset, []).append(name)
    for preset, names in by_preset.items():
        others = OTHERS.get(preset, []) + (LARGE if large else [])
        worlds = [(own, World([own] + others)) for own in OF_PRESETS[preset]] or [(preset, World(others))]
        for module, path, arguments in names:
            named += 1
            answers = [(own, problem(world, module, path, arguments)) for own, world in worlds]
            bad += [f"{preset}: {module}:{path} {why} in {own}" for own, why in answers if why]
            if all(why is False for _, why in answers):
                (absent if module.split(".")[0] == "torch" or module.split(".")[0] == "vllm" and not large else bad).append(f"{preset}: {module}:{path} has no module in any wheel")
            elif all(not why for _, why in answers):
                good += 1
    for line in bad:
        print(line)
    print(f"{named} names, {good} found, {len(bad)} wrong, {len(absent)} of packages that were not asked for")
    return bool(bad) or good == 0


if __name__ == "__main__":
    sys.exit(main())
