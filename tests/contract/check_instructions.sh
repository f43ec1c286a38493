#!/bin/sh
# How many instructions a call costs more with ranktrace than without: counted by valgrind, so the same
# on every machine, and compared with tests/data/instructions.tsv, which has a column a compiler.
# usage: check_instructions.sh            compares: more than 5 % above the figure fails
#        check_instructions.sh --update   writes this compiler's column anew
# For aarch64 check_cross.sh calls it with a RUNNER, qemu, which counts by a plugin of ours; check_cross.sh --update writes that column.
. "$(dirname "$0")/../lib/lib.sh"

tool=${TOOL:-$tool}
figures=$here/tests/data/instructions.tsv
[ -z "${SAN-}" ] || { ok the_figures_are_of_a_build_without_sanitizers; finish; }
if [ -n "${RUNNER-}" ]; then
	need qemu-aarch64
	architecture=-aarch64
else
	[ "$(uname -m)" = x86_64 ] || { echo "skip: the figures are of x86-64"; exit 77; }
	need valgrind
	architecture=
fi
compiler=$(echo 'compiler __clang_major__ __GNUC__' | ${CC:-gcc} -E -P - |
	awk '/^compiler/ { print $2 ~ /^[0-9]/ ? "clang-" $2 : "gcc-" $3 }')$architecture
column=$(awk -F'\t' -v c="$compiler" '$1 == "settings" { for (i = 3; i <= NF; i++) if ($i == c) print i }' "$figures")
if [ -z "$column" ] && [ "${1-}" != --update ]; then
	echo "skip: no figures of $compiler in tests/data/instructions.tsv; --update writes them"
	exit 77
fi

cd "$tmp" || exit 1
${CC:-gcc} -O2 -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/bench/fake_opencl.c" || exit 1
for major in 12 13; do
	${CC:-gcc} -O2 -shared -fPIC -I"$here" -Wl,-soname,libcudart.so.$major -o libcudart.so.$major "$here/tests/bench/fake_cuda.c" || exit 1
done
${CC:-gcc} -O2 -shared -fPIC -Wl,-soname,libascendcl.so -o libascendcl.so "$here/tests/bench/fake_acl.c" || exit 1
${CC:-gcc} -O2 -shared -fPIC -Wl,-soname,libopapi.so -o libopapi.so "$here/tests/bench/fake_opapi.c" || exit 1
if [ -n "$architecture" ]; then
	gcc -O2 -shared -fPIC -Wall -Wextra -o count_plugin.so "$here/tests/helpers/qemu/count_plugin.c" || exit 1
fi
${CC:-gcc} -O2 -std=gnu11 -fno-pie -no-pie -Wall -Wextra -I"$here" ${architecture:+-I"$here/tests/helpers/qemu"} -o instructions "$here/tests/programs/instructions.c" \
	./libOpenCL.so.1 ./libcudart.so.13 ./libascendcl.so -ldl -Wl,-rpath,"$tmp" || exit 1

# by_valgrind, by_qemu SETTINGS [VARIABLE=VALUE...]: lines of "SETTINGS sort instructions", the program's own and the runtime's included
by_valgrind() {
	settings=$1
	shift
	rm -f cg cg.* cg-*
	env "$@" RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_CLOCK=raw valgrind -q --tool=callgrind --separate-threads=yes \
		--callgrind-out-file=cg ./instructions >valgrind.out 2>&1 ||
		fail "the_program_runs_under_valgrind_$settings" "$(tail -n 1 valgrind.out)"
	awk '/^desc: Trigger: Client Request: / { name = $5 " " $6 } /^summary: / { print name, $2 }' cg.*-01 | per_call
}

# qemu would split a list of -E's at its commas
by_qemu() {
	settings=$1
	shift
	preload=
	case ${1-} in LD_PRELOAD=*) preload="-E $1"; shift ;; esac
	# shellcheck disable=SC2086 # lists of words
	env "$@" RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_CLOCK=raw $RUNNER $preload -plugin ./count_plugin.so ./instructions >qemu.out 2>&1 ||
		fail "the_program_runs_under_qemu_$settings" "$(tail -n 1 qemu.out)"
	awk '$1 == "counted" { n = $2 } $1 == "was" { print $2, $3, n }' qemu.out | per_call
}

# per_call: of lines "sort calls instructions", two for each sort
per_call() {
	awk -v settings="$settings" '
		{ total[$1, $2] = $3; names[$1] }
		END { for (n in names) printf "%s\t%s\t%.2f\n", settings, n, (total[n, 800] - total[n, 400]) / 400 }' |
		sort
}

