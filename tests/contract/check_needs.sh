#!/bin/sh
# What `make` says where libyaml or zstd is missing: a compiler that does not find them stands for a system without them.
. "$(dirname "$0")/../lib/lib.sh"

cd "$tmp" || exit 1
# without HEADER... : a folder with all of /usr/include but those; the compiler of it in cc
without() {
	rm -rf include && mkdir include && ln -s /usr/include/* include/
	for header; do rm "include/$header"; done
	cc="gcc -nostdinc -isystem $(gcc -print-file-name=include) -isystem $tmp/include -isystem /usr/include/$(gcc -dumpmachine)"
}
# said WORD...: all that make says
said() { make -C "$here" --no-print-directory O="$tmp/out" "$@" 2>&1 | sed 's/^Makefile:[0-9]*/Makefile:N/'; }

# shellcheck disable=SC2016
helps='`scripts/dev/install-deps build` installs what a build needs'
without yaml.h
equal without_libyaml_s_header_make_says_so_in_one_line "$(said CC="$cc")" "Makefile:N: *** missing: libyaml (Debian: libyaml-dev; $helps).  Stop."
equal and_builds_nothing "$(find . -path './out/*' -type f)" ''
without yaml.h zstd.h
equal without_both_headers_it_names_both "$(said -j2 CC="$cc")" "Makefile:N: *** missing: libyaml libzstd (Debian: libyaml-dev libzstd-dev; $helps).  Stop."
cat >gcc_without_archive <<'T'
#!/bin/sh
[ "$1" = -print-file-name=libzstd.a ] && echo libzstd.a && exit
exec gcc "$@"
T
chmod +x gcc_without_archive
equal without_a_static_library_it_says_so "$(said CC="$tmp/gcc_without_archive")" "Makefile:N: *** missing: libzstd (Debian: libzstd-dev; $helps).  Stop."
equal of_a_compiler_that_does_not_work_nothing_is_guessed "$(said CC="$tmp/no_compiler" | grep -c missing)" 0
rm -rf out
without
equal with_everything_it_says_nothing "$(said CC="$cc" "$tmp/out/libraries-found")" ''
finish
