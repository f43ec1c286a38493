#!/bin/sh
# The neighbourhood: children that are no trainers, other C libraries, other tools in LD_PRELOAD, older
# systems, and the agent's own file coming and going. In each, the program behaves as without us, and
# what it called is recorded, exactly.
. "$(dirname "$0")/../../lib/lib.sh"

need strace
need musl-gcc
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
agent=$BUILD/libranktrace.so
systems=$here/tests/helpers/systems
cd "$tmp" || exit 1
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
$cc -o neighbours "$systems/neighbours.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread
$cc -o waiter "$systems/waiter.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
$cc -shared -fPIC -o libmspti.so "$systems/libmspti.c"
# Children that leave by _exit() are in tmpfs until somebody recovers them.
called() { "$tool" recover >recovered 2>&1 && /usr/bin/python3 "$here/tests/helpers/python/called.py" "$tool" out counts; }

# Preloaded by hand, as it reaches a child of a traced job; everything would be recorded.
preloaded() {
	RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out \
		LD_PRELOAD=${SANITIZER-}$agent "$@"
}

# ---- children that call no vendor ----

cat >children <<'T'
i=0
while [ $i -lt 50 ]; do
	i=$((i + 1))
	sh -c 'ls /proc/self/fd | wc -l; grep -e ^Threads -e ^SigBlk -e ^SigIgn -e ^SigCgt /proc/self/status'
	as --version; ld --version; gcc --version; /bin/true
done
echo 'int main(void) { return 7; }' | gcc -x c -o "$1" - && "$1"
T
sh children "$tmp/compiled" >plain 2>plain-errors
plain=$?
preloaded sh children "$tmp/compiled" >traced 2>traced-errors
equal three_hundred_children_end_as_without_us "$?" $plain
# A sanitizer's library, which they inherit too, may take signals.
[ -n "${SAN-}" ] || holds children_have_the_descriptors_threads_and_signals_that_they_have_without_us cmp plain traced
equal children_of_a_traced_job_print_nothing_of_ours "$(cat traced-errors)" "$(cat plain-errors)"
equal children_that_call_no_vendor_leave_no_file "$(find out "$RANKTRACE_SESSION_ROOT"-* 2>/dev/null)" ''

echo 'int nothing;' | ${CC:-gcc} -x c -shared -fPIC -Wl,-z,now -o empty.so -
# calls NAME PRELOAD: how many system calls /bin/true makes
calls() {
	RANKTRACE_STEPS=all strace -f -o "$1" -E LD_PRELOAD="$2" /bin/true && wc -l <"$1"
}
if [ -z "${SAN-}" ]; then
	bare=$(calls bare '') empty=$(calls empty "$tmp/empty.so") ours=$(calls ours "$agent")
	echo "/bin/true makes $bare system calls, $empty with an empty library preloaded, $ours with ranktrace"
	# The loader maps one segment more: memory that begins as zeros.
	holds a_child_makes_three_system_calls_of_ours_at_most \
		test $((ours - empty - $(readelf -lW "$agent" | awk '$1 == "LOAD" && $5 != $6' | wc -l))) -le 3

	# Each step's optimizer kernel is a boundary. It asked for all handlers of the program at each of them once.
	# asks STEPS: how often a trainer of so many steps, all before the window, asks for a handler
	asks() {
		# One thread: a function is looked up anew behind each library that comes, and others load kernels at any time.
		POCL_DEVICES=basic RANKTRACE_STEPS=1000000 strace -f -e trace=rt_sigaction -o asked -E LD_PRELOAD="$agent" \
			"$BUILD/tests/trainers/lm_train" --quiet --steps "$1" && wc -l <asked
	}
	asks 1 >compiled	# by children, which arrange handlers of their own
	equal steps_before_the_window_ask_for_no_handler "$(asks 40)" "$(asks 20)"

	echo go | RANKTRACE_STEPS=1000000 strace -f -e trace=rt_sigaction -o asked -E LD_PRELOAD="$agent" ./waiter
	equal only_the_start_asks_for_a_handler_where_no_function_was_found_before "$(grep -c 'SIGHUP, NULL' asked)" 1
fi

# ---- children of another C library ----

