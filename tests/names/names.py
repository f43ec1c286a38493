"""names.py PRESETS [PACKAGE==VERSION...]: looks each function of config/presets.def up in the packages as they are released.

Wheels come from PyPI into $XDG_CACHE_HOME/ranktrace/names (~/.cache/...) and are read as they lie there: nothing is imported. A name is
good if every version of the preset's own package that has its module has the function too, with the arguments that are read of it, and
at least one has it; bases and re-exports are followed, through all wheels together. Prints what is not, and how many names were looked up.

What is on no registry is looked up where TRAINERS=DIR[:DIR...] names folders that its packages lie in, as git checks them out: each in the
presets of its release, which the checkout tells as it does to the launcher. What is in none of them is named, and is no mistake, unless nothing is.
"""
import ast
import collections
import fcntl
import functools
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tarfile
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
    "pytorch": [],  # a test runs these
    "fsdp": [],
    "siirl-0.1": ["siirl==0.1.0.post1"],
    "siirl-0.2": ["siirl==0.2.0"],
    "megatron-0.11": ["megatron-core==0.11.0", "megatron-core==0.12.3", "megatron-core==0.15.3"],
    "megatron-0.16": ["megatron-core==0.16.1"],
    "megatron-0.17": ["megatron-core==0.17.1", "megatron-core==0.19.2"],
    "transformers-4.46": ["transformers==4.46.3", "transformers==4.57.6", "transformers==5.0.0", "transformers==5.23.0"],
    "accelerate-1.0": ["accelerate==1.0.1", "accelerate==1.15.0"],
    "trl-1.0": ["trl==1.0.0", "trl==1.16.0"],
    "deepspeed-0.16": ["deepspeed==0.16.9", "deepspeed==0.19.8"],
    "mindspeed-llm-2.0": [],
    "mindspeed-llm-2.2": [],
    "mindspeed-llm-26.0": [],
    "mindspeed-rl": [],
    "mindspeed-rl-markers": [],
}
OTHERS = {
    "verl-0.6": ["megatron-core==0.16.1", "vllm-ascend==0.11.0", "vllm-ascend==0.13.0"],
    "verl-0.7": ["megatron-core==0.16.1", "vllm-ascend==0.13.0", "sglang==0.5.12", "sglang==0.5.23"],
    "verl-0.8": ["vllm-ascend==0.23.0", "sglang==0.5.12", "sglang==0.5.23"],
    "siirl-0.1": ["megatron-core==0.16.1", "vllm-ascend==0.11.0", "vllm-ascend==0.13.0"],
    "siirl-0.2": ["megatron-core==0.16.1", "vllm-ascend==0.11.0", "vllm-ascend==0.13.0"],
    "transformers-4.46": ["accelerate==1.15.0"],
    "trl-1.0": ["transformers==5.23.0"],
    "mindspeed-llm-2.0": ["megatron-core==0.12.3"],
    "mindspeed-llm-2.2": ["megatron-core==0.12.3"],
    "mindspeed-llm-26.0": ["megatron-core==0.12.3"],
    "mindspeed-rl": ["megatron-core==0.12.3"],
}
ARCHIVES = ["deepspeed"]  # of which there are no wheels
# In no wheel, or not in each: megatron.training is packaged from 0.17 on.
UNPUBLISHED = ["megatron.training", "mindspeed_llm", "mindspeed_rl"]
SIGNS = pathlib.Path(__file__).resolve().parents[2] / "analysis/launch/version_signs.def"
LARGE = ["vllm==0.24.0"]  # 300 MB: only where they are asked for


def found(requirement):
    name, version = requirement.split("==")
    return next(CACHE.glob(f"{name}-{version}.tar.gz" if name in ARCHIVES else f"{name.replace('-', '_')}-{version}-*.whl"), None)


