#!/bin/sh
# Which line of Python made a call: lines from the tables of each CPython, and what dump, report and export make of stacks.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/pythons.sh"
cd "$tmp" || exit 1

# ---- lines ----
for each in $(pythons); do
	equal "each_instruction_has_the_line_that_python_${each%%:*}_gives_it" \
		"$("${each#*:}" "$here/tests/helpers/python/line_tables.py" | "$BUILD/tests/programs/code_lines")" 'many functions, large ones of code, 0 wrong'
done
finish
