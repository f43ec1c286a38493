#!/bin/sh
# The wheel with its extras: traces as data frames of pandas and as tables of Arrow, cell by cell what the rows say.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"

need_wheels "$x86"
/usr/bin/python3 -m venv venv && venv/bin/pip install -q "${x86}[pandas,arrow]" >pip 2>&1 || { tail -n 2 pip; echo 'skip: no packages of PyPI to be had'; exit 77; }
cat >frames.py <<'P'
"""frames.py TRACE...: prints how many cells were compared; asserts that a missing key is a null, and that numbers are whole."""
import sys, warnings
import pandas, ranktrace
warnings.simplefilter("ignore")
cells = 0
for trace in sys.argv[1:]:
    rows = ranktrace.load(trace)
    frame, table = (ranktrace.load(trace, as_=word) for word in ("pandas", "arrow"))
    names = list(dict.fromkeys(name for row in rows for name in row))
    assert list(frame.columns) == table.column_names == names, trace
    assert len(frame) == table.num_rows == len(rows) > 0, trace
    assert str(frame.begin_ns.dtype) == "Int64" and str(table.schema.field("begin_ns").type) == "int64", trace
    for name in names:
        of_table = table.column(name).to_pylist()
        for row, cell, other in zip(rows, frame[name], of_table):
            wanted = row.get(name)
            assert cell is pandas.NA or cell is None or cell != cell if wanted is None else cell == wanted, (trace, name, cell, wanted)
            # A list of objects has one shape in Arrow: keys that an object lacks are nulls.
            assert other == wanted or isinstance(wanted, list), (trace, name, other, wanted)
            cells += 1
print(cells > 10000, type(frame).__name__, type(table).__name__)
P
equal frames_and_tables_are_the_rows "$(venv/bin/python frames.py "$here"/tests/golden/*.rtrace 2>&1)" 'True DataFrame Table'
finish
