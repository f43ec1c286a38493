#!/bin/sh
# ranktrace for aarch64: cross compiled with libc as its only need, then run under qemu-user: the unit tests, the roads through dlsym,
# trampolines and probes, operators' first phases, and what a call costs in instructions (check_cross.sh --update: writes those
# figures anew, and does nothing else). qemu runs on this machine's memory ordering, so what aarch64 orders less is not tried here.
# Its unit tests are the quick ones of what runs in a program. QEMU_ALL=1: all, the command, symbol: sources, and every function through
# every probe.
# takes: 170 s
. "$(dirname "$0")/../lib/lib.sh"

need aarch64-linux-gnu-gcc
need qemu-aarch64
[ -z "${SAN-}" ] || { ok cross_compiling_does_not_depend_on_a_sanitizer; finish; }
. "$here/tests/lib/aarch64.sh"
slow='check_clock|check_handles|check_optimizer_rounds|check_recent_keys'
units=$(cd "$here/tests/unit" && grep -lE '^#include "(agent|hooks)/.*\.c"' check_*.c | grep -vE "$slow")
level=-O0 command='' scripts="e2e_roads.sh check_instructions.sh e2e_first_phases.sh"
[ -z "${QEMU_ALL-}" ] || level=-O1 command=build/arm64/ranktrace scripts="$scripts e2e_symbol_source.sh" units=$(cd "$here/tests/unit" && echo check_*.c)
units=$(for c in $units; do echo "$arm/tests/${c%.c}"; done)
holds the_agent_cross_compiles for_arm -O2 build/arm64/libranktrace.so
[ "$failures" -eq 0 ] || finish	# what an earlier build left is not judged
so=$arm/libranktrace.so
qemu="qemu-aarch64 -L /usr/aarch64-linux-gnu"
on_arm() { BUILD=$arm CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ TOOL=$tool RUNNER=$qemu "$@"; }
if [ "${1-}" = --update ]; then
	on_arm "$here/tests/contract/check_instructions.sh" --update
	exit
fi
# shellcheck disable=SC2046 # a list of words
holds the_unit_tests_cross_compile for_arm $level $command $(for u in $units; do echo "${u#"$here"/}"; done)
[ "$failures" -eq 0 ] || finish
equal it_is_for_aarch64 "$(aarch64-linux-gnu-readelf -h "$so" | sed -n 's/ *Machine: *//p')" AArch64
# ld-linux holds the stack protector's guard on this architecture
equal it_needs_libc_alone "$(aarch64-linux-gnu-readelf -d "$so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v ^ld-linux)" libc.so.6
equal it_exports_what_this_machines_does "$(aarch64-linux-gnu-nm -D --defined-only "$so" | awk '{ print $3 }' | sort)" \
	"$(nm -D --defined-only "$BUILD/libranktrace.so" | awk '{ print $3 }' | sort)"
# Kernels have pages of up to 64 KiB there, and wipe whole ones in a forked child.
equal the_gate_has_the_largest_page_for_itself "$(aarch64-linux-gnu-readelf -sW "$so" | awk '$8 == "gate" { print $3, substr($2, 13) }')" "65536 0000"
equal and_its_segment_is_placed_by_that_page "$(aarch64-linux-gnu-readelf -lW "$so" | awk '$1 == "LOAD" && $NF != "0x10000"')" ''

# OpenCL's loader opens it as a layer, Python by its name: dlopen() takes no library whose thread-local memory is aligned to more than libc's.
cat >"$tmp/opens.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	puts(dlopen(argv[argc - 1], RTLD_NOW) ? "opened" : dlerror());
}
C
aarch64-linux-gnu-gcc -o "$tmp/opens" "$tmp/opens.c" || exit 1
equal a_program_that_runs_opens_it "$($qemu "$tmp/opens" "$so")" opened

# What is no row, and those rows that begin before a program and are told of a vendor's binaries.
others="InitInjectionMstx InitializeInjectionNvtx2 _ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE __cudaRegisterFunction
__cudaUnregisterFatBinary __hipRegisterFunction __hipUnregisterFatBinary clGetLayerInfo clInitLayer dlclose dlerror dlmopen dlopen dlsym dlvsym"
aarch64-linux-gnu-nm -D --defined-only "$so" >"$tmp/exported"
aarch64-linux-gnu-objdump -d --no-show-raw-insn "$so" | awk -v most=11 -f "$here/tests/lib/dormant.awk" "$tmp/exported" - >"$tmp/otherwise"
# shellcheck disable=SC2086 # lists of words
equal every_call_that_nobody_wants_branches_on_without_a_store_or_a_call_before \
	"$(sed 's/ .*//' "$tmp/otherwise" | sort | paste -sd' ')" "$(echo $others)"
holds and_most_exports_were_seen_to_be_such test $(($(grep -c ' T ' "$tmp/exported") - $(wc -l <"$tmp/otherwise"))) -gt 3000

programs=dlsym functions="mixed_on_the_stack gives_complex"
[ -z "${QEMU_ALL-}" ] || programs='' functions=''
export PROGRAMS="$programs" FUNCTIONS="$functions"
# The tests that know a RUNNER, and one that need not (more of those: make test-aarch64), each check under its own name with aarch64_ in front;
# all at once.
for script in $scripts; do
	(
		status=0
		on=on_arm
		case $script in *first_phases*) on=emulated ;; esac
		$on "$(find "$here/tests/e2e" "$here/tests/contract" -name "$script")" >"$tmp/$script" 2>"$tmp/err" || status=$?
		echo $status >"$tmp/$script.status"
	) &
done
for unit in $units; do
	CK_DEFAULT_TIMEOUT=60 $qemu "$unit" >"$tmp/unit" 2>&1 # s; a test has 4 else, and what is emulated is slow
	equal "${unit##*/}_passes_on_aarch64" "$? $(grep -o '^[0-9]*%' "$tmp/unit")" "0 100%"
done
wait
for script in $scripts; do
	sed -n 's/^ok /ok aarch64_/p; s/^FAIL /FAIL aarch64_/p' "$tmp/$script"
	equal "${script}_passes_on_aarch64" "$(cat "$tmp/$script.status")" 0
done
finish
