#!/bin/sh
# The module of pip's package, on what was built: steps of a trainer in Python, and its trace as rows. tests/packages has the package.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit 1
${CC:-gcc} -std=gnu11 -w -fPIC -shared -I"$here" -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
mkdir -p site/ranktrace/bin site/ranktrace/lib/ranktrace
cp "$here"/packaging/python/ranktrace/*.py site/ranktrace/
cp "$tool" "$run" site/ranktrace/bin/
cp "$BUILD"/libranktrace*.so site/ranktrace/lib/ranktrace/
unset RANKTRACE_BUILD
export PYTHONPATH="$tmp/site" PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH="$tmp" RANK=0
python=/usr/bin/python3
helpers=$here/tests/helpers/packages

equal it_does_nothing_where_nothing_is_traced "$($python "$helpers/steps.py")" '15 [0]'
equal a_python_that_is_traced_ends_as_without "$($python -m ranktrace run --save-path out --steps 2,3 -- $python "$helpers/steps.py" 2>err)" '15 [0]'
report its_steps_are_those_that_it_told out 'steps(0) == {2: 5, 3: 5} and ranks[0]["step_source"] == "api"'
equal what_is_no_number_ends_no_job "$($python -m ranktrace run --steps 2 -- $python -c 'import ranktrace; ranktrace.step("two"); ranktrace.step("three"); ranktrace.step(None); ranktrace.step(2.5); ranktrace.step(2.0); print("on")' 2>err; sed -n 's/^ranktrace: step(): //p' err)" 'on
a str is no number: write that of the step
a NoneType is no number: write that of the step
2.5 is no step'"'"'s number: write a whole one'
mkdir -p blunt && cp -r site/ranktrace blunt/ && chmod -x blunt/ranktrace/bin/*
equal a_program_without_x_is_told "$(PYTHONPATH=$tmp/blunt $python -m ranktrace report out 2>&1; echo $?)" "ranktrace: cannot run $tmp/blunt/ranktrace/bin/ranktrace: Permission denied (chmod +x it, or install where programs may run)
1"
equal the_module_is_the_command "$($python -m ranktrace --version)" "$("$tool" --version)"
equal its_status_is_the_commands "$($python -m ranktrace dump nowhere >/dev/null 2>&1; echo $?) $($python -m ranktrace run --nothing -- true >/dev/null 2>&1; echo $?)" '1 2'
$python "$helpers/module.py" out "$tmp/site/ranktrace/lib/ranktrace/libranktrace.so" >said 2>&1 || failures=$((failures + 1))
cat said
equal the_module_has_120_lines_at_most "$(cat "$here"/packaging/python/ranktrace/*.py | awk 'END { print NR <= 120 }')" 1
equal a_path_that_cannot_be_preloaded_is_told "$(mkdir 'a b' && cp -r site/ranktrace 'a b/' && PYTHONPATH="$tmp/a b" $python -c 'import ranktrace; ranktrace.library()' 2>&1 | sed -n '$s/: start.*//p')" \
	"ValueError: LD_PRELOAD cannot contain the path '$tmp/a b/ranktrace/lib/ranktrace/libranktrace.so'"
finish
