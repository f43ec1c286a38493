#!/bin/sh
# Programs that are hard on a tracer: threads that come and go while steps change and the process ends, names, texts, steps and sizes
# beyond what there is room for. RUNS: how many processes end at a random moment (torture: 10000), MANY: steps and sizes.
. "$(dirname "$0")/../../lib/lib.sh"
need python3

cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here"
helpers=$here/tests/helpers/adversary
cd "$tmp" || exit 1
$cc -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c" &&
	$cc -shared -fPIC -Wl,-soname,libms_tools_ext.so -o libms_tools_ext.so "$helpers/marker.c" &&
	$cc -o churn "$helpers/churn.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread &&
	$cc -o many "$helpers/many.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -ldl || exit 1
unset RANKTRACE_CONFIG RANKTRACE_RANKS
export TSAN_OPTIONS="$TSAN_OPTIONS:report_thread_leaks=0" # its threads are joined by nobody when one of them exits the process

python3 "$helpers/churn.py" "$BUILD" "$tmp" "${RUNS:-16}" || { failures=1 KEEP=1; echo "what is left lies in $tmp"; }

# many NAME SHM_SIZE WHAT N SAID TOLD: it says what it says without us; all is recorded, or what is missing is 'told all'
many() {
	rm -rf out
	RANKTRACE_STEPS=all RANKTRACE_STEP_SOURCE=api RANKTRACE_SHM_SIZE=$2 RANKTRACE_CONTENTS=cpu RANKTRACE_SAVE_PATH=$tmp/out \
		timeout 300 env LD_LIBRARY_PATH="$tmp" LD_PRELOAD="${SANITIZER-}$BUILD/libranktrace.so" ./many "$3" "$4" >said 2>&1
	equal "$1_harm_nobody" "$(cat said)" "$5"
	got=$(python3 "$helpers/many.py" "$tool" out "$3" "$4")
	case " $6 " in *" $got "*) ok "$1_are_kept_or_told" ;; *) fail "$1_are_kept_or_told" "$got" ;; esac
}
n=${MANY:-30000}
many steps_with_room 256M steps "$n" "$n launches, $n steps" all
room_for=700000 # sizes in a quarter of 256M, 88 bytes each
many sizes_with_room 256M sizes "$n" "$n launches, $n sizes" "$([ "$n" -le "$room_for" ] || echo told) all"
many steps_without_room 4M steps "$n" "$n launches, $n steps" 'told all'
many sizes_without_room 4M sizes "$n" "$n launches, $n sizes" 'told all'
many long_names 256M names 60 '60 launches, 0 bytes of the program'\''s written' all
many long_texts_of_markers 256M markers 60 '60 launches, 60 markers' all
many long_names_without_room 4M names 60 '60 launches, 0 bytes of the program'\''s written' 'told all'
many long_texts_without_room 4M markers 60 '60 launches, 60 markers' 'told all'
finish
