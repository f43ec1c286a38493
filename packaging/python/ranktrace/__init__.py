"""What a Python program may say to ranktrace, and how it reads what was recorded."""
import ctypes
import functools
import json
import os
import subprocess
import sys
import tempfile

_HERE = os.path.dirname(os.path.abspath(__file__))

# None where the agent is not loaded: it is there from a process's start on, or never.
_agent_step = getattr(ctypes.CDLL(None), "ranktrace_step", None)
if _agent_step:
    _agent_step.argtypes, _agent_step.restype = [ctypes.c_int64], None


@functools.lru_cache(maxsize=None)
def _say_once(text):
    print("ranktrace: " + text, file=sys.stderr)


def step(n):
    """Step n begins now. Does nothing where the process is not traced; a line says so where n is no number."""
    if _agent_step:
        try:
            _agent_step(int(n)) if not isinstance(n, float) or n == int(n) else _say_once("step(): %r is no step's number: write a whole one" % n)
        except Exception:  # a job that runs without ranktrace runs with it
            _say_once("step(): a %s is no number: write that of the step" % type(n).__name__)


def library():
    """The path of libranktrace.so, for LD_PRELOAD where a job does not go by ranktrace-run."""
    path = os.path.join(_HERE, "lib", "ranktrace", "libranktrace.so")
    if any(letter in path for letter in ": \t"):
        raise ValueError("LD_PRELOAD cannot contain the path '%s': start the job by ranktrace-run, or install below one without blanks and colons" % path)
    return path


def load(*paths, steps=None, ranks=None, as_="rows"):
    """The events below these paths, of these steps and ranks: 2, [2, 4] or "2,5-9" (None: all).

    as_: "rows", a list of one dictionary an event with the keys of `ranktrace dump --format jsonl` (docs/output.md);
    "pandas", a DataFrame; "arrow", a pyarrow.Table. Of these two a column has all events, with nulls where one lacks the key.
    """
    if as_ not in _AS:
        raise ValueError("as_=%r: write rows, pandas or arrow" % (as_,))
    if not all(isinstance(path, (str, bytes, os.PathLike)) for path in paths or [None]):
        raise ValueError("load(): no path: write the folder of a run, such as ranktrace-out; of several in a list load(*paths)")
    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError("%s is not there: write the folder of a run, such as ranktrace-out, or a trace file" % os.fspath(path))
    name, make = _AS[as_]
    return make(name and _wanted(name, as_), _rows(paths, steps, ranks))


def _wanted(name, extra):
    try:
        return __import__(name)
    except ImportError as error:
        raise ImportError("as_=%r needs %s (%s): pip install 'ranktrace[%s]'" % (extra, name, error, extra)) from None


def _numbers(which):
    return which if isinstance(which, str) else ",".join(str(int(n)) for n in ([which] if hasattr(which, "__index__") else which))


def _rows(paths, steps, ranks):
    words = [os.path.join(_HERE, "bin", "ranktrace"), "dump", "--format", "jsonl"]
    for option, which in (("--steps", steps), ("--ranks", ranks)):
        words += [] if which is None else [option, _numbers(which)]
    calm = {name: text for name, text in os.environ.items() if name != "LD_PRELOAD"}  # what reads a trace is no part of a job
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(words + ["--"] + [os.fspath(path) for path in paths], stdout=subprocess.PIPE, stderr=said, env=calm) as dump:
            rows = [json.loads(line) for line in dump.stdout]
        said.seek(0)
        told = said.read().decode(errors="replace").strip()
    if dump.returncode not in (0, 1):  # 1: something was lost; dump says what
        raise RuntimeError(told or "ranktrace dump ended with status %d" % dump.returncode)
    if told:
        import warnings
        warnings.warn(told, stacklevel=3)
    return rows


def _columns(rows):
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}


# Numbers stay whole ones beside a null, and never pass through a float, which has no room for a time of today in ns.
def _frame(pandas, rows):
    def column(values):
        if all(value is None or type(value) is int and abs(value) < 1 << 63 for value in values):
            return pandas.array(values, dtype="Int64")
        return pandas.Series(values, dtype=object).convert_dtypes()
    return pandas.DataFrame({name: column(values) for name, values in _columns(rows).items()})


_AS = {"rows": (None, lambda _, rows: rows), "pandas": ("pandas", _frame),
       "arrow": ("pyarrow", lambda pyarrow, rows: pyarrow.table(_columns(rows)))}
