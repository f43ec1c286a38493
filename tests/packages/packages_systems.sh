#!/bin/sh
# The wheels on other systems: Debian 11 in a folder with a shell and coreutils, Debian 13 and the newest there is with their Pythons, and aarch64
# under qemu-user.
# shellcheck disable=SC2016 # words of inner shells
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"

need_wheels "$x86" "$arm"
need qemu-aarch64
need aarch64-linux-gnu-gcc
fetch() { "$here/scripts/dev/fetch-debs" "$@" >fetched 2>&1 || { tail -n 2 fetched; echo "skip: no packages of Debian to be had"; exit 77; }; }

# ---- aarch64: CPython of Debian's arm64 packages ----

arm64=$here/build/arm64-python
# shellcheck disable=SC2046 # a list of words
fetch "$arm64" arm64 - $(cat "$here/tests/helpers/qemu/python.debs")
mkdir arm
/usr/bin/python3 -m venv plain && plain/bin/pip install -q --no-index --no-deps --platform manylinux_2_28_aarch64 --only-binary :all: --target arm/site "$arm"
equal pip_unpacks_the_wheel_of_another_architecture "$(aarch64-linux-gnu-readelf -h arm/site/ranktrace/bin/ranktrace | sed -n 's/ *Machine: *//p')" AArch64
fake_opencl aarch64-linux-gnu-gcc arm
library=$tmp/arm/site/ranktrace/lib/ranktrace/libranktrace.so
python() { qemu-aarch64 -L "$arm64" -E LD_LIBRARY_PATH="$tmp/arm" "$@"; }
export PYTHONPATH="$tmp/arm/site"
equal aarch64_untraced_the_module_does_nothing "$(python "$arm64/usr/bin/python3.11" "$helpers/steps.py" 2>&1)" '15 [0]'
RANK=0 RANKTRACE_STEPS=2 RANKTRACE_SAVE_PATH=$tmp/out RANKTRACE_JOB=job \
	qemu-aarch64 -L "$arm64" -E LD_LIBRARY_PATH="$tmp/arm" -E LD_PRELOAD="$library" "$arm64/usr/bin/python3.11" "$helpers/steps.py" >got 2>said
equal aarch64_a_traced_python_ends_as_without "$? $(cat got said)" '0 15 [0]'
unset PYTHONPATH
report aarch64_five_calls_of_step_2_are_recorded out 'steps(0) == {2: 5} and one(0)["events"] == {"called": 5, "kept": 5, "dropped": 0, "in_flight": 0} and one(0)["step_source"] == "api"'
equal aarch64_its_own_command_says_the_same "$(same qemu-aarch64 arm/site/ranktrace/bin/ranktrace)" "$(same "$tool")"
equal aarch64_its_own_command_writes_sqlite "$(qemu-aarch64 arm/site/ranktrace/bin/ranktrace export --to ascend-db -o db out 2>/dev/null; find db -name '*.db' | wc -l | awk '{ print ($1 > 0) }')" 1

# ---- Debian 11, and the newest that there is ----

