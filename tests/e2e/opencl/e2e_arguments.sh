#!/bin/sh
# NULL and garbage in every place of every row (tests/programs/arguments.c reads them from the same table):
# result, errno, whatever else is written, and what the library was given are those of a run without us.
# On a fake library that checks its arguments, on one that does not care, and on a real runtime.
. "$(dirname "$0")/../../lib/lib.sh"

sanitized=$(nm -D --undefined-only "$BUILD/libranktrace.so" | grep -cE '__(asan|tsan)_init') || :
need "${CC:=gcc}"
cc="$CC -std=gnu11 -O1 -g -w -no-pie -I$here -DARGUMENTS_OF=\"tests/programs/arguments_opencl.h\""
cd "$tmp" || exit 1
fakes=$here/tests/fakes/opencl
echo '#include <CL/cl.h>' | $cc -fsyntax-only -x c - 2>/dev/null || { echo 'skip: CL/cl.h is not there (Debian: opencl-headers)'; exit 77; }
$cc -fPIC -shared -Wl,-Bsymbolic -o libOpenCL.so.1 "$fakes/fake_opencl.c" -Wl,-soname,libOpenCL.so.1 \
	-Wl,--version-script="$fakes/opencl.map" || exit 1
$cc -o arguments "$here/tests/programs/arguments.c" "$here/tests/programs/arguments_rows.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" || exit 1

# like_bare NAME OPTIONS COMMAND...: the lines that it prints are those in the file bare
like_bare() {
	name=$1 options=$2
	shift 2
	rm -rf out
	# shellcheck disable=SC2086
	"$run" --save-path out $options -- "$@" >got 2>errors
	rc=$?
	if [ -n "$forgiven" ]; then	# calls of ours for device times are no calls of the program's
		sed -i "/^$forgiven /s/ called .*//; /^called $forgiven /d" got
		sed "/^$forgiven /s/ called .*//; /^called $forgiven /d" bare >wanted
	else
		cp bare wanted
	fi
	if [ $rc -ne 0 ]; then
		fail "$name" "exit status $rc"
	elif diff wanted got >difference; then
		ok "$name"
	else
		fail "$name" "$(grep -c '^<' difference) of $(wc -l <wanted) calls: $(grep '^[<>]' difference | cut -c 1-160 | head -n 2 | tr '\n' '|')"
	fi
}

# exact NAME: every call that the fake library counted was recorded, none dropped
exact() {
	awk '/^called / { print $2, $3 }' got >counted
	report "$1" out 'ranks[0]["entry_points"] == {k: int(v) for k, v in (l.split() for l in open("counted"))} and total("called") == total("kept") == len(e)'
}

"$tool" hooks | awk '$1 ~ /^cl/ { print $1 }' | sort -u >rows
off="--steps 1000 --contents cpu" all="--steps all --level level2 --contents cpu,memory" npu="--steps all --level level2 --contents cpu,npu,memory"
for library in careless strict; do
	[ $library = careless ] || export FAKE_STRICT=1
	./arguments fake >bare || fail "a_${library}_library_survives_garbage_by_itself" $?
	equal "every_row_was_called_with_a_${library}_library" "$(sed -n 's/^called \(.*\) [1-9].*/\1/p' bare | sort | cksum)" "$(sort rows | cksum)"
	forgiven=
	like_bare "a_${library}_library_answers_garbage_as_without_us_while_dormant" "$off"  ./arguments fake
	like_bare "a_${library}_library_answers_garbage_as_without_us_while_recording" "$all" ./arguments fake
	exact "garbage_is_recorded_once_a_call_with_a_${library}_library"
	forgiven='clCreateCommandQueue[A-Za-z]*'
	like_bare "a_${library}_library_answers_garbage_as_without_us_with_device_times" "$npu" ./arguments fake
done
unset FAKE_STRICT

if [ "$sanitized" -gt 0 ]; then
	echo 'skip the real runtime: a sanitizer ends a process of bad pointers in its own way'
	finish
fi
export POCL_DEVICES=basic POCL_CACHE_DIR="${POCL_CACHE_DIR:-$tmp/cache}" # one thread: it lives on in a forked child
$cc -DREAL -o real "$here/tests/programs/arguments.c" "$here/tests/programs/arguments_rows.c" -lOpenCL || exit 1
./real real >bare 2>/dev/null
[ $? -ne 77 ] || { echo 'skip: there is no OpenCL runtime on the CPU (Debian: pocl-opencl-icd)'; exit 77; }
# Of the calls that end their process, one a row is enough. The second run finds compiled kernels in the cache.
sed -n 's/: signal .*//p' bare | awk 'seen[$1]++' >left_out
./real real left_out >bare 2>/dev/null
equal "a_real_runtime_gives_the_same_answers_twice" "$(./real real left_out 2>/dev/null | cksum)" "$(cksum <bare)"
holds "a_real_runtime_was_asked_often_enough" [ "$(wc -l <bare)" -gt 2000 ]
forgiven=
like_bare "a_real_runtime_answers_garbage_as_without_us_while_dormant" "$off" ./real real left_out
like_bare "a_real_runtime_answers_garbage_as_without_us_while_recording" "$all" ./real real left_out
like_bare "a_real_runtime_answers_garbage_as_without_us_with_device_times" "$npu" ./real real left_out
finish
