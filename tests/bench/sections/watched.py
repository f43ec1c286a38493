"""What a watched function of Python costs outside of windows: by sys.monitoring from 3.12 on, by a function in its place before."""
import glob
import os
import subprocess
import harness as h

ROUNDS = h.pick(5, 3)
SOURCE = "python:__main__:Worker.watched"
WAYS = {"micro-batch": dict(MICRO_SOURCE=SOURCE), "micro-batch, an argument is read": dict(MICRO_SOURCE=SOURCE + "{when=arg:n==1}"),
        "stage": dict(STAGE_SOURCE=SOURCE)}


def pythons():
    """One of each version that is here, by version."""
    found = {}
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    for path in ["/usr/bin/python3"] + glob.glob(os.path.join(root, "versions", "3.*", "bin", "python3")):
        p = subprocess.run([path, "-c", "import sys, ctypes; print('%d.%02d' % sys.version_info[:2])"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if p.returncode == 0 and p.stdout.strip() >= "3.08":
            found.setdefault(p.stdout.strip(), path)
    return dict(sorted(found.items()))


def run():
    h.title("A watched function of Python, in steps that are not recorded: added ns a call")
    program, library = os.path.join(h.HERE, "watched.py"), os.path.join(h.DIR, "fake0", "libOpenCL.so.1")
    rows, worst = [], {}
    for version, path in pythons().items():
        variants = {None: lambda p=path: h.run([p, program, library], counted=False)}
        for way, setting in WAYS.items():
            agent = dict(STEPS="100000-", STEP_SOURCE="api", RANKS="all", RANK="0", CONTENTS="cpu", **setting)
            variants[way] = lambda p=path, a=agent: h.run([p, program, library], agent=a, counted=False)
        m = h.rotate(ROUNDS, "watched, Python " + version, variants)
        added = {(way, what): h.best(m[way], what) - h.best(m[None], what) for way in WAYS for what in ("watched", "other", "exception")}
        for way in WAYS:
            rows.append([version.replace(".0", ".") + ", " + way] + ["%.0f" % added[way, what] for what in ("watched", "other", "exception")])
        kind = "monitored" if version >= "3.12" else "in its place"
        for what in ("watched", "other", "exception"):
            worst[kind, what] = max(worst.get((kind, what), 0), added["micro-batch", what])
    h.table(["", "watched", "other function", "exception"], rows)
    h.say()
    if ("monitored", "watched") in worst:
        h.bar("a watched call, monitored: added ns, entry and return", worst["monitored", "watched"], 300, 0)
    h.bar("a watched call, by a function in its place: added ns", worst["in its place", "watched"], 300, 0)
    h.bar("a call of another function: added ns", max(v for (_, what), v in worst.items() if what == "other"), 5, 1)
