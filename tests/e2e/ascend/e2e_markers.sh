#!/bin/sh
# When torch_npu tells of its markers and its allocator, in all generations of its gates, and what is recorded then; markers
# and memory as a program on a simulated CANN tells of them.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/ascend
cd "$tmp" || exit 1
{ "$sim/build.sh" cann split && ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -o npu_gate "$here/tests/programs/npu_gate.c" -ldl; } >build.log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
	finish
}
"$tool" hooks >hooks
mkdir home
ln -s ../cann home/lib64
export LD_LIBRARY_PATH="$tmp/cann" ASCEND_HOME_PATH="$tmp/home"
unset ASCEND_TOOLKIT_HOME ASCEND_OPP_PATH

# gate GENERATION GATE [OPTION...]: recorded to $out, which begins with $prefix, counted in $out.counts, said in $out.said
gate() {
	out=${prefix-}$1-$2 generation=$1 word=$2
	shift 2
	SIM_COUNTS=$out.counts "$run" --save-path "$out" --torch-npu-markers "$word" --steps 2 --level level1 --contents cpu,memory "$@" -- \
		./npu_gate "$generation" 5 >"$out.said" 2>"$out.log"
	status=$?
	"$tool" dump --format jsonl "$out" >"$out.dump" 2>/dev/null
}

# calls SYMBOL: before, inside and after the window
calls() {
	for phase in before inside after; do
		awk -v p=$phase -v s="$1" '$1 == p && $2 == s { n = $3 } END { printf "%d ", n }' "$out.said"
	done
}

# told GENERATION GATE MARKS REGIONS: how many of each it told before, inside and after the window; all inside is recorded
told() {
	gate "$1" "$2"
	equal "generation_$1_with_gate_$2_tells_what_it_may" "$status marks $(calls mstxMarkA)regions $(calls mstxMemRegionsRegister)" "0 marks $3 regions $4 "
	holds "generation_$1_with_gate_$2_is_recorded_exactly" python3 "$here/tests/helpers/python/told.py" "$out.said" "$out.dump" "$out.counts" hooks
}

always='5 5 5' never='0 0 0' in_windows='0 5 0'
told A auto "$always" "$never"
told A ask "$never" "$never"
told A allocator "$never" "$always"
told A both "$always" "$always"
told A none "$never" "$never"
for generation in B C; do
	told $generation auto "$always" "$never"
	told $generation ask "$in_windows" "$never"
	told $generation allocator "$never" "$always"
	told $generation both "$never" "$always"
	told $generation none "$never" "$never"
done
for pair in A-auto:markers B-ask:ask C-allocator:allocator A-both:both; do
	report "the_file_tells_that_the_gate_was_${pair#*:}" "${pair%:*}" "(ranks[0]['facts']['ascend_gate'] == '${pair#*:}')"
done

# ---- without libms_tools_ext.so torch_npu marks by aclprofMarkEx, and no gate is asked ----

