#!/bin/sh
# make install into a PREFIX below a DESTDIR: finds itself, traces, refuses a foreign library, goes away.
. "$(dirname "$0")/../../lib/lib.sh"

need zsh
unset RANKTRACE_BUILD
cd "$tmp" || exit 1
holds make_install make -C "$here" --no-print-directory O="$BUILD" SAN="${SAN-}" install DESTDIR="$tmp/dest" PREFIX=/opt/rt
equal make_install_says_what_went_where "$(grep -c "^installed: ranktrace-run and ranktrace in $tmp/dest/opt/rt/bin, libranktrace.so in $tmp/dest/opt/rt/lib/ranktrace," "$tmp/holds.out")" 1
bin=$tmp/dest/opt/rt/bin
holds the_command_starts "$bin/ranktrace" --version
holds the_header_is_there_and_compiles sh -c "printf '#include <ranktrace.h>\nint main(void) { ranktrace_begin_step(1); return 0; }' |
	${CC:-gcc} -x c -I'$tmp/dest/opt/rt/include' -Wall -Werror -o '$tmp/header' - && '$tmp/header'"
ln -s "$bin/ranktrace-run" "$tmp/link"
RANK=0 "$tmp/link" --save-path "$tmp/out" --steps 2 -- "$lm" --quiet --steps 3 >/dev/null 2>"$tmp/err"
equal the_installed_wrapper_runs_a_job_called_through_a_link $? 0
tool=$bin/ranktrace
report the_installed_library_recorded "$tmp/out" 'steps(0) == {2: 31}'

# shellcheck disable=SC2016
equal the_gates_of_torch_npu_are_found_beside_it "$("$tmp/link" --save-path "$tmp/out" --torch-npu-markers both --steps 2 -- sh -c 'echo $LD_PRELOAD' 2>/dev/null |
	tr : '\n' | grep -o 'lib/ranktrace/libranktrace-lib.*' | tr '\n' ' ')" \
	'lib/ranktrace/libranktrace-libmspti.so lib/ranktrace/libranktrace-libascend_kernel_hook.so '
equal they_are_libraries_that_load "$(env LD_PRELOAD="$(echo "$tmp"/dest/opt/rt/lib/ranktrace/libranktrace-*.so | tr ' ' :)" true 2>&1)" ''

# lacking: options that a command's --help has, and the man page has not below that command
lacking() {
	for command in $("$bin/ranktrace" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v -x -e env -e supervise); do
		sed -n "/^\.BR \"\{0,1\}$command[ \"]/,/^\.TP/{s/\\\\-/-/g;p;}" "$tmp/dest/opt/rt/share/man/man1/ranktrace.1" >page
		for option in $("$bin/ranktrace" "$command" --help | sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z][-a-z]*\).*/\2/p' | grep -v -x -e --help); do
			grep -q -e "$option\b" page || echo "$command $option"
		done
	done
}
equal the_man_page_has_the_options_of_all_commands "$(lacking)" ''

# ---- completion ----

share=$tmp/dest/opt/rt/share
cat >offers.bash <<'END'
. "$1/bash-completion/completions/ranktrace"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_ranktrace
echo "${COMPREPLY[*]}"
END
cat >offers.zsh <<'END'
compadd() { shift; print -r -- $* }
_files() { print files }
_normal() { print the command }
source $1/zsh/site-functions/_ranktrace
shift
words=("$@") CURRENT=$#
_ranktrace
END
# offered SHELL WORD...: what stands behind the words so far
offered() { sh=$1; shift; $sh "offers.$sh" "$share" "$@"; }
equal bash_offers_subcommands "$(offered bash "$bin/ranktrace" re)" 'report recover'
equal bash_offers_their_options "$(offered bash "$bin/ranktrace" report --f)" --format
equal bash_offers_the_launcher_s_options "$(offered bash "$bin/ranktrace-run" --steps 2 --lev)" --level
equal bash_offers_the_words_of_an_option "$(offered bash "$bin/ranktrace-run" --level level) / $(offered bash "$bin/ranktrace-run" --contents '') / $(offered bash "$bin/ranktrace-run" --discrete t) / $(offered bash "$bin/ranktrace" report --format '')" \
	'level_none level0 level1 level2 / cpu device memory shapes module stack / true / text json csv'
equal bash_offers_what_export_takes "$(for o in --to -t --compress; do offered bash "$bin/ranktrace" export $o ''; done)" \
	"$(printf '%s\n' 'chrome perfetto csv folded ascend-text ascend-db' 'chrome perfetto csv folded ascend-text ascend-db' 'gz zst')"
equal and_kinds_of_events "$(offered bash "$bin/ranktrace" export --kinds co)" 'copy collective communicator'
equal no_word_behind_a_number_or_a_flag "$(for o in --jobs --merge-windows --steps --output; do offered bash "$bin/ranktrace" export $o ''; done | tr -d '\n')" ''
equal bash_offers_options_whose_letter_is_a_capital "$(offered bash "$bin/ranktrace" export --ro)" --roles
equal bash_offers_what_the_launcher_takes "$(offered bash "$bin/ranktrace-run" --export-type '') / $(offered bash "$bin/ranktrace-run" --preset py) / $(offered bash "$bin/ranktrace-run" --log '')" \
	'text db chrome perfetto / pytorch / 0 1 2'