echo '#include <stdio.h>
int main(void) { puts("hello"); return 3; }' >hello.c
musl-gcc -o musl hello.c && musl-gcc -static -o musl-static hello.c && gcc -static -o glibc-static hello.c
gcc -m32 -ffreestanding -fno-pic -c -o start32.o "$systems/start32.c" &&
	ld -m elf_i386 -dynamic-linker /lib/ld-linux.so.2 -o glibc-32 start32.o /lib32/libc.so.6
cat >others <<'T'
for program in musl musl-static glibc-static glibc-32; do
	./$program
	echo "$program $?"
done
T
printf 'hello\n%s 3\n' musl musl-static glibc-static glibc-32 >wanted
for how in musl musl-static glibc-static; do
	[ -n "${SAN-}" ] && continue	# a sanitizer's library wants glibc, whatever we want
	got=$(preloaded ./$how 2>&1)
	equal "a_child_of_$how""_starts" "$got $?" "hello 3"
done
if [ -z "${SAN-}" ]; then
	got=$(preloaded ./glibc-32 2>warning)
	equal a_32_bit_child_starts "$got $?" "hello 3"
	equal a_32_bit_child_gets_the_loaders_warning_and_nothing_else "$(wc -l <warning) $(grep -c 'ERROR: ld.so: object.*wrong ELF class' warning)" '1 1'
	"$run" --save-path out --steps all -- sh others >got 2>errors
	holds children_of_other_libraries_start_in_a_traced_job cmp wanted got
fi

# ---- the agent's own file ----

got=$(LD_PRELOAD=$tmp/gone/libranktrace.so ./musl-static 2>&1)
equal a_static_child_starts_without_the_agents_file "$got $?" "hello 3"
got=$(LD_PRELOAD=$tmp/gone/libranktrace.so sh -c 'echo hello; exit 3' 2>warning)
equal a_child_starts_where_the_agents_file_is_missing "$got $?" "hello 3"
equal the_loader_alone_says_that_it_is_missing "$(grep -c 'ERROR: ld.so: object.*cannot be preloaded' warning) $(grep -c '^ranktrace' warning)" '1 0'

# meanwhile NAME COMMAND...: a job is traced, the command comes between two halves of its calls
meanwhile() {
	name=$1
	shift
	rm -rf out counts place
	truncate -s 4096 counts
	mkdir place
	cp "$agent" "$tool" place/
	mkfifo up down
	(
		RANKTRACE_BUILD=$tmp/place FAKE_COUNTS=counts "$run" --save-path out --steps all --contents cpu -- \
			./waiter <down >up 2>errors
		echo $? >status
	) &
	exec 8>down 9<up
	read -r line <&9
	equal "${name}_the_job_is_under_way" "$line" ready
	"$@"
	echo go >&8
	read -r line <&9
	exec 8>&- 9<&-
	wait
	rm up down
	equal "${name}_the_job_ends_well" "$line $(cat status)" 'done 0'
	holds "${name}_every_call_is_recorded" called
}
# as `make install` does it
renamed_over() { printf 'something else' >place/.new && mv place/.new place/libranktrace.so; }
meanwhile the_agents_file_is_replaced_by_a_rename renamed_over
meanwhile the_agents_file_is_removed rm place/libranktrace.so

# ---- others in LD_PRELOAD ----

