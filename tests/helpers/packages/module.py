"""module.py TRACE LIBRARY: the package's module reads a run of steps.py, whose steps 2 and 3 were recorded; a line for each that is not so."""
import os
import subprocess
import sys
import warnings

import ranktrace

trace, library = sys.argv[1:3]
faults = []
warnings.simplefilter("ignore")


def holds(name, is_so):
    print(("ok " if is_so else "FAIL ") + name)
    faults.extend([] if is_so else [name])


def refused(kind, *arguments, **options):
    try:
        ranktrace.load(*arguments, **options)
    except kind as error:
        return str(error)
    return ""


ranktrace.step(7)
holds("step_does_nothing_where_nothing_is_traced", True)
holds("library_is_what_is_to_be_preloaded", ranktrace.library() == library and os.access(library, os.R_OK))
rows = ranktrace.load(trace)
holds("rows_are_all_events", [(r["step"], r["name"]) for r in rows] == [(n, "clEnqueueNDRangeKernel") for n in (2, 3) for _ in range(5)])
holds("steps_are_a_number_a_list_a_range_or_text",
      [len(ranktrace.load(trace, steps=which)) for which in (2, [2, 3], range(3, 4), "2-3", "9")] == [5, 10, 5, 10, 0])
holds("so_are_ranks", [len(ranktrace.load(trace, ranks=which)) for which in (0, "0")] == [10, 10])
holds("paths_may_be_several_and_of_pathlib", len(ranktrace.load(trace, __import__("pathlib").Path(trace))) == 10)
holds("a_wrong_word_is_told", refused(ValueError, trace, as_="xml") == "as_='xml': write rows, pandas or arrow")
holds("no_path_is_told", "no path" in refused(ValueError))
holds("a_list_of_paths_is_told_how_to_write_them", refused(ValueError, [trace]).endswith("load(*paths)"))
holds("a_path_that_is_not_there_is_told", refused(FileNotFoundError, trace, trace + "-gone").startswith(trace + "-gone is not there: write "))
holds("what_dump_refuses_is_an_error", "--steps" in refused(RuntimeError, trace, steps="two"))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    holds("where_nothing_is_there_is_a_warning", ranktrace.load(os.path.dirname(library)) == [] and len(said) == 1)
for extra, module in (("pandas", "pandas"), ("arrow", "pyarrow")):
    code = "import sys; sys.modules[%r] = None; import ranktrace; ranktrace.load(%r, as_=%r)" % (module, trace, extra)
    told = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, env=os.environ).stderr.decode().splitlines()[-1]
    holds("a_missing_%s_says_what_to_install" % module,
          told.startswith("ImportError: as_='%s' needs %s (" % (extra, module)) and told.endswith("pip install 'ranktrace[%s]'" % extra))
sys.exit(bool(faults))
