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

# ---- dump ----
mkdir out && "$BUILD/tests/programs/made_run" out 1 exact stacks more:extra
"$tool" dump --format jsonl out >lines
stacks() { /usr/bin/python3 "$here/tests/helpers/python/stacks_of.py" lines "$1"; }
equal frames_stand_innermost_first "$(stacks matmul)" 'linear:103 Layer.forward:71 train_step:42 <module>:15'
equal frames_of_python_stand_where_the_interpreter_does "$(stacks adam)" '/lib/libtorch.so+0x1000 train_step:44 <module>:15 /lib/libtorch.so+0x4000 None+0x6000'
equal why_there_is_none_is_told "$(stacks relu)" 'stack_of'
equal a_lost_stack_is_told "$(stacks extra)" 'stack_lost'
equal copies_without_one_have_none "$(grep -v clEnqueueNDRangeKernel lines | grep -c stack)" 0
equal a_line_of_text_ends_with_the_innermost_frame "$("$tool" dump out | sed -n 's/.* kernel=\([a-z]*\) .* \(stack.*\)/\1 \2/p' | sort -u | paste -sd';')" \
	'adam stack=/job/train.py:44 train_step;add stack=<frozen importlib._bootstrap>:200 _call_with_frames_removed;matmul stack=/job/venv/lib/python3.10/site-packages/torch/functional.py:103 linear;norm stack=/job/venv/lib/python3.10/site-packages/torch/functional.py:104 linear;relu stack_of=in_queue'
# ---- report ----
for trace in out "$here/tests/golden/2.6-ascend.rtrace"; do
	for table in lines as_csv; do holds "${table}_of_$(basename "$trace")_are_those_of_dump" /usr/bin/python3 "$here/tests/helpers/python/report_tables.py" "$tool" "$table" "$trace"; done
done
equal the_report_says_of_how_many_calls_it_is_known "$("$tool" report --only stacks out | tail -n 1)" \
	"stacks: 120 of 168 calls; 24 by the thread of a framework's queue; 24 whose definitions are not in the files"
equal libraries_count_for_the_line_that_called_them "$("$tool" report --only lines out | awk 'NR > 4 { print $1, $2, $3, $NF, $(NF - 1) }' | paste -sd';')" \
	'48 28.800 ms Layer.forward /job/model.py:71;24 12.000 ms train_step /job/train.py:44;24 4.800 ms Layer.forward /job/model.py:72;24 2.400 ms Thread.run /usr/lib/python3.10/threading.py:901'
equal lines_are_of_the_steps_that_are_asked_for "$("$tool" report --steps 3-4 --only lines out | awk 'NR > 4 { print $1 }' | paste -sd' ')" '8 4 4 4'

