#!/bin/sh
# NVIDIA's own runtimes, of PyPI, where no driver is, and on a simulated one, to which they do not speak: each call answers what it answers
# without us, has the same text and the same last error, and is recorded once with that answer. The driver is asked what it is asked without us.
. "$(dirname "$0")/../../lib/lib.sh"

vendor=cuda
. "$here/tests/lib/sim.sh"
real=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace/cuda-headers
"$here/tests/helpers/python/cuda_headers.sh" "$real" 2>log || { echo "skip: no nvidia-cuda-runtime: $(tail -n 1 log)"; exit 77; }
build_layouts sim:symbolic
mkdir none driver
ln -s ../sim/libcuda.so.1 ../sim/libsimdevice.so driver/
"$tool" hooks >hooked
for major in 12 13; do
	${CC:-gcc} -std=gnu11 -O1 -g -Wall -I"$here" -Isim/rows -DDECLARED="\"libcudart.so.$major.def\"" -o refused$major "$here/tests/programs/cuda_refused.c" \
		-L"$real/lib" -l:libcudart.so.$major || exit 1
done

# `symbol result` of calls that have rows, as the program says and as they were recorded
said() { awk 'NR == FNR { hooked[$1] = 1; next } $1 in hooked { print $1, $2 }' hooked "$1" | sort; }
recorded() { "$tool" dump --format jsonl "$1" | python3 -c 'import json, sys
for e in map(json.loads, sys.stdin): print(e["name"], e["result"])' | sort; }

for major in 12 13; do
	for world in none driver; do
		name=${major}_with_$world
		export LD_LIBRARY_PATH="$tmp/$world:$real/lib"
		SIM_ASKED=$name.asked ./refused$major >$name.bare
		equal "runtime_${name}_is_called" "$(grep -c . $name.bare)" 16
		SIM_ASKED=$name.asked.dormant RANKTRACE_STEPS=100 RANKTRACE_STEP_SOURCE=api "$run" --save-path $name.dormant -- ./refused$major >said 2>log
		equal "dormant_runtime_${name}_answers_as_without_us" "$(diff $name.bare said)" ''
		SIM_ASKED=$name.asked.traced "$run" --save-path $name.out --steps all --level level2 --contents cpu,memory,device -- ./refused$major >said 2>log
		equal "recorded_runtime_${name}_answers_as_without_us" "$(diff $name.bare said)" ''
		said $name.bare >$name.said
		equal "calls_of_runtime_${name}_are_recorded_once_with_that" "$(recorded $name.out | diff $name.said -) $(grep -c . $name.said)" ' 12'
	done
	equal "the_simulated_driver_is_refused_by_${major}" "$(grep -vc ' 500$' $name.said)" 0
	equal "the_driver_is_asked_the_same_by_${major}" "$(wc -l <$name.asked; cmp $name.asked $name.asked.dormant; cmp $name.asked $name.asked.traced)" $([ $major = 12 ] && echo 419 || echo 458)
done
finish
