#!/bin/sh
# The look of the tree: layout, shell scripts, generated documents, and no warning from either compiler.
# takes: 180 s
. "$(dirname "$0")/../lib/lib.sh"

cd "$here" || exit 1
need clang-format
need shellcheck
holds the_source_is_laid_out_as_clang_format_says make --no-print-directory check-format
holds shell_scripts_are_clean shellcheck -x -e SC1091 .ci/run scripts/demo scripts/dev/install-deps scripts/ranktrace-run \
	scripts/dev/check-promises scripts/dev/cross-libs scripts/dev/fetch-debs
holds documents_made_from_the_options_are_up_to_date scripts/dev/gen-options --check "$tool"
gcc=gcc
[ -z "${STRICT-}" ] || gcc= # as CI has it: what is tested was built with WERROR
[ -n "${SAN-}" ] || for cc in $gcc; do
	need $cc
	holds "${cc}_builds_without_a_warning" make --no-print-directory -j2 O="$tmp/$cc" CC=$cc CFLAGS=-O2 WERROR=1 all
done
# clang warns of what it reads; its code is made by make CC=clang.
need clang
[ -n "${SAN-}" ] || holds clang_reads_all_without_a_warning make --no-print-directory CC=clang CFLAGS=-O2 WERROR=1 read
finish