# ---- flame graphs ----
# folded ARGUMENT...: what lines whose frames are known come to, and the others
folded() {
	"$tool" export --to folded "$@" out | /usr/bin/python3 -c 'import sys
sums = {}
for line in sys.stdin:
    frames, number = line.rsplit(" ", 1)
    root = frames.split(";")[0]
    root = root if root[0] == "[" else "known"
    sums[root] = sums.get(root, 0) + int(number)
print(*(sums[root] for root in sorted(sums, reverse=True)))'
}
# sums KEY ARGUMENT...: the same of the report, without those that are not known
sums() {
	key=$1
	shift
	"$tool" report --format json "$@" out | /usr/bin/python3 -c 'import json, sys
print(sum(l[sys.argv[1]] for r in json.load(sys.stdin)["ranks"] for l in r["lines"]))' "$key"
}
for by in host:host_ns device:device_ns count:count; do
	for of in '--ranks all' '--steps 3-4 --ranks 1'; do
		# shellcheck disable=SC2086
		equal "folded_by_${by%%:*}_comes_to_what_the_report_does_$(echo "$of" | tr -c 'a-z0-9\n' _)" "$(folded --by "${by%%:*}" $of | cut -d' ' -f1)" "$(sums "${by#*:}" $of)"
	done
done
equal those_without_frames_say_why "$(folded --by count)" '120 24 24'
equal the_outermost_frame_comes_first_and_the_kernel_last "$("$tool" export --to folded --by device --steps 3 --ranks 0 out | grep matmul)" \
	'/job/train.py(15): <module>;/job/train.py(42): train_step;/job/model.py(71): Layer.forward;/job/venv/lib/python3.10/site-packages/torch/functional.py(103): linear;matmul 1200000'
equal what_has_no_sums_takes_no_by "$("$tool" export --to chrome --by count out 2>&1)" 'ranktrace: chrome has each call with its times: leave --by out'
nobody='ranktrace: no call of these was recorded with who asked for it: add stack or module to --contents
status 1'
equal calls_without_stacks_are_told "$("$tool" export --to folded "$here/tests/golden/2.5-trainer.rtrace" 2>&1; echo "status $?")" "$nobody"
mkdir bare && "$BUILD/tests/programs/made_run" bare 1 exact ranks:2 steps:2
equal of_several_ranks_it_is_told_once_and_leaves_no_file "$("$tool" export --to folded --jobs 2 -o bare.folded bare 2>&1; echo "status $?"; ls bare.folded* 2>/dev/null)" "$nobody"
equal steps_that_are_not_there_are_all_that_is_told "$("$tool" export --to folded --steps 99 bare 2>&1 | wc -l)" 1
mkdir odd && "$BUILD/tests/programs/made_run" odd 1 exact ranks:1 steps:1 stacks 'called:relu:a;b
c 7'
equal semicolons_and_ends_of_lines_in_names_end_nothing "$("$tool" export --to folded odd | grep in_queue)" '[in_queue];a,b c 7 5000'
# ---- paths that are for others ----
stripped() { "$tool" "$@" --strip-paths out | grep -c -e '/job/' -e /venv -e /usr/lib -e ' /lib' -e '"/lib'; }
for command in dump 'dump --format jsonl' 'report --only lines' 'report --only lines --format json' 'report --only lines --format csv' 'export --to folded' 'export --to chrome' 'why --steps 3' html; do
	# shellcheck disable=SC2086
	equal "no_whole_path_is_in_$(echo "$command" | tr -c 'a-z\n' _)" "$(stripped $command)" 0
done
equal the_last_two_parts_are "$("$tool" report --strip-paths --only lines out | awk 'NR > 4 { print $(NF - 1) }' | paste -sd' ')" \
	'job/model.py:71 job/train.py:44 job/model.py:72 python3.10/threading.py:901'
equal lines_are_as_before_where_sums_are_kept "$("$tool" report --only lines out | grep -c '/job/')" 3

# ---- viewers ----
golden=$here/tests/golden/2.6-ascend.rtrace
operator='/job/train.py(42): train_step;?;/job/train.py(40): train_step'
for to in chrome ascend-text ascend-db; do "$tool" export --to $to -o "export.$to" "$golden" 2>/dev/null; done
equal chrome_has_the_stack_of_each_call "$(/usr/bin/python3 -c 'import json
print(*(e["args"]["Call stack"] for e in json.load(open("export.chrome"))["traceEvents"] if "Call stack" in e.get("args", {})), sep="\n")')" "$operator
/a/libtorch_npu.so(0x1234);$operator;?(0x7f0000001000)"
equal trace_view_has_a_line_a_frame "$(/usr/bin/python3 -c 'import glob, json
for e in json.load(open(glob.glob("export.ascend-text/*/*/trace_view.json")[0])):
    if e["name"] == "aclnnAdd" and "Call stack" in e["args"]:
        print(*e["args"]["Call stack"].split(";\r\n"), sep=";")')" "$operator"
equal the_profile_says_that_it_has_stacks "$(grep -ho '"with_stack": [a-z]*' export.ascend-text/*/profiler_info_*.json)" '"with_stack": true'
if [ -d export.ascend-db ]; then
	equal the_database_has_a_row_a_frame "$(/usr/bin/python3 -c 'import glob, sqlite3
print(*(row[0] for row in sqlite3.connect(glob.glob("export.ascend-db/*/*/ascend_pytorch_profiler_*.db")[0]).execute(
    "select f.value from PYTORCH_API a join PYTORCH_CALLCHAINS c on c.id = a.callchainId join STRING_IDS f on f.id = c.stack join STRING_IDS n on n.id = a.name "
    "where n.value = ? order by stackDepth", ("aclnnAdd",))), sep=";")')" "$operator"
fi
venv=${RANKTRACE_VENV:-$here/build/venv}
if command -v node >/dev/null && sh "$here/tests/helpers/python/venv.sh" "$venv" >log 2>&1; then
	"$tool" export --to perfetto -o export.pftrace "$golden" 2>/dev/null
	equal perfetto_shows_the_stack_of_an_operator "$("$venv/bin/python3" -c 'import sys
sys.path.insert(0, sys.argv[1])
import query
answer, = query.run("export.pftrace", ["select extract_arg(arg_set_id, '"'debug.Call stack'"') said from slice where said is not null and name = '"'aclnnAdd'"'"])
print(*(row[0] for row in answer[1]))' "$here/tests/perfetto")" "$operator"
fi
finish