def fetch(requirements):
    """What of these packages is not there yet, as many at a time as have different names."""
    CACHE.mkdir(parents=True, exist_ok=True)
    left = list(dict.fromkeys(requirements))
    while left:
        with open(CACHE.with_name("names.lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
            left = [requirement for requirement in left if not found(requirement)]
            together = {requirement.split("==")[0]: requirement for requirement in left}.values()
            if together:
                subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--ignore-requires-python",
                                "--only-binary=:all:", "--no-binary=" + ",".join(ARCHIVES), "-d", str(CACHE), *together],
                               check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        left = [requirement for requirement in left if requirement not in together]


def wheel(requirement):
    """The path of a wheel, or of a source archive, fetched if it is not there yet."""
    fetch([requirement])
    return found(requirement)


def sources(requirement):
    """(path, how it is read) of each file of Python."""
    archive = wheel(requirement)
    if archive.suffix == ".whl":
        wheel_file = zipfile.ZipFile(archive)
        return [(name, functools.partial(wheel_file.read, name)) for name in wheel_file.namelist() if name.endswith(".py")]
    with tarfile.open(archive) as tar:
        texts = {member.name.partition("/")[2]: tar.extractfile(member).read() for member in tar if member.name.endswith(".py") and member.isfile()}
    return [(name, functools.partial(texts.get, name)) for name in texts]


def top_of(package):
    """The folder that it is imported from."""
    return "megatron" if package == "megatron-core" else package.replace("-", "_")


def folders():
    return [pathlib.Path(folder) for folder in os.environ.get("TRAINERS", "").split(":") if folder]


def checked_out(top, whole):
    """The same of what TRAINERS names: that package of the folder whole, and of any what else is in no wheel."""
    tops = {package.split(".")[0] for package in UNPUBLISHED} - {top}
    places = [(folder, folder / other) for folder in folders() for other in sorted(tops)] + [(whole, whole / top)]
    return [(str(path.relative_to(folder)), path.read_bytes) for folder, place in places for path in place.rglob("*.py")]


def release(folder, package):
    """Of a checkout, as version_signs.def tells it; empty: it has no row."""
    def text(path):
        return (folder / path).read_text(errors="replace") if (folder / path).is_file() else None
    for kind, of, path, sign, version in re.findall(r'^VERSION_(FILE|SIGN)\("([^"]+)", "([^"]+)", "([^"]*)"(?:, "([^"]+)")?\)', SIGNS.read_text(), re.M):
        found = text(path) if of == package else None
        if found is not None and (kind == "FILE" or sign in found):
            return version or ".".join(re.findall(sign, found, re.M))
    return ""


def number(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def checkouts(presets):
    """(what it is called, folder, its top) of each checkout of a preset, by the preset's name: the last of one kind that its release is not older than."""
    found = {}
    for folder in folders():
        for package in dict.fromkeys(package for _, package, _ in presets):
            top, its = top_of(package), release(folder, package)
            if not any((folder / top).rglob("*.py")):
                continue
            fitting = {}
            for name, of, since in presets:
                kind = re.sub(r"-\d[\d.]*$", "", name)
                if of == package and (kind not in fitting or not its or number(its) >= number(since)):
                    fitting[kind] = name
            for name in fitting.values():
                found.setdefault(name, []).append((f"{package} {its}".strip() + f" of {folder}", folder, top))
    return found


def is_of(module, packages):
    return any((module + ".").startswith(package + ".") for package in packages)


class Away(Exception):
    """A module imports the name from one that was not asked for."""


class World:
    """Some wheels, and what is checked out, as if they were installed together."""

    def __init__(self, requirements, more=()):
        self.files = {}
        for name, read in itertools.chain(*map(sources, requirements), more):
            self.files[re.sub(r"(/__init__)?\.py$", "", name).replace("/", ".")] = (read, name)

    @functools.lru_cache(None)
    def text(self, module):
        return self.files[module][0]()

    @functools.lru_cache(None)
    def tree(self, module):
        return ast.parse(self.text(module)) if module in self.files else None

    def imported(self, module, node):
        """The module that an import from says, from this module."""
        if not node.level:
            return node.module
        parts = module.split(".")
        if not self.files[module][1].endswith("__init__.py"):
            parts = parts[:-1]
        parts = parts[:len(parts) - node.level + 1]
        return ".".join(parts + ([node.module] if node.module else []))

    @functools.lru_cache(None)
    def names(self, module):
        """What a module defines, by name; and by name the imports, wherever they stand, that bring it there, each with its name there."""
        tree, imports = self.tree(module), collections.defaultdict(list)
        for node in ast.walk(tree):
            for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                imports[alias.asname or alias.name].append((node, alias.name))
        return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))}, imports

    def find(self, module, name, depth=0):
        """(module, node) of a class or function of that name, however it came there."""
        if depth == 8 or self.tree(module) is None:
            if is_of(module, UNPUBLISHED):
                raise Away(module)
            return None
        defined, imports = self.names(module)
        if name in defined:
            return module, defined[name]
        found = (self.find(self.imported(module, node), there, depth + 1) for node, there in imports.get(name, ()))
        return next(filter(None, found), None)

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
                if not any(name.encode() in self.text(module) for name in known):
                    continue
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
    """(preset, module, path, arguments that are read, variables of modules that are) of each function."""
    preset, found, text = None, [], pathlib.Path(path).read_text()
    for macro, sets in re.findall(r"^#define (\w+) \\\n((?:\tSET.*\n)+)", text, re.M):
        text = re.sub(rf"^{macro}$", sets.replace("\t", "").replace("\\", ""), text, flags=re.M)
    for line in text.splitlines():
        begin = re.match(r'PRESET\("([^"]+)", "', line)
        preset = begin[1] if begin else preset
        value = re.match(r'SET\(\w+_source, "python:([\w.]+):([\w.+]+)[^{"]*(.*)"\)', line)
        if value:
            found.append((preset, value[1], value[2], re.findall(r"arg:(\w+)", value[3]), re.findall(r"global:([\w.]+):(\w+)", value[3])))
    return found