# beside NAME LIST PROGRAM: the list is LD_PRELOAD, OURS in it is the agent
beside() {
	rm -rf out counts seen
	truncate -s 4096 counts
	env LD_PRELOAD="$(echo "$2" | sed 's/OURS:*//')" "$3" >plain 2>plain-errors
	plain=$?
	RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out MSPTI_OUT=$tmp/seen FAKE_COUNTS=$tmp/counts \
		timeout 120 env LD_PRELOAD="$(echo "$2" | sed "s|OURS|$agent|")" "$3" >got 2>errors
	equal "$1_the_output_is_that_of_the_bare_program" "$? $(cat got)" "$plain $(cat plain)"
	holds "$1_every_call_is_recorded" called
	case $2 in *mspti*) holds "$1_the_other_tool_sees_every_call_of_its_process" test "$(cat seen)" -eq 32000 ;; esac
}
library() { ldconfig -p | sed -n "s|.*$1.* => /|/|p" | head -n 1; }
if [ -z "${SAN-}" ]; then
	jemalloc=$(library libjemalloc.so) tcmalloc=$(library libtcmalloc_minimal.so)
	asan=$(gcc -print-file-name=libasan.so) tsan=$(gcc -print-file-name=libtsan.so) mspti=$tmp/libmspti.so
	holds the_allocators_and_sanitizers_are_here test -e "$jemalloc" -a -e "$tcmalloc" -a -e "$asan" -a -e "$tsan"
	for sanitizer in address thread; do
		gcc -g -O1 -fsanitize=$sanitizer -D_GNU_SOURCE -I"$here" -o neighbours-$sanitizer "$systems/neighbours.c" \
			./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread
	done
	beside jemalloc_before_us "$jemalloc:OURS" ./neighbours
	beside jemalloc_behind_us "OURS:$jemalloc" ./neighbours
	beside tcmalloc_before_us "$tcmalloc:OURS" ./neighbours
	beside tcmalloc_behind_us "OURS:$tcmalloc" ./neighbours
	beside libmspti_before_us "$mspti:OURS" ./neighbours
	beside libmspti_behind_us "OURS:$mspti" ./neighbours
	beside libmspti_and_jemalloc_behind_us "OURS:$mspti:$jemalloc" ./neighbours
	beside libmspti_and_tcmalloc_before_us "$tcmalloc:$mspti:OURS" ./neighbours
	beside asan_first_in_an_unsanitized_program "$asan:OURS" ./neighbours
	beside asan_first "$asan:OURS" ./neighbours-address
	beside asan_first_and_libmspti_behind_us "$asan:OURS:$mspti" ./neighbours-address
	beside tsan_first "$tsan:OURS" ./neighbours-thread
	beside tsan_first_and_libmspti_behind_us "$tsan:OURS:$mspti" ./neighbours-thread
	# The launcher puts the list in order.
	rm -rf out counts seen
	truncate -s 4096 counts
	LD_PRELOAD="$mspti $jemalloc" MSPTI_OUT=$tmp/seen FAKE_COUNTS=$tmp/counts "$run" --save-path out --steps all --contents cpu -- \
		./neighbours >got 2>errors
	equal the_launcher_orders_what_it_finds_in_LD_PRELOAD "$? $(cat got) $(cat seen)" "0 $(cat plain) 32000"
	holds calls_under_a_list_that_the_launcher_ordered_are_recorded called
fi

# ---- an older system ----

# Debian 11's libc, whose threads and dlsym are libraries of their own, with its own loader.
if [ -z "${SAN-}" ] && [ "$(uname -m)" = x86_64 ]; then
	old=$here/build/bullseye
	"$here/scripts/dev/fetch-debs" "$old" amd64 bullseye libc6 libc6-dev >fetched 2>&1 ||
		{ tail -n 2 fetched; echo "skip: no package of Debian 11 to be had"; exit 77; }
	dev=$old/usr/lib/x86_64-linux-gnu lib=$old/lib/x86_64-linux-gnu
	old_program() {	# NAME SOURCE LIBRARIES...
		name=$1 source=$2
		shift 2
		gcc -std=gnu11 -D_GNU_SOURCE -O2 -fno-stack-protector -isystem "$old/usr/include" -isystem "$old/usr/include/x86_64-linux-gnu" \
			-I"$here" -nostdlib -no-pie -o "$name" "$dev/crt1.o" "$dev/crti.o" "$source" "$@" "$lib/libc.so.6" \
			"$dev/libc_nonshared.a" "$dev/crtn.o" -Wl,-rpath,"$tmp:$lib" -Wl,-dynamic-linker,"$lib/ld-linux-x86-64.so.2"
	}
	gcc -std=gnu11 -D_GNU_SOURCE -O2 -isystem "$old/usr/include" -isystem "$old/usr/include/x86_64-linux-gnu" -nostdlib -shared -fPIC \
		-Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c" "$lib/libpthread.so.0" "$lib/libc.so.6"
	old_program neighbours "$systems/neighbours.c" ./libOpenCL.so.1 "$lib/libpthread.so.0"
	holds a_program_of_an_older_libc_is_one sh -c "./neighbours && '$lib/ld-linux-x86-64.so.2' --list ./neighbours | grep -q 'libc.so.6 => $lib'"
	beside an_older_libc "OURS" ./neighbours
fi
finish
