#!/bin/sh
# The step source symbol:LIB:NAME@entry and @return: calls of functions of every shape give what they
# give without us, and the steps hold exactly the events between the boundaries.
set -eu
export LC_ALL=C
. "$(dirname "$0")/../../lib/lib.sh"
RUNNER=${RUNNER-}	# of another architecture: see e2e_roads.sh
# To save time: PROGRAMS, the ways to reach a library, and FUNCTIONS, which are all tried with each other.
tool=${TOOL:-$tool}
cc="${CC:-gcc} -std=gnu11 -O1 -g -w -I$here"

cd "$tmp"
mkdir other
programs=$here/tests/programs
$cc -fPIC -shared -Wl,-Bsymbolic -o libOpenCL.so.1 "$here/tests/fakes/opencl/fake_opencl.c" \
	-Wl,-soname,libOpenCL.so.1 -Wl,--version-script="$here/tests/fakes/opencl/opencl.map"
$cc -fPIC -shared -o libtrainer.so "$programs/symbol_library.c" -Wl,-soname,libtrainer.so
$cc -o lazy "$programs/symbol_trainer.c" ./libtrainer.so ./libOpenCL.so.1 -Wl,-z,lazy,-rpath,"$tmp"
$cc -o relro "$programs/symbol_trainer.c" ./libtrainer.so ./libOpenCL.so.1 -Wl,-z,relro,-z,now,-rpath,"$tmp"
$cc -fno-plt -o noplt "$programs/symbol_trainer.c" ./libtrainer.so ./libOpenCL.so.1 -Wl,-z,relro,-z,now,-rpath,"$tmp"
$cc -DBY_DLSYM -o dlsym "$programs/symbol_trainer.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
functions=$(sed -n 's/^\tF(\([^,]*\), \([a-z_]*\),.*/\2/p' "$programs/symbol_functions.h")

# traced SPEC COMMAND...: steps 2 and 4 of a run; output in got, traces in out.
traced() {
	spec=$1
	shift
	rm -rf out
	status=0
	if [ -n "$RUNNER" ]; then
		RANKTRACE_SAVE_PATH="$tmp/out" RANKTRACE_STEPS=2,4 RANKTRACE_STEP_SOURCE="$spec" RANKTRACE_CONTENTS=cpu \
			$RUNNER -E "LD_PRELOAD=$BUILD/libranktrace.so" "$@" >got 2>errors || status=$?
		# A slow machine's exit does not wait for the flush thread. The clock is the other architecture's.
		! ls -d "$RANKTRACE_SESSION_ROOT"-*/[0-9]* >left 2>&1 || $RUNNER "$BUILD/ranktrace" recover >recovered 2>&1 || :
		return
	fi
	"$run" --save-path "$tmp/out" --steps 2,4 --step-source "$spec" --contents cpu -- "$@" >got 2>errors || status=$?
}

# steps WANTED: the recorded steps and how many events each holds, from both readers.
steps() {
	"$tool" report --format json out >report.json 2>>errors || { echo "report ended with $?: $(tail -n 1 errors): $("$tool" report out | tr '\n' '|')" && return 1; }
	"$tool" dump --format jsonl out >dump.jsonl 2>>errors || { echo "dump ended with $?: $(tail -n 1 errors)" && return 1; }
	python3 - "$1" "$spec" <<'P'
import collections, json, sys
rank, = json.load(open("report.json"))["ranks"]
got = {s["step"]: s["events"] for s in rank["steps"]}
dumped = dict(collections.Counter(json.loads(l)["step"] for l in open("dump.jsonl")))
want = json.loads(sys.argv[1], object_pairs_hook=lambda p: {int(k): v for k, v in p})
if got != want or dumped != want:
    sys.exit(f"wanted {want}, reported {got}, dumped {dumped}")
if rank["step_source"] != sys.argv[2].split(";")[0] or rank["events"]["dropped"]:
    sys.exit(f"source {rank['step_source']}, events {rank['events']}")
P
}

# like_plain NAME STEPS SPEC COMMAND...: the output is that of a run without us, and the steps are these.
like_plain() {
	name=$1 wanted=$2
	shift 2
	source=$1
	shift
	$RUNNER "$@" >plain
	traced "$source" "$@"
	if [ "$status" != 0 ]; then
		fail "$name" "exit status $status: $(tail -n1 errors)"
	elif ! cmp -s plain got; then
		fail "$name" "results differ: $(diff plain got | head -n3 | tr '\n' '|')"
	elif [ -n "$wanted" ] && ! why=$(steps "$wanted" 2>&1); then
		fail "$name" "$(echo "$why" | tail -n1)"
	else
		ok "$name"
	fi
}

