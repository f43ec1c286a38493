"""newcomers.py TREE BUILD WORK [--update]: carries out each page of docs/howto in a copy of TREE, and counts its edits.

A page is a worked example. What it tells to do stands in its fenced blocks, by their first lines:
  ```c file=PATH                  a new file
  ```c add-to=PATH                lines at the end of a file that is there
  ```c add-to=PATH after="TEXT"   lines behind the first line that has TEXT (before="TEXT": in front of it)
  ```sh run                       commands, in the copy after all pages were carried out and `make` has built it;
                                  BUILD is its build folder. The next ```text block is what they print; a line
                                  `...` stands for any lines.
Prints `ok NAME` or `FAIL NAME: why` for each check. docs/design.md has a table of the edits that one more takes
(| one more | existing files touched | ... |); it must say what was counted, --update writes it.
"""
import os, pathlib, re, shutil, subprocess, sys

# The most existing files, beside tests and documents, that one more may touch.
PROMISED = {"vendor": 1, "entry-point": 1, "capture-word": 3, "step-source": 1, "exporter": 1, "report-section": 1,
            "subcommand": 1, "option": 1, "new-test": 0}
BLOCK = re.compile(r"^```(\w+)([^\n`]*)\n(.*?)^```$", re.M | re.S)

failed = False


def say(good, name, why=""):
    global failed
    failed |= not good
    print("ok " + name if good else "FAIL %s: %s" % (name, why), flush=True)


class Page:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.edits, self.runs, self.lines = [], [], 0
        blocks = [(kind, words.strip(), text) for kind, words, text in BLOCK.findall(path.read_text())]
        for i, (kind, words, text) in enumerate(blocks):
            if "file=" in words or "add-to=" in words:
                how, place = re.match(r"(file|add-to)=(\S+)", words).groups()
                self.edits.append((how, place, re.search(r'\b(after|before)="([^"]*)"', words), text))
            elif words == "run":
                follows = blocks[i + 1] if i + 1 < len(blocks) else ("", "", "")
                self.runs.append((text, follows[2] if follows[0] == "text" else ""))

    def carry_out(self, tree):
        """Returns the existing files that it touched, beside tests and documents, and lines added to them."""
        touched, lines, new = set(), 0, 0
        for how, place, where, text in self.edits:
            path = tree / place
            if how == "file":
                assert not path.exists(), "%s is there already" % place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                if text.startswith("#!"):
                    path.chmod(0o755)
                new += not place.startswith(("tests/", "docs/"))
                continue
            old = path.read_text().splitlines(keepends=True)
            at = len(old)
            if where:
                at = next((i for i, line in enumerate(old) if where[2] in line), None)
                assert at is not None, "%s has no line with '%s'" % (place, where[2])
                at += where[1] == "after"
            path.write_text("".join(old[:at]) + text + "".join(old[at:]))
            if not place.startswith(("tests/", "docs/", "README", "CHANGELOG")):
                touched.add(place)
                lines += text.count("\n")
        created = {place for how, place, *_ in self.edits if how == "file"}
        return sorted(touched - created), lines, new


def fits(got, wanted):
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line.rstrip()) + r"[ \t]*\n" for line in wanted.splitlines())
    return re.fullmatch(pattern, got if got.endswith("\n") or not got else got + "\n")


# Compiles in half the time; how long a text may become gcc tells from code that it has made better. Without a vendor some tables are empty.
FLAGS = "-O0 -Wno-format-truncation -Wno-type-limits"


def run(tree, command, **more):
    environment = dict(os.environ, BUILD=str(tree / "build"), CFLAGS=FLAGS, **more)
    for name in [n for n in environment if n.startswith("RANKTRACE_") and n != "RANKTRACE_SESSION_ROOT"]:
        del environment[name]
    p = subprocess.run(["sh", "-euc", command], cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True)
    return p.returncode, p.stdout


# Hundreds of rows, which take long to build: the copy has them not.
WITHOUT = ["ascend", "cuda", "hip"]
PRELOADED = "hooks/ascend/preload/"  # libraries of their own


