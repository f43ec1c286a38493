#!/bin/sh
# aarch64 with pages of 16 KiB, a whole kernel of Debian's under qemu-system: threads, forked children and kills are recorded
# there as on any other, by hand and by the launcher. No distribution at hand has a kernel with pages of 64 KiB.
# shellcheck disable=SC2154 # what lib.sh sets
. "$(dirname "$0")/../lib/lib.sh"

need aarch64-linux-gnu-gcc
need qemu-aarch64
need qemu-system-aarch64
[ -z "${SAN-}" ] || { ok another_architecture_has_no_sanitizer_of_ours; finish; }

# fetched FOLDER SUITE PACKAGE: a package for arm64 lies unpacked below build/
fetched() { "$here/scripts/dev/fetch-debs" "$here/build/$1" arm64 "$2" "$3" >"$tmp/fetched" 2>&1; }
libs=$here/build/cross
fetch_all() {
	fetched pages/meta trixie linux-image-arm64-16k || return
	kernel=$(dpkg-deb -f "$here"/build/pages/meta/linux-image-arm64-16k_*.deb Depends | grep -o 'linux-image-[^ ,]*' | head -n 1)
	fetched pages/kernel trixie "$kernel" && fetched pages/busybox - busybox-static &&
		"$here/scripts/dev/cross-libs" "$libs" >"$tmp/fetched" 2>&1
}
fetch_all || { tail -n 2 "$tmp/fetched"; echo 'skip: no arm64 packages to be had'; exit 77; }
vmlinuz=$here/build/pages/kernel/boot/vmlinuz-${kernel#linux-image-}
busybox=$here/build/pages/busybox/bin/busybox

arm=$here/build/arm64 lib=$libs/usr/lib/aarch64-linux-gnu
holds the_agent_and_the_command_cross_compile make -C "$here" --no-print-directory -j2 O=build/arm64 \
	CC=aarch64-linux-gnu-gcc CFLAGS="-O2 -idirafter $libs/usr/include" STATIC_LIBS="$lib/libyaml.a $lib/libzstd.a" \
	LDFLAGS="-L$lib" build/arm64/libranktrace.so build/arm64/ranktrace
[ "$failures" -eq 0 ] || finish

# ---- what the guest finds ----

root=$tmp/root
mkdir -p "$root/bin" "$root/lib" "$root/dev" "$root/proc" "$root/opt/bin" "$root/opt/lib/ranktrace" "$root/job"
cp "$busybox" "$root/bin/"
for program in sh dirname env od readlink sed tr uname; do ln -s busybox "$root/bin/$program"; done
cp /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 /usr/aarch64-linux-gnu/lib/libc.so.6 /usr/aarch64-linux-gnu/lib/libm.so.6 "$root/lib/"
cp "$here/scripts/ranktrace-run" "$root/opt/bin/"
aarch64-linux-gnu-strip -o "$root/opt/bin/ranktrace" "$arm/ranktrace"
aarch64-linux-gnu-strip -o "$root/opt/lib/ranktrace/libranktrace.so" "$arm/libranktrace.so"
cp "$arm/libranktrace-libmspti.so" "$arm/libranktrace-libascend_kernel_hook.so" "$root/opt/lib/ranktrace/" 2>/dev/null
cat >"$tmp/pagesize.c" <<'END_OF_PROGRAM'
#include <stdio.h>
#include <unistd.h>
int main(void) { return printf("%ld\n", sysconf(_SC_PAGESIZE)) < 0; }
END_OF_PROGRAM
cat >"$tmp/endless.c" <<'END_OF_PROGRAM'
#include <pthread.h>
#include <unistd.h>
#include "tests/helpers/kill/fake_opencl.h"
static void *work(void *unused)
{
	for (unsigned int i = 1;; i++) {
		clEnqueueNDRangeKernel(NULL, "endless", 0, NULL, NULL, NULL, 0, NULL, NULL);
		if (i % 10 == 0)
			usleep(200);
	}
	return unused;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	return work(NULL) != NULL;
}
END_OF_PROGRAM
(
	cd "$root/job" || exit 1
	aarch64-linux-gnu-gcc -o pagesize "$tmp/pagesize.c" &&
		aarch64-linux-gnu-gcc -shared -fPIC -I"$here" -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c" &&
		aarch64-linux-gnu-gcc -D_GNU_SOURCE -I"$here" -o neighbours "$here/tests/helpers/systems/neighbours.c" ./libOpenCL.so.1 \
			-Wl,-rpath,/job -pthread &&
		aarch64-linux-gnu-gcc -D_GNU_SOURCE -I"$here" -o endless "$tmp/endless.c" ./libOpenCL.so.1 -Wl,-rpath,/job -pthread
) >"$tmp/built" 2>&1
equal the_programs_cross_compile "$?$(cat "$tmp/built")" 0
[ "$failures" -eq 0 ] || finish
cat >"$root/init" <<'END_OF_INIT'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc && $b mount -t devtmpfs dev /dev && $b mkdir -p /dev/shm /tmp && $b mount -t tmpfs tmpfs /dev/shm
cd /job
settings="RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu LD_PRELOAD=/opt/lib/ranktrace/libranktrace.so"
# run NAME COMMAND...: what it prints and counts, and its status
run() {
	name=$1
	shift
	$b truncate -s 4096 $name.counts
	FAKE_COUNTS=/job/$name.counts "$@" >$name.said 2>$name.errors
	echo $? >$name.status
}
./pagesize >pagesize.said
run plain ./neighbours
run hand env $settings RANKTRACE_SAVE_PATH=/job/hand ./neighbours
run launcher /opt/bin/ranktrace-run --save-path /job/launcher --steps all --contents cpu -- ./neighbours
$b truncate -s 4096 killed.counts
for seconds in 0.3 0.6 0.9 1.2 1.5 1.8; do
	FAKE_COUNTS=/job/killed.counts $b timeout -s KILL $seconds env $settings RANKTRACE_SAVE_PATH=/job/killed ./endless
	echo $?
done >killed.said 2>killed.errors
$b sleep 1
/opt/bin/ranktrace recover >recovered.said 2>&1
echo begin
$b tar -c ./*.said ./*.errors ./*.status ./*.counts hand launcher killed 2>/dev/null | $b gzip | $b base64
echo end
$b poweroff -f
END_OF_INIT
chmod +x "$root/init"
(cd "$root" && find . | qemu-aarch64 "$busybox" cpio -o -H newc 2>/dev/null) | gzip >"$tmp/initrd"

timeout 600 qemu-system-aarch64 -M virt -cpu neoverse-n1 -smp 2 -m 1024 -nographic -nic none -no-reboot -kernel "$vmlinuz" \
	-initrd "$tmp/initrd" -append "console=ttyAMA0 quiet loglevel=0 panic=-1 rdinit=/init" </dev/null >"$tmp/console" 2>&1
cd "$tmp" || exit 1
tr -d '\r' <console | sed -n '/^begin$/,/^end$/p' | sed '1d; $d' | base64 -d 2>/dev/null | tar -xz 2>/dev/null
[ -e pagesize.said ] || { fail the_kernel_boots_and_runs_programs "$(tail -n 3 console)"; finish; }

# ---- what came of it ----

equal the_kernel_has_pages_of_16_kib "$(cat pagesize.said)" 16384
equal a_program_runs_there "$(cat plain.status plain.errors)" 0
for way in hand launcher; do
	equal "on_such_pages_a_program_ends_as_without_us_by_$way" "$(cat $way.status $way.said)" "$(cat plain.status plain.said)"
	holds "on_such_pages_every_call_of_threads_and_children_is_recorded_by_$way" \
		python3 "$here/tests/helpers/python/called.py" "$tool" $way $way.counts
done
equal nothing_is_said_by_hand "$(cat hand.errors)" ''
equal they_were_killed_while_they_recorded "$(sort killed.said | uniq -c | xargs)" '6 137'
holds on_such_pages_a_kill_loses_no_completed_call python3 "$here/tests/helpers/python/called.py" "$tool" killed killed.counts 2
finish
