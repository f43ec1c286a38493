#!/bin/sh
# What dist/ has: the wheels' names and lists, what their programs want of a system, what others' checks say of them.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"

need_wheels "$x86" "$arm"
need strace
get_tools
needs() { "$1readelf" -d "$2" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v ^ld-linux | xargs; }
# older_than_2_28 TOOLS FILE: every version of glibc's that it asks for is
older_than_2_28() {
	"$1objdump" -T "$2" | sed -n 's/.*GLIBC_\([0-9][0-9.]*\).*/\1/p' | sort -u >versions
	[ -s versions ] && [ "$( (cat versions; echo 2.28) | sort -V | tail -n 1)" = 2.28 ]
}

for arch in x86_64 aarch64; do
	each=$(wheel $arch)
	tool_names=''
	[ "$arch" = "$(uname -m)" ] || tool_names=$arch-linux-gnu-
	mkdir $arch && /usr/bin/python3 -m zipfile -e "$each" $arch && chmod 755 $arch/ranktrace/bin/* # of a zip it keeps no modes
	agent=$arch/ranktrace/lib/ranktrace/libranktrace.so command=$arch/ranktrace/bin/ranktrace
	info=$arch/ranktrace-$version.dist-info
	holds ${arch}_it_has_5_MB_at_most test "$(stat -c %s "$each")" -le $((5 << 20))
	equal ${arch}_its_tag "$(sed -n 's/^Tag: //p' "$info/WHEEL")" py3-none-manylinux_2_28_$arch
	"$tools/bin/auditwheel" show "$each" >audit 2>&1
	equal ${arch}_auditwheel_calls_it_no_newer "$(tr '\n' ' ' <audit | sed -n 's/.*tag: "manylinux_2_\([0-9]*\)_'$arch'".*/\1/p' | awk '{ print $1 <= 28 }')" 1
	holds ${arch}_twine_says_nothing "$tools/bin/twine" check --strict "$each"
	# W002: shells look for completion by the name of the command. W004: libranktrace-lib*.so have names that are no modules'. They are none: the loader preloads them by these names.
	equal ${arch}_check_wheel_contents_says_nothing "$("$tools/bin/check-wheel-contents" --ignore W002,W004 "$each" 2>&1)" "$each: OK"

	equal ${arch}_the_agent_wants_libc_alone "$(needs "$tool_names" $agent)" libc.so.6
	holds ${arch}_and_none_newer_than_2_28 older_than_2_28 "$tool_names" $agent
	equal ${arch}_the_command_wants_no_library "$(needs "$tool_names" $command) $("${tool_names}readelf" -lW $command | grep -c INTERP)" ' 0'
	equal ${arch}_and_lies_anywhere "$("${tool_names}readelf" -hW $command | sed -n 's/ *Type: *//p' | cut -d' ' -f1)" DYN
	equal ${arch}_both_are_stripped "$("${tool_names}nm" $agent $command 2>&1 | grep -c 'no symbols')" 2
	equal ${arch}_ranktrace_run_is_the_one_script "$(cmp "$here/scripts/ranktrace-run" $arch/ranktrace/bin/ranktrace-run)" ''
	equal ${arch}_programs_may_be_run "$(unzip -Z "$each" 2>/dev/null | awk '/^-rwx/ { print $NF }' | sort | xargs)" \
		"ranktrace/bin/ranktrace ranktrace/bin/ranktrace-run ranktrace/lib/ranktrace/libranktrace-libascend_kernel_hook.so ranktrace/lib/ranktrace/libranktrace-libmspti.so ranktrace/lib/ranktrace/libranktrace.so"
	equal ${arch}_licences_are_inside "$(cd "$info/licenses" && echo *)" \
		'LICENSE NOTICE gcc-runtime-exception-3.1.txt glibc-LGPL-2.1.txt libyaml.txt sqlite.txt zlib.txt zstd.txt'
	equal ${arch}_the_notice_names_each "$(cd "$info/licenses" && for text in *.txt; do grep -q "$text" NOTICE || echo "$text"; done)" ''
	equal ${arch}_no_folder_of_the_build_is_named "$(grep -rlF "$here" $arch)" ''

	# ---- debug files ----

	mkdir debug-$arch && tar -xJf "$(debug $arch)" -C debug-$arch
	for file in $agent $command; do
		id=$("${tool_names}readelf" -n $file | sed -n 's/ *Build ID: //p')
		"${tool_names}readelf" -S "debug-$arch/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug" >sections 2>&1
		equal "${arch}_${file##*/}_has_a_debug_file" "$(grep -c -e '\.debug_info' -e '\.symtab' sections)" 2
	done
	# glibc has dlopen() in it, for iconv(), which nobody here calls; SQLite's call would be the only one, and goes elsewhere.
	"${tool_names}nm" "debug-$arch/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug" |
		awk '$3 ~ /^dl(m?open|v?sym)$/ { sub(/^0*/, "", $1); print "\t(call|jmp|bl|b)[ \t]+" $1 "\\>" }' >entries
	"${tool_names}objdump" -d $command | grep -E -f entries >reached
	equal ${arch}_the_command_calls_no_dlopen "$(wc -l <entries) $(cat reached)" '4 '
done

# ---- no library is opened, whatever the command does ----

RANK=0 x86_64/ranktrace/bin/ranktrace-run --save-path out --steps 2 --contents cpu,device,memory,shapes -- "$lm" --quiet --steps 3 >/dev/null 2>&1
command=x86_64/ranktrace/bin/ranktrace
number=0
while read -r words; do
	number=$((number + 1))
	# shellcheck disable=SC2086 # a list of words
	strace -f -o "calls.$number" -e trace=open,openat,execve "$command" $words </dev/null >"printed.$number" 2>"said.$number" ||
		fail "the_command_does_its_work_$number" "$words: $(tail -n 1 "said.$number")"
done <<'T'
report out
report --format json out
dump out
why out
export --to chrome -o chrome.json out
export --to perfetto -o trace.perfetto out
export --to csv -o csv out
export --to folded -o folded out
export --to ascend-text -o text out
export --to ascend-db -o db out
html -o page.html out
check out
recover
hooks
T
equal the_command_opens_no_library "$number $(grep -h -e '\.so[.0-9]*"' calls.* | grep -v 'out/')" '14 '
finish
