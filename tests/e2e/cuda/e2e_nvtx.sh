#!/bin/sh
# NVTX by injection: the calls of two copies of the real one, exactly, across windows, domains and threads; as steps and stages; and
# what its calls answer. The headers are those of the package nvidia-nvtx, kept in ~/.cache/ranktrace/nvtx.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/nvtx
headers=$cache/nvidia_nvtx-13.5.25/nvidia/cu13/include
unset RANKTRACE_STEP_SOURCE RANKTRACE_CONFIG RANK NVTX_INJECTION64_PATH
cd "$tmp" || exit 1

# fetch WHEEL PACKAGE==VERSION: unpacked in the cache
fetch() {
	mkdir -p "$cache"
	(
		flock 9
		[ -e "$cache/$1/complete" ] && exit 0
		python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: -d "$cache" "$2" >&2 || exit 1
		python3 -m zipfile -e "$cache/$1"-*.whl "$cache/$1" && touch "$cache/$1/complete"
	) 9>"$cache.lock"
}
fetch nvidia_nvtx-13.5.25 nvidia-nvtx==13.5.25 2>log || {
	echo "skip: no nvidia-nvtx: $(tail -n 1 log)"
	exit 77
}

# ---- what we know of NVTX is so in its own headers ----

cat >same.c <<'P'
#include <nvtx3/nvToolsExt.h>
#define SAME(type, field) _Static_assert(offsetof(type, field) == offsetof(struct ours_##type, field), #field);
#define nvtxEventAttributes_v2 ours_nvtxEventAttributes_v2
#define nvtxEventAttributes_t ours_attributes_t
#define NvtxExportTableCallbacks ours_NvtxExportTableCallbacks
#define NvtxExportTableVersionInfo ours_NvtxExportTableVersionInfo
#define NvtxFunctionPointer ours_pointer
#define NVTX_MESSAGE_TYPE_ASCII OUR_ASCII
#define NVTX_MESSAGE_TYPE_UNICODE OUR_UNICODE
#define NVTX_MESSAGE_TYPE_REGISTERED OUR_REGISTERED
#define NVTX_ETID_CALLBACKS OUR_CALLBACKS
#define NVTX_ETID_VERSIONINFO OUR_VERSIONINFO
#define NVTX_CB_MODULE_CORE OUR_CORE
#define NVTX_CB_MODULE_CORE2 OUR_CORE2
#include "hooks/cuda/nvtx/abi.h"
#undef nvtxEventAttributes_v2
#undef nvtxEventAttributes_t
#undef NvtxExportTableCallbacks
#undef NvtxExportTableVersionInfo
#undef NVTX_MESSAGE_TYPE_ASCII
#undef NVTX_MESSAGE_TYPE_UNICODE
#undef NVTX_MESSAGE_TYPE_REGISTERED
#undef NVTX_ETID_CALLBACKS
#undef NVTX_ETID_VERSIONINFO
#undef NVTX_CB_MODULE_CORE
#undef NVTX_CB_MODULE_CORE2
SAME(nvtxEventAttributes_v2, version) SAME(nvtxEventAttributes_v2, size) SAME(nvtxEventAttributes_v2, category)
SAME(nvtxEventAttributes_v2, colorType) SAME(nvtxEventAttributes_v2, color) SAME(nvtxEventAttributes_v2, payloadType)
SAME(nvtxEventAttributes_v2, payload) SAME(nvtxEventAttributes_v2, messageType) SAME(nvtxEventAttributes_v2, message)
SAME(NvtxExportTableCallbacks, GetModuleFunctionTable) SAME(NvtxExportTableVersionInfo, version)
SAME(NvtxExportTableVersionInfo, SetInjectionNvtxVersion)
_Static_assert(sizeof(nvtxEventAttributes_t) == sizeof(ours_attributes_t), "");
_Static_assert((int)NVTX_MESSAGE_TYPE_ASCII == OUR_ASCII && (int)NVTX_MESSAGE_TYPE_UNICODE == OUR_UNICODE, "");
_Static_assert((int)NVTX_MESSAGE_TYPE_REGISTERED == OUR_REGISTERED, "");
_Static_assert((int)NVTX_ETID_CALLBACKS == OUR_CALLBACKS && (int)NVTX_ETID_VERSIONINFO == OUR_VERSIONINFO, "");
_Static_assert((int)NVTX_CB_MODULE_CORE == OUR_CORE && (int)NVTX_CB_MODULE_CORE2 == OUR_CORE2, "");
#define HOOK_INJECTED(ret, sym, params, ...) static ret (*of_##sym) params __attribute__((unused)) = sym;
#define HOOK_INJECTED_VOID(sym, params, ...) HOOK_INJECTED(void, sym, params)
#include "hooks/cuda/nvtx/nvtx.def"
P
# Numbers of the slots, each beside its name.
sed -n 's/^\tSLOT(\(CORE2*\), \([0-9]*\), injected_nvtx\(.*\)),/_Static_assert(NVTX_CBID_\1_\3 == \2, "\3");/p' "$here/hooks/cuda/nvtx/wrap.c" >slots
cat slots >>same.c
equal every_row_has_a_slot "$(wc -l <slots) $(grep -c '^HOOK_INJECTED' "$here/hooks/cuda/nvtx/nvtx.def")" '19 19'
holds types_numbers_and_prototypes_are_those_of_the_real_headers ${CC:-gcc} -std=gnu11 -Werror -I"$headers" -I"$here" -c same.c -o same.o
sed -i 's/NVTX_CBID_CORE_MarkW == 3/NVTX_CBID_CORE_MarkW == 4/' same.c
${CC:-gcc} -std=gnu11 -Werror -I"$headers" -I"$here" -c same.c -o same.o >log 2>&1 && fail a_wrong_number_is_told '' || ok a_wrong_number_is_told