equal bash_offers_what_ctl_does "$(offered bash "$bin/ranktrace" ctl '') / $(offered bash "$bin/ranktrace" ctl start --al)" 'start stop mark status / --align'
equal bash_offers_commands_behind_help "$(offered bash "$bin/ranktrace" help re)" 'report recover'
equal nothing_where_there_is_no_list "$(offered bash "$bin/ranktrace-run" --save-path '')$(offered bash "$bin/ranktrace-run" --schedule '')" ''
equal and_behind_them_what_the_job_is "$(offered bash "$bin/ranktrace-run" --steps 2 -- ranktra | tr ' ' '\n' | grep -c '^--')" 0
holds zsh_offers_subcommands sh -c '[ "$1" = "report why compare dump export html view recover check ctl hooks env supervise" ]' sh "$(offered zsh "$bin/ranktrace" re)"
equal zsh_offers_the_words_of_an_option "$(offered zsh "$bin/ranktrace-run" --reset '')" 'auto stage never'
equal zsh_offers_what_export_takes "$(offered zsh "$bin/ranktrace" export --to '') / $(offered zsh "$bin/ranktrace" export --jobs '')" 'chrome perfetto csv folded ascend-text ascend-db / files'
equal zsh_offers_options "$(offered zsh "$bin/ranktrace" recover -)" '--help --session'
equal zsh_leaves_the_job_s_words_to_the_job "$(offered zsh "$bin/ranktrace-run" --steps 2 python3 tr)" 'the command'

library=$tmp/dest/opt/rt/lib/ranktrace/libranktrace.so
cp "$library" "$tmp/saved"
printf '\267' | dd of="$library" bs=1 seek=18 conv=notrunc 2>/dev/null	# e_machine: aarch64
"$bin/ranktrace-run" --save-path "$tmp/foreign" --steps 2 -- true >"$tmp/out.txt" 2>&1
equal a_library_of_another_architecture_is_refused $? 2
holds and_named grep -q "another architecture" "$tmp/out.txt"
cp "$tmp/saved" "$library"

equal a_relative_PREFIX_is_made_absolute "$(make -n -C "$here" --no-print-directory O="$BUILD" install PREFIX=some/where | grep -c "install -dv '$(cd "$here" && pwd -P)/some/where/lib/ranktrace' ")" 1
holds make_uninstall make -C "$here" --no-print-directory O="$BUILD" uninstall DESTDIR="$tmp/dest" PREFIX=/opt/rt
equal nothing_is_left_not_even_a_folder_that_install_made "$(find "$tmp/dest" -mindepth 1)" ''
# Twice over another one, into folders that were there: those stay, full or empty.
mkdir -p "$tmp/dest/opt/rt/bin" "$tmp/dest/opt/rt/share/man"
echo theirs >"$tmp/dest/opt/rt/share/man/theirs"
there=$(find "$tmp/dest" | sort)
for time in first second; do
	holds "make_install_the_${time}_time" make -C "$here" --no-print-directory O="$BUILD" SAN="${SAN-}" install DESTDIR="$tmp/dest" PREFIX=/opt/rt
done
before=$(stat -c %i "$library")
holds make_install_over_a_running_jobs_library make -C "$here" --no-print-directory O="$BUILD" SAN="${SAN-}" install DESTDIR="$tmp/dest" PREFIX=/opt/rt
holds the_library_is_renamed_into_place_never_overwritten test "$before" -ne "$(stat -c %i "$library")"
holds make_uninstall_again make -C "$here" --no-print-directory O="$BUILD" uninstall DESTDIR="$tmp/dest" PREFIX=/opt/rt
holds make_install_below_a_path_with_a_blank make -C "$here" --no-print-directory O="$BUILD" SAN="${SAN-}" install DESTDIR="$tmp/a blank" PREFIX=/opt/r\ t
holds it_is_there test -x "$tmp/a blank/opt/r t/bin/ranktrace-run" -a -e "$tmp/a blank/opt/r t/lib/ranktrace/libranktrace.so"
RANK=0 "$tmp/a blank/opt/r t/bin/ranktrace-run" --save-path "$tmp/blank" --torch-npu-markers both --steps 2 -- "$lm" --quiet --steps 3 >/dev/null 2>"$tmp/err"
equal a_job_is_traced_from_there "$? $(grep -c 'cannot be preloaded' "$tmp/err")" '0 0'
tool="$tmp/a blank/opt/r t/bin/ranktrace"
report every_call_of_it_is_recorded "$tmp/blank" 'steps(0) == {2: 31}'
holds make_uninstall_from_there make -C "$here" --no-print-directory O="$BUILD" uninstall DESTDIR="$tmp/a blank" PREFIX=/opt/r\ t
equal nothing_is_left_there "$(find "$tmp/a blank" -mindepth 1)" ''
equal uninstall_leaves_what_was_there_before_and_no_more "$(find "$tmp/dest" | sort)" "$there"
finish
