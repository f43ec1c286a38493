# life.sh - what the tests of processes' and threads' lives share: `. tests/lib/life.sh`, build_life, live, `finish`.
# A program makes calls to a fake library that counts them; it is run without us, and with us. The job's
# output and exit status must be the same, and kept + dropped + in flight what the library counted.
# shellcheck shell=sh disable=SC2034

lib=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "${lib%/tests/*}/tests/lib/lib.sh"
export LC_ALL=C
ulimit -c 0
unset SLURM_JOB_ID RANKTRACE_CONFIG RANKTRACE_LAUNCH RANKTRACE_RANKS RANK
export RANKTRACE_SESSION_ROOT="/dev/shm/ranktrace-life-$$" RANKTRACE_STEPS=all RANKTRACE_CONTENTS=cpu
agent=${SANITIZER-}$BUILD/libranktrace.so
cd "$tmp" || exit 1

build_life() {
	set -e
	cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -I$here -I$here/tests/helpers/kill"
	libraries=$here/tests/helpers/life/libraries
	$cc -fexceptions -shared -fPIC -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c"
	$cc -o life "$here"/tests/helpers/life/*.c ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread -rdynamic
	for source in "$libraries"/*.c; do
		name=$(basename "$source" .c)
		$cc -shared -fPIC -o "$name.so" "$source" ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
	done
	${CXX:-c++} -O2 -g -I"$here/tests/helpers/kill" -o throw "$here/tests/helpers/life/throw.cc" ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
	for i in 1 2 3 4 5 6; do cp life_tls.so "life_tls$i.so"; done
	set +e
}

[ -z "${SAN-}" ] || LIFE_LIMIT=${LIFE_LIMIT:-300}	# a thousand processes start with a sanitizer each

# ended OUTPUT COMMAND...: under a time limit, with fresh counts; the status is kept in $status.
ended() {
	output=$1
	shift
	rm -f may victim
	: >counts
	truncate -s 4096 counts
	status=0
	FAKE_COUNTS=$tmp/counts timeout -k 5 "${LIFE_LIMIT:-60}" "$@" >"$output" 2>&1 || status=$?
}

# judged NAME WORD WANTED-STATUS: says ok or FAIL for what $status, plain, traced, counts and out hold.
judged() {
	why=
	"$tool" recover >recovered 2>&1 || why="recovery: $(tail -n 1 recovered)"
	"$tool" report --format json out >report 2>errors || :
	[ -z "$numbers" ] || sed -i 's/0x[0-9a-f]*/0x/g' plain traced
	case $3:$killed in 124: | 137:) why="$why; without us it did not end" ;; esac
	[ "$3" -lt 78 ] || [ "$3" -gt 99 ] || why="$why; without us it failed with $3"
	[ "$status" = "$3" ] || why="$why; status $status instead of $3"
	cmp -s plain traced || why="$why; the output differs: $(diff plain traced | head -n "${LIFE_LINES:-4}" | tr '\n' '|')"
	printf '%s' "$allowed" >>may
	python3 "$here/tests/helpers/life/compare.py" "$2" counts report may >compared || why="$why; calls are missing"
	cat compared
	# shellcheck disable=SC2086
	[ -z "$dump" ] || python3 "$here/tests/helpers/life/dump_check.py" "$tool" out $dump >dumped || why="$why; $(cat dumped)"
	left=$(ls -d "$RANKTRACE_SESSION_ROOT"-*/[0-9]* 2>/dev/null || :)
	[ -z "$left" ] || why="$why; sessions are left: $left"
	if [ -z "$why" ]; then ok "$1"; else fail "$1" "${why#; }"; fi
}

# live NAME WORD OPTIONS COMMAND...: COMMAND without us and with us. OPTIONS as in tests/helpers/life/life.h.
live() {
	name=$1 word=$2 options=$3 before='' after='' settings=''
	says='' killed='' dump='' numbers='' allowed=''
	shift 3
	for option in $options; do
		case $option in
		before=*) before=$tmp/${option#*=} ;;
		after=*) after=$tmp/${option#*=} ;;
		env=*) settings="$settings ${option#*=}" ;;
		dump=*) dump="$dump ${option#*=}" ;;
		may=*) option=${option#*=} allowed="$allowed${option%:*} ${option#*:}
" ;;
		says) says=1 ;;
		killed) killed=1 ;;
		numbers) numbers=1 ;;
		esac
	done
	rm -rf out
	# shellcheck disable=SC2086
	{
	ended plain env $settings ${before:+"LD_PRELOAD=$before"} ${after:+"LD_PRELOAD=$after"} "$@"
	want=$status
	ended traced env $settings "LD_PRELOAD=${before:+$before:}$agent${after:+:$after}" RANKTRACE_SAVE_PATH="$tmp/out" "$@"
	}
	without_loader traced
	[ -z "$says" ] || sed -i '/^ranktrace: /d' traced
	judged "$name" "$word" "$want"
}
