#!/bin/sh
# ranktrace for aarch64: cross compiled with libc as its only need, then run under qemu-user: the unit
# tests, the roads through dlsym, trampolines and probes, operators' first phases, and a training program on CUDA. qemu runs on this machine's memory
# ordering, so what aarch64 orders less is not tried here. QEMU_ALL=1: every function through every probe, and the unit tests that
# take minutes there and are about numbers and bytes, which are the same.
. "$(dirname "$0")/../lib/lib.sh"

need aarch64-linux-gnu-gcc
need qemu-aarch64
[ -z "${SAN-}" ] || { ok cross_compiling_does_not_depend_on_a_sanitizer; finish; }
libs=$here/build/cross
arm=$here/build/arm64
"$here/scripts/dev/cross-libs" "$libs" >"$tmp/libs" 2>&1 || { tail -n 2 "$tmp/libs"; echo "skip: no arm64 packages to be had"; exit 77; }
lib=$libs/usr/lib/aarch64-linux-gnu
slow='check_damage check_encode check_handles check_hostile'
[ -z "${QEMU_ALL-}" ] || slow=
units=$(cd "$here/tests/unit" && for c in check_*.c; do case " $slow " in *" ${c%.c} "*) ;; *) echo "$arm/tests/${c%.c}" ;; esac; done)
# shellcheck disable=SC2046,SC2086 # lists of words
holds the_agent_and_its_unit_tests_cross_compile make -C "$here" --no-print-directory -j2 O=build/arm64 \
	CC=aarch64-linux-gnu-gcc CFLAGS="-O1 -idirafter $libs/usr/include" STATIC_LIBS="$lib/libyaml.a $lib/libzstd.a" \
	LDFLAGS="-L$lib" build/arm64/libranktrace.so build/arm64/ranktrace $(for u in $units; do echo "${u#"$here"/}"; done)
[ "$failures" -eq 0 ] || finish	# what an earlier build left is not judged
so=$arm/libranktrace.so
equal it_is_for_aarch64 "$(aarch64-linux-gnu-readelf -h "$so" | sed -n 's/ *Machine: *//p')" AArch64
# ld-linux holds the stack protector's guard on this architecture
equal it_needs_libc_alone "$(aarch64-linux-gnu-readelf -d "$so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v ^ld-linux)" libc.so.6
equal it_exports_what_this_machines_does "$(aarch64-linux-gnu-nm -D --defined-only "$so" | awk '{ print $3 }' | sort)" \
	"$(nm -D --defined-only "$BUILD/libranktrace.so" | awk '{ print $3 }' | sort)"
# Kernels have pages of up to 64 KiB there, and wipe whole ones in a forked child.
equal the_gate_has_the_largest_page_for_itself "$(aarch64-linux-gnu-readelf -sW "$so" | awk '$8 == "gate" { print $3, substr($2, 13) }')" "65536 0000"
equal and_its_segment_is_placed_by_that_page "$(aarch64-linux-gnu-readelf -lW "$so" | awk '$1 == "LOAD" && $NF != "0x10000"')" ''

qemu="qemu-aarch64 -L /usr/aarch64-linux-gnu"
programs=dlsym functions="mixed_on_the_stack gives_complex"
[ -z "${QEMU_ALL-}" ] || programs='' functions=''
# The e2e tests that know a RUNNER, each check under its own name with aarch64_ in front; all at once.
scripts="e2e_roads.sh e2e_symbol_source.sh e2e_first_phases.sh e2e_cuda.sh"
for script in $scripts; do
	(
		status=0
		BUILD=$arm CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ TOOL=$tool RUNNER=$qemu \
			PROGRAMS=$programs FUNCTIONS=$functions "$here"/tests/e2e/*/"$script" >"$tmp/$script" 2>"$tmp/err" || status=$?
		echo $status >"$tmp/$script.status"
	) &
done
for unit in $units; do
	$qemu "$unit" >"$tmp/unit" 2>&1
	equal "${unit##*/}_passes_on_aarch64" "$? $(grep -o '^[0-9]*%' "$tmp/unit")" "0 100%"
done
wait
for script in $scripts; do
	sed -n 's/^ok /ok aarch64_/p; s/^FAIL /FAIL aarch64_/p' "$tmp/$script"
	equal "${script}_passes_on_aarch64" "$(cat "$tmp/$script.status")" 0
done
finish