[ "$(id -u)" = 0 ] || { echo "skip: no root, so no chroot"; exit 77; }
mkdir x86 && /usr/bin/python3 -m zipfile -e "$x86" x86 && chmod 755 x86/ranktrace/bin/*
# inside ROOT COMMAND: with /proc and a /dev/shm of its own; mounts end with it
inside() {
	unshare -m sh -c 'mount --make-rprivate / && mkdir -p "$1/proc" "$1/dev/shm" "$1/tmp" && mount -t proc proc "$1/proc" &&
		mount -t tmpfs tmpfs "$1/dev/shm" && { [ -e "$1/dev/null" ] || mknod -m 666 "$1/dev/null" c 1 3; } &&
		exec chroot "$1" /usr/bin/env -i PATH=/usr/bin:/bin RANK=0 sh -c "cd /job; $2"' sh "$1" "$2"
}
# chroot_of NAME SUITE PACKAGE...
chroot_of() {
	name=$1 suite=$2
	shift 2
	fetch "$here/build/root-$name" amd64 "$suite" "$@"
	cp -a "$here/build/root-$name" "$tmp/$name" && rm -rf "${tmp:?}/$name/apt" "$tmp/$name"/*.deb
	for folder in bin lib lib64 sbin; do	# merged, as a system is that was installed
		[ -L "$tmp/$name/$folder" ] && continue
		mkdir -p "$tmp/$name/$folder" "$tmp/$name/usr/$folder" && cp -a "$tmp/$name/$folder/." "$tmp/$name/usr/$folder/" &&
			rm -rf "${tmp:?}/$name/$folder" && ln -s "usr/$folder" "$tmp/$name/$folder"
	done
	ln -sf dash "$tmp/$name/bin/sh"
	mkdir -p "$tmp/$name/job" && cp -r x86/ranktrace "$helpers/steps.py" "$tmp/$name/job/"
}

chroot_of bullseye bullseye libc6 libcrypt1 libgcc-s1 dash coreutils libacl1 libattr1 libgmp10 libselinux1 libpcre2-8-0
old="$(dirname "$(realpath "$here/build/root-bullseye")")/bullseye"
"$here/scripts/dev/fetch-debs" "$old" amd64 bullseye libc6 libc6-dev >fetched 2>&1
lib=$old/lib/x86_64-linux-gnu
gcc -std=gnu11 -D_GNU_SOURCE -O2 -I"$here" -isystem "$old/usr/include" -isystem "$old/usr/include/x86_64-linux-gnu" -nostdlib -shared -fPIC \
	-Wl,-soname,libOpenCL.so.1 -o bullseye/job/libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c" "$lib/libpthread.so.0" "$lib/libc.so.6"
gcc -std=gnu11 -D_GNU_SOURCE -O2 -fno-stack-protector -I"$here" -isystem "$old/usr/include" -isystem "$old/usr/include/x86_64-linux-gnu" \
	-nostdlib -no-pie -o bullseye/job/waiter "$old/usr/lib/x86_64-linux-gnu/crt1.o" "$old/usr/lib/x86_64-linux-gnu/crti.o" "$here/tests/helpers/systems/waiter.c" \
	bullseye/job/libOpenCL.so.1 "$lib/libc.so.6" "$old/usr/lib/x86_64-linux-gnu/libc_nonshared.a" "$old/usr/lib/x86_64-linux-gnu/crtn.o" -Wl,-rpath,/job
equal debian_11_a_job_ends_well "$(inside "$tmp/bullseye" 'echo go | ranktrace/bin/ranktrace-run --save-path out --job job --steps all --contents cpu -- ./waiter 2>said; echo $?' | xargs)" 'ready done 0'
equal debian_11_the_command_tells_every_call "$(inside "$tmp/bullseye" 'ranktrace/bin/ranktrace report --format json out' | /usr/bin/python3 -c 'import json, sys
print([r["events"] for r in json.load(sys.stdin)["ranks"]])')" "[{'called': 5000, 'kept': 5000, 'dropped': 0, 'in_flight': 0}]"

# python_of NAME SUITE VERSION: a system with its own Python
python_of() {
	chroot_of "$1" "$2" libc6 libgcc-s1 dash coreutils libacl1 libattr1 libgmp10 libselinux1 libpcre2-8-0 libssl3t64 zlib1g libexpat1 libffi8 \
		libzstd1 libcap2 libsystemd0 "python$3-minimal" "libpython$3-minimal" "libpython$3-stdlib"
	fake_opencl gcc "$1/job"
	cp "$helpers/module.py" "$1/job/"
	python="LD_LIBRARY_PATH=/job PYTHONPATH=/job python$3"
	equal "$1_has_python_$3" "$(inside "$tmp/$1" "$python -V" | cut -d. -f1,2)" "Python $3"
	equal "$1_tells_its_steps" "$(inside "$tmp/$1" "$python -m ranktrace run --save-path out --job job --steps 2,3 -- python$3 steps.py 2>said; echo \$?" | xargs)" '15 [0] 0'
	inside "$tmp/$1" "$python module.py out /job/ranktrace/lib/ranktrace/libranktrace.so" >module 2>&1
	equal "$1_reads_them" "$? $(grep -v ^ok module)" '0 '
}
python_of debian_13 trixie 3.13
python_of the_newest sid 3.14
finish