# ---- two copies ----

for copy in one two; do
	${CC:-gcc} -std=gnu11 -O1 -w -fPIC -shared -DCALLS=$copy -I"$headers" -I"$here" -o lib$copy.so "$here/tests/programs/nvtx_copy.c" -ldl || exit 1
done
${CC:-gcc} -std=gnu11 -O1 -w -I"$headers" -I"$here" -o nvtx_marks "$here/tests/programs/nvtx_marks.c" -L. -lone -ltwo -lpthread -Wl,-rpath,"$tmp" || exit 1

# traced OPTION... -- WORD...: out, said, dump
traced() {
	rm -rf out
	RANKTRACE_RANK=0 "$run" --save-path out --level level0 "$@" >said 2>log
	status=$?
	"$tool" dump --format jsonl out >dump 2>/dev/null
}
# events EXPRESSION: of each event e, what it says, counted
events() { python3 -c 'import collections, json, sys
count = collections.Counter(eval(sys.argv[1]) for e in map(json.loads, open("dump")) if e["kind"] == "marker")
print(*(f"{what}:{n}" for what, n in sorted(count.items(), key=str)))' "$1"; }

./nvtx_marks 3 >bare
traced --steps all --step-source 'marker:^step$@entry' -- ./nvtx_marks 3
equal it_ends_and_says_as_without_us "$status $(cmp bare said 2>&1)" '0 '
equal every_call_of_both_copies_is_recorded_once "$(events 'e["name"]')" \
	'nvtxDomainDestroy:1 nvtxDomainMarkEx:7 nvtxDomainRangeEnd:3 nvtxDomainRangePop:15 nvtxDomainRangePushEx:12 nvtxDomainRangeStartEx:3 nvtxMarkA:6 nvtxMarkEx:9 nvtxMarkW:3 nvtxRangeEnd:9 nvtxRangePop:19 nvtxRangePushA:12 nvtxRangePushEx:3 nvtxRangePushW:3 nvtxRangeStartA:3 nvtxRangeStartEx:3 nvtxRangeStartW:3'
report ranges_are_matched_in_each_domain out "(sorted((x['domain'] or '', x['name'], x['count'], x['not_ended']) for x in ranks[0]['ranges']) ==
	sorted([('', n, 3, 0) for n in ('a', 'b', 'c', 'inner', 'outer', 'step', 'étape')] + [('', 'of a thread', 6, 0),
	('mine', 'of a thread', 6, 0), ('mine', 'registered', 3, 0), ('mine', 'second', 3, 0), ('yours', 'registered', 3, 0)]))"
report marks_have_their_texts out "(sorted((x['domain'] or '', x['name'] or '', x['count']) for x in ranks[0]['marks'] if x['domain'] != 'mine') ==
	[('', '', 9), ('', 'größe 🐌', 3), ('', 'mark', 3), ('', 'mark with attributes', 3), ('', 'registered', 3), ('yours', 'last', 1), ('yours', '中', 3)])"
equal each_in_its_step "$(events 'e["step"]')" '1:37 2:37 3:40'
traced --steps all -- ./nvtx_marks 3
equal without_a_step_source_a_range_is_suggested "$("$tool" report out | grep -A 2 '^no step source fired')" \
	"no step source fired, so there are no steps. Name one: --step-source 'marker:^step\$@entry'
(suggested: of the ranges that come several times the one that lasts longest in all; it came 3 times),
or call ranktrace_step(n) in the program."

# ---- what the calls answer ----