# windows NUMBER entry|return: how many events steps 2 and 4 hold if function NUMBER is the clock. In
# iteration n there are n launches behind each function; its return ends a step, its entry begins one.
windows() {
	python3 - "$1" "$2" "$(echo "$functions" | wc -w)" <<'P'
import sys
i, where, functions = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
iterations, count, step = 6, {}, 0 if where == "entry" else 1
for n in range(1, iterations + 1):
    for f in range(functions):
        step += f == i
        count[step] = count.get(step, 0) + n
print("{" + ",".join(f'"{s}":{count[s]}' for s in (2, 4)) + "}")
P
}

for program in ${PROGRAMS:-lazy relro noplt dlsym}; do
	number=0
	for f in $functions; do
		case " ${FUNCTIONS:-$f} " in *" $f "*) boundaries="entry return" ;; *) boundaries= ;; esac
		for where in $boundaries; do
			like_plain "${f}_at_${where}_$program" "$(windows $number $where)" \
				"symbol:libtrainer.so:$f@$where" ./$program
		done
		number=$((number + 1))
	done
done
# A source that ends steps stands behind one that begins them, and never fires: nobody starts with step 1.
first=$(echo "$functions" | head -n 1)
like_plain entry_with_a_kernel_source_behind_it "$(windows 0 entry)" \
	"symbol:libtrainer.so:$first@entry;kernel:^never$" ./lazy

# All of them at once: the first that fires is the clock, the others are only passed through.
all=$(for f in $functions; do printf 'symbol:libtrainer.so:%s@return;' "$f"; done | cut -d';' -f1-8)
for program in lazy relro dlsym; do
	like_plain "eight_sources_at_once_$program" "$(windows 0 return)" "$all" ./$program
done

# Each is listed: whether it is there, and what it told.
if [ -z "$RUNNER" ]; then
	second=$(echo "$functions" | sed -n 2p)
	traced "symbol:libnone.so:never@entry;symbol:libtrainer.so:absent@entry;symbol:libtrainer.so:$second@entry;symbol:libtrainer.so:$first@entry" ./lazy
	equal each_is_listed_whether_it_is_there "$(listened out)" "step symbol:libnone.so:never@entry=-1; step symbol:libtrainer.so:absent@entry=-2; \
step symbol:libtrainer.so:$second@entry=0; step symbol:libtrainer.so:$first@entry=5
step symbol:libnone.so:never@entry: not there: its library was not loaded; step symbol:libtrainer.so:absent@entry: not there: its library has no such function; \
step symbol:libtrainer.so:$second@entry: had not fired when symbol:libtrainer.so:$first@entry did; step symbol:libtrainer.so:$first@entry: fired 5 times"
fi

# A library that only shares the name of a function is no step source.
cat >other.c <<'P'
int train_iteration(int n);
int train_iteration(int n) { return n + 100; }
P
$cc -fPIC -shared -o libother.so other.c
cat >two.c <<'P'
#include <dlfcn.h>
#include <stdio.h>
int clEnqueueNDRangeKernel(void *, void *, unsigned, const void *, const void *, const void *, unsigned, const void *, void *);
int main(void)
{
	void *ours = dlopen("./libtrainer.so", RTLD_NOW), *other = dlopen("./libother.so", RTLD_NOW);
	void (*step)(int) = dlsym(ours, "train_iteration");
	int (*f)(int) = dlsym(other, "train_iteration");

	for (int n = 1; n <= 6; n++) {
		step(n);
		printf("%d\n", f(n));
		clEnqueueNDRangeKernel(0, 0, 0, 0, 0, 0, 0, 0, 0);
	}
}
P
$cc -o two two.c ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
like_plain another_library_with_the_same_name_is_left_alone '{"2":1,"4":1}' symbol:libtrainer.so:train_iteration@entry ./two
cat >bound.c <<'P'
#include <stdio.h>
int train_iteration(int n);
int bound(int n);
int bound(int n) { return train_iteration(n); }
P
$cc -fPIC -shared -o libbound.so bound.c ./libother.so -Wl,-rpath,"$tmp",-z,now
cat >three.c <<'P'
#include <dlfcn.h>
#include <stdio.h>
int clEnqueueNDRangeKernel(void *, void *, unsigned, const void *, const void *, const void *, unsigned, const void *, void *);
int main(void)
{
	void *other = dlopen("./libbound.so", RTLD_NOW | RTLD_LOCAL);
	int (*f)(int) = dlsym(other, "bound");
	void *ours = dlopen("./libtrainer.so", RTLD_NOW | RTLD_LOCAL);
	void (*step)(int) = dlsym(ours, "train_iteration");

	for (int n = 1; n <= 6; n++) {
		step(n);
		printf("%d\n", f(n));
		clEnqueueNDRangeKernel(0, 0, 0, 0, 0, 0, 0, 0, 0);
	}
}
P
$cc -o three three.c ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
like_plain a_call_bound_to_another_library_is_left_alone '{"2":1,"4":1}' symbol:libtrainer.so:train_iteration@entry ./three
$cc -fPIC -shared -o liblazybound.so bound.c ./libother.so -Wl,-rpath,"$tmp",-z,lazy
sed 's/libbound/liblazybound/; s/RTLD_NOW/RTLD_LAZY/' three.c >four.c
$cc -o four four.c ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
like_plain a_call_lazily_bound_to_another_library_is_left_alone '{"2":1,"4":1}' symbol:libtrainer.so:train_iteration@entry ./four