def problem(world, module, path, arguments, variables):
    """Why a name is not good in a world; None: it is; False: its module is not there."""
    if module not in world.files:
        return False
    try:
        functions = world.functions(module, path)
    except Away:
        return False
    if not functions:
        return "is not there"
    for function in functions:
        names = [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]
        missing = [a for a in arguments if a not in names]
        if missing:
            return "has no argument " + " and no ".join(missing)
    for module, name in variables:
        if module not in world.files and is_of(module, UNPUBLISHED):
            continue
        if not any(isinstance(node, ast.Name) and node.id == name for part in world.tree(module).body if isinstance(part, ast.Assign) for node in part.targets):
            return f"has no {module}:{name} to read"
    return None


def worlds_of(preset, large, there):
    """(what it is called, World) of each."""
    others = OTHERS.get(preset, []) + (LARGE if large else [])
    found = [(f"{own}", World([own] + others)) for own in OF_PRESETS[preset]]
    found += [(called, World(others, checked_out(top, folder))) for called, folder, top in there]
    return found or [(preset, World(others))]


def twin_found(worlds, names, asked):
    """The same function in a module of another name, as other releases have it."""
    return any(other[1:] == asked[1:] and other[0] != asked[0] and problem(world, *other) is None for other in names for _, world in worlds)


def tell_absent(absent, there):
    for called in sorted({called for of in there.values() for called, *_ in of}):
        print(f"looked up in {called}")
    if not there:
        print("nothing that a preset is of lies in TRAINERS: name the folder that has " + ", ".join(UNPUBLISHED) + " in it")
    for package in UNPUBLISHED:
        names = [line for line in absent if f" {package}." in line]
        if names:
            print(f"{package}: {len(names)} of its names are in no checkout, or in none of their release")


def main():
    presets, large = sys.argv[1], os.environ.get("RANKTRACE_NAMES") == "all"
    named, good, bad, absent = 0, 0, [], []
    there = checkouts(re.findall(r'^PRESET\("([^"]+)", "([^"]+)", "([^"]+)"', pathlib.Path(presets).read_text(), re.M))
    by_preset = {}
    for preset, *name in rows(presets):
        by_preset.setdefault(preset, []).append(name)
    fetch(package for preset in by_preset for package in OF_PRESETS[preset] + OTHERS.get(preset, []))
    for preset, names in by_preset.items():
        worlds = worlds_of(preset, large, there.get(preset, []))
        unasked = ["torch"] + ["vllm"] * (not large) + [package for package in UNPUBLISHED if not any(module.startswith(package + ".") for _, world in worlds for module in world.files)]
        for asked in names:
            named += 1
            module, path = asked[:2]
            answers = [(own, problem(world, *asked)) for own, world in worlds]
            bad += [f"{preset}: {module}:{path} {why} in {own}" for own, why in answers if why]
            if all(why is False for _, why in answers):
                is_away = is_of(module, unasked) or twin_found(worlds, names, asked) or any(module in world.files for _, world in worlds)
                (absent if is_away else bad).append(f"{preset}: {module}:{path} has no module in any wheel or checkout")
            elif all(not why for _, why in answers):
                good += 1
    for line in bad:
        print(line)
    if folders():
        tell_absent(absent, there)
    print(f"{named} names, {good} found, {len(bad)} wrong, {len(absent)} of packages that were not asked for")
    return bool(bad) or good == 0 or bool(folders() and not there)


if __name__ == "__main__":
    sys.exit(main())
