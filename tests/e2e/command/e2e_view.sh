#!/bin/sh
# `ranktrace view`: who knows the token gets page and trace, nobody else gets anything, and nothing is left behind.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit 1

mkdir made ui empty
"$BUILD/tests/programs/made_run" made 3
echo 'the ui' >ui/index.html
echo secret >secret
echo hidden >ui/.hidden
ln -s ../secret ui/link
TMPDIR=$tmp/empty holds a_browser_gets_what_it_should_and_nothing_else /usr/bin/python3 "$here/tests/helpers/page/ask_view.py" "$tool" ui secret made
equal no_file_is_left "$(ls empty)" ''
equal a_folder_without_the_ui_is_told "$("$tool" view --perfetto-ui made made 2>&1; echo $?)" \
	'ranktrace: --perfetto-ui made: there is no index.html: name the folder that has it
2'
equal of_nothing_it_serves_nothing "$("$tool" view empty 2>&1; echo $?)" 'ranktrace: empty: no *.rtrace file; `ranktrace check` says why a run recorded nothing
1'
equal a_port_is_a_number "$("$tool" view --port 70000 made 2>&1; echo $?)" "ranktrace: unknown --port '70000': use a number from 1 to 65535
2"
finish
