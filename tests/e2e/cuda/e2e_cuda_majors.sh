#!/bin/sh
# Two majors of the CUDA runtime in one process: names have versions, and each call ends in the runtime that it would without us,
# linked or opened, dormant or recorded.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
sim=$here/tests/sims/cuda
counts=$here/tests/sims/lib/counts.py
cd "$tmp" || exit 1
"$sim/build.sh" sim >log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 log)"
	finish
}
export LD_LIBRARY_PATH="$tmp/sim"
cc="${CC:-gcc} -std=gnu11 -O1 -g -Wall"
for major in 12 13; do
	$cc -o program$major "$here/tests/programs/two_majors.c" -Lsim -l:libcudart.so.$major -Wl,-rpath,"$tmp/sim" -ldl &&
		$cc -DLIBRARY -shared -fPIC -o library$major.so "$here/tests/programs/two_majors.c" -Lsim -l:libcudart.so.$major \
			-Wl,-rpath,"$tmp/sim" -Wl,-Bsymbolic || exit 1
done
# Both are there from the start: the one that is needed first would be anybody's, were it not for the versions.
$cc -o both "$here/tests/programs/two_majors.c" -Lsim -l:libcudart.so.13 -Wl,--no-as-needed ./library12.so -Wl,-rpath,"$tmp:$tmp/sim" -ldl || exit 1

# counted FILE: what each runtime was called for, by programs
counted() { BUILD=$BUILD python3 "$counts" -a "$1" | grep -E 'libcudart.*(cudaMalloc|cudaFree) ' | tr '\n' ' '; }

# of MAJOR TIMES: how that looks
of() { echo "libcudart.so.$1 cudaFree $2 libcudart.so.$1 cudaMalloc $2 "; }

# same NAME SETTINGS WANTED COMMAND...: it says and each runtime counts what is wanted, without us as with us
same() {
	name=$1 settings=$2 wanted=$3
	shift 3
	equal "${name}_without_us" "$(SIM_COUNTS=bare.counts "$@"): $(counted bare.counts)" "$wanted"
	equal "$name" "$(env $settings SIM_COUNTS=traced.counts "$run" --save-path out -- "$@" 2>log): $(counted traced.counts)" "$wanted"
	rm -f ./*.counts
}
for settings in "RANKTRACE_STEPS=1000000 RANKTRACE_STEP_SOURCE=api" "RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu,memory"; do
	case $settings in *all*) when=recorded ;; *) when=dormant ;; esac
	same "calls_of_13_and_of_a_library_of_12_${when}" "$settings" "13 12 13: $(of 12 10)$(of 13 6)" ./program13 5 ./library12.so
	same "calls_of_12_and_of_a_library_of_13_${when}" "$settings" "12 13 12: $(of 12 6)$(of 13 10)" ./program12 5 ./library13.so
	same "calls_of_13_with_12_loaded_at_the_start_${when}" "$settings" "13 12 13: $(of 12 10)$(of 13 6)" ./both 5 ./library12.so
	same "calls_of_a_library_alone_${when}" "$settings" "13 0 13: $(of 13 6)" ./program13 5
done
report every_call_is_recorded_once out 'sum(x["name"] == "cudaMalloc" for x in e) == 3 * 16 + 6 and sum(x["name"] == "cudaFree" for x in e) == 3 * 16 + 6'

# Asked for by their handles, as ctypes does.
cat >asks.py <<'EOF'
import ctypes, sys
runtimes = {major: ctypes.CDLL("libcudart.so." + major) for major in ("12", "13")}
functions = {major: runtime.cudaMalloc for major, runtime in runtimes.items()}
for major in sys.argv[1:]:
    assert functions[major](ctypes.byref(ctypes.c_void_p()), ctypes.c_size_t(256)) == 0
EOF
# listed MAJOR...: the libraries that are seen when these are called
listed() {
	rm -rf out
	"$run" --save-path out --steps all --contents cpu,memory -- "$python" asks.py "$@" 2>log
	echo "$("$tool" check out): $("$tool" report out | sed -n 's|^/.*/\(lib[^/]*\)$|\1|p' | sort | paste -sd ' ')"
}
export RANK=0
equal both_that_are_called_by_their_handles_are_listed "$(listed 12 13 12 13 13)" 'recorded 5 events of rank 0: libcudart.so.12 libcudart.so.13'
equal whichever_comes_first "$(listed 13 12)" 'recorded 2 events of rank 0: libcudart.so.12 libcudart.so.13'
equal and_none_that_is_only_asked "$(listed 13)" 'recorded 1 event of rank 0: libcudart.so.13'

# Two majors of cublasLt, each needed by a plugin that asks for its functions by name: whose the answer is does not depend on
# whether ours would be of use.
mkdir rivals
for major in 12 13; do
	$cc -DMAJOR=$major -shared -fPIC -Wl,-soname,libcublasLt.so.$major -o rivals/libcublasLt.so.$major "$here/tests/programs/two_rivals.c" &&
		$cc -DPLUGIN -shared -fPIC -o plugin$major.so "$here/tests/programs/two_rivals.c" -Lrivals -l:libcublasLt.so.$major || exit 1
done
export LD_LIBRARY_PATH="$tmp/rivals:$tmp/sim"
$cc -o two_rivals "$here/tests/programs/two_rivals.c" -ldl || exit 1
# answers CONTENTS [LIBRARY]
answers() { "$run" --save-path out --steps all --contents "$1" -- ./two_rivals ./plugin12.so ./plugin13.so ${2+"$2"} 2>log; }
for library in '' "$tmp/rivals/libcublasLt.so.12"; do
	bare=$(./two_rivals ./plugin12.so ./plugin13.so $library)
	for contents in cpu cpu,shapes; do
		equal "a_name_leads_to_the_library_of_who_asks_with_${contents}${library:+_and_one_that_is_everybodys}" "$(answers $contents $library)" "$bare"
	done
done
equal and_that_is_not_always_the_same_one "$(./two_rivals ./plugin12.so ./plugin13.so)" ' 12 12 0 0 13 13 0 0'
finish
