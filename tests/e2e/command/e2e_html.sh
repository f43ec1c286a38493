#!/bin/sh
# `ranktrace html`: what its page holds is what report, why and export say; names do no harm; and a browser, where there is one, is clicked through it.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit 1
page=$here/tests/helpers/page
made=$BUILD/tests/programs/made_run
# asked FILE EXPRESSION: of its page
asked() { PYTHONPATH=$page /usr/bin/python3 -Bc 'import sys; from read_page import Page; page = Page(sys.argv[1]); print(eval(sys.argv[2]))' "$@"; }

# A name that is all that a page could trip over, and one that is too long for any line.
hostile=$(printf '</script><script>hacked=1</script> "\047<b onclick=x>&amp;\342\200\256 rtl \342\200\250 \327\251\327\234\001\033[31m <!-- ${x} \\u003c')
mkdir made
"$made" made 3 slow:matmul:9000000 "called:matmul:$hostile" called:norm: in:5:1 pause:30000000
holds a_page_is_made "$tool" html -o made.html made
holds its_data_are_those_of_report_why_and_export /usr/bin/python3 "$page/read_page.py" made.html "$tool" made
holds and_so_are_those_of_a_real_program sh -c '"$1" html -o trainer.html "$2" && /usr/bin/python3 "$3" trainer.html "$1" "$2"' - \
	"$tool" "$here/tests/golden/2.2-trainer.rtrace" "$page/read_page.py"
equal standard_output_gets_the_same "$("$tool" html made | cksum)" "$(cksum <made.html)"
"$tool" html --ranks 1 --steps 3-4 -o part.html made
equal steps_and_ranks_may_be_chosen "$(asked part.html '[(r["rank"], [s[0] for s in r["steps"]]) for r in page.json("steps")["ranks"]]')" '[(1, [3, 4])]'
mkdir empty
equal where_there_is_nothing_no_page_is_made "$("$tool" html --steps 99 -o none.html made 2>&1; echo $?; "$tool" html -o none.html empty 2>&1; echo $?; ls none.html 2>/dev/null)" \
	'ranktrace: none of the --steps is in the trace, but steps 1-12
1
ranktrace: empty: no *.rtrace file; `ranktrace check` says why a run recorded nothing
1'
equal a_trace_is_not_overwritten "$("$tool" html -o made/rank0.rtrace made 2>&1; echo $?)" \
	'ranktrace: made/rank0.rtrace is a trace or an input and is not overwritten; give another file with -o
2'

# A million calls, and of some hundred ranks more tables than there is room for: the page says what it has left out.
mkdir large ranks
"$BUILD/tests/bench/stream" -s 300 -d large >/dev/null
"$tool" html -o large.html large 2>/dev/null
said=$(sed -n 's/.*"slices":\([0-9]*\),"held":\([0-9]*\),"resolution_ns":\([0-9]*\).*/\1 \2 \3/p' large.html)
equal of_a_million_calls_all_slices_are_counted "${said%% *}" 1618800
holds and_nearly_all_drawn sh -c 'test "$2" -gt 1000000 && test "$3" -le 4096' - $said
holds in_a_file_of_20_mib_at_most test "$(wc -c <large.html)" -le $((20 << 20))
"$made" ranks 3 ranks:450 steps:8
"$tool" html -o ranks.html ranks
holds hundreds_of_ranks_have_all_their_steps /usr/bin/python3 "$page/read_page.py" ranks.html "$tool" ranks
equal and_as_many_tables_as_there_is_room_for "$(asked ranks.html '100 < len(page.json("report")["ranks"]) < len(page.json("steps")["ranks"])')" True

# A letter that takes six in the page counts as six.
mkdir wide
"$made" wide 3 $(for kernel in matmul norm relu add adam; do echo "called:$kernel:$(printf '%060000d' 0 | tr 0 '<')"; done)
"$tool" html -o wide.html wide
equal what_has_no_room_is_left_out_by_what_it_takes_there "$(asked wide.html '[len(page.json(name)["ranks"]) for name in ("report", "steps")], len(page.html.blocks["data-report"]) < 2 << 20')" '([1, 2], True)'

status=0
/usr/bin/python3 "$page/click_page.py" made.html >clicks 2>&1 || status=$?
if [ $status -eq 77 ]; then cat clicks; else holds a_browser_finds_its_way sh -c 'cat clicks; exit $1' - $status; fi
finish