# A source that is recorded itself: the call is an event of the step that it begins or ends, by whatever road.
row=$programs/symbol_row.c
link="./libOpenCL.so.1 -Wl,-rpath,$tmp"
$cc -o row_lazy "$row" $link -Wl,-z,lazy
$cc -o row_now "$row" $link -Wl,-z,now
$cc -fno-plt -o row_noplt "$row" $link -Wl,-z,now
$cc -fno-pie -no-pie -o row_fixed "$row" $link -Wl,-z,lazy
for bound in lazy now; do
	$cc -DPLUGIN -fPIC -shared -o libplugin_$bound.so "$row" $link -Wl,-z,$bound
done
# A wheel brings its runtime under a name of its own.
$cc -fPIC -shared -Wl,-Bsymbolic -o libOpenCL-1a2b3c.so.1 "$here/tests/fakes/opencl/fake_opencl.c" \
	-Wl,-soname,libOpenCL-1a2b3c.so.1 -Wl,--version-script="$here/tests/fakes/opencl/opencl.map"
$cc -o row_wheel "$row" ./libOpenCL-1a2b3c.so.1 -Wl,-rpath,"$tmp",-z,now

# placed WHERE: steps 2 and 4 hold one clFinish each, the first or the last of their events.
placed() {
	python3 - "$1" <<'P'
import json, sys
names = {}
for line in open("dump.jsonl"):
    event = json.loads(line)
    names.setdefault(event["step"], []).append((event["begin_ns"], event["name"]))
for step in (2, 4):
    of_step = [name for _, name in sorted(names.get(step, []))]
    wanted = 0 if sys.argv[1] == "entry" else -1
    if of_step.count("clFinish") != 1 or of_step[wanted] != "clFinish":
        sys.exit(f"step {step}: {of_step}")
P
}

# recorded NAME COMMAND...
recorded() {
	what=$1
	shift
	for where in entry return; do
		rm -f dump.jsonl
		wanted='{"2":14,"4":16}'
		[ $where = entry ] || wanted='{"2":13,"4":15}'
		like_plain "${what}_at_$where" "$wanted" "symbol:${library-libOpenCL}:clFinish@$where" "$@"
		if why=$(placed $where 2>&1); then
			ok "${what}_is_in_its_step_at_$where"
		else
			fail "${what}_is_in_its_step_at_$where" "$(echo "$why" | tail -n1)"
		fi
	done
}

export RANKTRACE_LEVEL=level1
recorded a_recorded_call_lazily_bound ./row_lazy
recorded a_recorded_call_bound_at_once ./row_now
recorded a_recorded_call_without_plt ./row_noplt
recorded a_recorded_call_of_a_library_opened_later_lazily_bound ./row_lazy ./libplugin_lazy.so
recorded a_recorded_call_of_a_library_opened_later_bound_at_once ./row_lazy ./libplugin_now.so
recorded a_recorded_call_into_a_runtime_with_another_soname ./row_wheel
for road in default next version; do
	recorded a_recorded_call_found_by_$road ./row_now $road