mkdir -p old/lib64
for library in cann/*.so; do
	[ "$library" = cann/libms_tools_ext.so ] || ln -s "../../$library" old/lib64
done
for generation in A B C; do
	prefix=old- ASCEND_HOME_PATH=$tmp/old gate $generation none
	equal "generation_${generation}_marks_without_a_gate" "$status $(calls aclprofMarkEx)$(calls mstxMarkA)" '0 5 5 5 0 0 0 '
	holds "marks_without_a_gate_are_recorded_in_generation_$generation" python3 "$here/tests/helpers/python/told.py" "$out.said" "$out.dump" "$out.counts" hooks
done
equal a_mark_that_has_a_length_has_its_text "$(grep -o '"message":"[^"]*"' "$out.dump" | sort | uniq -c | xargs)" '5 message:here'

# ---- ranges ----

communication="dict(operation='HcclAllreduce', group='group_name_0', count=300, type='fp32', stream_id=96, domain='communication')"
report what_torch_npu_says_of_a_collective_is_told_apart A-auto \
	"((lambda s: len(s) == 5 and all(x.get(k) == v for x in s for k, v in $communication.items()))([x for x in e if x['name'] == 'mstxDomainRangeStartA']))"
report a_collective_is_called_by_operation_and_group A-auto "([(x['domain'], x['name'], x['count'], x['not_ended']) for x in ranks[0]['ranges']] ==
	[('communication', 'HcclAllreduce (group_name_0)', 5, 0)] and [(x['name'], x['count']) for x in ranks[0]['marks']] == [('here', 5)])"
"$tool" export --to chrome -o A.json A-auto >said 2>&1
# slices FILE EXPRESSION over the slices of ranges, s, by begin, and the names of their tracks, t
slices() {
	name=$1
	holds "$name" python3 -c 'import json, sys
records = json.load(open(sys.argv[1]))["traceEvents"]
t = {(x["pid"], x["tid"]): x["args"]["name"] for x in records if x["name"] == "thread_name"}
s = sorted((x for x in records if x["ph"] == "X" and t.get((x["pid"], x["tid"]), "").startswith("ranges")), key=lambda x: x["ts"])
track = lambda x: t[x["pid"], x["tid"]]
if not eval("(" + sys.argv[2] + ")"): sys.exit(str([(x["name"], track(x), x["ts"], x["dur"], x["args"]) for x in s]))' "$2" "$3"
}
slices a_range_is_one_slice_on_a_track_of_its_domain A.json "[x['name'] for x in s] == ['HcclAllreduce'] * 5 and {track(x) for x in s} == {'ranges: communication'} and
	all(x['args'].get(k) == v for x in s for k, v in $communication.items()) and {x['args']['step'] for x in s} == {2}"

"$run" --save-path ranges --steps 2 -- "$python" "$here/tests/helpers/python/npu_ranges.py" cann >said 2>log
report ranges_have_their_number_and_length ranges "({(x['domain'], x['name']): (x['count'], x['not_ended'], x['total_ns'] > 0) for x in ranks[0]['ranges']} ==
	{(None, 'ends elsewhere'): (1, 0, True), (None, 'crossing'): (1, 0, True), (None, 'crossed'): (1, 0, True), (None, 'endless'): (1, 1, False),
	 ('own domain', '{\"no\": \"collective\"}'): (1, 0, True)})"
report marks_are_counted_by_domain ranges \
	"({(x['domain'], x['name']): x['count'] for x in ranks[0]['marks']} == {(None, 'mark'): 3, ('own domain', 'mark'): 1})"
report a_range_is_as_long_as_its_start_and_end_are_apart ranges "([x['total_ns'] for x in ranks[0]['ranges'] if x['name'] == 'ends elsewhere'] ==
	[b['begin_ns'] - a['begin_ns'] for a in e for b in e if a.get('message') == 'ends elsewhere' and b.get('range') == a['range'] and b is not a])"
"$tool" export --to chrome -o ranges.json ranges >said 2>&1
slices ranges_that_cross_are_on_tracks_of_their_own ranges.json "{x['name']: track(x) for x in s if 'cross' in x['name']} == {'crossing': 'ranges', 'crossed': 'ranges (2)'}"
slices a_range_that_did_not_end_says_so ranges.json "[x['name'] for x in s if x['args'].get('ended') is False] == ['endless'] and 'too early' not in {x['name'] for x in s}"
"$tool" report ranges >said
equal the_tables_show_them "$(sed -n '/^Ranges and marks/,/^$/p' said | awk '$NF == "elsewhere" || $NF == "endless" || $NF == "mark" { print $1, $2, $NF }' | sort | xargs)" \
	'1 0 elsewhere 1 0 mark 1 1 endless 3 0 mark'

# ---- memory ----

# pool NAME PATH EXPRESSION over the allocators that the report tells of, by name and device
pool() { report "$1" "$2" "(lambda p: $3)({(x['name'], x['device']): x for x in ranks[0]['pools']})"; }
sums='{k: p[("%s", %d)][k] for k in ("allocations", "frees", "bytes", "peak_bytes", "unfreed", "unfreed_bytes", "held_bytes")}'

# shellcheck disable=SC2059
for generation in A B C; do
	pool "generation_${generation}_tells_of_its_allocator" $generation-allocator "$(printf "$sums" ptaCaching 0) ==
		dict(allocations=5, frees=4, bytes=2560, peak_bytes=2560, unfreed=1, unfreed_bytes=512, held_bytes=2 << 20)"
done
report a_piece_that_is_given_back_has_its_bytes C-allocator \
	"([x['bytes'] for x in e if x['kind'] == 'pool_free'] == [512] * 4 and {x['domain'] for x in e if x['kind'] == 'pool_free'} == {'ptaCaching'})"
"$run" --save-path counted --torch-npu-markers allocator --steps 2 --contents cpu -- ./npu_gate C 5 >said 2>log
report without_memory_in_contents_they_are_left_out_and_counted counted \
	"(ranks[0]['unrecorded'] == {$(awk '$1 == "inside" && $2 ~ /^mstxMem/ { printf "\047%s\047: %d, ", $2, $3 }' said)})"

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -I"$here" -o npu_memory "$here/tests/programs/npu_memory.c" -Lcann -Wl,--no-as-needed \
	-lascendcl -lacl_rt -Wl,--allow-shlib-undefined -Wl,-rpath,"$tmp/cann" -ldl || exit 1
holds the_program_runs_without_us ./npu_memory
"$run" --save-path memory --steps all --level level1 --contents cpu,memory -- ./npu_memory >said 2>log
equal what_is_told_of_need_not_be_there "$? $(cat said)" '0 '
# shellcheck disable=SC2059
pool several_pieces_of_one_call_are_all_counted memory "$(printf "$sums" 'own pool' 3) ==
	dict(allocations=4, frees=3, bytes=1000, peak_bytes=1000, unfreed=1, unfreed_bytes=400, held_bytes=4096) and list(p) == [('own pool', 3)]"
report chunks_of_a_segment_are_memory_and_its_addresses_are_not memory \
	"(ranks[0]['memory']['device'] == dict(allocations=3, frees=2, bytes=6 << 20, peak_bytes=6 << 20, unfreed=1, unfreed_bytes=2 << 20))"
report pinned_memory_is_the_hosts memory \
	"(ranks[0]['memory']['host'] == dict(allocations=2, frees=1, bytes=5096, peak_bytes=5096, unfreed=1, unfreed_bytes=1000))"
report and_both_together_are_all_memory memory \
	"((lambda m: (m['allocations'], m['frees'], m['unfreed_bytes']))(ranks[0]['memory']) == (5, 3, (2 << 20) + 1000))"
equal a_report_of_a_program_without_torch_npu_does_not_speak_of_it "$("$tool" report memory | grep -c torch_npu)" 0

# ---- what stands in LD_PRELOAD ----

# preloads NAME WANTED [OPTION...]: behind our library, as the command sees it
preloads() {
	name=$1 wanted=$2
	shift 2
	# shellcheck disable=SC2016
	equal "$name" "$("$run" --save-path none --steps 2 "$@" -- sh -c 'echo ${LD_PRELOAD#*/libranktrace.so}' 2>/dev/null | sed "s|$BUILD|BUILD|g")" "$wanted"
}
preloads where_CANN_is_markers_are_wanted :BUILD/libranktrace-libmspti.so
preloads the_allocator_has_a_name_of_its_own :BUILD/libranktrace-libascend_kernel_hook.so --torch-npu-markers allocator
preloads nothing_more_stands_there_if_torch_npu_asks '' --torch-npu-markers ask
LD_PRELOAD=cann/libmspti.so preloads the_gate_stands_before_the_vendors_own_library \
	:BUILD/libranktrace-libmspti.so:cann/libmspti.so