def copy(top, build, tree):
    names = subprocess.run(["git", "-C", str(top), "ls-files", "-co", "--exclude-standard"], stdout=subprocess.PIPE, text=True)
    names = names.stdout.split("\n") if names.returncode == 0 else \
        [str(p.relative_to(top)) for p in top.rglob("*") if p.is_file() and not str(p.relative_to(top)).startswith("build")]
    for name in filter(None, names):
        rows = name.startswith(tuple(f"hooks/{vendor}/" for vendor in WITHOUT)) and not name.startswith(PRELOADED)
        if not (top / name).is_file() or rows or name.startswith("tests/fuzz/corpus"):
            continue
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(top / name, tree / name)
    vendors = tree / "hooks/rows/vendors.def"
    vendors.write_text("".join(line for line in vendors.open() if not any(f"hooks/{vendor}/" in line for vendor in WITHOUT)))
    for part in ("so", "bin"):
        if (build / part).exists():
            shutil.copytree(build / part, tree / "build" / part)


def table(design, counted, update):
    """The rows of docs/design.md: | [word](howto/page.md) | before | files | lines | new files | ... |"""
    text, wrong = design.read_text(), []

    def row(m):
        files, lines, new = counted[m[2]]
        cells = [c.strip() for c in m[3].strip("|\n ").split("|")]
        right = [cells[0], str(len(files)), str(lines), str(new), *cells[4:]]
        if cells != right:
            wrong.append("%s: says %s, counted %s" % (m[2], cells[1:4], right[1:4]))
        return "| %s | %s |" % (m[1], " | ".join(right))

    rows = re.compile(r"^\| (\[[^\]]*\]\(howto/([a-z-]+)\.md\)) \|(.*)\|$", re.M)
    new = rows.sub(row, text)
    missing = set(counted) - {m[2] for m in rows.finditer(text)} - {"new-test"}
    wrong += ["%s has no row" % page for page in sorted(missing)]
    if update:
        design.write_text(new)
    say(not wrong, "the_table_of_one_more_in_the_design_says_what_was_counted", "; ".join(wrong) + " (newcomers.sh --update)")


def main():
    top, build, work = map(pathlib.Path, sys.argv[1:4])
    tree = work / "tree"
    copy(top, build, tree)
    pages, counted = [Page(p) for p in sorted((top / "docs/howto").glob("*.md")) if p.stem != "README"], {}
    say(set(PROMISED) == {p.name for p in pages}, "each_kind_of_newcomer_has_its_page",
        "pages: %s, promised: %s" % (sorted(p.name for p in pages), sorted(PROMISED)))
    for page in pages:
        name = page.name.replace("-", "_")
        try:
            counted[page.name] = files, lines, new = page.carry_out(tree)
        except (AssertionError, OSError) as e:
            say(False, "one_more_%s_is_added_as_its_page_tells" % name, str(e))
            continue
        most = PROMISED.get(page.name, 0)
        say(len(files) <= most, "one_more_%s_touches_no_more_than_%d_existing_files" % (name, most), ", ".join(files))
    # check-format asks git for the files.
    rc, out = run(tree, "git init -q && git add . && make --no-print-directory -j2 WERROR=1 all check-format")
    say(rc == 0, "with_all_newcomers_it_builds_without_a_warning", out[-600:])
    if rc == 0:
        order, out = run(tree, "scripts/dev/check-includes")
        say(order == 0, "newcomers_keep_the_order_of_folders", out[-600:])
    for page in pages if rc == 0 else []:
        name = "one_more_%s_does_what_its_page_says" % page.name.replace("-", "_")
        if not page.runs:
            say(False, name, "the page runs nothing")
            continue
        shutil.rmtree(tree / "out", ignore_errors=True)
        for command, wanted in page.runs:
            rc, out = run(tree, command)
            if rc or not fits(out, wanted):
                say(False, name, "exit %d of:\n%sprinted:\n%swanted:\n%s" % (rc, command, out[-1500:], wanted))
                break
        else:
            say(True, name)
    table(top / "docs/design.md", counted, "--update" in sys.argv)
    return failed


sys.exit(main())