cat >level_answers <<'P'
one.push("step"): 0
one.push("outer"): 1
two.wide_push(L"inner"): 2
two.domain_push(mine, registered(text)): 0
one.push_ex(registered(broad)): 3
one.domain_push(mine, plain("second")): 1
one.pop(): 3
one.domain_pop(mine): 1
two.pop(): 2
two.domain_pop(mine): 0
one.pop(): 1
one.domain_pop(yours): -1
a && b && c && d && a != b && a != c && a != d && b != c && b != d && c != d: 1
one.pop(): 0
P
{ echo 'mine == two.domain("mine") && mine != yours: 1'; cat level_answers level_answers level_answers; echo 'one.pop(): -1'; echo done; } >wanted
for steps in all 2 99 none; do
	case $steps in none) set -- --enable false ;; *) set -- --steps $steps --step-source 'marker:^step$@entry' ;; esac
	NVTX_INJECTION64_PATH=$([ $steps = none ] && echo "$BUILD/libranktrace.so") traced "$@" -- ./nvtx_marks 3 answers
	equal "levels_and_numbers_are_told_with_steps_$steps" "$status $(diff said wanted | head -n 5)" '0 '
done
traced --steps 2 --step-source 'marker:^step$@entry' -- ./nvtx_marks 3
equal a_window_is_its_step_s_alone "$(events 'e["step"]')" '2:37'
traced --steps 2 --step-source 'marker:^second${domain=mine}' -- ./nvtx_marks 3
equal a_step_ends_with_a_range_of_a_domain "$(events '"push" if "Push" in e["name"] else "pop" if "Pop" in e["name"] else "other"') $(events 'e["step"]')" \
	'other:16 pop:11 push:10 2:37'
traced --steps 3 --step-source 'marker:^second$' -- ./nvtx_marks 3
equal who_names_no_domain_hears_all "$(events 'e["step"]')" '3:37'
traced --steps all --discrete true --step-source 'marker:^step$@entry' --stage-source 'marker:^inner${role=rollout}' -- ./nvtx_marks 2
equal a_range_is_a_stage "$(find out -name '*.rtrace' | sed 's|.*/||; s/[.][^.]*-.*//' | sort | paste -sd' ')" 'step-1.rollout.0 step-2.rollout.0'

# ---- who else wants NVTX ----

rm -rf out
NVTX_INJECTION64_PATH=/opt/theirs.so "$run" --save-path out --steps all -- sh -c 'echo "$NVTX_INJECTION64_PATH"' >said 2>log
equal what_somebody_set_stays "$(cat said) $(grep -c 'ranktrace: NVTX_INJECTION64_PATH is set already, to /opt/theirs.so: ranges and marks of NVTX go there' log)" '/opt/theirs.so 1'
equal what_we_set_is_the_library "$("$run" --save-path out --steps all -- sh -c 'echo "$NVTX_INJECTION64_PATH"' 2>/dev/null)" "$BUILD/libranktrace.so"
equal another_of_ours_is_taken_for_ours "$(NVTX_INJECTION64_PATH=/old/libranktrace.so "$run" --steps all -- sh -c 'echo "$NVTX_INJECTION64_PATH"' 2>/dev/null)" "$BUILD/libranktrace.so"
equal it_is_printed_with_the_environment "$("$run" --print-env --steps all 2>/dev/null | grep NVTX)" "NVTX_INJECTION64_PATH=$BUILD/libranktrace.so"
equal who_records_nothing_is_not_told_of_nvtx "$("$run" --enable false -- sh -c 'echo "[$NVTX_INJECTION64_PATH]"' 2>/dev/null)" '[]'

# ---- Python's own ----

if fetch nvtx-0.2.17 nvtx==0.2.17 2>log; then
	cat >ranges.py <<'P'
import nvtx
with nvtx.annotate("from python", domain="of python"):
    nvtx.mark("a mark")
P
	cat >steps.py <<'P'
import nvtx
for step in range(7, 12):
    with nvtx.annotate(f"step {step} of 3"):
        pass
P
	PYTHONPATH=$cache/nvtx-0.2.17 traced --steps all -- python3 steps.py
	source=$("$tool" report out | sed -n 's/.*Name one: --step-source //p')
	equal numbers_in_names_of_ranges_are_those_of_steps "$source" "'marker:^step.([0-9]+).of.[0-9]+\$@entry'"
	eval "PYTHONPATH=\$cache/nvtx-0.2.17 traced --steps 8,10 --step-source $source -- python3 steps.py"
	equal and_what_is_suggested_may_be_pasted "$(events 'e["step"]')" '10:2 8:2'
	PYTHONPATH=$cache/nvtx-0.2.17 traced --steps all -- python3 ranges.py
	equal ranges_of_the_package_nvtx_are_recorded "$status $(events '"%s %s %s" % (e["name"], e.get("domain"), e.get("message"))')" "0 nvtxDomainDestroy None None:1 nvtxDomainDestroy of python None:1 nvtxDomainMarkEx None a mark:1 nvtxDomainRangePop None None:1 nvtxDomainRangePushEx of python from python:1"
else
	echo "skip: no package nvtx for this Python"
	exit 77
fi
finish