LD_PRELOAD=$BUILD/libranktrace-libmspti.so preloads a_run_in_a_run_has_it_once :BUILD/libranktrace-libmspti.so
ASCEND_HOME_PATH='' preloads where_no_CANN_is_nothing_more_stands_there ''
ASCEND_HOME_PATH='' preloads unless_it_is_asked_for :BUILD/libranktrace-libmspti.so --torch-npu-markers markers
equal an_unknown_word_is_refused "$("$run" --torch-npu-markers open --steps 2 -- true 2>&1)" \
	"ranktrace: --torch-npu-markers: 'open' is unknown: write auto, markers, ask, allocator, both or none"

# ---- ascend_gate, as torch_npu_markers was called ----

allocator=:BUILD/libranktrace-libascend_kernel_hook.so
preloads its_older_name_goes_on_working_as_an_option "$allocator" --ascend-gate allocator
RANKTRACE_ASCEND_GATE=allocator preloads its_older_name_goes_on_working_as_a_variable "$allocator"
RANKTRACE_ASCEND_GATE=allocator preloads and_an_option_is_above_a_variable '' --torch-npu-markers ask
echo 'ascend_gate: allocator' >old.yaml
preloads its_older_name_goes_on_working_as_a_key "$allocator" --config old.yaml
equal its_older_name_is_told_back "$("$run" --ascend-gate open --steps 2 -- true 2>&1)" \
	"ranktrace: --ascend-gate: 'open' is unknown: write auto, markers, ask, allocator, both or none"
equal help_speaks_of_the_name_of_today_alone "$("$run" --help | grep -c 'torch-npu-markers WORD') $("$run" --help | grep -ci 'ascend.gate')" '1 0'
mkdir parts
cp "$BUILD/libranktrace.so" "$BUILD/ranktrace" parts
equal a_gate_that_is_missing_is_told "$(RANKTRACE_BUILD=parts "$run" --save-path none --steps 2 -- true 2>&1 | grep 'is missing' | sed "s|$tmp|TMP|")" \
	'ranktrace: TMP/parts/libranktrace-libmspti.so is missing: the markers of torch_npu will not be recorded'

for library in libmspti libascend_kernel_hook; do
	file=$BUILD/libranktrace-$library.so
	equal "${library}_is_a_real_file_as_torch_npu_follows_links" "$([ -L "$file" ] || basename "$(realpath "$file")")" "libranktrace-$library.so"
	equal "${library}_needs_and_exports_nothing" "$(readelf -dW "$file" | grep -c NEEDED) $(nm -D --defined-only "$file" 2>/dev/null | wc -l)" '0 0'
done
finish
