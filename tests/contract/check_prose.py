"""check_prose.py ROOT RULE: what the documents below ROOT break of a rule, one `file:line: why` a line; status 1 if anything.

lines   prose ends at 100 characters (tables, fenced code and lines that are one link are exempt)
readme  README.md has at most 120 lines
links   relative links and pictures of README.md and docs lead to tracked files, and to headings that exist
paths   files named in backticks in README.md and docs, by path or as `wrap.h`, are tracked
"""
import glob, os, re, subprocess, sys

GENERATED = {"docs/options.md", "docs/coverage-ascend.md", "docs/coverage-cuda.md"}
TOP = r"(?:agent|analysis|config|docs|hooks|scripts|tests)"
ONE_LINK = re.compile(r"^[\s>*-]*(?:!?\[[^]]*\]\([^)]*\)|<?https?://\S+>?)[.,;:]?$")

root, rule = sys.argv[1:]
os.chdir(root)
tracked = subprocess.run(["git", "ls-files"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[:-1]
folders = {path.rsplit("/", n)[0] for path in tracked for n in range(1, path.count("/") + 1)}
documents = [p for p in tracked if p.endswith(".md")]
for_readers = [p for p in documents if p == "README.md" or p.startswith("docs/")]

base_names = {p.rsplit("/", 1)[-1] for p in tracked}

def prose(path):
    """Lines outside of fences, with their numbers."""
    fence = None
    for number, line in enumerate(open(path, encoding="utf-8").read().split("\n"), 1):
        mark = re.match(r"^\s*(`{3,}|~{3,})", line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = None
        elif fence is None:
            yield number, line

def anchors(path):
    """Headings as GitHub makes anchors of them."""
    return {re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
            for _, line in prose(path) if re.match(r"#+ ", line)}

def lines():
    for path in documents:
        for number, line in prose(path) if path not in GENERATED else ():
            if len(line) > 100 and not line.startswith("|") and not ONE_LINK.match(line):
                yield path, number, "%d characters, 100 are the most" % len(line)

def readme():
    count = len(open("README.md").read().split("\n")) - 1
    if count > 120:
        yield "README.md", count, "%d lines, 120 are the most" % count

def links():
    for path in for_readers:
        for number, line in prose(path):
            for target in re.findall(r"\]\(([^)\s]+)[^)]*\)", re.sub(r"`[^`]*`", "", line)):
                file, _, anchor = target.partition("#")
                if re.match(r"\w+:", target):
                    continue
                file = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
                if file not in tracked and file not in folders:
                    yield path, number, "no tracked file '%s'" % target
                elif anchor and file.endswith(".md") and anchor not in anchors(file):
                    yield path, number, "no heading '%s'" % target

def made_by(path):
    """Files that a how-to page adds."""
    return set(re.findall(r"^```\w+ file=(\S+)", open(path).read(), re.M))

def paths():
    for path in for_readers:
        for number, line in prose(path):
            for name in re.findall(r"`(%s/[^\s`<>]+)`" % TOP, line):
                shapes = [name.replace("{%s}" % m, one) for m in re.findall(r"\{([^}]*)\}", name) for one in m.split(",")]
                for shape in shapes or [name]:
                    found = [p for p in glob.glob(shape.rstrip("/")) if p in folders or p in tracked]
                    if not found and shape not in made_by(path):
                        yield path, number, "no tracked file `%s`" % name
                        break
            for name in re.findall(r"`([\w.-]+\.(?:c|h|S|def|inc|py|sh))`", line):
                if name not in base_names | {p.rsplit("/", 1)[-1] for p in made_by(path)}:
                    yield path, number, "no tracked file is called `%s`" % name

faults = list({"lines": lines, "readme": readme, "links": links, "paths": paths}[rule]())
for path, number, why in faults:
    print("%s:%d: %s" % (path, number, why))
sys.exit(bool(faults))