if [ -n "$architecture" ]; then count() { by_qemu "$@"; }; else count() { by_valgrind "$@"; }; fi
so=$tmp/libranktrace.so
objcopy=$(${CC:-gcc} -print-prog-name=objcopy)
"$objcopy" -g "$BUILD/libranktrace.so" "$so" || exit 1 # valgrind 3.19 ends at the debug information of clang 14
{
	count without
	count dormant LD_PRELOAD="$so" RANKTRACE_STEPS=1000000 RANKTRACE_STEP_SOURCE=api
	count over LD_PRELOAD="$so" RANKTRACE_STEPS=1 RANKTRACE_STEP_SOURCE=api RANKTRACE_RANKS=1 RANKTRACE_RANK=0
	count on_demand LD_PRELOAD="$so" RANKTRACE_ON_DEMAND=true RANKTRACE_STEP_SOURCE=api
	count armed LD_PRELOAD="$so" RANKTRACE_STEPS=1000000 RANKTRACE_STEP_SOURCE=kernel:adam
	count cpu LD_PRELOAD="$so" RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu
	count cpu,npu LD_PRELOAD="$so" RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu,npu
	count cpu,memory LD_PRELOAD="$so" RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu,memory
	count cpu,shapes LD_PRELOAD="$so" RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu,shapes
} >counted

# What is added to the same calls without ranktrace.
awk -F'\t' '$1 == "without" { without[$2] = $3; next } { printf "%s\t%s\t%.2f\n", $1, $2, $3 - without[$2] }' counted >added
[ "$(grep -c . added)" -eq 144 ] || fail every_sort_of_call_is_counted "$(wc -l <added) lines"

if [ "${1-}" = --update ]; then
	python3 - "$figures" "$compiler" added <<'END'
"""Replaces or appends the compiler's column; comments stay."""
import sys
path, compiler, added = sys.argv[1:]
lines = open(path).read().splitlines()
comments = [l for l in lines if l.startswith("#")]
head, *rows = [l.split("\t") for l in lines if l and not l.startswith("#")]
if compiler not in head:
    head.append(compiler)
column, old = head.index(compiler), {tuple(r[:2]): r for r in rows}
new = []
for settings, sort, n in (l.split() for l in open(added)):
    row = old.get((settings, sort), [settings, sort])
    row += ["-"] * (len(head) - len(row))
    row[column] = "%g" % float(n)
    new.append(row)
open(path, "w").write("".join(l + "\n" for l in comments + ["\t".join(r) for r in [head] + new]))
END
	exit
fi

awk -F'\t' -v column="$column" '
	NR == FNR { figure[$1, $2] = $column; next }
	{ name = $1 "_" $2 "_costs_no_more_instructions_than_before"; gsub(",", "_", name); was = figure[$1, $2] }
	!(($1, $2) in figure) { printf "FAIL %s: there is no figure\n", name; next }
	$3 > was * 1.05 + 0.01 { printf "FAIL %s: %s, it was %s\n", name, $3, was; next }
	{ printf "ok %s\n", name }' "$figures" added >verdicts
cat verdicts
failures=$((failures + $(grep -c ^FAIL verdicts)))

# What no launch of CUDA's may cost, as docs/using.md has it: dormant, with a kernel: source waited for, recorded. What is left of a call that comes
# once in 400 is no part of it.
# most SETTINGS LIMIT NUMBER WHICH [NOT]: all launches whose sort fits
most() {
	equal "a_launch${4:+_of_$4}_costs_at_most_$2_$1" "$(awk -F'\t' -v settings="$1" -v most="$2" -v which="$4" -v no="${5-nothing}" '
		$1 != settings || $2 !~ /^cuda_launch/ || $2 !~ which || $2 ~ no { next }
		{ n++ }
		$3 >= most + 1 { print $2, $3 } END { print n }' added)" "$3"
}
# costs SETTINGS LIMIT SORT...: each of these alone
costs() {
	settings=$1 limit=$2
	shift 2
	for sort; do
		holds "${sort}_costs_at_most_${limit}_$settings" awk -v row="$settings $sort" -v most="$limit" '$1 " " $2 == row { n = $3 <= most } END { exit !n }' added
	done
}
if [ -n "$architecture" ]; then
	alone='dormant:11 over:11 on_demand:11 armed:45 cpu:160' beside='dormant:28 over:28 on_demand:28 armed:62 cpu:170'
	costs dormant 11 launch copy ascend_launch ascend_copy
	costs dormant 10 ascend_operator
	costs armed 45 launch
	costs cpu 140 launch
else
	alone='dormant:8 over:8 on_demand:8 armed:40 cpu:150' beside='dormant:24 over:24 on_demand:24 armed:47 cpu:160'
fi
for limit in $alone; do most "${limit%:*}" "${limit#*:}" 5 '' another_major; done
for limit in $beside; do most "${limit%:*}" "${limit#*:}" 2 another_major; done
"$tool" recover >recovered 2>&1 # a process does not wait at its exit until it is its flush thread's turn under valgrind
"$tool" report --format json out >report 2>&1
holds what_is_recorded_while_it_is_counted_is_whole python3 - report <<'END'
import json, sys
e = [r["events"] for r in json.load(open(sys.argv[1]))["ranks"]]
assert len(e) == 4 and all(x["called"] == x["kept"] and x["kept"] > 5000 for x in e), e
END
script=check_instructions
[ -z "$architecture" ] || script=check_cross
[ "$failures" -eq 0 ] || echo "a call became dearer, or cheaper: whose rows open on a bit of the gate that is often set? If it has to be: tests/contract/$script.sh --update"
finish
