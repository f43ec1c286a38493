# aarch64.sh - what tests of the agent for aarch64 share: where it is built, for_arm, emulated; to be sourced behind lib.sh. shellcheck shell=sh
# shellcheck disable=SC2154 # what lib.sh sets
libs=$here/build/cross
arm=$here/build/arm64
"$here/scripts/dev/cross-libs" "$libs" >"$tmp/libs" 2>&1 || { tail -n 2 "$tmp/libs"; echo "skip: no arm64 packages to be had"; exit 77; }
lib=$libs/usr/lib/aarch64-linux-gnu

# for_arm FLAGS FILE...: the agent as it is released, what is about numbers and bytes as it compiles fast
for_arm() {
	flags=$1
	shift
	make -C "$here" --no-print-directory -j2 O=build/arm64 CC=aarch64-linux-gnu-gcc CFLAGS="$flags -idirafter $libs/usr/include" \
		STATIC_LIBS="$lib/libyaml.a $lib/libzstd.a" LDFLAGS="-L$lib" "$@"
}

# compiled: the agent with the libraries that stand beside it, or the test ends
compiled() {
	for_arm -O2 build/arm64/libranktrace.so build/arm64/libranktrace-libmspti.so build/arm64/libranktrace-libascend_kernel_hook.so >"$tmp/compiled" 2>&1 && return
	tail -n 5 "$tmp/compiled"
	echo "FAIL the_agent_cross_compiles"
	exit 1
}

helpers=$here/tests/helpers/qemu
gcc -D_GNU_SOURCE -Wall -Wextra -O1 -static -o "$tmp/start" "$helpers/start.c" || exit 1

# emulated TEST...: an end-to-end test as it is, of agent and programs for aarch64 under qemu-user (QEMU, where it is to be another), compiled by
# tests/helpers/qemu/cc. What is no part of a traced process is this machine's.
emulated() {
	mkdir -p "$arm/both/tests"
	cp -pu --remove-destination "$arm"/libranktrace*.so "$BUILD/ranktrace" "$arm/both/"
	[ "$(readlink "$arm/both/tests/programs")" = "$BUILD/tests/programs" ] || ln -sfn "$BUILD/tests/programs" "$arm/both/tests/programs"
	EMULATED=aarch64 PATH=$helpers/bin:$PATH BUILD=$arm/both START=$tmp/start QEMU_LD_PREFIX=${system:-/usr/aarch64-linux-gnu} CC=$helpers/cc \
		CXX="env CROSS=aarch64-linux-gnu-g++ $helpers/cc" MACHINE_CC='gcc -B/usr/bin -D_GNU_SOURCE' "$@"
}

# newer_qemu: one that wipes what a forked child is not to have, as the kernel does; Debian 12's only says so
newer_qemu() {
	need aarch64-linux-gnu-g++
	"$here/scripts/dev/fetch-debs" "$here/build/qemu" amd64 trixie qemu-user >"$tmp/newer" 2>&1 || {
		tail -n 2 "$tmp/newer"
		echo "skip: no newer qemu to be had"
		exit 77
	}
	export QEMU="$here/build/qemu/usr/bin/qemu-aarch64"
}

# fetch_system: Debian's packages in a folder that is / to what is emulated
fetch_system() {
	# shellcheck disable=SC2046 # a list of words
	"$here/scripts/dev/fetch-debs" "$here/build/arm64-system" arm64 - $(cat "$helpers/python.debs" "$helpers/pocl.debs")
}

# with_system: that folder; PoCL, which compiles a kernel once, and Python; the training program
with_system() {
	system=$here/build/arm64-system
	fetch_system >"$tmp/system" 2>&1 || {
		tail -n 2 "$tmp/system"
		echo "skip: no packages for aarch64 to be had"
		exit 77
	}
	mkdir -p "$arm/both/tests/trainers" "$arm/icd"
	export OCL_ICD_VENDORS="$arm/icd" POCL_DEVICES=basic POCL_CACHE_DIR="$arm/pocl-cache" PYTHON="$arm/python3"
	# Others run these: they are made where something is newer, and never written to.
	newest=$(ls -t "$here"/tests/trainers/lm_* "$here"/tests/helpers/layers/* "$helpers/cc" "$helpers/start.c" | head -n 1)
	[ "$arm/both/tests/libcount_layer.so" -nt "$newest" ] && [ -e "$arm/python3" ] && return
	echo "$system"/usr/lib/aarch64-linux-gnu/libpocl.so.*.* >"$arm/icd/pocl.icd"
	ln -sf blas/libblas.so.3 lapack/liblapack.so.3 "$system/usr/lib/aarch64-linux-gnu/" # as update-alternatives does
	cp --remove-destination "$tmp/start" "$arm/python3"
	ln -sf "$system/usr/bin/python3.11" "$arm/python3.aarch64"
	emulated sh -c 'cd "$1" && $CC -O2 -I. -o "$BUILD/tests/trainers/lm_train" tests/trainers/lm_*.c -lOpenCL -lm &&
		$CC -O2 -I. -fPIC -fvisibility=hidden -shared -o "$BUILD/tests/libcount_layer.so" tests/helpers/layers/count_layer.c -pthread' sh "$here" || exit 1
}

# prepared: all of these, one test at a time
prepared() {
	exec 8>"$arm.lock" && flock 8
	fetch_system >/dev/null 2>&1 & # meanwhile
	newer_qemu
	compiled
	wait
	with_system
	exec 8>&-
}

# each_emulated FOLDER SCRIPT...: tests/e2e/FOLDER/e2e_SCRIPT.sh of each, whose checks have its name in front; SCRIPTS="SCRIPT ...": only these
each_emulated() {
	folder=$1
	shift
	for script; do
		case " ${SCRIPTS:-$script} " in *" $script "*) ;; *) continue ;; esac
		status=0 began=$(date +%s)
		emulated "$here/tests/e2e/$folder/e2e_$script.sh" >"$tmp/output" 2>&1 || status=$?
		echo "# $script: $(($(date +%s) - began)) s"
		sed -n "s/^ok /ok ${script}_/p; s/^FAIL /FAIL ${script}_/p" "$tmp/output"
		equal "${script}_passes_on_aarch64" "$status" 0
	done
}