done
recorded a_recorded_call_by_its_address ./row_now address
recorded a_recorded_call_by_its_address_in_a_fixed_program ./row_fixed address
recorded a_recorded_call_found_by_handle ./row_now libOpenCL.so.1
library=libOpenCL-1a2b3c
recorded a_recorded_call_into_the_second_of_two_runtimes ./row_now ./libOpenCL-1a2b3c.so.1
unset library
cat >passer.c <<'P'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int clFinish(void *queue);
int clFinish(void *queue) { puts("passed on"); return ((int (*)(void *))dlsym(RTLD_NEXT, "clFinish"))(queue); }
P
$cc -fPIC -shared -o libpasser.so passer.c
sed 's/RTLD_NEXT/dlopen("libOpenCL.so.1", RTLD_NOW)/' passer.c >opener.c
$cc -fPIC -shared -o libopener.so opener.c
for program in row_lazy row_now; do
	[ -z "$RUNNER" ] || break	# it takes one LD_PRELOAD
	like_plain "a_tool_in_front_of_us_that_opens_the_library_is_not_led_to_itself_from_$program" '' \
		symbol:libnone.so:never@entry sh -c "LD_PRELOAD=\"$tmp/libopener.so \$LD_PRELOAD\" exec ./$program"
	recorded a_recorded_call_through_a_tool_in_front_of_us_from_$program \
		sh -c "LD_PRELOAD=\"$tmp/libpasser.so \$LD_PRELOAD\" exec ./$program"
	recorded a_recorded_call_found_by_default_in_a_tool_in_front_of_us_from_$program \
		sh -c "LD_PRELOAD=\"$tmp/libpasser.so \$LD_PRELOAD\" exec ./$program default"
	recorded a_recorded_call_through_a_tool_that_opens_the_library_from_$program \
		sh -c "LD_PRELOAD=\"$tmp/libopener.so \$LD_PRELOAD\" exec ./$program"
	recorded a_recorded_call_through_a_tool_behind_us_from_$program \
		sh -c "LD_PRELOAD=\"\$LD_PRELOAD $tmp/libpasser.so\" exec ./$program"
done
unset RANKTRACE_LEVEL

# A function that is not recorded, which a tool in front of us or behind us passes on, or takes over.
cat >tool.c <<'P'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
void train_iteration(int n);
void train_iteration(int n)
{
	printf("the tool has %d\n", n);
#ifdef PASS_ON
	((void (*)(int))dlsym(RTLD_NEXT, "train_iteration"))(n);
#endif
}
P
$cc -DPASS_ON -fPIC -shared -o libpasses.so tool.c
$cc -fPIC -shared -o libtakes.so tool.c
for program in lazy relro; do
	[ -z "$RUNNER" ] || break
	for place in behind in_front_of; do
		preload="\$LD_PRELOAD $tmp"
		after=
		[ $place = behind ] || { preload=$tmp after=' $LD_PRELOAD'; }
		for where in entry return; do
			like_plain "a_tool_${place}_us_that_passes_a_source_on_from_${program}_at_$where" "$(windows 0 $where)" \
				"symbol:libtrainer.so:train_iteration@$where" sh -c "LD_PRELOAD=\"$preload/libpasses.so$after\" exec ./$program"
		done
		like_plain "a_tool_${place}_us_that_takes_a_source_over_from_$program" '' \
			symbol:libtrainer.so:train_iteration@entry sh -c "LD_PRELOAD=\"$preload/libtakes.so$after\" exec ./$program"
	done
done

# What asks more of a probe.
for soname in libwide.so libunloaded.so; do
	$cc -Wno-psabi -DLIBRARY -fPIC -shared -o $soname "$programs/symbol_wide.c" -Wl,-soname,$soname
done
vectors=
[ "$($cc -dM -E - </dev/null | grep -c __x86_64__)" = 0 ] || vectors='256:wide_256 512:wide_512'
$cc -Wno-psabi -o wide "$programs/symbol_wide.c" ./libwide.so ./libOpenCL.so.1 -Wl,-rpath,"$tmp"
for one in $vectors stack:much_on_the_stack end:plain_step unload:plain_step; do
	library=libwide.so
	[ ${one%:*} != unload ] || library=libunloaded.so
	status=0
	$RUNNER ./wide ${one%:*} >plain || status=$?
	[ $status != 77 ] || { echo "skip ${one%:*}: this processor has no such vectors"; continue; }
	like_plain "a_step_of_kind_${one%:*}_at_entry" '{"2":2,"4":4}' "symbol:$library:${one#*:}@entry" ./wide ${one%:*}
	like_plain "a_step_of_kind_${one%:*}_at_return" '{"2":1,"4":3}' "symbol:$library:${one#*:}@return" ./wide ${one%:*}
done

if command -v "${CXX:-g++}" >/dev/null; then
	${CXX:-g++} -O1 -g -fPIC -shared -o libthrow.so "$programs/symbol_throw_library.cc"
	${CXX:-g++} -O1 -g -o throw "$programs/symbol_throw.cc" ./libthrow.so -Wl,-rpath,"$tmp"
	for where in entry return; do
		like_plain "an_exception_passes_a_probe_at_$where" '' "symbol:libthrow.so:throwing_iteration@$where" ./throw
	done
else
	echo 'skip an_exception_passes_a_probe: there is no C++ compiler'
fi

finish
