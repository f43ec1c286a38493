#!/bin/sh
# Kernels of code that comes and goes: of libraries whose constructors run before ours, of two majors of the runtime, and of libraries and
# modules that are unloaded, behind which others lie at the same addresses. Each launch has the name of the kernel that it launched. The
# driver is asked about no handle that it refused.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
build_layouts sim:symbolic
export LD_LIBRARY_PATH="$tmp/sim:$tmp"
cc="${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -I$here -Isim/rows"
program=$here/tests/programs/cuda_modules.c
# library NAME MAJOR LAUNCH
library() { $cc -DLIBRARY -DDECLARED="\"libcudart.so.$2.def\"" -DWORK="\"of_$1\"" -DLAUNCH="$3" -shared -fPIC -o lib$1.so "$program" -Lsim -l:libcudart.so.$2 || exit 1; }
library linked12 12 launch12
library linked13 13 launch13
library first 12 launch
library second 13 launch
library other 12 launch
$cc -DDECLARED='"libcuda.so.1.def"' -o modules "$program" -L. -llinked12 -llinked13 -Lsim -lcuda -ldl -Wl,--allow-shlib-undefined 2>log || { cat log; exit 1; }

# asked NAME: by what the driver was asked for names, and how often
asked() { python3 "$here/tests/sims/lib/counts.py" -a "$1.counts" | grep -Eo 'cu(Func|Kernel)GetName .*' | xargs; }
# named NAME STEPS LIBRARY LIBRARY: the kernels of the last step, or of both, as the program says and as they were recorded
named() {
	name=$1 steps=$2
	shift 2
	SIM_COUNTS=$name.counts "$run" --save-path "$name" --step-source "${source:-api}" --steps "$steps" --level level0 --contents cpu -- ./modules "$@" >"$name.said" 2>"$name.log"
	equal "${name}_launches_as_without_us" "$(cat "$name.said")" "$(./modules "$@" 2>/dev/null)"
	[ "$steps" = all ] || sed -i 1,14d "$name.said"
	"$tool" dump --format jsonl "$name" | sed -n 's/.*"kernel":"\([^"]*\)".*/\1/p' >"$name.got"
	equal "kernels_of_${name}_have_their_names" "$(diff "$name.said" "$name.got" | head -n 4) $(grep -c fails "$name.said")" ' 0'
	"$tool" dump --format jsonl "$name" | grep -v '"kernel":' >"$name.none"
	equal "what_is_no_kernel_has_no_name_in_${name}" "$(grep -o '"result":.*' "$name.none" | sed 's/[,}].*//' | uniq -c | tr -s ' ')" " $([ "$steps" = all ] && echo 2 || echo 1) \"result\":400"
	equal "and_nobody_is_asked_about_it_in_${name}" "$(asked "$name")" ''
	[ "$name ${EMULATED:+qemu}" = 'two_majors qemu' ] || # qemu-user maps a library of another size elsewhere
		equal "and_places_of_${name}_were_those_of_others" "$(grep '^stubs' "$name.log")" 'stubs again, functions again'
}
named one_major all ./libfirst.so ./libother.so
named two_majors all ./libfirst.so ./libsecond.so
named known_while_dormant 2 ./libfirst.so ./libother.so
source=kernel:of_first
named steps_by_a_kernel all ./libfirst.so ./libother.so
source=

# Of what the runtime made for itself the driver alone knows the name.
$cc -DDECLARED='"libcudart.so.12.def"' -o graphs "$here/tests/programs/cuda_graphs.c" -Lsim -l:libcudart.so.12 -ldl -lm -pthread || exit 1
SIM_COUNTS=graphs.counts "$run" --save-path graphs.out --step-source api --steps 2 --level level1 --contents cpu -- ./graphs >said 2>log
equal of_others_it_is_asked "$(asked graphs | cut -d' ' -f1)" cuFuncGetName

# By what ld.so says, whose lines end with the path.
LD_DEBUG=files "$run" --save-path order --steps all -- ./modules ./libfirst.so ./libsecond.so >said 2>log
equal constructors_ran_before_ours "$(awk '/calling init/ && match($NF, /lib(linked1[23]|ranktrace)/) { inits[$1] = inits[$1] " " substr($NF, RSTART) }
	END { for (process in inits) if (inits[process] ~ /linked/) print inits[process] }' log)" ' liblinked13.so liblinked12.so libranktrace.so'
finish
