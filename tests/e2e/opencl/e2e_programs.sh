#!/bin/sh
# Programs that we did not write: tinygrad (ctypes, dlsym), pyopencl (linked) and clinfo, against a
# counting layer. The layer lies below ranktrace, so it also sees the calls that ranktrace makes for
# device times; with contents=cpu,memory ranktrace makes none.
. "$(dirname "$0")/../../lib/lib.sh"

need clinfo
venv=${RANKTRACE_VENV:-$here/build/venv}
sh "$here/tests/helpers/python/venv.sh" "$venv" >"$tmp/venv" 2>&1 || { cat "$tmp/venv"; echo "skip: no Python packages"; exit 77; }
python=$venv/bin/python
export XDG_CACHE_HOME=$tmp/cache
"$tool" hooks | awk '$1 ~ /^cl/ { print $1 }' | sort -u >"$tmp/rows"

# bare NAME COMMAND...: what the program prints without us
bare() {
	name=$1
	shift
	"$@" >"$tmp/$name.bare" 2>"$tmp/$name.bare-err"
	equal "${name}_runs_here" $? 0
}

# traced NAME RUN OPTIONS COMMAND...: the same program under ranktrace and the layer, as run RUN
traced() {
	name=$1 which=$2 options=$3
	shift 3
	# shellcheck disable=SC2086
	OPENCL_LAYERS=$layer COUNT_LAYER_OUT=$tmp/$which.counts \
		"$run" --save-path "$tmp/$which" $options -- "$@" >"$tmp/$which.out" 2>"$tmp/$which.err"
	equal "${which}_exits_as_without_us" $? 0
	holds "${which}_prints_the_same_bit_for_bit" cmp "$tmp/$name.bare" "$tmp/$which.out"
}

# exact RUN: what was recorded is what the layer counted, entry point by entry point
exact() {
	report "$1_every_call_is_recorded_once" "$tmp/$1" \
		"ranks[0]['entry_points'] == {k: v for k, v in counts('$tmp/$1.counts').items() if k in open('$tmp/rows').read().split()}"
	report "$1_nothing_lost" "$tmp/$1" 'total("called") == total("kept") == len(e)'
}

all="--steps all --level level1 --contents cpu,memory"

bare tinygrad env DEV=CL "$python" "$here/tests/helpers/python/tinygrad_train.py"
traced tinygrad tinygrad-all "$all" env DEV=CL "$python" "$here/tests/helpers/python/tinygrad_train.py"
exact tinygrad-all
holds the_guess_of_a_step_source_is_the_last_kernel_of_a_step grep -qF -- "--step-source 'kernel:^E_4_4n4\$'" <<-END
	$("$tool" report "$tmp/tinygrad-all")
END
traced tinygrad tinygrad-steps "--steps 2,4 --step-source kernel:^E_4_4n4$ --contents cpu,npu" \
	env DEV=CL "$python" "$here/tests/helpers/python/tinygrad_train.py"
report tinygrad_steps_15_launches_a_step_each_with_its_device_time "$tmp/tinygrad-steps" \
	'all(by("kind", [x for x in e if x["step"] == s])["launch"] == 15 for s in (2, 4)) and all("device_duration_ns" in x for x in e if x["kind"] == "launch")'
report tinygrad_steps_only_the_asked_steps "$tmp/tinygrad-steps" '{x["step"] for x in e} == {2, 4}'

asked=$here/tests/helpers/python/asked_calls.py
env DEV=CL "$python" "$asked" "$tmp/said" "$here/tests/helpers/python/tinygrad_train.py" >"$tmp/said.out"
traced tinygrad tinygrad-stacks "--steps all --level level1 --contents cpu,memory,module" env DEV=CL "$python" "$here/tests/helpers/python/tinygrad_train.py"
exact tinygrad-stacks
holds each_call_of_tinygrad_has_the_stack_that_python_says_and_each_line_its_calls /usr/bin/python3 "$asked" - "$tmp/said" "$tool" "$tmp/tinygrad-stacks"
holds the_time_of_a_line_is_that_of_its_calls /usr/bin/python3 "$here/tests/helpers/python/report_tables.py" "$tool" lines "$tmp/tinygrad-stacks"
for by in host:host_ns count:count; do
	equal "its_folded_stacks_come_to_the_same_${by%%:*}" "$("$tool" export --to folded --by "${by%%:*}" "$tmp/tinygrad-stacks" | awk '!/^\[/ { n += $NF } END { print n }')" \
		"$("$tool" report --format json "$tmp/tinygrad-stacks" | /usr/bin/python3 -c 'import json, sys; print(sum(l[sys.argv[1]] for l in json.load(sys.stdin)["ranks"][0]["lines"]))' "${by#*:}")"
done

bare pyopencl /usr/bin/python3 "$here/tests/helpers/python/pyopencl_train.py"
traced pyopencl pyopencl-all "$all" /usr/bin/python3 "$here/tests/helpers/python/pyopencl_train.py"
exact pyopencl-all
report pyopencl_kernel_names "$tmp/pyopencl-all" \
	'{x["kernel"] for x in e if x["kind"] == "launch"} == {"residual", "descend"}'
traced pyopencl pyopencl-every "--steps all --step-source kernel:^descend$ --contents cpu,device --device-every 3" \
	/usr/bin/python3 "$here/tests/helpers/python/pyopencl_train.py"
# timed KIND: of each step how many calls of a kind there are, and how many of these have a device time
timed='lambda kind: [(len(its), sum("device_duration_ns" in x for x in its)) for s in range(1, 6) for its in [[x for x in e if x["step"] == s and x["kind"] == kind]]]'
report pyopencl_launches_of_every_third_step_have_device_times "$tmp/pyopencl-every" "($timed)('launch') == [(2, 2), (2, 0), (2, 0), (2, 2), (2, 0)]"
report pyopencl_copies_have_them_in_each "$tmp/pyopencl-every" "($timed)('copy') == [(5, 5), (2, 2), (2, 2), (2, 2), (3, 3)]"
report pyopencl_those_of_launches_between_are_not_missing "$tmp/pyopencl-every" 'ranks[0]["untimed"] == 0 and [s["times"] for s in ranks[0]["steps"]][:5] == ["device", "host", "host", "device", "host"]'

bare clinfo clinfo
traced clinfo clinfo-all "$all" clinfo
exact clinfo-all
finish
