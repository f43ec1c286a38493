#!/bin/sh
# dist/*.deb and *.rpm: what others' checks say of them, and a training job traced from what is in them. make deb rpm before.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"

need_wheels "$(deb x86_64)" "$(deb aarch64)" "$(rpm_of x86_64)" "$(rpm_of aarch64)"
need lintian
need rpmlint
need rpm2cpio
need cpio
need qemu-aarch64

# traced NAME ROOT: by the commands below it
traced() {
	rm -rf out
	RANK=0 "$2/usr/bin/ranktrace-run" --save-path "$tmp/out" --steps 2 -- "$lm" --quiet --steps 3 >printed 2>said
	equal "$1_a_job_ends_well" "$? $(cat printed)" '0 '
	tool=$2/usr/bin/ranktrace
	report "$1_every_call_is_there" "$tmp/out" 'steps(0) == {2: 31}'
}

# What rpmlint would like otherwise, and why it is so: who publishes a package signs it; its commands have man pages, compressed as Debian's
# are; the header is three lines for who tells steps from C; shells look for completion by the name of each command; the gates need no library.
unlike='no-signature|no-manual-page-for-binary|manpage-not-compressed|devel-file-in-non-devel-package|files-duplicate|shared-library-without-dependency|statically-linked-binary|invalid-license|no-url-tag|unstripped-binary'

for arches in x86_64:amd64 aarch64:arm64; do
	machine=${arches%:*} arch=${arches#*:}
	mkdir "deb-$arch" "rpm-$arch"
	equal "${arch}_lintian_says_nothing" "$(lintian --pedantic --tag-display-limit 0 --fail-on none "$(deb $machine)" 2>&1 | grep -v 'running with root privileges')" ''
	equal "${machine}_rpmlint_says_nothing_else" "$(rpmlint "$(rpm_of $machine)" 2>&1 | grep ": [EW]: " | grep -vE "$unlike")" ''
	dpkg-deb -x "$(deb $machine)" "deb-$arch"
	(cd "rpm-$arch" && rpm2cpio "$(rpm_of $machine)" | cpio -id --quiet)
	equal "${arch}_both_have_the_same_commands_and_libraries" "$(cd "deb-$arch" && sha256sum usr/bin/* usr/lib/ranktrace/* usr/include/*)" \
		"$(cd "rpm-$arch" && sha256sum usr/bin/* usr/lib/ranktrace/* usr/include/*)"
	equal "${arch}_man_pages_and_completion_are_there" "$(cd "deb-$arch/usr/share" && echo man/man1/* bash-completion/completions/* zsh/*/*)" \
		'man/man1/ranktrace-run.1.gz man/man1/ranktrace.1.gz bash-completion/completions/ranktrace bash-completion/completions/ranktrace-run zsh/vendor-completions/_ranktrace'
	equal "${arch}_every_file_is_roots" "$(dpkg-deb -c "$(deb $machine)" | awk '{ print $2 }' | sort -u)" root/root
	equal "${arch}_what_apt_is_told" "$(dpkg-deb -f "$(deb $machine)" Package Version Architecture Depends | tr '\n' ' ')" \
		"Package: ranktrace Version: $version-1 Architecture: $arch Depends: libc6 (>= 2.28) "
	equal "${machine}_rpm_asks_for_libc_alone" "$(rpm -qp --requires "$(rpm_of $machine)" 2>/dev/null | grep -v -e '^rpmlib(' -e '^/bin/sh$' -e '^rtld(' -e '^ld-linux' -e '^libc\.so\.6(')" ''
	equal "${machine}_and_offers_no_library" "$(rpm -qp --provides "$(rpm_of $machine)" 2>/dev/null | grep -v ^ranktrace)" ''
done
equal amd64_the_wheel_has_the_same_agent "$(unzip -p "$x86" ranktrace/lib/ranktrace/libranktrace.so | sha256sum)" "$(sha256sum <deb-amd64/usr/lib/ranktrace/libranktrace.so)"
traced deb "$tmp/deb-amd64"
traced rpm "$tmp/rpm-amd64"
equal the_command_for_aarch64_starts "$(qemu-aarch64 "$tmp/deb-arm64/usr/bin/ranktrace" --version)" "$("$tmp/deb-amd64/usr/bin/ranktrace" --version)"

# The source as it is packed is a tree that builds.
holds the_source_is_packed make -C "$here" --no-print-directory dist
equal it_has_what_is_tracked "$(tar -tzf "$wheels/ranktrace-$version.tar.gz" | grep -v '/$' | sed "s|^ranktrace-$version/||" | sort)" "$(git -C "$here" ls-tree -r --name-only HEAD | sort)"
finish
